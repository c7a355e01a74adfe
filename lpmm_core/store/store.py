"""The store of one space: opens the file, migrates it, hands out reading connections and operations."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from lpmm_core.base.clock import Clock, now, to_text
from lpmm_core.store import backup
from lpmm_core.store.database import COPY_BEFORE, Database
from lpmm_core.store.ids import Ids
from lpmm_core.store.journal import Journal, Operation
from lpmm_core.store.schema import KNOWN, migrate, pending_migrations


class Store:
    """The truth of the space in directory `path`; the directory is made when missing.

    Raises:
        NewerSchema: the space was written by a newer version of this program.
    """

    def __init__(self, path: Path, *, clock: Clock = now) -> None:
        self.path = path
        self.clock = clock
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.database = Database(path / "memory.db")
        try:
            self.secret = self._prepare()
        except BaseException:
            self.database.close()
            raise
        self.ids = Ids(self.secret)
        self.journal = Journal(self.database, clock, self.ids)

    def _prepare(self) -> bytes:
        """Bring the file to this program's schema and return the space's secret; a file that is up to date is not written to."""
        with self.database.reading() as connection:
            pending = pending_migrations(connection)
        if pending:
            if set(pending) != KNOWN:
                backup.write(self.database, self.path / COPY_BEFORE.format(pending[0]))
            with self.database.writing() as connection:
                migrate(connection)
                connection.execute(
                    "INSERT OR IGNORE INTO meta (key, value) VALUES ('secret', ?)", (secrets.token_hex(32),)
                )
        with self.database.reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = 'secret'").fetchone()
        return bytes.fromhex(row["value"])

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one moment of the truth until the block ends."""
        with self.database.reading() as connection:
            yield connection

    def now(self) -> str:
        """The present moment as stored text."""
        return to_text(self.clock())

    def operation(
        self, actor: str, kind: str, *, summary: str = "", parent: int | None = None
    ) -> AbstractContextManager[Operation]:
        """Begin an operation; the only way to write (see `journal`)."""
        return self.journal.operation(actor, kind, summary=summary, parent=parent)

    def close(self) -> None:
        """Close the file."""
        self.database.close()
