"""Backup, restore, and what the check finds."""

from __future__ import annotations

import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from lpmm_core.base.errors import Conflict, InvalidInput
from lpmm_core.store import backup, checks
from lpmm_core.store.journal import current_sequence
from lpmm_core.store.store import Store
from tests.store.conftest import Opener
from tests.store.world import World


def problems(world: World) -> list[str]:
    with world.store.reading() as connection:
        return checks.check(connection)


# --- backup and restore ---


def test_a_backup_taken_while_others_write_is_one_moment_of_the_memory(
    world: World, open_store: Opener, space: Path
) -> None:
    world.ingest("Anna knows Bob")
    begun, stop = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            world.ingest("\n".join(f"N{number}x{line} follows M{number}x{line}" for line in range(50)))
            number += 1
            begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait()
    try:
        for number in range(3):
            backup.write(world.store.database, space / "copies" / f"{number}")
    finally:
        stop.set()
        writer.join()
    sequences = []
    for number in range(3):
        backup.verify(space / "copies" / f"{number}")
        backup.restore(space / "copies" / f"{number}", space / f"back{number}")
        back = World(open_store(f"back{number}"))
        assert problems(back) == []
        with back.store.reading() as connection:
            sequences.append(current_sequence(connection))
        facts = back.value("SELECT count(*) FROM visible_facts")
        assert (facts - 1) % 50 == 0
    assert sequences == sorted(sequences)
    assert sequences[-1] > 2
    assert problems(world) == []


def test_a_restored_memory_is_what_was_backed_up_history_included(
    world: World, open_store: Opener, space: Path
) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    before = world.graph()
    backup.write(world.store.database, space / "copy")
    world.delete("facts", 1)
    backup.restore(space / "copy", space / "back")
    back = World(open_store("back"))
    assert back.graph() == before
    assert back.store.ids.encode("facts", 1) == world.store.ids.encode("facts", 1)
    back.undo()
    assert back.shown("Anna")[0] == "Anna"


def test_a_backup_is_one_file_that_only_its_owner_may_read(world: World, space: Path) -> None:
    world.ingest("Anna knows Bob")
    for _ in range(2):
        backup.write(world.store.database, space / "new folder" / "copy ?#%.db")
    (file,) = (space / "new folder").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    backup.verify(file)
    assert [path.name for path in (space / "new folder").iterdir()] == ["copy ?#%.db"]


def test_what_a_backup_that_was_cut_short_left_is_in_nobodys_way(world: World, space: Path) -> None:
    world.ingest("Anna knows Bob")
    (space / "copy.partial").write_bytes(b"the beginning of a backup" * 1000)
    backup.write(world.store.database, space / "copy")
    backup.verify(space / "copy")


def test_a_memory_that_was_copied_with_its_log_is_restored_with_what_is_in_the_log(
    world: World, open_store: Opener, space: Path
) -> None:
    world.ingest("Anna knows Bob")
    backup.restore(world.store.path / "memory.db", space / "back")
    assert World(open_store("back")).graph() == world.graph()


def test_a_memory_is_restored_only_into_a_new_space(world: World, space: Path) -> None:
    world.ingest("Anna knows Bob")
    backup.write(world.store.database, space / "copy")
    with pytest.raises(Conflict, match="space exists already"):
        backup.restore(space / "copy", world.store.path)


def test_a_memory_is_not_restored_beside_what_another_left(world: World, space: Path) -> None:
    world.ingest("Anna knows Bob")
    backup.write(world.store.database, space / "copy")
    (space / "left").mkdir()
    (space / "left" / "memory.db-wal").write_bytes(b"a log that SQLite would take for this memory's own")
    with pytest.raises(Conflict, match="left exists already and is not empty"):
        backup.restore(space / "copy", space / "left")
    (space / "empty").mkdir()
    backup.restore(space / "copy", space / "empty")


def test_a_backup_replaces_neither_the_memory_itself_nor_a_folder(world: World, space: Path) -> None:
    world.ingest("Anna knows Bob")
    for target in (world.store.path / "memory.db", world.store.path / ".." / "space" / "memory.db", space):
        with pytest.raises(InvalidInput, match="name another file"):
            backup.write(world.store.database, target)
    world.ingest("Cara likes Dora")
    world.store.close()
    assert len(World(Store(world.store.path)).graph().passages) == 2


