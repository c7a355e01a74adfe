"""Several programs at one memory, some of which die."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lpmm_core.store import checks
from tests.store.conftest import Opener
from tests.store.world import World

SCRIPT = Path(__file__).with_name("processes.py")


@contextmanager
def process(mode: str, space: Path, worker: str, number: int = 0) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), mode, str(space), worker, str(number)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as started:
        try:
            yield started
        finally:
            started.kill()


def taken_in(world: World) -> set[str]:
    """Return the names of the documents that are there and read."""
    rows = world.rows(
        """SELECT s.name FROM sources s JOIN occurrences o ON o.source = s.id
        WHERE EXISTS (SELECT 1 FROM evidence v WHERE v.occurrence = o.id)"""
    )
    return {row["name"] for row in rows}


def problems(world: World) -> list[str]:
    with world.store.reading() as connection:
        return checks.check(connection)


def test_programs_that_open_a_new_memory_at_once_and_write_at_once_all_finish(space: Path, open_store: Opener) -> None:
    with (
        process("count", space / "space", "one", 12) as one,
        process("count", space / "space", "two", 12) as two,
        process("count", space / "space", "three", 12) as three,
    ):
        answers = [program.communicate(timeout=60) for program in (one, two, three)]
        assert [program.returncode for program in (one, two, three)] == [0, 0, 0], answers
    world = World(open_store())
    acknowledged = {name for output, _ in answers for name in output.split()}
    assert acknowledged == taken_in(world)
    assert len(acknowledged) == 36
    assert problems(world) == []
    assert world.value("SELECT count(*) FROM facts") == 36 * 40
    assert world.value("SELECT count(*) FROM names") == 36 * 40 + 7
    assert world.value("SELECT max(sequence) FROM batches") == world.value("SELECT count(*) FROM batches") == 72


def test_programs_killed_in_the_middle_of_a_batch_lose_nothing_they_acknowledged(
    space: Path, open_store: Opener
) -> None:
    acknowledged: set[str] = set()
    world = World(open_store())
    for kill in range(5):
        with process("forever", space / "space", f"life {kill}") as program:
            assert program.stdout is not None
            for _ in range(1 + kill % 3):
                acknowledged.add(program.stdout.readline().strip())
            time.sleep(0.005 * kill)
            program.send_signal(signal.SIGKILL)
            acknowledged |= {line.strip() for line in program.stdout if line.endswith("\n")}
        assert acknowledged
        assert taken_in(world) >= acknowledged
        assert problems(world) == []
    world.ingest("Anna knows Bob")
    assert world.sees_fact("Anna knows Bob")
    half = world.rows("SELECT fact, count(*) AS n FROM evidence GROUP BY occurrence HAVING n NOT IN (300, 1)")
    assert half == []


def test_a_program_whose_disk_is_full_says_so_and_harms_nothing(space: Path, open_store: Opener) -> None:
    world = World(open_store())
    world.ingest("Anna knows Bob")
    with process("full", space / "space", "one", 2_000_000) as program:
        output, error = program.communicate(timeout=60)
    assert (program.returncode, error.split(":")[0]) == (1, "storage-full")
    assert taken_in(world) >= set(output.split())
    assert output.split()
    assert problems(world) == []
    world.ingest("Cara likes Dora")
    assert world.sees_fact("Anna knows Bob")
    assert world.sees_fact("Cara likes Dora")
