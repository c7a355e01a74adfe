"""How a base is kept on disk: a directory of arrays that are mapped into memory, and a manifest that says what they are.

A base is written once and never changed. It comes into being by one rename, so a crash leaves either none or a whole one, and it is
mapped when opened, so opening costs the same however large the memory is. It can be deleted at any time: whoever finds a base
missing, damaged, of another model or another version builds it again from the truth.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lpmm_core.base.errors import LpmmError, StorageFull

FORMAT = 1
"""Raised whenever the meaning of a file changes; a base of another format is built again."""

_MANIFEST = "manifest.json"
_CHUNK = 1 << 22


class UnusableBase(LpmmError):
    """A base that is missing, damaged, or made from something else. Building the index again from the truth mends it."""

    code: ClassVar[str] = "unusable-index"
    status: ClassVar[int] = 503


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a base was made from: the journal's sequence number, the embedding model's fingerprint, the calibration's version."""

    sequence: int = 0
    fingerprint: str = ""
    calibration: int = 0


@dataclass(frozen=True, slots=True)
class Base:
    """An opened base."""

    directory: Path
    stamp: Stamp
    settings: Mapping[str, Any]

    def array(self, name: str) -> NDArray[Any]:
        """Return the array `name`, mapped read-only.

        Raises:
            UnusableBase: the file cannot be read as an array.
        """
        path = self.directory / f"{name}.npy"
        try:
            # An empty file cannot be mapped. The plain view spares every later slice the memmap class.
            small = path.stat().st_size <= 256
            loaded: NDArray[Any] = np.load(path, mmap_mode=None if small else "r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as cause:
            raise UnusableBase(f"the index file {path} cannot be read: {cause}") from cause
        return np.asarray(loaded)


def save_base(
    directory: Path,
    *,
    kind: str,
    stamp: Stamp,
    arrays: Mapping[str, NDArray[Any]],
    settings: Mapping[str, Any] | None = None,
    files: Mapping[str, Callable[[Path], None]] | None = None,
) -> None:
    """Write a base and move it to `directory` in one step; one that stood there is replaced.

    Args:
        directory: where the base will stand; its parent is made when missing.
        kind: what kind of index this is; `open_base` refuses another.
        stamp: what it was made from.
        arrays: each is written as `<name>.npy`.
        settings: numbers and words that the index needs again, as JSON.
        files: each is called with the path it shall write.

    Raises:
        StorageFull: the disk refused; nothing is left behind.
    """
    directory.parent.mkdir(parents=True, exist_ok=True)
    workplace = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    try:
        for name, array in arrays.items():
            with (workplace / f"{name}.npy").open("wb") as file:
                np.save(file, array, allow_pickle=False)
        for name, write in (files or {}).items():
            write(workplace / name)
        contents = {path.name: [path.stat().st_size, _checksum(path)] for path in sorted(workplace.iterdir())}
        manifest = {
            "format": FORMAT,
            "kind": kind,
            "stamp": asdict(stamp),
            "settings": dict(settings or {}),
            "files": contents,
        }
        (workplace / _MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True), "utf-8")
        for path in workplace.iterdir():
            _flush(path)
        _flush(workplace)
        _replace(workplace, directory)
        _flush(directory.parent)
    except OSError as cause:
        if cause.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageFull(f"no room on the disk to save the index {directory}") from cause
        raise
    finally:
        shutil.rmtree(workplace, ignore_errors=True)


def open_base(
    directory: Path, *, kind: str, fingerprint: str | None = None, calibration: int | None = None, verify: bool = False
) -> Base:
    """Open the base at `directory`.

    Args:
        directory: where it stands.
        kind: the kind of index that is expected.
        fingerprint: the embedding model that is expected; None takes any.
        calibration: the calibration's version that is expected; None takes any.
        verify: read every byte and compare checksums, rather than names and sizes only.

    Raises:
        UnusableBase: there is none, it is damaged, or it is another's.
    """
    try:
        manifest = json.loads((directory / _MANIFEST).read_text("utf-8"))
        found_format, found_kind, contents = manifest["format"], manifest["kind"], manifest["files"]
        stamp, settings = Stamp(**manifest["stamp"]), dict(manifest["settings"])
    except FileNotFoundError as cause:
        raise UnusableBase(f"there is no index at {directory}") from cause
    except (OSError, ValueError, KeyError, TypeError) as cause:
        raise UnusableBase(f"the manifest of the index {directory} cannot be read: {cause}") from cause
    for what, found, expected in (
        ("format", found_format, FORMAT),
        ("kind", found_kind, kind),
        ("model fingerprint", stamp.fingerprint, fingerprint),
        ("calibration", stamp.calibration, calibration),
    ):
        if expected is not None and found != expected:
            raise UnusableBase(f"the index {directory} has the {what} {found!r}, expected {expected!r}")
    for name, (size, checksum) in contents.items():
        path = directory / name
        try:
            # Another program that saved a newer base may be taking this one away right now.
            if path.stat().st_size != size:
                raise UnusableBase(f"the index file {path} is cut short")
            if verify and _checksum(path) != checksum:
                raise UnusableBase(f"the index file {path} is damaged: its checksum differs")
        except OSError as cause:
            raise UnusableBase(f"the index file {path} is missing or cannot be read: {cause}") from cause
    return Base(directory, stamp, settings)


def _replace(workplace: Path, directory: Path) -> None:
    """Move `workplace` to `directory`. Readers of the old one keep their maps: its files live until the last map closes."""
    if directory.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{directory.name}.old.", dir=directory.parent))
        directory.rename(old / "base")
        workplace.rename(directory)
        shutil.rmtree(old, ignore_errors=True)
    else:
        workplace.rename(directory)


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            checksum = zlib.crc32(chunk, checksum)
    return checksum


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
