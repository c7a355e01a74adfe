"""Readings that are there already: of the same text in another place, so that it need not be read again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from lpmm_core.base.records import Extraction, Kind, Mention, Triple
from lpmm_core.store.read import in_parts


@dataclass(frozen=True, slots=True)
class Earlier:
    """`occurrence` has the text of `earlier` (of `source`), said by and to the same, at the same time; all are row numbers."""

    occurrence: int
    earlier: int
    source: int


def earlier_readings(connection: sqlite3.Connection, occurrences: Iterable[int], reader: str) -> list[Earlier]:
    """Return for each occurrence the latest other one that `reader` found something in, and that nothing but its document tells apart."""
    rows = in_parts(
        connection,
        """WITH wanted AS (SELECT * FROM occurrences WHERE id IN ({slots}))
        SELECT n.id, o.id AS earlier, o.source FROM wanted n JOIN occurrences o ON o.id = (
            SELECT max(e.id) FROM occurrences e WHERE e.passage = n.passage AND e.id <> n.id AND e.given IS NULL
            AND e.speaker IS n.speaker AND e.addressee IS n.addressee AND e.said_at IS n.said_at
            AND EXISTS (SELECT 1 FROM mentions m WHERE m.occurrence = e.id AND m.reader = ?))""",
        occurrences,
        reader,
    )
    return [Earlier(row["id"], row["earlier"], row["source"]) for row in rows]


def shares_most(connection: sqlite3.Connection, source: int, earlier: int) -> bool:
    """Tell whether at least half of the passages of source `earlier` are in `source` too."""
    row = connection.execute(
        """SELECT count(*), coalesce(sum(passage IN (SELECT passage FROM occurrences WHERE source = ?)), 0)
        FROM occurrences WHERE source = ?""",
        (source, earlier),
    ).fetchone()
    return bool(2 * row[1] >= row[0])


def extraction_of(connection: sqlite3.Connection, occurrence: int, reader: str) -> Extraction:
    """Return what a reading found, such that writing it for another occurrence of the text writes the same rows."""
    mentions = connection.execute(
        """SELECT name, spelling, kind, start, stop, confidence FROM mentions
        WHERE occurrence = ? AND reader = ? AND NOT titular ORDER BY id""",
        (occurrence, reader),
    ).fetchall()
    spellings = {row["name"]: row["spelling"] for row in mentions}
    stated = connection.execute(
        """SELECT f.subject, f.predicate, f.object, f.negated, s.key AS s, t.key AS t, v.start, v.stop, v.confidence
        FROM evidence v JOIN facts f ON f.id = v.fact JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object
        WHERE v.occurrence = ? AND v.reader = ? ORDER BY v.id""",
        (occurrence, reader),
    ).fetchall()
    return Extraction(
        tuple(
            Mention(row["spelling"], Kind(row["kind"]), row["start"], row["stop"], row["confidence"])
            for row in mentions
            if row["start"] is not None  # the others are ends of triples, and come with these
        ),
        tuple(
            Triple(
                spellings.get(row["subject"], row["s"]),
                row["predicate"],
                spellings.get(row["object"], row["t"]),
                row["start"],
                row["stop"],
                row["confidence"],
                bool(row["negated"]),
            )
            for row in stated
        ),
    )
