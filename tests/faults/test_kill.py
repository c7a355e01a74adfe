"""kill -9 at any moment loses nothing that was said to be done, and leaves nothing half done."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lpmm_core.index.shelf import Shelf
from lpmm_core.store.database import Database
from tests.faults.conftest import Forks
from tests.faults.killing import torment
from tests.fixtures.toy import Picture, document, passage, toy_memory, traces_of


def test_a_program_killed_twenty_times_ends_where_an_undisturbed_one_does(
    forks: Forks, tmp_path: Path, uninterrupted: Picture
) -> None:
    began = time.monotonic()
    torment(forks, tmp_path, uninterrupted, kills=20, seed=7, longest=0.5)
    assert time.monotonic() - began < 60


class Killed(BaseException):
    """Stands for a kill at one exact moment."""


@pytest.mark.parametrize("moment", ["before the indexes were cleared", "before the file was scrubbed"])
def test_a_purge_that_was_killed_half_way_leaves_nothing_after_the_next_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    with toy_memory(tmp_path / "space") as memory:
        memory.ingest([document("Zanzibarius|hides|Quackenbush", "Mira|knows|Anna")])
    memory = toy_memory(tmp_path / "space")
    gone = passage(memory, "Zanzibarius")
    memory.delete([gone])

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        if moment == "before the indexes were cleared":
            patch.setattr(Shelf, "forget", die)
        else:
            patch.setattr(Database, "scrub", die)
        with pytest.raises(Killed):
            memory.purge([gone])
    memory._store.close()  # without settling, as a kill would
    with toy_memory(tmp_path / "space") as memory:
        assert [p.text for p in memory.retrieve("Zanzibarius", record=False).passages] == ["Mira|knows|Anna"]
        assert memory.check() == []
    assert traces_of(tmp_path / "space", "Zanzibarius", "Quackenbush") == []
