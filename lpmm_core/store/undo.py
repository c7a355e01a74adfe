"""Undo and redo: an actor takes back the latest thing they did, as a new operation of their own.

What an operation changed is known from the journal: overwritten columns are put back; a source, an occurrence, or a record made by hand
that the operation brought in is marked deleted. Everything else an ingest inserted (names, facts, evidence, vectors) is visible only
through live occurrences, so it goes and returns with them and needs no inverse of its own. What was purged meanwhile stays purged.

An edit that others have since built upon is not taken back: the undo is refused and names what stands in the way. An operation, its
undo, its redo and so on are a *chain*; a record has been built upon when another chain changed it an odd number of times since, because
an edit and its undo cancel out. Each link of a chain therefore notes every record of the link before it.

Undoing an ingest is never refused, because it only withdraws its own evidence; what others did to a passage it brought back stays. The
jobs that follow from it stop, and go on with the redo.

An earlier operation may be named: one's own, when the latest is blocked or is to stay, and of what the memory did by itself, which is on
nobody's stack, a calibration: it is undone by recording anew what it had replaced.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from lpmm_core.base.errors import Conflict, InvalidInput, NotFound, NothingToUndo, UndoBlocked
from lpmm_core.store import jobs
from lpmm_core.store.ids import KINDS
from lpmm_core.store.journal import SYSTEM, Batch, Journal

INGESTS = ("ingest", "import")
BY_NAME = ("calibrate",)
"""Kinds of the memory's own operations that can be undone and done again, by name."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back or done again, by the operation `inverse` (a row number)."""

    inverse: int
    kind: str
    summary: str


def undo(journal: Journal, actor: str, *, named: int | None = None) -> Undone:
    """Take back the actor's latest operation that stands, or the one `named` (a row number): the actor's own or the memory's.

    Raises:
        NothingToUndo: there is none.
        InvalidInput, Conflict: the named operation is not theirs to take back, or does not stand.
        UndoBlocked: later edits by hand changed the same records; `details["blockers"]` lists them, each with its id, who did what
            when, and the ids of the `records`.
    """
    return _invert(journal, actor, named, found="done", becomes="undone", kind="undo")


def redo(journal: Journal, actor: str, *, named: int | None = None) -> Undone:
    """Do again what the actor's latest undo took back, or what is `named`; raises as `undo` does."""
    return _invert(journal, actor, named, found="undone", becomes="done", kind="redo")


def _invert(journal: Journal, actor: str, named: int | None, *, found: str, becomes: str, kind: str) -> Undone:
    with journal.operation(actor, kind) as operation, operation.batch() as batch:
        connection = batch.connection
        target = _latest(connection, actor, found) if named is None else _named(connection, named, actor, found)
        if target is None:
            raise NothingToUndo(f"{actor} has nothing to {kind}")
        # What has to be turned round is the latest link of the chain: the operation itself, or its last undo or redo.
        latest = connection.execute(
            "SELECT max(id) FROM operations WHERE id = ? OR inverts = ?", (target["id"], target["id"])
        ).fetchone()[0]
        blockers = _built_upon(connection, latest, target["id"])
        withdrawing = kind == "undo" and target["kind"] in INGESTS
        if blockers and not withdrawing:
            raise _refusal(batch, blockers)
        connection.execute(
            "UPDATE operations SET inverts = ?, summary = ? WHERE id = ?",
            (target["id"], target["summary"], batch.operation),
        )
        connection.execute("UPDATE operations SET state = ? WHERE id = ?", (becomes, target["id"]))
        leaving = {row["first"] for row in blockers if row["kept"] == "passages"}
        _turn_round(batch, latest, leaving=leaving, withdrawing=withdrawing)
        if kind == "undo":
            jobs.withdraw(connection, target["id"], finished=batch.time)
        else:
            jobs.resume(connection, target["id"])
    return Undone(batch.operation, target["kind"], target["summary"])


