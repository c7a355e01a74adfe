"""A full disk is refused in words, costs nothing that was there, and is forgotten once there is room again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import Forks
from tests.faults.forks import fill
from tests.fixtures.toy import document, picture, toy_memory


@pytest.fixture
def little_room(tmp_path: Path) -> Iterator[Path]:
    """A file system of three megabytes."""
    place = tmp_path / "little"
    place.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("mounting a small file system needs the rights of root")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_file_system_that_runs_full_refuses_text_and_keeps_what_it_has(little_room: Path) -> None:
    memory = toy_memory(little_room / "space")
    memory.ingest([document("Mira|knows|Anna", name="first")])
    (little_room / "ballast").write_bytes(b"x" * 1_200_000)
    taken, refused = fill(memory)
    assert "took no more; nothing was half-written, free some space and try again" in refused
    assert taken
    # It still answers, from what it has, though nothing can be written, not even the trace.
    result = memory.retrieve("who knows Anna")
    assert result.passages[0].text == "Mira|knows|Anna"
    memory.close()

    (little_room / "ballast").unlink()
    with toy_memory(little_room / "space") as memory:
        assert memory.check() == []
        for job in memory.jobs():
            if job.state == "failed":
                memory.retry(job.id)
        with memory._store.database.writing() as connection:
            connection.execute("UPDATE jobs SET lease = 0")
        memory.run_jobs()
        assert set(memory.stats().states) == {"ready"}
        assert memory.check() == []
        assert memory.ingest([document("Pell|met|Quist", name="last")]).files[0].state == "new"
        assert ("mira", "knows", "anna", False) in picture(memory).facts


def test_files_that_may_not_grow_are_refused_in_the_same_words(forks: Forks, tmp_path: Path) -> None:
    with toy_memory(tmp_path / "space") as memory:
        memory.ingest([document("Mira|knows|Anna", name="first")])
    forks.start(("write_into_little_room", {"space": tmp_path / "space", "limit": 700_000}))
    assert forks.codes() == [0], forks.said()
    with toy_memory(tmp_path / "space") as memory:
        assert memory.check() == []
        assert memory.retrieve("who knows Anna", record=False).passages[0].text == "Mira|knows|Anna"
