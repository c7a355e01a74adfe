"""Queries that turn rows into the nouns. Every function takes a connection from `Database.reading` and sees one moment."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from lpmm_core.base.clock import from_text
from lpmm_core.base.errors import NotFound
from lpmm_core.base.names import name_key
from lpmm_core.base.records import Entity, Fact, Interval, Kind, Occurrence, Passage, Source, State
from lpmm_core.store.ids import Ids

_STATE = """CASE WHEN EXISTS (SELECT 1 FROM tasks t WHERE t.occurrence = o.id AND t.state = 'done') THEN 'ready'
    WHEN EXISTS (SELECT 1 FROM tasks t WHERE t.occurrence = o.id AND t.state = 'waiting') THEN 'waiting'
    WHEN EXISTS (SELECT 1 FROM tasks t WHERE t.occurrence = o.id AND t.state = 'failed') THEN 'failed' ELSE 'ready' END"""


def in_parts(connection: sqlite3.Connection, query: str, values: Iterable[int | str], *more: Any) -> list[sqlite3.Row]:
    """Run `query`, whose `{slots}` stands for many values, in parts that SQLite's parameter limit allows; `more` follow the values."""
    wanted = list(values)
    rows: list[sqlite3.Row] = []
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        rows.extend(connection.execute(query.replace("{slots}", ",".join("?" * len(part))), (*part, *more)).fetchall())
    return rows


def standing(connection: sqlite3.Connection, entity: int) -> int:
    """Return the entity itself, or the one it was merged into.

    Raises:
        NotFound: it does not exist, is deleted, or has no name (since the split that made it was undone).
    """
    row = connection.execute("SELECT id, merged_into, deleted FROM entities WHERE id = ?", (entity,)).fetchone()
    if row is not None and not row["deleted"]:
        if row["merged_into"] is not None:
            return standing(connection, row["merged_into"])
        if connection.execute("SELECT 1 FROM names WHERE entity = ? LIMIT 1", (entity,)).fetchone():
            return entity
    raise NotFound("that entity is not there, or is deleted")


def displayed(connection: sqlite3.Connection, entities: Iterable[int]) -> dict[int, tuple[str, Kind]]:
    """Map entities to the name and kind they show: what a person said, else the majority of live mentions, ties by code point."""
    wanted = list(dict.fromkeys(entities))
    said = {
        r["id"]: r for r in in_parts(connection, "SELECT id, name, kind FROM entities WHERE id IN ({slots})", wanted)
    }
    names = in_parts(
        connection, "SELECT id, entity, key FROM names WHERE entity IN ({slots}) ORDER BY key DESC", wanted
    )
    owner = {row["id"]: row["entity"] for row in names}
    keys = {row["entity"]: row["key"] for row in names}
    spellings: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    kinds: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    # Grouped in the order of the index, so that the mentions of a hub are not sorted.
    for row in in_parts(
        connection,
        """SELECT m.name, m.spelling, m.kind, count(*) AS times FROM mentions m JOIN live_occurrences o ON o.id = m.occurrence
        WHERE m.name IN ({slots}) AND m.titular = 0 GROUP BY m.name, m.spelling, m.kind""",
        owner,
    ):
        entity = owner[row["name"]]
        spellings[entity][row["spelling"]] += row["times"]
        if row["kind"] != Kind.THING:  # a thing is what nothing better is known of
            kinds[entity][row["kind"]] += row["times"]
    shown: dict[int, tuple[str, Kind]] = {}
    for entity in wanted:
        record = said.get(entity)
        name = (record["name"] if record else None) or _majority(spellings[entity]) or keys.get(entity, "")
        kind = (record["kind"] if record else None) or _majority(kinds[entity]) or Kind.THING
        shown[entity] = (name, Kind(kind))
    return shown


def _majority(counts: dict[str, int]) -> str | None:
    return min(counts, key=lambda value: (-counts[value], value)) if counts else None


def entities(connection: sqlite3.Connection, ids: Ids, rows: Iterable[int]) -> list[Entity]:
    """Return entities by row number, in the order given; rows that do not exist are left out."""
    wanted = list(dict.fromkeys(rows))
    found = {r["id"]: r for r in in_parts(connection, "SELECT * FROM entities WHERE id IN ({slots})", wanted)}
    shown = displayed(connection, found)
    names: dict[int, list[str]] = defaultdict(list)
    for row in in_parts(connection, "SELECT entity, key FROM names WHERE entity IN ({slots}) ORDER BY id", wanted):
        names[row["entity"]].append(row["key"])
    counts = {
        r["entity"]: r["passages"]
        for r in in_parts(
            connection,
            """SELECT n.entity, count(DISTINCT o.passage) AS passages FROM names n JOIN mentions m ON m.name = n.id AND m.titular = 0
            JOIN live_occurrences o ON o.id = m.occurrence WHERE n.entity IN ({slots}) GROUP BY n.entity""",
            wanted,
        )
    }
    return [
        Entity(
            id=ids.encode("entities", row),
            name=shown[row][0],
            kind=shown[row][1],
            aliases=tuple(key for key in names[row] if key != name_key(shown[row][0])),
            passages=counts.get(row, 0),
            version=found[row]["version"],
            hand=bool(found[row]["hand"] or found[row]["name"] or found[row]["kind"]),
            pinned=bool(found[row]["pinned"]),
            deleted=bool(found[row]["deleted"]),
        )
        for row in wanted
        if row in found
    ]