def _latest(connection: sqlite3.Connection, actor: str, state: str) -> sqlite3.Row | None:
    """Return the operation of the actor that was brought into `state` last: by doing it, or by its last undo or redo."""
    row: sqlite3.Row | None = connection.execute(
        """SELECT id, kind, summary FROM operations o WHERE actor = ? AND state = ?
        ORDER BY coalesce((SELECT max(i.id) FROM operations i WHERE i.inverts = o.id), id) DESC LIMIT 1""",
        (actor, state),
    ).fetchone()
    return row


def _named(connection: sqlite3.Connection, operation: int, actor: str, state: str) -> sqlite3.Row:
    target: sqlite3.Row | None = connection.execute(
        "SELECT id, actor, kind, summary, state FROM operations WHERE id = ?", (operation,)
    ).fetchone()
    if target is None or (target["actor"] != actor and target["kind"] not in BY_NAME):
        own = " or ".join(BY_NAME)
        raise InvalidInput(f"what can be named is what you did yourself, and of what the memory did by itself: {own}")
    if target["state"] != state:
        raise Conflict(f"{_said(target['kind'], target['summary'])!r} is {target['state']}, not {state}")
    return target


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


def _refusal(batch: Batch, blockers: Iterable[sqlite3.Row]) -> UndoBlocked:
    records: dict[int, list[str]] = {}
    for row in blockers:
        held = records.setdefault(row["root"], [])
        if row["kept"] in KINDS:
            held.append(batch.ids.encode(row["kept"], row["first"]))
    query = "SELECT kind, summary, actor, time, state FROM operations WHERE id = ?"
    found = [
        {
            "id": batch.ids.encode("operations", root),
            **dict(batch.connection.execute(query, (root,)).fetchone()),
            "records": held,
        }
        for root, held in records.items()
    ]
    first = found[0]
    did = "taken back" if first["state"] in ("undone", "dropped") else "done"
    remedy = {"done": "; undo that first", "undone": "; redo that first"}.get(first["state"], ", which is for good")
    what = _said(first["kind"], first["summary"])
    return UndoBlocked(f"{first['actor']} has since {did} {what!r} on the same record{remedy}", blockers=found)


def _said(kind: str, summary: str) -> str:
    return f"{kind} {summary}".strip()


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
            with suppress(
                NotFound, sqlite3.IntegrityError
            ):  # it was purged meanwhile, or the entity that it belonged to
                batch.touch(kept, first, **json.loads(change["before"]))
        elif change["action"] == "insert" and kept in ("sources", "occurrences", "entities", "facts"):
            made = "hand" if kept in ("entities", "facts") else "1"
            for row in batch.connection.execute(
                f"SELECT id FROM {kept} WHERE id BETWEEN ? AND ? AND {made}", (first, last)
            ).fetchall():
                batch.touch(kept, row["id"], deleted=batch.time)
        elif change["action"] == "insert" and kept == "calibrations":
            _restore_calibration(batch, first)


def _restore_calibration(batch: Batch, row: int) -> None:
    """Record again the means that stood before the calibration `row`, which must be the latest of its model."""
    columns = ("model", "reason", "passage", "fact", "question_zh", "question_en")
    rows = batch.connection.execute(
        f"""SELECT id, {", ".join(columns)} FROM calibrations WHERE model = (SELECT model FROM calibrations WHERE id = ?)
        ORDER BY id DESC""",
        (row,),
    ).fetchall()
    if rows[0]["id"] != row:
        raise Conflict("a later calibration stands; undo that first")
    if len(rows) > 1:
        batch.insert("calibrations", columns, [tuple(rows[1])[1:]])


def _said_after(connection: sqlite3.Connection, passage: int, occurrence: int) -> bool:
    """Tell whether a passage has a live occurrence that came after `occurrence`, one that is being withdrawn."""
    return (
        connection.execute(
            "SELECT 1 FROM live_occurrences WHERE passage = ? AND id > ? LIMIT 1", (passage, occurrence)
        ).fetchone()
        is not None
    )
