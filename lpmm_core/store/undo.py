"""Undo and redo: an actor takes back the latest thing they did, as a new operation of their own.

What an operation changed is known from the journal: overwritten columns are put back; a source, an occurrence, or a record made by hand
that the operation brought in is marked deleted. Everything else an ingest inserted (names, facts, evidence, vectors) is visible only
through live occurrences, so it goes and returns with them and needs no inverse of its own.

An edit that others have since built upon is not taken back: the undo is refused and names what stands in the way. Undoing an ingest is
never refused, because it only withdraws its own evidence.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from lpmm_core.base.errors import NothingToUndo, UndoBlocked
from lpmm_core.store.journal import SYSTEM, Batch, Journal

INGESTS = ("ingest", "import")


@dataclass(frozen=True, slots=True)
class Undone:
    """`operation` (a row number) was taken back or done again, `kind` and `summary` say what it was."""

    operation: int
    kind: str
    summary: str


def undo(journal: Journal, actor: str) -> Undone:
    """Take back the actor's latest operation that stands.

    Raises:
        NothingToUndo: there is none.
        UndoBlocked: later edits by hand changed the same records; `details["blockers"]` lists them.
    """
    return _invert(journal, actor, found="done", order="DESC", becomes="undone", kind="undo")


def redo(journal: Journal, actor: str) -> Undone:
    """Do again what the actor's latest undo took back; raises as `undo` does."""
    return _invert(journal, actor, found="undone", order="ASC", becomes="done", kind="redo")


def _invert(journal: Journal, actor: str, *, found: str, order: str, becomes: str, kind: str) -> Undone:
    with journal.operation(actor, kind) as operation, operation.batch() as batch:
        connection = batch.connection
        target = connection.execute(
            f"SELECT id, kind, summary FROM operations WHERE actor = ? AND state = ? ORDER BY id {order} LIMIT 1",
            (actor, found),
        ).fetchone()
        if target is None:
            raise NothingToUndo(f"{actor} has nothing to {kind}")
        # What has to be turned round is the latest of the operation itself, its undo, its redo, its undo …
        latest = connection.execute(
            "SELECT max(id) FROM operations WHERE id = ? OR inverts = ?", (target["id"], target["id"])
        ).fetchone()[0]
        if kind == "undo" and target["kind"] not in INGESTS:
            _refuse_if_built_upon(connection, target["id"])
        elif kind == "redo":
            _refuse_if_built_upon(connection, latest, ignoring=target["id"])
        connection.execute(
            "UPDATE operations SET inverts = ?, summary = ? WHERE id = ?",
            (target["id"], target["summary"], batch.operation),
        )
        connection.execute("UPDATE operations SET state = ? WHERE id = ?", (becomes, target["id"]))
        _turn_round(batch, latest)
    return Undone(target["id"], target["kind"], target["summary"])


def _refuse_if_built_upon(connection: sqlite3.Connection, operation: int, ignoring: int = 0) -> None:
    blockers = connection.execute(
        """SELECT DISTINCT later.id, later.kind, later.summary, later.actor, later.time
        FROM changes mine JOIN batches mb ON mb.sequence = mine.sequence
        JOIN changes theirs ON theirs.kept = mine.kept AND theirs.action = 'update' AND theirs.first BETWEEN mine.first AND mine.last
            AND theirs.sequence > mine.sequence
        JOIN batches tb ON tb.sequence = theirs.sequence JOIN operations later ON later.id = tb.operation
        WHERE mb.operation = ? AND later.id <> ? AND later.state = 'done' AND later.actor NOT LIKE ? ORDER BY later.id""",
        (operation, ignoring, SYSTEM + "%"),
    ).fetchall()
    if blockers:
        first = blockers[0]
        raise UndoBlocked(
            f"{first['actor']} has since changed the same record ({first['kind']} {first['summary']}); undo that first",
            blockers=[dict(row) for row in blockers],
        )


def _turn_round(batch: Batch, operation: int) -> None:
    changes = batch.connection.execute(
        "SELECT c.* FROM changes c JOIN batches b ON b.sequence = c.sequence WHERE b.operation = ? ORDER BY c.id DESC",
        (operation,),
    ).fetchall()
    for change in changes:
        rows = range(change["first"], change["last"] + 1)
        if change["action"] == "update":
            batch.update(change["kept"], change["first"], **json.loads(change["before"]))
        elif change["kept"] in ("sources", "occurrences"):
            for row in rows:
                batch.update(change["kept"], row, deleted=batch.time)
        elif change["kept"] in ("entities", "facts"):
            for row in rows:
                if batch.connection.execute(f"SELECT hand FROM {change['kept']} WHERE id = ?", (row,)).fetchone()[
                    "hand"
                ]:
                    batch.update(change["kept"], row, deleted=batch.time)