def test_what_is_no_backup_is_refused_and_nothing_is_made_of_it(world: World, space: Path) -> None:
    world.ingest(*(f"text {number} " * 200 for number in range(50)))
    backup.write(world.store.database, space / "copy")
    whole = (space / "copy").read_bytes()
    (space / "text").write_text("Anna knows Bob " * 1000)
    (space / "empty").touch()
    (space / "cut").write_bytes(whole[: len(whole) // 2])
    (space / "flipped").write_bytes(whole[:20_480] + bytes(20_480) + whole[40_960:])
    with closing(sqlite3.connect(space / "foreign")) as connection:
        connection.execute("CREATE TABLE passages (id)")
    for name in ("text", "empty", "cut", "flipped", "foreign", "missing", "."):
        with pytest.raises(InvalidInput):
            backup.restore(space / name, space / "back")
        assert not (space / "back").exists()


def test_a_backup_that_fails_half_way_leaves_neither_a_part_nor_harm_to_the_last_one(
    world: World, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest("Anna knows Bob")
    backup.write(world.store.database, space / "copy")
    good = (space / "copy").read_bytes()

    class Broken(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:
            raise ZeroDivisionError

    real = sqlite3.connect
    monkeypatch.setattr(backup.sqlite3, "connect", lambda path: real(path, factory=Broken))
    with pytest.raises(ZeroDivisionError):
        backup.write(world.store.database, space / "copy")
    assert (space / "copy").read_bytes() == good
    assert not list(space.glob("*.partial"))


# --- check ---

PLANTED = {
    "evidence points to a fact that does not exist": "UPDATE evidence SET fact = 99 WHERE id = 1",
    "a mention points to a name that does not exist": "UPDATE mentions SET name = 99 WHERE id = 1",
    "a name belongs to a merged entity": "UPDATE entities SET merged_into = 2 WHERE id = 1",
    "an entity is merged into itself": """UPDATE entities SET merged_into = CASE id WHEN 1 THEN 2 ELSE 1 END WHERE id IN (1, 2)""",
    "an entity is shown that has no name": "INSERT INTO entities (hand, pinned, version) VALUES (1, 0, 1)",
    "a fact is shown that has an end out of sight": "DELETE FROM mentions WHERE id = 1",
    "a fact joins a name to itself": "UPDATE facts SET object = subject WHERE id = 1",
    "a source has no occurrence": "UPDATE occurrences SET source = 2 WHERE source = 1",
    "an occurrence has no task": "DELETE FROM tasks WHERE id = 1",
    "two rows of one reading state the same fact": """
        INSERT INTO evidence (occurrence, fact, confidence, reader) SELECT occurrence, fact, 1, reader FROM evidence""",
    "a vector belongs to nothing": "INSERT INTO vectors (kind, owner, model, data) VALUES ('name', 99, 1, x'00000000')",
    "a vector has the wrong length": "INSERT INTO vectors (kind, owner, model, data) VALUES ('name', 1, 1, x'000000')",
    "a text is not what was taken in": "UPDATE passages SET text = 'Anna knows Bill' WHERE id = 1",
    "mentions row 1 points to a missing row of names": "UPDATE mentions SET name = 99 WHERE id = 1",
    "batches row 1 points to a missing row of operations": "UPDATE batches SET operation = 99 WHERE sequence = 1",
}


def test_every_sentence_of_the_check_has_its_corruption_here() -> None:
    assert checks.CHECKS.keys() <= PLANTED.keys()


def test_a_sound_memory_has_no_problems(world: World) -> None:
    assert problems(world) == []
    world.ingest("Anna knows Bob", "Anna:person")
    world.write("not read yet")
    world.merge("Anna", into="Bob")
    world.delete("sources", 1)
    assert problems(world) == []


@pytest.mark.parametrize("sentence", PLANTED)
def test_the_check_finds(world: World, sentence: str) -> None:
    world.ingest("Anna knows Bob")
    world.ingest("Cara:person")
    writer = world.store.database.writer
    writer.execute("PRAGMA foreign_keys = OFF")
    writer.execute("INSERT INTO models (name, dimension, probe, centre, current) VALUES ('toy', 2, x'', x'', 1)")
    assert problems(world) == []
    writer.execute(PLANTED[sentence])
    assert any(problem.startswith(sentence) for problem in problems(world))


def test_the_check_finds_a_damaged_index(world: World) -> None:
    world.ingest("Anna knows Bob")
    writer = world.store.database.writer
    writer.execute("PRAGMA writable_schema = ON")
    writer.execute(
        "UPDATE sqlite_schema SET sql = 'CREATE INDEX names_of_entity ON names (key)' WHERE name = 'names_of_entity'"
    )
    world.store.close()
    with closing(sqlite3.connect(world.store.path / "memory.db")) as connection:
        connection.row_factory = sqlite3.Row
        assert any("names_of_entity" in problem for problem in checks.check(connection))
