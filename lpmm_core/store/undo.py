"""Undo and redo: an actor takes back the latest thing they did, as a new operation of their own.

What an operation changed is known from the journal: overwritten columns are put back; a source, an occurrence, or a record made by hand
that the operation brought in is marked deleted. Everything else an ingest inserted (names, facts, evidence, vectors) is visible only
through live occurrences, so it goes and returns with them and needs no inverse of its own. What was purged meanwhile stays purged.

An edit that others have since built upon is not taken back: the undo is refused and names what stands in the way. An operation, its
undo, its redo and so on are a *chain*; a record has been built upon when another chain changed it an odd number of times since, because
an edit and its undo cancel out. Each link of a chain therefore notes every record of the link before it.

Undoing an ingest is never refused, because it only withdraws its own evidence; what others did to a passage it brought back stays.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from lpmm_core.base.errors import NotFound, NothingToUndo, UndoBlocked
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
        # What has to be turned round is the latest link of the chain: the operation itself, or its last undo or redo.
        latest = connection.execute(
            "SELECT max(id) FROM operations WHERE id = ? OR inverts = ?", (target["id"], target["id"])
        ).fetchone()[0]
        blockers = _built_upon(connection, latest, target["id"])
        withdrawing = kind == "undo" and target["kind"] in INGESTS
        if blockers and not withdrawing:
            raise _refusal(connection, blockers)
        connection.execute(
            "UPDATE operations SET inverts = ?, summary = ? WHERE id = ?",
            (target["id"], target["summary"], batch.operation),
        )
        connection.execute("UPDATE operations SET state = ? WHERE id = ?", (becomes, target["id"]))
        leaving = {row["first"] for row in blockers if row["kept"] == "passages"}
        _turn_round(batch, latest, leaving=leaving, withdrawing=withdrawing)
    return Undone(target["id"], target["kind"], target["summary"])


def _built_upon(connection: sqlite3.Connection, operation: int, root: int) -> list[sqlite3.Row]:
    """Return the records (`kept`, `first`) of an operation that other people's chains changed since, with the chains' first links."""
    return connection.execute(
        """SELECT coalesce(later.inverts, later.id) AS root, theirs.kept, theirs.first
        FROM batches mb JOIN changes mine ON mine.sequence = mb.sequence
        JOIN changes theirs ON theirs.kept = mine.kept AND theirs.action = 'update' AND theirs.first BETWEEN mine.first AND mine.last
            AND theirs.sequence > mine.sequence
        JOIN batches tb ON tb.sequence = theirs.sequence JOIN operations later ON later.id = tb.operation
        WHERE mb.operation = ? AND later.actor NOT LIKE ? AND coalesce(later.inverts, later.id) <> ?
        GROUP BY root, theirs.kept, theirs.first HAVING count(DISTINCT later.id) % 2 = 1 ORDER BY root""",
        (operation, SYSTEM + "%", root),
    ).fetchall()


def _refusal(connection: sqlite3.Connection, blockers: Sequence[sqlite3.Row]) -> UndoBlocked:
    found = [
        dict(
            connection.execute(
                "SELECT id, kind, summary, actor, time, state FROM operations WHERE id = ?", (root,)
            ).fetchone()
        )
        for root in dict.fromkeys(row["root"] for row in blockers)
    ]
    first = found[0]
    did, first_do = ("done", "undo") if first["state"] == "done" else ("taken back", "redo")
    what = f"{first['kind']} {first['summary']}".strip()
    return UndoBlocked(
        f"{first['actor']} has since {did} {what!r} on the same record; {first_do} that first", blockers=found
    )


def _turn_round(batch: Batch, operation: int, *, leaving: set[int], withdrawing: bool) -> None:
    changes = batch.connection.execute(
        "SELECT c.* FROM changes c JOIN batches b ON b.sequence = c.sequence WHERE b.operation = ? ORDER BY c.id DESC",
        (operation,),
    ).fetchall()
    occurrence = 0
    for change in changes:
        kept, first, last = change["kept"], change["first"], change["last"]
        occurrence = last if kept == "occurrences" else occurrence
        if change["action"] == "update":
            if change["before"] is None:
                continue
            if (
                withdrawing
                and kept == "passages"
                and (first in leaving or _said_after(batch.connection, first, occurrence))
            ):
                continue
            with suppress(NotFound):
                batch.touch(kept, first, **json.loads(change["before"]))
        elif change["action"] == "insert" and kept in ("sources", "occurrences", "entities", "facts"):
            made = "hand" if kept in ("entities", "facts") else "1"
            for row in batch.connection.execute(
                f"SELECT id FROM {kept} WHERE id BETWEEN ? AND ? AND {made}", (first, last)
            ).fetchall():
                batch.touch(kept, row["id"], deleted=batch.time)


def _said_after(connection: sqlite3.Connection, passage: int, occurrence: int) -> bool:
    """Tell whether a passage has a live occurrence that came after `occurrence`, one that is being withdrawn."""
    return (
        connection.execute(
            "SELECT 1 FROM live_occurrences WHERE passage = ? AND id > ? LIMIT 1", (passage, occurrence)
        ).fetchone()
        is not None
    )
