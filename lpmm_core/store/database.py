"""One SQLite file: how it is opened, read at one moment, and written by one writer at a time.

Readers take a pooled connection inside a read transaction, so all they see belongs to one sequence number. Writers take the process's
one writing connection with `BEGIN IMMEDIATE`; other processes wait for it at most five seconds. WAL lets both go on at once.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lpmm_core.base.errors import Busy, LpmmError, StorageFull

BUSY_SECONDS = 5.0
MOST_IDLE = 8
"""Reading connections kept open for the next reader."""

COPY_BEFORE = "before-{}.backup"
"""Name, beside the file, of the copy made before a migration."""


class Database:
    """Connections to one file.

    Args:
        path: the file; it is created (readable by its owner alone) when missing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
        self._writer_lock = threading.RLock()
        self._pool_lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        with translated(path):
            self.writer = self._connect()
            self._log_ahead()

    def _log_ahead(self) -> None:
        """Switch the file to WAL; SQLite does not wait by itself when several programs make this switch at once."""
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self.writer.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        for pragma in (
            "foreign_keys = ON",
            "synchronous = FULL",
            "secure_delete = ON",
            "cache_size = -16000",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one moment of the truth until the block ends."""
        with self._pool_lock:
            if self._closed:
                raise LpmmError("this memory is closed")
            idle = self._idle.pop() if self._idle else None
        with translated(self.path):
            connection = self._connect() if idle is None else idle
            try:
                connection.execute("BEGIN")
                # SQLite chooses the moment at the first read, so that is made here.
                connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
                yield connection
            finally:
                connection.rollback()
                self._put_back(connection)

    def _put_back(self, connection: sqlite3.Connection) -> None:
        with self._pool_lock:
            if len(self._idle) < MOST_IDLE and not self._closed:
                self._idle.append(connection)
            else:
                connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The writing connection inside one transaction: committed when the block ends, rolled back when it raises.

        Raises:
            Busy: another process has been writing for too long.
            StorageFull: the disk took no more; nothing of the transaction stays.
        """
        with self._writer_lock, translated(self.path):
            if self._closed:
                raise LpmmError("this memory is closed")
            self.writer.execute("BEGIN IMMEDIATE")
            try:
                yield self.writer
                self.writer.execute("COMMIT")
            except BaseException:
                if self.writer.in_transaction:
                    self.writer.rollback()
                raise

    def scrub(self) -> None:
        """Rewrite the file without its free pages, empty the write-ahead log and remove copies made before migrations, after a purge.

        Raises:
            Busy: somebody still reads the time before the purge; its text is in the log until this is called again.
        """
        with self._writer_lock, translated(self.path):
            self.writer.execute("VACUUM")
            held = self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        for copy in self.path.parent.glob(COPY_BEFORE.format("*")):
            copy.unlink(missing_ok=True)
        if held:
            raise Busy("what was purged is still being read; purge it again in a moment to clear the last copy")

    def close(self) -> None:
        """Close every idle connection; a reader still at work closes its own."""
        with self._writer_lock, self._pool_lock:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()
            self.writer.close()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Say SQLite's failures in the product's words."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # The low byte is the kind of failure, the rest says where it was met.
        match getattr(error, "sqlite_errorcode", 0) & 0xFF:
            case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
                raise StorageFull(
                    f"the disk under {path.parent} took no more; nothing was half-written, free some space and try again"
                ) from error
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise Busy(f"another process is writing to {path.parent.name}; try again in a moment") from error
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
                raise StorageFull(f"{path} cannot be written: {error}") from error
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                raise LpmmError(f"{path} is damaged ({error}); restore it from a backup") from error
        raise
