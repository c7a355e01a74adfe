"""Backups: a copy of the truth, a space made from a copy, and whether a copy is sound."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from lpmm_core.base.errors import Conflict, InvalidInput
from lpmm_core.store.database import Database, translated
from lpmm_core.store.schema import pending_migrations


def write(database: Database, target: Path) -> None:
    """Write a consistent copy of the truth to `target` while others go on writing; it appears whole or not at all.

    Raises:
        InvalidInput: `target` is a folder, or the very file that is to be copied.
        StorageFull: the disk refused.
    """
    if target.is_dir() or (target.exists() and target.samefile(database.path)):
        raise InvalidInput(f"{target} cannot be replaced by a backup; name another file")
    with database.reading() as connection:
        _copy(connection, target)


def restore(source: Path, space: Path) -> None:
    """Make a new space from a backup.

    Raises:
        InvalidInput: the file is no backup of a memory, or is damaged.
        NewerSchema: it was written by a newer version of this program.
        Conflict: the space exists, or something is left there (a log without its memory would be taken for this one's).
    """
    if space.exists() and any(space.iterdir()):
        raise Conflict(f"{space.name} exists already and is not empty; restore into a new space")
    verify(source)
    space.mkdir(parents=True, exist_ok=True, mode=0o700)
    with closing(_opened(source)) as connection:
        _copy(connection, space / "memory.db")


def verify(source: Path) -> None:
    """Check that a file is a sound backup; raises InvalidInput and NewerSchema."""
    if not source.is_file():
        raise InvalidInput(f"there is no file {source}")
    with closing(_opened(source)) as connection:
        try:
            sound = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            known = connection.execute(
                "SELECT count(*) FROM sqlite_schema WHERE name IN ('batches', 'passages', 'meta')"
            ).fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise InvalidInput(f"{source.name} is not a backup of a memory ({error})") from error
        if not sound or known != 3:
            raise InvalidInput(f"{source.name} is not a sound backup of a memory")
        pending_migrations(connection)


def _opened(source: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)


def _copy(source: sqlite3.Connection, target: Path) -> None:
    partial = target.with_name(target.name + ".partial")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    try:
        with translated(target), closing(sqlite3.connect(partial)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