def facts(connection: sqlite3.Connection, ids: Ids, rows: Iterable[int]) -> list[Fact]:
    """Return facts by row number, in the order given, with the names their entities show now."""
    wanted = list(dict.fromkeys(rows))
    found = {
        r["id"]: r
        for r in in_parts(
            connection,
            """SELECT f.*, s.entity AS subject_entity, t.entity AS object_entity FROM facts f
            JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object WHERE f.id IN ({slots})""",
            wanted,
        )
    }
    shown = displayed(connection, [e for r in found.values() for e in (r["subject_entity"], r["object_entity"])])
    evidence: dict[int, list[str]] = defaultdict(list)
    confidence: dict[int, float] = {}
    for row in in_parts(
        connection,
        """SELECT v.fact, v.occurrence, max(v.confidence) AS confidence FROM evidence v JOIN live_occurrences o ON o.id = v.occurrence
        WHERE v.fact IN ({slots}) GROUP BY v.fact, v.occurrence ORDER BY v.occurrence""",
        wanted,
    ):
        evidence[row["fact"]].append(ids.encode("occurrences", row["occurrence"]))
        confidence[row["fact"]] = max(confidence.get(row["fact"], 0.0), row["confidence"])
    return [
        Fact(
            id=ids.encode("facts", row),
            subject=shown[r["subject_entity"]][0],
            subject_id=ids.encode("entities", r["subject_entity"]),
            predicate=r["predicate"],
            object=shown[r["object_entity"]][0],
            object_id=ids.encode("entities", r["object_entity"]),
            recorded=_interval(r["recorded_start"], r["recorded_end"]),
            valid=_interval(r["valid_start"], r["valid_end"]),
            confidence=confidence.get(row, r["confidence"]),
            evidence=tuple(evidence[row]),
            version=r["version"],
            negated=bool(r["negated"]),
            hand=bool(r["hand"]),
        )
        for row in wanted
        if (r := found.get(row)) is not None
    ]


def facts_of_entity(connection: sqlite3.Connection, entity: int, limit: int) -> list[int]:
    """Return the visible facts that an entity is an end of, those with most evidence first."""
    rows = connection.execute(
        """SELECT f.id, (SELECT count(DISTINCT o.passage) FROM evidence v JOIN live_occurrences o ON o.id = v.occurrence
            WHERE v.fact = f.id) AS weight FROM visible_facts f WHERE f.id IN (
            SELECT f1.id FROM names n JOIN facts f1 ON f1.subject = n.id WHERE n.entity = ?
            UNION SELECT f2.id FROM names n JOIN facts f2 ON f2.object = n.id WHERE n.entity = ?)
        ORDER BY f.recorded_end IS NOT NULL, weight DESC, f.id LIMIT ?""",
        (entity, entity, limit),
    )
    return [row["id"] for row in rows]


def passages(connection: sqlite3.Connection, ids: Ids, rows: Iterable[int]) -> list[Passage]:
    """Return passages by row number, in the order given."""
    wanted = list(dict.fromkeys(rows))
    found = {
        r["id"]: r for r in in_parts(connection, "SELECT id, title, text FROM passages WHERE id IN ({slots})", wanted)
    }
    return [
        Passage(ids.encode("passages", row), found[row]["text"], found[row]["title"]) for row in wanted if row in found
    ]


def occurrences(connection: sqlite3.Connection, ids: Ids, *, column: str, values: Sequence[int]) -> list[Occurrence]:
    """Return the live occurrences whose `column` (id, passage or source) is one of `values`, by source and position."""
    rows = in_parts(
        connection,
        f"""SELECT o.*, s.name AS source_name, {_STATE} AS state,
            (SELECT error FROM tasks t WHERE t.occurrence = o.id AND t.error IS NOT NULL ORDER BY t.id DESC LIMIT 1) AS error
        FROM live_occurrences o JOIN sources s ON s.id = o.source WHERE o.{column} IN ({{slots}}) ORDER BY o.source, o.position""",
        values,
    )
    return [
        Occurrence(
            id=ids.encode("occurrences", row["id"]),
            passage=ids.encode("passages", row["passage"]),
            source=ids.encode("sources", row["source"]),
            source_name=row["source_name"],
            position=row["position"],
            state=State(row["state"]),
            speaker=row["speaker"],
            said_at=from_text(row["said_at"]) if row["said_at"] else None,
            error=row["error"] if row["state"] == "failed" else None,
        )
        for row in rows
    ]


