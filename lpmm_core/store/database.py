"""One SQLite file: how it is opened, read at one moment, and written by one writer at a time.

Readers take a pooled connection inside a read transaction, so all they see belongs to one sequence number. Writers take the process's
one writing connection with `BEGIN IMMEDIATE`; other processes wait for it at most five seconds. WAL lets both go on at once.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lpmm_core.base.errors import Busy, LpmmError, StorageFull

BUSY_SECONDS = 5.0


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
            self.writer.execute("PRAGMA journal_mode = WAL")

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
            connection.execute("BEGIN")
        try:
            yield connection
        finally:
            connection.rollback()
            with self._pool_lock:
                if self._closed or len(self._idle) >= 8:
                    connection.close()
                else:
                    self._idle.append(connection)

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
        """Rewrite the file without its free pages and empty the write-ahead log, after a purge."""
        with self._writer_lock, translated(self.path):
            self.writer.execute("VACUUM")
            self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

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
    except sqlite3.OperationalError as error:
        text = str(error)
        if "full" in text or "disk I/O" in text:
            raise StorageFull(
                f"the disk under {path.parent} took no more; nothing was half-written, free some space and try again"
            ) from error
        if "locked" in text or "busy" in text:
            raise Busy(f"another process is writing to {path.parent.name}; try again in a moment") from error
        if "readonly" in text or "unable to open" in text:
            raise StorageFull(f"{path} cannot be written: {text}") from error
        raise
    except sqlite3.DatabaseError as error:
        if "malformed" in str(error) or "not a database" in str(error):
            raise LpmmError(f"{path} is damaged ({error}); restore it from a backup") from error
        raise
