"""The only way to write.

What somebody does is an *operation*; it is carried out in *batches*, each one transaction. A batch notes what it inserted as ranges of
row numbers and keeps the columns it overwrote, in `changes`, beside the rows themselves: crash safety, undo, audit, live updates and
catching up between processes all read that one record.

    with store.operation("cli", "rename") as operation:
        with operation.batch() as batch:
            batch.update("entities", row, name="Anna")
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from lpmm_core.base.clock import Clock, to_text
from lpmm_core.base.errors import Conflict, NotFound
from lpmm_core.store.database import Database
from lpmm_core.store.ids import Ids
from lpmm_core.store.schema import EDITABLE

SYSTEM = "system:"
"""Actors with this prefix are the program itself: what they do never blocks a person's undo."""


STACKLESS = {"undo": "inverse", "redo": "inverse", "purge": "final", "erase": "final", "reextract": "final"}
"""Kinds of operations that nobody undoes, and their state: those that turn another one round, and those that are for good."""


def is_human(actor: str) -> bool:
    """Tell whether an actor is a person (or a person's program) rather than the memory's own work."""
    return not actor.startswith(SYSTEM)


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the journal: rows [first, last] of table `kept` were inserted, updated or purged by batch `sequence`."""

    sequence: int
    kept: str
    action: str
    first: int
    last: int
    before: str | None = None
    """What an update overwrote, as JSON."""


class Batch:
    """One open transaction of an operation. Made by `Operation.batch`."""

    def __init__(self, connection: sqlite3.Connection, ids: Ids, sequence: int, time: str, operation: int) -> None:
        self.connection = connection
        self.ids = ids
        self.sequence = sequence
        self.time = time
        self.operation = operation

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> range:
        """Insert rows and return their row numbers, in order."""
        rows = list(rows)
        last = self.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        first = (last[0] if last else 0) + 1
        numbers = range(first, first + len(rows))
        if rows:
            slots = ", ".join("?" * (len(columns) + 1))
            self.connection.executemany(
                f"INSERT INTO {table} (id, {', '.join(columns)}) VALUES ({slots})",
                ((number, *row) for number, row in zip(numbers, rows, strict=True)),
            )
            self._note(table, "insert", numbers[0], numbers[-1], None)
        return numbers

    def update(self, table: str, row: int, **values: Any) -> None:
        """Set columns of one row, keeping what stood there; does nothing when they stand there already.

        Raises:
            NotFound: there is no such row.
        """
        old = self.connection.execute(f"SELECT * FROM {table} WHERE id = ?", (row,)).fetchone()
        if old is None:
            raise NotFound(f"row {row} of {table} does not exist")
        changed = {column: value for column, value in values.items() if old[column] != value}
        if changed:
            self._set(table, old, changed)

    def touch(self, table: str, row: int, **values: Any) -> None:
        """Do as `update`, but note the change and let the version grow even when all the values stand there already.

        For a record of which a part kept elsewhere changed (the names of an entity), and for putting values back.
        """
        old = self.connection.execute(f"SELECT * FROM {table} WHERE id = ?", (row,)).fetchone()
        if old is None:
            raise NotFound(f"row {row} of {table} does not exist")
        self._set(table, old, values)

    def _set(self, table: str, old: sqlite3.Row, values: Mapping[str, Any]) -> None:
        assignments = [f"{column} = ?" for column in values]
        if table in EDITABLE:
            assignments.append("version = version + 1")
        if assignments:
            self.connection.execute(
                f"UPDATE {table} SET {', '.join(assignments)} WHERE id = ?", (*values.values(), old["id"])
            )
        self._note(table, "update", old["id"], old["id"], {column: old[column] for column in values})

    def purge(self, table: str, rows: Sequence[int]) -> None:
        """Take rows out for good, and what the journal kept of them; this has no inverse."""
        for row in rows:
            self.connection.execute(f"DELETE FROM {table} WHERE id = ?", (row,))
            if table in EDITABLE:
                self.forget(table, row)
            self._note(table, "purge", row, row, None)

    def forget(self, table: str, row: int, column: str | None = None) -> None:
        """Take out what the journal keeps of the former values of a record, or of one column, and the summaries of what changed it."""
        of_record = "kept = ? AND first = ? AND action = 'update'"
        self.connection.execute(
            f"""UPDATE operations SET summary = '' WHERE id IN (
                SELECT b.operation FROM changes c JOIN batches b ON b.sequence = c.sequence WHERE {of_record})""",
            (table, row),
        )
        left = "NULL" if column is None else f"json_remove(before, '$.{column}')"
        self.connection.execute(f"UPDATE changes SET before = {left} WHERE {of_record}", (table, row))

    def expect(self, table: str, row: int, version: int | None) -> None:
        """Refuse to go on when the record is no longer the version the caller saw (None: the caller does not mind).

        Raises:
            Conflict: `details` has the version now and the one expected.
        """
        found = self.connection.execute(f"SELECT version FROM {table} WHERE id = ?", (row,)).fetchone()
        if version is not None and found is not None and found[0] != version:
            raise Conflict(
                f"the record was changed meanwhile: it is version {found[0]} now, you saw {version}",
                now=found[0],
                expected=version,
            )

    def _note(self, table: str, action: str, first: int, last: int, before: Mapping[str, Any] | None) -> None:
        self.connection.execute(
            "INSERT INTO changes (sequence, kept, action, first, last, before) VALUES (?, ?, ?, ?, ?, ?)",
            (
                self.sequence,
                table,
                action,
                first,
                last,
                None if before is None else json.dumps(before, ensure_ascii=False),
            ),
        )


class Operation:
    """What somebody does. Made by `Journal.operation`; its row is written with its first batch."""

    def __init__(
        self, database: Database, clock: Clock, ids: Ids, actor: str, kind: str, summary: str, parent: int | None
    ) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self.actor = actor
        self.kind = kind
        self.summary = summary
        self.parent = parent
        self.id: int | None = None

    @contextmanager
    def batch(self) -> Iterator[Batch]:
        """One transaction: committed when the block ends, undone when it raises."""
        born = self.id is None
        try:
            with self._database.writing() as connection:
                time = to_text(self._clock())
                if self.id is None:
                    self.id = self._write(connection, time)
                elif connection.execute("SELECT 1 FROM operations WHERE inverts = ?", (self.id,)).fetchone():
                    raise Conflict(f"{self.kind} {self.summary} was undone while it was still at work")
                sequence = connection.execute(
                    "INSERT INTO batches (operation, time) VALUES (?, ?)", (self.id, time)
                ).lastrowid
                assert sequence is not None
                yield Batch(connection, self._ids, sequence, time, self.id)
        except BaseException:
            if born:
                self.id = None
            raise

    def _write(self, connection: sqlite3.Connection, time: str) -> int:
        state = STACKLESS.get(self.kind, "done")
        if is_human(self.actor) and state != "inverse":
            connection.execute(
                "UPDATE operations SET state = 'dropped' WHERE actor = ? AND state = 'undone'", (self.actor,)
            )
        row = connection.execute(
            "INSERT INTO operations (time, actor, kind, summary, parent, state) VALUES (?, ?, ?, ?, ?, ?)",
            (time, self.actor, self.kind, self.summary, self.parent, state),
        ).lastrowid
        assert row is not None
        return row


class Journal:
    """Opens operations and reads what was done."""

    def __init__(self, database: Database, clock: Clock, ids: Ids) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids

    @contextmanager
    def operation(self, actor: str, kind: str, *, summary: str = "", parent: int | None = None) -> Iterator[Operation]:
        """Begin an operation of `actor`; `parent` is the operation whose derived work this is."""
        yield Operation(self._database, self._clock, self._ids, actor, kind, summary, parent)


def changes_since(connection: sqlite3.Connection, sequence: int) -> list[Change]:
    """Return what was written after `sequence`, oldest first, in the order written."""
    rows = connection.execute(
        "SELECT sequence, kept, action, first, last, before FROM changes WHERE sequence > ? ORDER BY sequence, id",
        (sequence,),
    )
    return [
        Change(row["sequence"], row["kept"], row["action"], row["first"], row["last"], row["before"]) for row in rows
    ]


def current_sequence(connection: sqlite3.Connection) -> int:
    """Return the number of the last committed batch, 0 when there is none."""
    return int(connection.execute("SELECT coalesce(max(sequence), 0) FROM batches").fetchone()[0])
