"""What reading a passage adds: names, facts, and the evidence that ties them to an occurrence.

Interning is by key alone: a name's key, a fact's (subject, predicate, object) as stated. Vectors and synonyms ride in the same batch, so a
reader of the memory never meets a name that has been half taken in.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lpmm_core.base.names import clean_name, name_key, why_not_a_name
from lpmm_core.base.records import Extraction, Vectors
from lpmm_core.store.journal import Batch
from lpmm_core.store.read import in_parts
from lpmm_core.store.texts import title_keys


@dataclass(frozen=True, slots=True)
class Found:
    """What one reading of one occurrence found. `reader` is the extractor's name and version."""

    occurrence: int
    title: str | None
    extraction: Extraction
    reader: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple by keys: what a fact is interned and embedded by."""

    subject: str
    predicate: str
    object: str
    negated: bool = False

    @property
    def text(self) -> str:
        """The text a fact is embedded and searched by."""
        return fact_text(self.subject, self.predicate, self.object)


def fact_text(subject: str, predicate: str, object: str) -> str:
    """Return the text a fact is embedded and searched by, from the keys of its ends and its predicate."""
    return f"{subject} {predicate} {object}"


def statements(extraction: Extraction) -> list[Statement]:
    """Return the distinct statements of an extraction that can be facts, in order: both ends are names, and not the same one."""
    found: dict[Statement, None] = {}
    for triple in extraction.triples:
        statement = Statement(
            name_key(triple.subject), clean_name(triple.predicate), name_key(triple.object), triple.negated
        )
        ends = triple.subject, triple.object
        if statement.predicate and statement.subject != statement.object and not any(map(why_not_a_name, ends)):
            found[statement] = None
    return list(found)


def keys_of(found: Found) -> list[str]:
    """Return the distinct name keys a reading needs: mentioned names, ends of triples, titles."""
    keys: dict[str, None] = {}
    for mention in found.extraction.mentions:
        if not why_not_a_name(mention.name):
            keys[name_key(mention.name)] = None
    for statement in statements(found.extraction):
        keys[statement.subject] = keys[statement.object] = None
    for key in title_keys(found.title):
        keys[key] = None
    return list(keys)


def intern_names(batch: Batch, keys: Iterable[str]) -> dict[str, int]:
    """Map each key to its name's row number; an unknown key gives birth to a name and to the entity it names."""
    wanted = list(dict.fromkeys(keys))
    known = known_names(batch.connection, wanted)
    fresh = [key for key in wanted if key not in known]
    entities = batch.insert("entities", ("hand", "pinned", "version"), [(0, 0, 1)] * len(fresh))
    names = batch.insert(
        "names", ("key", "entity", "version"), [(key, entity, 1) for key, entity in zip(fresh, entities, strict=True)]
    )
    return known | dict(zip(fresh, names, strict=True))


def known_names(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, int]:
    """Map those of `keys` that are known to the row numbers of their names."""
    rows: dict[str, int] = {}
    for start in range(0, len(keys), 500):
        part = keys[start : start + 500]
        rows.update(
            connection.execute(f"SELECT key, id FROM names WHERE key IN ({','.join('?' * len(part))})", part).fetchall()
        )
    return rows


def intern_facts(
    batch: Batch, wanted: Iterable[Statement], names: Mapping[str, int], confidence: Mapping[Statement, float]
) -> dict[Statement, int]:
    """Map each statement to the row number of its fact; a fact that a person closed or changed is found again, never reopened."""
    rows: dict[Statement, int] = {}
    fresh = []
    for statement in dict.fromkeys(wanted):
        row = known_fact(
            batch.connection, names[statement.subject], statement.predicate, names[statement.object], statement.negated
        )
        if row is None:
            fresh.append(statement)
        else:
            rows[statement] = row
    last = batch.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'facts'").fetchone()
    first = (last[0] if last else 0) + 1
    added = batch.insert(
        "facts",
        (
            "lineage",
            "number",
            "subject",
            "predicate",
            "object",
            "negated",
            "confidence",
            "recorded_start",
            "hand",
            "pinned",
            "version",
        ),
        [
            (
                first + i,
                1,
                names[s.subject],
                s.predicate,
                names[s.object],
                int(s.negated),
                confidence.get(s, 1.0),
                batch.time,
                0,
                0,
                1,
            )
            for i, s in enumerate(fresh)
        ],
    )
    return rows | dict(zip(fresh, added, strict=True))


def known_fact(connection: sqlite3.Connection, subject: int, predicate: str, object: int, negated: bool) -> int | None:
    """Return the row number of the fact as stated by names, or None."""
    row = connection.execute(
        "SELECT id FROM facts WHERE subject = ? AND predicate = ? AND object = ? AND negated = ? AND number = 1 AND hand = 0",
        (subject, predicate, object, int(negated)),
    ).fetchone()
    return row["id"] if row else None


