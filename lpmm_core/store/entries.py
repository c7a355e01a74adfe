"""What a person opens: a passage with what was found in it, an entity with what is known of it, names that match what is typed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from lpmm_core.base.errors import NotFound
from lpmm_core.base.names import name_key
from lpmm_core.base.records import Entity, Fact, Kind, Occurrence, Passage
from lpmm_core.store import read, texts
from lpmm_core.store.ids import Ids

SHOWN_FACTS = 60
SHOWN_PASSAGES = 20


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a passage's text that mention an entity."""

    start: int
    end: int
    entity: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class PassageEntry:
    """A passage with where it stands, the names marked in it and the facts it is evidence of."""

    passage: Passage
    occurrences: tuple[Occurrence, ...]
    spans: tuple[Span, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class EntityEntry:
    """An entity's dictionary entry: facts with it at an end (open ones first), and the first of the passages that mention it."""

    entity: Entity
    facts: tuple[Fact, ...]
    passages: tuple[tuple[Passage, Occurrence], ...]


def passage_entries(connection: sqlite3.Connection, ids: Ids, rows: list[int]) -> list[PassageEntry]:
    """Return the entries of visible passages by row number, in the order given; others are left out."""
    visible = {
        r["id"] for r in read.in_parts(connection, "SELECT id FROM visible_passages WHERE id IN ({slots})", rows)
    }
    found: list[PassageEntry] = []
    for row, passage in zip(
        wanted := [r for r in rows if r in visible], read.passages(connection, ids, wanted), strict=True
    ):
        marks = connection.execute(
            """SELECT DISTINCT m.start, m.stop, m.kind, n.entity FROM live_occurrences o JOIN mentions m ON m.occurrence = o.id
            JOIN names n ON n.id = m.name JOIN entities e ON e.id = n.entity
            WHERE o.passage = ? AND m.stop > m.start AND e.deleted IS NULL ORDER BY m.start, m.stop DESC""",
            (row,),
        ).fetchall()
        spans: list[Span] = []
        for mark in marks:
            if not spans or mark["start"] >= spans[-1].end:
                spans.append(
                    Span(mark["start"], mark["stop"], ids.encode("entities", mark["entity"]), Kind(mark["kind"]))
                )
        facts = connection.execute(
            """SELECT f.id FROM visible_facts f WHERE f.id IN (
                SELECT v.fact FROM live_occurrences o JOIN evidence v ON v.occurrence = o.id WHERE o.passage = ?)
            AND f.recorded_end IS NULL ORDER BY f.id""",
            (row,),
        )
        found.append(
            PassageEntry(
                passage,
                tuple(read.occurrences(connection, ids, column="passage", values=[row])),
                tuple(spans),
                tuple(read.facts(connection, ids, [f["id"] for f in facts])),
            )
        )
    return found


def passage_entry(connection: sqlite3.Connection, ids: Ids, passage: str) -> PassageEntry:
    """Return the entry of one passage.

    Raises:
        NotFound: it is not there, or not visible.
    """
    found = passage_entries(connection, ids, [ids.row(passage, "passages")])
    if not found:
        raise NotFound(f"there is no passage {passage!r} in this memory")
    return found[0]


def entity_entry(connection: sqlite3.Connection, ids: Ids, entity: str) -> EntityEntry:
    """Return an entity's entry; one that was merged away leads to the entity it became part of.

    Raises:
        NotFound: it is not there, or deleted.
    """
    row = read.standing(connection, ids.row(entity, "entities"))
    rows = connection.execute(
        """SELECT o.passage, min(o.id) AS occurrence FROM names n JOIN mentions m ON m.name = n.id AND NOT m.titular
        JOIN live_occurrences o ON o.id = m.occurrence WHERE n.entity = ? GROUP BY o.passage ORDER BY o.passage LIMIT ?""",
        (row, SHOWN_PASSAGES),
    ).fetchall()
    passages = read.passages(connection, ids, [r["passage"] for r in rows])
    at = {o.id: o for o in read.occurrences(connection, ids, column="id", values=[r["occurrence"] for r in rows])}
    return EntityEntry(
        entity=read.entities(connection, ids, [row])[0],
        facts=tuple(read.facts(connection, ids, read.facts_of_entity(connection, row, SHOWN_FACTS))),
        passages=tuple(
            (p, at[ids.encode("occurrences", r["occurrence"])]) for p, r in zip(passages, rows, strict=True)
        ),
    )


def suggestions(connection: sqlite3.Connection, ids: Ids, text: str, limit: int) -> list[Entity]:
    """Return visible entities one of whose names begins with, or else holds, what was typed; those in most passages first."""
    key = name_key(text)
    if not key:
        return []
    escaped = key.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    found: dict[int, None] = {}
    for pattern in (f"{escaped}%", f"%{escaped}%"):
        rows = connection.execute(
            """SELECT n.entity, count(m.id) AS mentions FROM names n JOIN visible_entities e ON e.id = n.entity
            LEFT JOIN mentions m ON m.name = n.id WHERE n.id IN (SELECT id FROM names WHERE key LIKE ? ESCAPE '\\' LIMIT 2000)
            GROUP BY n.entity ORDER BY mentions DESC, n.entity LIMIT ?""",
            (pattern, limit),
        )
        found.update((row["entity"], None) for row in rows)
        if len(found) >= limit:
            break
    return read.entities(connection, ids, list(found)[:limit])


def stated(
    connection: sqlite3.Connection,
) -> Iterator[tuple[str, list[str], list[tuple[str, str, str]], list[tuple[str, str, str]]]]:
    """Yield every visible passage (title and text), the names in it, the triples it states and those it denies, as entities show now."""
    for passage in connection.execute("SELECT id, title, text FROM visible_passages ORDER BY id").fetchall():
        mentioned = connection.execute(
            """SELECT DISTINCT n.entity FROM live_occurrences o JOIN mentions m ON m.occurrence = o.id AND NOT m.titular
            JOIN names n ON n.id = m.name JOIN entities e ON e.id = n.entity WHERE o.passage = ? AND e.deleted IS NULL ORDER BY m.id""",
            (passage["id"],),
        ).fetchall()
        facts = connection.execute(
            """SELECT DISTINCT f.id, s.entity AS subject, f.predicate, t.entity AS object, f.negated FROM live_occurrences o
            JOIN evidence v ON v.occurrence = o.id JOIN visible_facts f ON f.id = v.fact
            JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object
            WHERE o.passage = ? AND f.recorded_end IS NULL ORDER BY f.id""",
            (passage["id"],),
        ).fetchall()
        shown = read.displayed(
            connection, [*(m["entity"] for m in mentioned), *(e for f in facts for e in (f["subject"], f["object"]))]
        )
        triples = [
            (bool(f["negated"]), (shown[f["subject"]][0], str(f["predicate"]), shown[f["object"]][0])) for f in facts
        ]
        yield (
            texts.content(passage["text"], passage["title"]),
            [shown[m["entity"]][0] for m in mentioned],
            [triple for negated, triple in triples if not negated],
            [triple for negated, triple in triples if negated],
        )
