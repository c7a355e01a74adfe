"""Where a record comes from, and what an operation did to which records: the journal and the evidence, followed both ways.

A fact is followed to its versions, the passages that state it and their sources; a passage, or one occurrence of it (a message), to
where it stands and what was read from it; all of them to the operations that brought or changed them. Records in the recycle bin have
a provenance too.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lpmm_core.base.clock import from_text, to_text
from lpmm_core.base.errors import InvalidInput, NotFound
from lpmm_core.base.records import Entity, Fact, Interval, Occurrence, Passage
from lpmm_core.store import read
from lpmm_core.store.history import Done
from lpmm_core.store.ids import Ids

NOUNS = {"sources": "source", "passages": "passage", "occurrences": "message", "entities": "entity", "facts": "fact"}
"""Tables of the records that people know, and what they call one."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a fact; `number` counts from 1."""

    number: int
    fact: Fact
    deleted: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """A place that states a fact: the occurrence, its text, and which readers (extractors) found the fact there."""

    occurrence: Occurrence
    text: str
    readers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactTrace:
    """A fact through time: versions oldest first, what states it now, how many places that did were withdrawn, who did what."""

    fact: str
    versions: tuple[Version, ...]
    evidence: tuple[Proof, ...]
    withdrawn: int
    operations: tuple[Done, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape that `lpmm trace` prints."""
        versions = [
            {"number": v.number, **_statement(v.fact), "by_hand": v.fact.hand, "deleted": v.deleted}
            | {"recorded": _ends(v.fact.recorded), "valid": _ends(v.fact.valid), "confidence": v.fact.confidence}
            for v in self.versions
        ]
        evidence = [{**_place(p.occurrence), "text": p.text, "readers": list(p.readers)} for p in self.evidence]
        shown = {"fact": self.fact, "versions": versions, "evidence": evidence, "withdrawn": self.withdrawn}
        return shown | {"operations": [_done(done) for done in self.operations]}


@dataclass(frozen=True, slots=True)
class PassageTrace:
    """A passage, or only one `message` (occurrence) of it: whether it is in sight, where it stands, what was read from it, who did what.

    `state` is visible, deleted (in the recycle bin) or withdrawn (every source that held it is).
    """

    passage: Passage
    message: str | None
    state: str
    pinned: bool
    occurrences: tuple[Occurrence, ...]
    names: tuple[Entity, ...]
    facts: tuple[Fact, ...]
    operations: tuple[Done, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape that `lpmm trace` prints."""
        head = {"message": self.message} if self.message else {}
        shown = {"passage": self.passage.id, "title": self.passage.title, "text": self.passage.text}
        return {
            **head,
            **shown,
            "state": self.state,
            "pinned": self.pinned,
            "occurrences": [_place(o) | {"state": str(o.state), "error": o.error} for o in self.occurrences],
            "names": [{"id": e.id, "name": e.name, "kind": str(e.kind)} for e in self.names],
            "facts": [_statement(fact) for fact in self.facts],
            "operations": [_done(done) for done in self.operations],
        }


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A record that an operation inserted, updated or purged."""

    kind: str
    id: str
    action: str


def trace(connection: sqlite3.Connection, ids: Ids, id: str) -> FactTrace | PassageTrace:
    """Follow a fact, a passage or a message to where it comes from.

    Raises:
        NotFound: there is no such record.
        InvalidInput: it is a record of another kind.
    """
    table, row = ids.decode(id)
    if table == "facts":
        return _fact(connection, ids, row)
    if table not in ("passages", "occurrences"):
        raise InvalidInput(f"{id} is no retrieval, fact, passage or message; only those are traced")
    return _passage(connection, ids, row, message=table == "occurrences")


def _fact(connection: sqlite3.Connection, ids: Ids, row: int) -> FactTrace:
    versions = connection.execute(
        """SELECT id, number, deleted FROM facts WHERE lineage = (SELECT lineage FROM facts WHERE id = ?) ORDER BY number""",
        (row,),
    ).fetchall()
    id = ids.encode("facts", row)
    if not versions:
        raise NotFound(f"there is no fact {id!r} in this memory")
    rows = [version["id"] for version in versions]
    stated = read.in_parts(
        connection, "SELECT id, occurrence, reader FROM evidence WHERE fact IN ({slots}) ORDER BY id", rows
    )
    readers: dict[str, dict[str, None]] = {}
    for v in stated:
        readers.setdefault(ids.encode("occurrences", v["occurrence"]), {})[v["reader"]] = None
    live = read.occurrences(connection, ids, column="id", values=sorted({v["occurrence"] for v in stated}))
    texts = {p.id: p.text for p in read.passages(connection, ids, [ids.row(o.passage, "passages") for o in live])}
    records = [("facts", version) for version in rows] + [("evidence", v["id"]) for v in stated]
    return FactTrace(
        fact=id,
        versions=tuple(
            Version(version["number"], fact, bool(version["deleted"]))
            for version, fact in zip(versions, read.facts(connection, ids, rows), strict=True)
        ),
        evidence=tuple(Proof(o, texts[o.passage], tuple(readers[o.id])) for o in live),
        withdrawn=len(readers) - len(live),
        operations=tuple(operations_on(connection, ids, records)),
    )


def _passage(connection: sqlite3.Connection, ids: Ids, row: int, *, message: bool) -> PassageTrace:
    column = "id" if message else "passage"
    held = connection.execute(f"SELECT id, source, passage FROM occurrences WHERE {column} = ?", (row,)).fetchall()
    if not held:
        noun, table = ("message", "occurrences") if message else ("passage", "passages")
        raise NotFound(f"there is no {noun} {ids.encode(table, row)!r} in this memory")
    passage = held[0]["passage"]
    record = connection.execute("SELECT pinned, deleted FROM passages WHERE id = ?", (passage,)).fetchone()
    live = read.occurrences(connection, ids, column=column, values=[row])
    rows = [occurrence["id"] for occurrence in held]
    mentioned = read.in_parts(
        connection,
        """SELECT m.id, n.entity FROM mentions m JOIN names n ON n.id = m.name JOIN entities e ON e.id = n.entity
        WHERE m.occurrence IN ({slots}) AND NOT m.titular AND e.deleted IS NULL ORDER BY m.start, m.id""",
        rows,
    )
    stated = read.in_parts(
        connection,
        """SELECT DISTINCT v.fact FROM evidence v JOIN facts f ON f.id = v.fact
        WHERE v.occurrence IN ({slots}) AND f.deleted IS NULL ORDER BY v.fact""",
        rows,
    )
    records = [("passages", passage), *(("occurrences", r) for r in rows), *(("sources", o["source"]) for o in held)]
    return PassageTrace(
        passage=read.passages(connection, ids, [passage])[0],
        message=ids.encode("occurrences", row) if message else None,
        state="deleted" if record["deleted"] else "visible" if live else "withdrawn",
        pinned=bool(record["pinned"]),
        occurrences=tuple(live),
        names=tuple(read.entities(connection, ids, [m["entity"] for m in mentioned])),
        facts=tuple(read.facts(connection, ids, [v["fact"] for v in stated])),
        operations=tuple(operations_on(connection, ids, [*records, *(("mentions", m["id"]) for m in mentioned)])),
    )


def operations_on(connection: sqlite3.Connection, ids: Ids, records: Iterable[tuple[str, int]]) -> list[Done]:
    """Return the operations that brought or changed any of the records (table, row), and those they follow from, oldest first."""
    rows: dict[str, set[int]] = {}
    for table, row in records:
        rows.setdefault(table, set()).add(row)
    found: set[int] = set()
    for table, some in rows.items():
        wanted = sorted(some)
        changes = connection.execute(
            """SELECT c.first, c.last, b.operation, o.parent FROM changes c JOIN batches b ON b.sequence = c.sequence
            JOIN operations o ON o.id = b.operation WHERE c.kept = ? AND c.first <= ? AND c.last >= ?""",
            (table, wanted[-1], wanted[0]),
        )
        for change in changes:
            if wanted[bisect_left(wanted, change["first"])] <= change["last"]:
                found.update(operation for operation in (change["operation"], change["parent"]) if operation)
    query = """SELECT o.*, (SELECT count(*) FROM batches b WHERE b.operation = o.id) AS batches FROM operations o
        WHERE o.id IN ({slots})"""
    return [
        Done(
            id=ids.encode("operations", row["id"]),
            time=from_text(row["time"]),
            actor=row["actor"],
            kind=row["kind"],
            summary=row["summary"],
            state=row["state"],
            batches=row["batches"],
        )
        for row in read.in_parts(connection, query, sorted(found))
    ]


def changed_by(connection: sqlite3.Connection, ids: Ids, operation: int) -> list[RecordChange]:
    """Return the records that an operation changed, each once, in order; what they are made of inside is left out."""
    changes = connection.execute(
        """SELECT c.kept, c.action, c.first, c.last FROM changes c JOIN batches b ON b.sequence = c.sequence
        WHERE b.operation = ? ORDER BY c.id""",
        (operation,),
    )
    return list(
        dict.fromkeys(
            RecordChange(NOUNS[change["kept"]], ids.encode(change["kept"], row), change["action"])
            for change in changes
            if change["kept"] in NOUNS
            for row in range(change["first"], change["last"] + 1)
        )
    )


def _statement(fact: Fact) -> dict[str, Any]:
    shown = {"id": fact.id, "subject": fact.subject, "predicate": fact.predicate, "object": fact.object}
    return shown | {"negated": fact.negated}


def _ends(interval: Interval) -> list[str | None]:
    return [to_text(end) if end else None for end in (interval.start, interval.end)]


def _place(occurrence: Occurrence) -> dict[str, Any]:
    return {
        "message": occurrence.id,
        "passage": occurrence.passage,
        "source": {"id": occurrence.source, "name": occurrence.source_name},
        "position": occurrence.position,
        "speaker": occurrence.speaker,
        "said_at": to_text(occurrence.said_at) if occurrence.said_at else None,
    }


def _done(done: Done) -> dict[str, Any]:
    named = {name: getattr(done, name) for name in ("actor", "kind", "summary", "state")}
    return {"id": done.id, "time": to_text(done.time), **named}
