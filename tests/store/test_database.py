"""The SQLite file: one moment for a reader, one writer at a time, and failures said in the product's words."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from lpmm_core.base.errors import Busy, LpmmError, StorageFull
from lpmm_core.store import checks, database
from lpmm_core.store.journal import current_sequence
from lpmm_core.store.store import Store
from tests.store.conftest import Opener
from tests.store.world import World


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)


def sound(world: World) -> bool:
    with world.store.reading() as connection:
        return checks.check(connection) == []


def test_a_reader_sees_the_moment_at_which_it_began_whatever_is_written_meanwhile(world: World) -> None:
    world.ingest("Anna knows Bob")
    with world.store.reading() as connection:
        world.ingest("Cara likes Dora")
        assert current_sequence(connection) == 2
        assert connection.execute("SELECT count(*) FROM visible_facts").fetchone()[0] == 1
    with world.store.reading() as connection:
        assert current_sequence(connection) == 4


def test_what_a_batch_writes_is_seen_by_nobody_until_it_is_committed(world: World) -> None:
    world.ingest("Anna knows Bob")
    with world.batch() as batch:
        batch.update("facts", 1, deleted=batch.time)
        assert world.sees_fact("Anna knows Bob")
    assert not world.sees_fact("Anna knows Bob")


def test_a_reader_cannot_be_kept_from_reading_by_a_writer(world: World, open_store: Opener) -> None:
    world.ingest("Anna knows Bob")
    other = World(open_store())
    with world.batch():
        assert other.graph() == world.graph()


def test_readings_within_readings_and_in_threads_do_not_disturb_each_other(world: World) -> None:
    world.ingest("Anna knows Bob")
    seen: list[int] = []

    def look(depth: int = 4) -> None:
        with world.store.reading() as connection:
            if depth:
                look(depth - 1)
            seen.append(connection.execute("SELECT count(*) FROM visible_facts").fetchone()[0])

    threads = [threading.Thread(target=look) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 60
    with ExitStack() as stack:
        opened = [stack.enter_context(world.store.reading()) for _ in range(database.MOST_IDLE + 2)]
    with ExitStack() as stack:
        again = [stack.enter_context(world.store.reading()) for _ in range(database.MOST_IDLE + 2)]
    assert len({*map(id, opened)} & {*map(id, again)}) == database.MOST_IDLE


def test_threads_that_write_at_once_take_turns(world: World) -> None:
    def write(number: int) -> None:
        for count in range(5):
            with world.batch(f"thread {number}") as batch:
                batch.insert("entities", ("name", "hand", "pinned", "version"), [(f"{number}-{count}", 0, 0, 1)])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.value("SELECT count(DISTINCT name) FROM entities") == 30
    assert [row["sequence"] for row in world.rows("SELECT sequence FROM batches ORDER BY 1")] == list(range(1, 31))


def test_a_writer_that_waits_too_long_for_another_is_told_so(impatient: None, open_store: Opener) -> None:
    one, other = World(open_store()), World(open_store())
    with one.batch(), pytest.raises(Busy, match="another process is writing to space; try again in a moment"):
        other.ingest("Anna knows Bob")
    other.ingest("Anna knows Bob")
    assert sound(other)


def test_what_a_writer_looked_at_is_not_changed_by_another_before_it_writes(
    impatient: None, open_store: Opener
) -> None:
    one, other = World(open_store()), World(open_store())
    with one.store.database.writing() as connection:
        connection.execute("SELECT count(*) FROM names").fetchone()
        with pytest.raises(Busy):
            other.ingest("Anna knows Bob")


def test_a_memory_can_be_opened_and_read_while_another_program_writes(impatient: None, open_store: Opener) -> None:
    one = World(open_store())
    one.ingest("Anna knows Bob")
    with one.batch():
        assert World(open_store()).graph() == one.graph()


@pytest.mark.parametrize("more", [0, 1, 3, 8, 20, 40, 55])
def test_a_full_disk_leaves_the_memory_as_it_was(world: World, more: int) -> None:
    """However many pages there still are: the text needs some, its reading some sixty."""
    world.ingest("Anna knows Bob")
    before = world.graph()
    large = "\n".join(f"N{number} follows N{number + 1}" for number in range(1000))
    connection = world.store.database.writer
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + more}")
    with pytest.raises(StorageFull, match="nothing was half-written"):
        world.ingest(large)
    connection.execute("PRAGMA max_page_count = 1000000")
    assert sound(world)
    assert world.graph().facts == before.facts
    world.ingest(large)
    assert len(world.graph().facts) == 1001
    assert sound(world)


def test_a_closed_memory_says_so(world: World) -> None:
    world.store.close()
    with pytest.raises(LpmmError, match="this memory is closed"), world.store.reading():
        pass
    with pytest.raises(LpmmError, match="this memory is closed"), world.batch():
        pass
    world.store.close()


def test_a_reader_still_at_work_when_the_memory_is_closed_reads_to_its_end(world: World) -> None:
    world.ingest("Anna knows Bob")
    with world.store.reading() as connection:
        world.store.close()
        assert connection.execute("SELECT count(*) FROM visible_facts").fetchone()[0] == 1


def test_only_the_owner_may_read_a_memory(world: World) -> None:
    world.ingest("Anna knows Bob")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (world.store.path, *world.store.path.iterdir())}
    assert modes == {"space": 0o700, "memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}


def test_a_damaged_file_is_said_to_be_one(space: Path, open_store: Opener) -> None:
    (space / "other").mkdir()
    (space / "other" / "memory.db").write_bytes(b"this is not a database, whatever its name says" * 100)
    with pytest.raises(LpmmError, match=r"is damaged .* restore it from a backup"):
        open_store("other")


def test_damage_found_while_reading_is_said_in_the_same_words(world: World, open_store: Opener) -> None:
    for number in range(50):
        world.write(f"{number} " * 500)
    world.store.database.scrub()
    world.store.close()
    file = world.store.path / "memory.db"
    data = bytearray(file.read_bytes())
    data[-40_960:] = os.urandom(40_960)
    file.write_bytes(data)
    with pytest.raises(LpmmError, match="is damaged"):
        World(open_store()).rows("SELECT sum(length(text)) FROM passages")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_directory_that_cannot_be_written_is_said_to_be_one(space: Path, open_store: Opener) -> None:
    open_store().close()
    (space / "space" / "memory.db").chmod(0o400)
    with pytest.raises(StorageFull, match="cannot be written"):
        World(open_store()).ingest("Anna knows Bob")


def test_an_error_that_is_a_bug_is_not_dressed_up(world: World) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such column: fullness"), world.store.reading() as connection:
        connection.execute("SELECT fullness FROM passages")
    with pytest.raises(sqlite3.IntegrityError), world.batch() as batch:
        batch.insert("names", ("key", "entity", "version"), [("anna", 99, 1)])


def test_a_failed_opening_leaves_no_connection_behind(space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[database.Database] = []
    real = database.Database.__init__
    monkeypatch.setattr(database.Database, "__init__", lambda self, path: (opened.append(self), real(self, path))[1])
    monkeypatch.setattr(Store, "_prepare", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Store(space / "space")
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].writer.execute("SELECT 1")