def add_found(batch: Batch, found: Sequence[Found]) -> tuple[dict[str, int], dict[Statement, int]]:
    """Write readings: what is new among names and facts, and the evidence for all. Returns the row numbers of both.

    A reading by the same reader that an occurrence has already is not written twice, one of text purged meanwhile not at all.
    """
    once = {(f.occurrence, f.reader): f for f in found}
    found = [f for f in once.values() if _is_unread(batch.connection, f)]
    names = intern_names(batch, (key for f in found for key in keys_of(f)))
    confidence: dict[Statement, float] = {}
    spans: list[tuple[int, Statement, int, int, float, str]] = []
    mentions: list[tuple[int, int, str, str, int | None, int | None, int, float, str]] = []
    for f in found:
        kept = set(statements(f.extraction))
        mentioned: set[str] = set()
        for mention in f.extraction.mentions:
            if not why_not_a_name(mention.name):
                key = name_key(mention.name)
                mentioned.add(key)
                mentions.append(
                    (
                        f.occurrence,
                        names[key],
                        clean_name(mention.name),
                        mention.kind,
                        mention.start,
                        mention.end,
                        0,
                        mention.confidence,
                        f.reader,
                    )
                )
        stated: set[Statement] = set()
        for triple in f.extraction.triples:
            statement = Statement(
                name_key(triple.subject), clean_name(triple.predicate), name_key(triple.object), triple.negated
            )
            if statement not in kept or statement in stated:
                continue
            stated.add(statement)
            confidence[statement] = max(confidence.get(statement, 0.0), triple.confidence)
            spans.append((f.occurrence, statement, triple.start, triple.end, triple.confidence, f.reader))
            for spelling in (triple.subject, triple.object):
                if (key := name_key(spelling)) not in mentioned:
                    mentioned.add(key)
                    mentions.append(
                        (
                            f.occurrence,
                            names[key],
                            clean_name(spelling),
                            "thing",
                            None,
                            None,
                            0,
                            triple.confidence,
                            f.reader,
                        )
                    )
        for key in title_keys(f.title):
            mentions.append((f.occurrence, names[key], f.title or key, "thing", None, None, 1, 1.0, f.reader))
    facts = intern_facts(batch, (statement for _, statement, *_ in spans), names, confidence)
    batch.insert(
        "mentions",
        ("occurrence", "name", "spelling", "kind", "start", "stop", "titular", "confidence", "reader"),
        mentions,
    )
    batch.insert(
        "evidence",
        ("occurrence", "fact", "start", "stop", "confidence", "reader"),
        [(occurrence, facts[statement], *rest) for occurrence, statement, *rest in spans],
    )
    return names, facts


def _is_unread(connection: sqlite3.Connection, found: Found) -> bool:
    """Tell whether an occurrence is there (a purge may have come between) and has no reading by this reader."""
    row = connection.execute(
        """SELECT 1 FROM occurrences o WHERE o.id = ?1
        AND NOT EXISTS (SELECT 1 FROM mentions m WHERE m.occurrence = o.id AND m.reader = ?2)
        AND NOT EXISTS (SELECT 1 FROM evidence v WHERE v.occurrence = o.id AND v.reader = ?2)""",
        (found.occurrence, found.reader),
    )
    return row.fetchone() is not None


def add_vectors(batch: Batch, kind: str, owners: Sequence[int], vectors: Vectors, *, model: int) -> None:
    """Keep vectors (n, d), stored as float16, for those owners that have none by this model and were not purged meanwhile.

    Raises:
        ValueError: a vector is zero or not finite; a failed embedding must never be kept.
    """
    if len(owners) and (not np.isfinite(vectors).all() or not np.linalg.norm(vectors, axis=1).all()):
        raise ValueError("a vector is zero or not finite")
    have = vectors_held(batch.connection, kind, owners, model=model)
    table = {"passage": "passages", "name": "names", "fact": "facts"}[kind]
    there = _there(batch.connection, table, owners)
    batch.insert(
        "vectors",
        ("kind", "owner", "model", "data"),
        [
            (kind, owner, model, vector.astype("<f2").tobytes())
            for owner, vector in zip(owners, vectors, strict=True)
            if owner in there and owner not in have
        ],
    )


def vectors_held(connection: sqlite3.Connection, kind: str, owners: Sequence[int], *, model: int) -> set[int]:
    """Return those of `owners` that have a vector by this model."""
    held: set[int] = set()
    for start in range(0, len(owners), 500):
        part = list(owners[start : start + 500])
        slots = ",".join("?" * len(part))
        rows = connection.execute(
            f"SELECT owner FROM vectors WHERE kind = ? AND model = ? AND owner IN ({slots})", (kind, model, *part)
        )
        held.update(row["owner"] for row in rows)
    return held


def add_synonyms(batch: Batch, pairs: Iterable[tuple[int, int, float]], *, model: int) -> None:
    """Keep pairs of names (row numbers) with their cosine; each pair once, the smaller row first, none of a name that was purged."""
    ordered = {(min(a, b), max(a, b)): cosine for a, b, cosine in pairs if a != b}
    there = _there(batch.connection, "names", {name for pair in ordered for name in pair})
    fresh = [
        (a, b, model, cosine)
        for (a, b), cosine in sorted(ordered.items())
        if a in there
        and b in there
        and not batch.connection.execute(
            "SELECT 1 FROM synonyms WHERE a = ? AND b = ? AND model = ?", (a, b, model)
        ).fetchone()
    ]
    batch.insert("synonyms", ("a", "b", "model", "cosine"), fresh)


def _there(connection: sqlite3.Connection, table: str, rows: Iterable[int]) -> set[int]:
    return {row["id"] for row in in_parts(connection, f"SELECT id FROM {table} WHERE id IN ({{slots}})", rows)}