def sources(connection: sqlite3.Connection, ids: Ids, rows: Iterable[int]) -> list[Source]:
    """Return sources by row number, in the order given, with how far their passages have come."""
    wanted = list(dict.fromkeys(rows))
    states: dict[int, dict[str, int]] = defaultdict(dict)
    for row in in_parts(
        connection,
        f"""SELECT o.source, {_STATE} AS state, count(*) AS n FROM occurrences o
        WHERE o.deleted IS NULL AND o.source IN ({{slots}}) GROUP BY o.source, 2""",
        wanted,
    ):
        states[row["source"]][row["state"]] = row["n"]
    failures: dict[int, list[str]] = defaultdict(list)
    for row in in_parts(
        connection,
        """SELECT DISTINCT o.source, t.error FROM tasks t JOIN occurrences o ON o.id = t.occurrence
        WHERE t.state = 'failed' AND o.source IN ({slots})""",
        wanted,
    ):
        failures[row["source"]].append(row["error"])
    found = {r["id"]: r for r in in_parts(connection, "SELECT * FROM sources WHERE id IN ({slots})", wanted)}
    return [
        Source(
            id=ids.encode("sources", row),
            name=r["name"],
            media=r["media"],
            created=from_text(r["created"]),
            passages=sum(states[row].values()),
            states=dict(states[row]),
            trust=r["trust"],
            deleted=bool(r["deleted"]),
            encoding=r["encoding"],
            digest=r["digest"],
            notes=tuple(json.loads(r["notes"])),
            failures=tuple(failures[row][:5]),
        )
        for row in wanted
        if (r := found.get(row)) is not None
    ]


def source_rows(connection: sqlite3.Connection, *, offset: int, limit: int, deleted: bool) -> tuple[list[int], int]:
    """Return the rows of a stretch of the sources, newest first, and how many there are in all."""
    which = "deleted IS NOT NULL" if deleted else "deleted IS NULL"
    rows = connection.execute(
        f"SELECT id FROM sources WHERE {which} ORDER BY id DESC LIMIT ? OFFSET ?", (limit, offset)
    )
    total = connection.execute(f"SELECT count(*) FROM sources WHERE {which}").fetchone()[0]
    return [row["id"] for row in rows], total


def passage_rows(connection: sqlite3.Connection, source: int, *, offset: int, limit: int) -> tuple[list[int], int]:
    """Return the rows of a stretch of a source's passages, in its order, and how many occurrences it has in all."""
    rows = connection.execute(
        "SELECT passage FROM live_occurrences WHERE source = ? ORDER BY position LIMIT ? OFFSET ?",
        (source, limit, offset),
    )
    total = connection.execute("SELECT count(*) FROM live_occurrences WHERE source = ?", (source,)).fetchone()[0]
    return [row["passage"] for row in rows], total


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Count what is visible: passages, occurrences, entities, facts, sources, and the two kinds of links that are stored."""
    one = connection.execute(
        """SELECT (SELECT count(*) FROM visible_passages) AS paragraphs, (SELECT count(*) FROM live_occurrences) AS occurrences,
        (SELECT count(*) FROM visible_entities) AS entities, (SELECT count(*) FROM visible_facts WHERE recorded_end IS NULL) AS facts,
        (SELECT count(*) FROM sources WHERE deleted IS NULL) AS sources,
        (SELECT count(*) FROM (SELECT DISTINCT o.passage, n.entity FROM mentions m JOIN live_occurrences o ON o.id = m.occurrence
            JOIN names n ON n.id = m.name JOIN visible_entities e ON e.id = n.entity WHERE NOT m.titular)) AS mention,
        (SELECT count(*) FROM names n JOIN visible_entities e ON e.id = n.entity) - (SELECT count(*) FROM visible_entities) AS alias_of"""
    ).fetchone()
    return dict(one)


def states(connection: sqlite3.Connection) -> dict[str, int]:
    """Count live occurrences by how far their reading has come."""
    rows = connection.execute(f"SELECT {_STATE} AS state, count(*) AS n FROM live_occurrences o GROUP BY 1")
    return {row["state"]: row["n"] for row in rows}


def _interval(start: str | None, end: str | None) -> Interval:
    return Interval(from_text(start) if start else None, from_text(end) if end else None)
