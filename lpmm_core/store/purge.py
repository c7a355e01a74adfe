"""Purge: text and all that only it supports leave every table, for good. Nothing of it can be found in any file afterwards."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from lpmm_core.base.errors import Conflict, InvalidInput, LpmmError
from lpmm_core.base.names import name_key
from lpmm_core.store.ids import Ids
from lpmm_core.store.journal import Batch
from lpmm_core.store.texts import content_hash, salted


def purgeable(connection: sqlite3.Connection, records: Sequence[tuple[str, int]]) -> list[int]:
    """Return the passages to purge for deleted passages, or for deleted sources those that no other source holds.

    Raises:
        InvalidInput: a record is neither.
        Conflict: a source stands; only what was deleted can be purged.
    """
    rows: dict[int, None] = {}
    for table, row in records:
        if table == "passages":
            rows[row] = None
        elif table == "sources":
            if connection.execute("SELECT 1 FROM sources WHERE id = ? AND deleted IS NULL", (row,)).fetchone():
                raise Conflict("only what was deleted can be purged; delete the source first")
            held = connection.execute(
                """SELECT DISTINCT passage FROM occurrences o WHERE o.source = ?
                AND NOT EXISTS (SELECT 1 FROM live_occurrences l WHERE l.passage = o.passage)""",
                (row,),
            )
            rows.update((r["passage"], None) for r in held)
        else:
            raise InvalidInput("only sources and passages can be purged; what they alone support goes with them")
    return list(rows)


def purge_passages(batch: Batch, passages: Sequence[int], *, secret: bytes) -> None:
    """Take passages out for good: text, occurrences, evidence, vectors, cached answers, traces and before-images that hold the text.

    A salted hash stays, so that the same text is refused later. Facts, names and sources that nothing is left of go too.

    Raises:
        LpmmError: a passage is not in the recycle bin and not without source; only what was deleted can be purged.
    """
    connection = batch.connection
    ids = Ids(secret)
    for passage in passages:
        row = connection.execute("SELECT title, text FROM passages WHERE id = ?", (passage,)).fetchone()
        if row is None:
            continue
        if connection.execute("SELECT 1 FROM visible_passages WHERE id = ?", (passage,)).fetchone():
            raise LpmmError("only deleted text can be purged; delete it first")
        occurrences = _ids(connection, "SELECT id FROM occurrences WHERE passage = ?", passage)
        sources = _ids(connection, "SELECT DISTINCT source FROM occurrences WHERE passage = ?", passage)
        names: set[int] = set()
        facts: set[int] = set()
        for occurrence in occurrences:
            names.update(_ids(connection, "SELECT name FROM mentions WHERE occurrence = ?", occurrence))
            facts.update(_ids(connection, "SELECT fact FROM evidence WHERE occurrence = ?", occurrence))
            batch.purge("mentions", _ids(connection, "SELECT id FROM mentions WHERE occurrence = ?", occurrence))
            batch.purge("evidence", _ids(connection, "SELECT id FROM evidence WHERE occurrence = ?", occurrence))
            connection.execute(
                "UPDATE jobs SET error = NULL WHERE id IN (SELECT job FROM tasks WHERE occurrence = ?)", (occurrence,)
            )
            connection.execute("DELETE FROM tasks WHERE occurrence = ?", (occurrence,))
        connection.execute("DELETE FROM answers WHERE passage = ?", (passage,))
        connection.execute("DELETE FROM uses WHERE passage = ?", (passage,))
        signs = [json.dumps(row["text"], ensure_ascii=False)[1:-1], ids.encode("passages", passage)]
        for sign in (*signs, *(ids.encode("occurrences", occurrence) for occurrence in occurrences)):
            connection.execute("DELETE FROM traces WHERE instr(trace, ?) > 0", (sign,))
        batch.purge("vectors", _ids(connection, "SELECT id FROM vectors WHERE kind = 'passage' AND owner = ?", passage))
        batch.purge("occurrences", occurrences)
        digest = salted(secret, content_hash(row["text"], row["title"]))
        connection.execute("INSERT OR REPLACE INTO tombstones (digest, time) VALUES (?, ?)", (digest, batch.time))
        batch.purge("passages", [passage])
        _purge_facts(batch, facts)
        _purge_names(batch, names)
        _purge_sources(batch, sources)
        _retire(connection, "passages", passage)
        for source in sources:
            _retire(connection, "sources", source)


def _retire(connection: sqlite3.Connection, table: str, row: int) -> None:
    """Make final what changed nothing but what is gone: it can no longer be taken back, and must not stand before what can."""
    connection.execute(
        """UPDATE operations SET state = 'final' WHERE state IN ('done', 'undone') AND id IN (
            SELECT b.operation FROM changes c JOIN batches b ON b.sequence = c.sequence
            WHERE c.kept = ? AND c.first = ? AND c.action = 'update')
        AND NOT EXISTS (SELECT 1 FROM batches b JOIN changes c ON c.sequence = b.sequence
            WHERE b.operation = operations.id AND (c.action <> 'update' OR c.before IS NOT NULL))""",
        (table, row),
    )


_KEPT = "(hand OR pinned) AND deleted IS NULL"
"""Of a record that a person made or pinned, and did not delete since."""


def _purge_facts(batch: Batch, facts: set[int]) -> None:
    connection = batch.connection
    for fact in sorted(facts):
        supported = connection.execute("SELECT 1 FROM evidence WHERE fact = ? LIMIT 1", (fact,)).fetchone()
        kept = connection.execute(f"SELECT {_KEPT} FROM facts WHERE id = ?", (fact,)).fetchone()
        if not supported and kept is not None and not kept[0]:
            batch.purge("vectors", _ids(connection, "SELECT id FROM vectors WHERE kind = 'fact' AND owner = ?", fact))
            batch.purge("facts", [fact])


def _purge_names(batch: Batch, names: set[int]) -> None:
    connection = batch.connection
    entities: dict[int, None] = {}
    for name in sorted(names):
        entities.update(dict.fromkeys(_ids(connection, "SELECT entity FROM names WHERE id = ?", name)))
    for entity in entities:
        if connection.execute(f"SELECT {_KEPT} FROM entities WHERE id = ?", (entity,)).fetchone()[0]:
            continue
        unsupported = _ids(
            connection,
            """SELECT n.id FROM names n WHERE n.entity = ? AND NOT EXISTS (SELECT 1 FROM mentions m WHERE m.name = n.id)
            AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.subject = n.id)
            AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.object = n.id)""",
            entity,
        )
        # A name that a person gave needs no mention while the entity has any; with the last mention all names go.
        all_go = len(unsupported) == len(_ids(connection, "SELECT id FROM names WHERE entity = ?", entity))
        gone = unsupported if all_go else [name for name in unsupported if name in names]
        for name in gone:
            batch.purge("synonyms", _ids(connection, "SELECT id FROM synonyms WHERE a = ?1 OR b = ?1", name))
            batch.purge("vectors", _ids(connection, "SELECT id FROM vectors WHERE kind = 'name' AND owner = ?", name))
            batch.purge("names", [name])
        if gone:
            _purge_spellings(batch, entity)


def _purge_spellings(batch: Batch, entity: int) -> None:
    """Take the names that are gone out of the entity that had them and of those merged into it, or these out when none is left."""
    connection = batch.connection
    left = {row["key"] for row in connection.execute("SELECT key FROM names WHERE entity = ?", (entity,))}
    merged = connection.execute(
        """WITH RECURSIVE merged (id, depth) AS (
            SELECT ?, 0 UNION ALL SELECT e.id, depth + 1 FROM merged JOIN entities e ON e.merged_into = merged.id)
        SELECT e.id, e.name FROM merged JOIN entities e ON e.id = merged.id ORDER BY depth DESC""",
        (entity,),
    ).fetchall()
    for row in merged:
        if not left:
            batch.purge("entities", [row["id"]])
        elif row["name"] and name_key(row["name"]) not in left:
            batch.update("entities", row["id"], name=None)
        batch.forget("entities", row["id"], "name")


def _purge_sources(batch: Batch, sources: Sequence[int]) -> None:
    connection = batch.connection
    for source in sources:
        if not connection.execute("SELECT 1 FROM occurrences WHERE source = ? LIMIT 1", (source,)).fetchone():
            connection.execute(
                """UPDATE operations SET summary = '' WHERE id IN (
                    SELECT b.operation FROM changes c JOIN batches b ON b.sequence = c.sequence
                    WHERE c.kept = 'sources' AND c.action = 'insert' AND ? BETWEEN c.first AND c.last)""",
                (source,),
            )
            batch.purge("sources", [source])


def _ids(connection: sqlite3.Connection, query: str, value: int) -> list[int]:
    return [row[0] for row in connection.execute(query, (value,)).fetchall()]
