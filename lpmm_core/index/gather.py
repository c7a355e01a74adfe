"""What the indexes need from the truth: all of it, or what a stretch of the journal may have changed.

A change reaches further than its own row: hiding a source hides passages, which may hide facts and entities; an entity that comes into
sight gives titles their edges, and pinning a fact keeps its entities in sight. `touched` follows a stretch of the journal along those
lines, so that an update reads rows in proportion to what changed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lpmm_core.index.contributions import Contribution, Contributions
from lpmm_core.index.mutual import SynonymPairs
from lpmm_core.store.evidence import fact_text
from lpmm_core.store.journal import Change
from lpmm_core.store.read import in_parts
from lpmm_core.store.texts import content

Rows = NDArray[np.int64]

PAIR = 2.0
"""Weight that a fact gives its two entities for each passage that states it."""


@dataclass(slots=True)
class Touched:
    """Rows that may look different after a stretch of the journal."""

    passages: set[int] = field(default_factory=set)
    facts: set[int] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    synonyms: set[int] = field(default_factory=set)
    vectors: list[tuple[int, int]] = field(default_factory=list)
    """Ranges [first, last] of rows of `vectors`."""
    models: bool = False
    """Another model or calibration: vector indexes must be built anew."""


def contributions(connection: sqlite3.Connection, passages: Sequence[int] | None = None) -> Contributions:
    """Return what all visible passages, or those given, say about the graph."""
    pairs = _rows(
        connection,
        """SELECT o.passage, min(s.entity, t.entity), max(s.entity, t.entity), count(DISTINCT f.id)
        FROM live_occurrences o JOIN evidence v ON v.occurrence = o.id JOIN facts f ON f.id = v.fact
        JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object
        JOIN entities se ON se.id = s.entity JOIN entities te ON te.id = t.entity
        WHERE f.deleted IS NULL AND f.recorded_end IS NULL AND se.deleted IS NULL AND te.deleted IS NULL AND s.entity <> t.entity
        {only} GROUP BY 1, 2, 3""",
        "AND o.passage IN ({slots})",
        passages,
        width=4,
    )
    mentions = _rows(
        connection,
        """SELECT o.passage, n.entity, max(NOT m.titular), max(m.titular) FROM live_occurrences o
        JOIN mentions m ON m.occurrence = o.id JOIN names n ON n.id = m.name JOIN visible_entities e ON e.id = n.entity
        WHERE 1 {only} GROUP BY 1, 2""",
        "AND o.passage IN ({slots})",
        passages,
        width=4,
    )
    mentioned, titular = mentions[mentions[:, 2] == 1], mentions[mentions[:, 3] == 1]
    return Contributions(
        pair_keys=pairs[:, 0],
        left=pairs[:, 1],
        right=pairs[:, 2],
        amounts=PAIR * pairs[:, 3],
        mention_keys=mentioned[:, 0],
        mentions=mentioned[:, 1],
        title_keys=titular[:, 0],
        titles=titular[:, 1],
    )


def by_passage(columns: Contributions, passages: Iterable[int]) -> dict[int, Contribution | None]:
    """Take columns apart: what each of `passages` contributes, None for one that says nothing."""
    found: dict[int, Contribution | None] = dict.fromkeys(passages)
    pair_keys, mention_keys, title_keys = (
        np.asarray(k) for k in (columns.pair_keys, columns.mention_keys, columns.title_keys)
    )
    left, right, amounts = np.asarray(columns.left), np.asarray(columns.right), np.asarray(columns.amounts)
    mentions, titles = np.asarray(columns.mentions), np.asarray(columns.titles)
    for passage in found:
        pairs, mentioned, titular = pair_keys == passage, mention_keys == passage, title_keys == passage
        if pairs.any() or mentioned.any() or titular.any():
            found[passage] = Contribution(
                left[pairs], right[pairs], amounts[pairs], mentions[mentioned], titles[titular]
            )
    return found


def synonyms(connection: sqlite3.Connection, model: int) -> SynonymPairs:
    """Return all pairs of visible entities that are synonyms by `model`, with the largest cosine of their names."""
    rows = connection.execute(
        """SELECT min(a.entity, b.entity), max(a.entity, b.entity), max(y.cosine) FROM synonyms y
        JOIN names a ON a.id = y.a JOIN names b ON b.id = y.b JOIN visible_entities ea ON ea.id = a.entity
        JOIN visible_entities eb ON eb.id = b.entity WHERE y.model = ? AND a.entity <> b.entity GROUP BY 1, 2""",
        (model,),
    ).fetchall()
    table = np.array([tuple(row) for row in rows], np.float64).reshape(-1, 3)
    return SynonymPairs(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2])


def synonyms_of(connection: sqlite3.Connection, model: int, entities: Iterable[int]) -> dict[tuple[int, int], float]:
    """Return the pairs (smaller, larger) of visible entities that are synonyms and have an end among `entities`, with their cosines."""
    query = """SELECT a.entity AS ea, b.entity AS eb, y.cosine FROM synonyms y JOIN names a ON a.id = y.a JOIN names b ON b.id = y.b
        JOIN visible_entities va ON va.id = a.entity JOIN visible_entities vb ON vb.id = b.entity
        WHERE y.{end} IN (SELECT id FROM names WHERE entity IN ({slots})) AND y.model = ? AND a.entity <> b.entity"""
    best: dict[tuple[int, int], float] = {}
    wanted = list(entities)
    for end in ("a", "b"):
        for row in in_parts(connection, query.replace("{end}", end), wanted, model):
            pair = min(row["ea"], row["eb"]), max(row["ea"], row["eb"])
            best[pair] = max(best.get(pair, 0.0), row["cosine"])
    return best


def visible(connection: sqlite3.Connection, table: str, rows: Sequence[int] | None = None) -> Rows:
    """Return the rows of passages, entities or (open) facts that are visible, all or of those given."""
    also = " AND recorded_end IS NULL" if table == "facts" else ""
    return _rows(
        connection, f"SELECT id FROM visible_{table} WHERE 1{also} {{only}}", "AND id IN ({slots})", rows, width=1
    )[:, 0]


def passage_texts(connection: sqlite3.Connection, rows: Sequence[int] | None = None) -> tuple[list[int], list[str]]:
    """Return rows and contents (title and text) of visible passages."""
    query = "SELECT id, title, text FROM visible_passages WHERE 1 {only}"
    found = _fetch(connection, query, "AND id IN ({slots})", rows)
    return [r["id"] for r in found], [content(r["text"], r["title"]) for r in found]


def fact_texts(connection: sqlite3.Connection, rows: Sequence[int] | None = None) -> tuple[list[int], list[str]]:
    """Return rows and texts (subject, predicate, object) of visible open facts."""
    query = """SELECT f.id, s.key AS subject, f.predicate, t.key AS object FROM visible_facts f JOIN names s ON s.id = f.subject
        JOIN names t ON t.id = f.object WHERE f.recorded_end IS NULL {only}"""
    found = _fetch(connection, query, "AND f.id IN ({slots})", rows)
    return [r["id"] for r in found], [fact_text(r["subject"], r["predicate"], r["object"]) for r in found]


def touched(connection: sqlite3.Connection, changes: Sequence[Change]) -> Touched:
    """Follow a stretch of the journal to every row that may look different after it."""
    found = Touched()
    ranges: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for change in changes:
        ranges.setdefault((change.kept, change.action), []).append((change.first, change.last))
        if change.kept in ("models", "calibrations"):
            found.models = True
    for (table, action), spans in ranges.items():
        for first, last in spans:
            _follow(connection, found, table, action, first, last)
    left = (json.loads(change.before).get("entity") for change in changes if change.kept == "names" and change.before)
    found.entities.update(entity for entity in left if entity is not None)
    passages = list(found.passages)
    for query, into in (
        (
            "SELECT DISTINCT n.entity FROM occurrences o JOIN mentions m ON m.occurrence = o.id JOIN names n ON n.id = m.name",
            found.entities,
        ),
        ("SELECT DISTINCT v.fact FROM occurrences o JOIN evidence v ON v.occurrence = o.id", found.facts),
    ):
        into.update(_set(in_parts(connection, query + " WHERE o.passage IN ({slots})", passages)))
    return found


def _follow(connection: sqlite3.Connection, found: Touched, table: str, action: str, first: int, last: int) -> None:
    span = (first, last)
    if table == "passages":
        found.passages.update(range(first, last + 1))
    elif table == "occurrences":
        found.passages.update(
            _set(connection.execute("SELECT passage FROM occurrences WHERE id BETWEEN ? AND ?", span))
        )
    elif table == "sources" and action == "update":
        found.passages.update(
            _set(connection.execute("SELECT passage FROM occurrences WHERE source BETWEEN ? AND ?", span))
        )
    elif table in ("mentions", "evidence"):
        query = f"SELECT DISTINCT o.passage FROM {table} x JOIN occurrences o ON o.id = x.occurrence WHERE x.id BETWEEN ? AND ?"
        found.passages.update(_set(connection.execute(query, span)))
    elif table == "facts":
        found.facts.update(range(first, last + 1))
        query = "SELECT n.entity FROM facts f JOIN names n ON n.id IN (f.subject, f.object) WHERE f.id BETWEEN ? AND ?"
        found.entities.update(_set(connection.execute(query, span)))
        if action == "update":
            query = "SELECT o.passage FROM evidence v JOIN occurrences o ON o.id = v.occurrence WHERE v.fact BETWEEN ? AND ?"
            found.passages.update(_set(connection.execute(query, span)))
    elif table == "entities":
        found.entities.update(range(first, last + 1))
        if action == "update":
            _follow_names(connection, found, "SELECT id FROM names WHERE entity BETWEEN ? AND ?", span)
    elif table == "names" and action == "update":
        found.entities.update(_set(connection.execute("SELECT entity FROM names WHERE id BETWEEN ? AND ?", span)))
        _follow_names(connection, found, "SELECT id FROM names WHERE id BETWEEN ? AND ?", span)
    elif table == "vectors":
        found.vectors.append(span)
    elif table == "synonyms" and action == "insert":
        query = """SELECT n.entity FROM synonyms y JOIN names n ON n.id IN (y.a, y.b) WHERE y.id BETWEEN ? AND ?"""
        found.synonyms.update(_set(connection.execute(query, span)))


def _follow_names(connection: sqlite3.Connection, found: Touched, names: str, span: tuple[int, int]) -> None:
    query = (
        f"SELECT DISTINCT o.passage FROM mentions m JOIN occurrences o ON o.id = m.occurrence WHERE m.name IN ({names})"
    )
    found.passages.update(_set(connection.execute(query, span)))
    for end in ("subject", "object"):
        found.facts.update(_set(connection.execute(f"SELECT id FROM facts WHERE {end} IN ({names})", span)))


def titled(connection: sqlite3.Connection, entities: Iterable[int]) -> set[int]:
    """Return the passages whose title names one of `entities`."""
    query = """SELECT DISTINCT o.passage FROM names n JOIN mentions m ON m.name = n.id AND m.titular
        JOIN occurrences o ON o.id = m.occurrence WHERE n.entity IN ({slots})"""
    return _set(in_parts(connection, query, entities))


def _set(rows: Iterable[sqlite3.Row]) -> set[int]:
    return {row[0] for row in rows}


def _fetch(connection: sqlite3.Connection, query: str, only: str, rows: Sequence[int] | None) -> list[sqlite3.Row]:
    if rows is None:
        return connection.execute(query.replace("{only}", "")).fetchall()
    return in_parts(connection, query.replace("{only}", only), rows)


def _rows(connection: sqlite3.Connection, query: str, only: str, rows: Sequence[int] | None, *, width: int) -> Rows:
    found = _fetch(connection, query, only, rows)
    return np.array([tuple(row) for row in found], np.int64).reshape(-1, width)
