"""The store of one space: opens the file, migrates it, hands out reading connections and operations."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from lpmm_core.base.clock import Clock, now
from lpmm_core.store import care
from lpmm_core.store.database import Database, translated
from lpmm_core.store.ids import Ids
from lpmm_core.store.journal import Journal, Operation
from lpmm_core.store.schema import migrate, pending_migrations


class Store:
    """The truth of the space in directory `path`; the directory is made when missing.

    Raises:
        NewerSchema: the space was written by a newer version of this program.
    """

    def __init__(self, path: Path, *, clock: Clock = now) -> None:
        self.path = path
        self.clock = clock
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = path / "memory.db"
        fresh = not file.exists() or file.stat().st_size == 0
        self.database = Database(file)
        self.journal = Journal(self.database, clock)
        with translated(file):
            self._prepare(fresh=fresh)
            with self.database.reading() as connection:
                row = connection.execute("SELECT value FROM meta WHERE key = 'secret'").fetchone()
        self.secret = bytes.fromhex(row["value"])
        self.ids = Ids(self.secret)

    def _prepare(self, *, fresh: bool) -> None:
        pending = pending_migrations(self.database.writer)
        if pending and not fresh:
            care.backup(self.database, self.path / f"before-{pending[0]}.backup")
        if pending:
            migrate(self.database.writer)
        with self.database.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('secret', ?)", (secrets.token_hex(32),))

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one moment of the truth until the block ends."""
        with self.database.reading() as connection:
            yield connection

    def operation(
        self, actor: str, kind: str, *, summary: str = "", parent: int | None = None
    ) -> AbstractContextManager[Operation]:
        """Begin an operation; the only way to write (see `journal`)."""
        return self.journal.operation(actor, kind, summary=summary, parent=parent)

    def close(self) -> None:
        """Close the file."""
        self.database.close()
