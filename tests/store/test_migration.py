"""Opening files of other versions."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database as UtilsDatabase
from sqlite_utils import Migrations

from lpmm_core.base.errors import NewerSchema
from lpmm_core.store import backup, schema
from tests.store.conftest import Opener
from tests.store.world import World

BACKUP = "before-m0002_more.backup"


@pytest.fixture
def old(open_store: Opener) -> World:
    """A space by the program of today."""
    world = World(open_store())
    world.ingest("Anna knows Bob")
    world.store.close()
    return world


def tomorrow(monkeypatch: pytest.MonkeyPatch, *, breaks: bool = False) -> None:
    """Let the program be that of tomorrow, with one more migration."""
    migrations = Migrations("lpmm")
    migrations(name="m0001_foundation")(schema.m0001_foundation)

    @migrations()
    def m0002_more(db: UtilsDatabase) -> None:
        db.execute("ALTER TABLE sources ADD COLUMN colour TEXT")
        if breaks:
            raise ZeroDivisionError

    monkeypatch.setattr(schema, "migrations", migrations)
    for module in ("schema", "store"):
        monkeypatch.setattr(f"lpmm_core.store.{module}.KNOWN", frozenset({"m0001_foundation", "m0002_more"}))


def columns(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[1] for row in connection.execute("PRAGMA table_info(sources)")}


def test_the_migrations_are_those_the_program_says_it_knows(open_store: Opener) -> None:
    db = UtilsDatabase(":memory:")
    assert {migration.name for migration in schema.migrations.pending(db)} == schema.KNOWN
    with open_store().reading() as connection:
        assert schema.pending_migrations(connection) == []


def test_a_new_space_needs_no_copy_of_what_was_before(open_store: Opener) -> None:
    assert {path.name for path in open_store().path.iterdir()} == {"memory.db", "memory.db-wal", "memory.db-shm"}


def test_two_programs_that_make_the_same_space_at_once_make_one(
    open_store: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, others = schema.pending_migrations, []

    def slow(connection: sqlite3.Connection) -> list[str]:
        found = real(connection)
        if not others:
            others.append(None)
            others.append(open_store())  # the other is done before what was found is acted upon
        return found

    monkeypatch.setattr("lpmm_core.store.store.pending_migrations", slow)
    one = World(open_store())
    one.ingest("Anna knows Bob")
    assert others[1].secret == one.store.secret
    assert World(others[1]).sees_fact("Anna knows Bob")


def test_a_migration_copies_the_memory_first(old: World, open_store: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    tomorrow(monkeypatch)
    store = open_store()
    assert "colour" in columns(store.path / "memory.db")
    assert "colour" not in columns(store.path / BACKUP)
    assert World(store).sees_fact("Anna knows Bob")
    assert store.secret == old.store.secret
    monkeypatch.undo()
    backup.restore(store.path / BACKUP, store.path.parent / "back")
    assert World(open_store("back")).sees_fact("Anna knows Bob")


def test_a_memory_that_is_up_to_date_is_not_copied_again(
    old: World, open_store: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow(monkeypatch)
    open_store().close()
    (old.store.path / BACKUP).unlink()
    open_store()
    assert not (old.store.path / BACKUP).exists()


def test_a_migration_that_fails_leaves_the_memory_as_it_was(
    old: World, open_store: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow(monkeypatch, breaks=True)
    with pytest.raises(ZeroDivisionError):
        open_store()
    assert "colour" not in columns(old.store.path / "memory.db")
    monkeypatch.undo()
    assert World(open_store()).sees_fact("Anna knows Bob")


def test_a_memory_of_a_newer_program_is_refused_by_the_name_of_what_is_new(
    old: World, open_store: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow(monkeypatch)
    open_store().close()
    monkeypatch.undo()
    before = (old.store.path / "memory.db").read_bytes()
    with pytest.raises(NewerSchema, match=r"newer version \(it holds m0002_more\); update the program"):
        open_store()
    assert (old.store.path / "memory.db").read_bytes() == before


def test_a_backup_of_a_newer_program_is_refused_before_anything_is_made_of_it(
    old: World, open_store: Opener, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow(monkeypatch)
    backup.write(open_store().database, space / "copy")
    monkeypatch.undo()
    with pytest.raises(NewerSchema):
        backup.restore(space / "copy", space / "back")
    assert not (space / "back").exists()
