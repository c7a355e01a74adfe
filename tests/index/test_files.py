"""A base is whole or absent, and says what it is."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from lpmm_core.base.errors import StorageFull
from lpmm_core.index import files
from lpmm_core.index.files import Stamp, UnusableBase, open_base, save_base

STAMP = Stamp(sequence=7, fingerprint="e5", calibration=2)


def write(directory, **more):
    arrays = {"numbers": np.arange(1000), "empty": np.zeros(0, np.float32)}
    save_base(directory, kind="test", stamp=STAMP, arrays=arrays, settings={"limit": 3}, **more)


def test_a_base_comes_back_as_it_was_saved(tmp_path):
    write(tmp_path / "base")
    base = open_base(tmp_path / "base", kind="test", fingerprint="e5", calibration=2, verify=True)
    assert (base.stamp, base.settings["limit"]) == (STAMP, 3)
    assert np.array_equal(base.array("numbers"), np.arange(1000))
    assert base.array("empty").shape == (0,)


def test_arrays_are_mapped_and_not_loaded(tmp_path):
    write(tmp_path / "base")
    numbers = open_base(tmp_path / "base", kind="test").array("numbers")
    assert isinstance(numbers.base, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        numbers[0] = 1


@pytest.mark.parametrize(
    ("expected", "word"),
    [
        ({"kind": "other"}, "kind"),
        ({"kind": "test", "fingerprint": "bge"}, "fingerprint"),
        ({"kind": "test", "calibration": 3}, "calibration"),
    ],
)
def test_an_alien_base_is_refused_by_what_is_alien(tmp_path, expected, word):
    write(tmp_path / "base")
    with pytest.raises(UnusableBase, match=word):
        open_base(tmp_path / "base", **expected)


def test_a_base_of_another_format_is_refused(tmp_path, monkeypatch):
    write(tmp_path / "base")
    monkeypatch.setattr(files, "FORMAT", files.FORMAT + 1)
    with pytest.raises(UnusableBase, match="format"):
        open_base(tmp_path / "base", kind="test")


def test_a_missing_base_is_refused(tmp_path):
    with pytest.raises(UnusableBase, match="no index"):
        open_base(tmp_path / "none", kind="test")


def test_a_file_cut_short_is_noticed_on_opening(tmp_path):
    write(tmp_path / "base")
    path = tmp_path / "base" / "numbers.npy"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(UnusableBase, match=r"numbers\.npy"):
        open_base(tmp_path / "base", kind="test")


def test_a_file_that_is_taken_away_while_the_base_is_opened_is_noticed(tmp_path, monkeypatch):
    write(tmp_path / "base")
    (tmp_path / "base" / "numbers.npy").unlink()
    monkeypatch.setattr(Path, "is_file", lambda _: True)  # as it was a moment ago
    with pytest.raises(UnusableBase, match=r"numbers\.npy"):
        open_base(tmp_path / "base", kind="test")


def test_a_flipped_bit_is_noticed_when_verifying(tmp_path):
    write(tmp_path / "base")
    path = tmp_path / "base" / "numbers.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    open_base(tmp_path / "base", kind="test")
    with pytest.raises(UnusableBase, match="damaged"):
        open_base(tmp_path / "base", kind="test", verify=True)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", json.dumps({"format": 1}), json.dumps({"format": 1, "kind": "test", "files": {}})]
)
def test_a_damaged_manifest_is_refused(tmp_path, text):
    write(tmp_path / "base")
    (tmp_path / "base" / "manifest.json").write_text(text)
    with pytest.raises(UnusableBase, match="manifest"):
        open_base(tmp_path / "base", kind="test")


def test_a_base_is_replaced_while_a_reader_keeps_the_old_one(tmp_path):
    write(tmp_path / "base")
    old = open_base(tmp_path / "base", kind="test").array("numbers")
    save_base(tmp_path / "base", kind="test", stamp=Stamp(8), arrays={"numbers": np.zeros(1000)})
    assert old[999] == 999
    assert open_base(tmp_path / "base", kind="test").stamp.sequence == 8
    assert [path.name for path in tmp_path.iterdir()] == ["base"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_failed_write_leaves_the_old_base_and_nothing_else(tmp_path, number):
    write(tmp_path / "base")

    def fail(path):
        raise OSError(number, os.strerror(number))

    with pytest.raises(StorageFull if number == errno.ENOSPC else OSError):
        write(tmp_path / "base", files={"more.bin": fail})
    assert [path.name for path in tmp_path.iterdir()] == ["base"]
    assert open_base(tmp_path / "base", kind="test", verify=True).stamp == STAMP
