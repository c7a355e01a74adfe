"""Keeping the file itself well: backup, restore, purge, checks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from lpmm_core.base.errors import Conflict, InvalidInput, LpmmError
from lpmm_core.base.names import name_key
from lpmm_core.store.database import Database, translated
from lpmm_core.store.ids import Ids
from lpmm_core.store.journal import Batch
from lpmm_core.store.schema import pending_migrations
from lpmm_core.store.texts import content_hash, salted


def backup(database: Database, target: Path) -> None:
    """Write a consistent copy of the truth to `target` while others go on writing; it appears whole or not at all.

    Raises:
        InvalidInput: `target` is a folder, or the very file that is to be copied.
        StorageFull: the disk refused.
    """
    if target.is_dir() or (target.exists() and target.samefile(database.path)):
        raise InvalidInput(f"{target} cannot be replaced by a backup; name another file")
    with database.reading() as connection:
        _copy(connection, target)


def restore(source: Path, space: Path) -> None:
    """Make a new space from a backup.

    Raises:
        InvalidInput: the file is no backup of a memory, or is damaged.
        NewerSchema: it was written by a newer version of this program.
        Conflict: the space exists, or something is left there (a log without its memory would be taken for this one's).
    """
    if space.exists() and any(space.iterdir()):
        raise Conflict(f"{space.name} exists already and is not empty; restore into a new space")
    verify(source)
    space.mkdir(parents=True, exist_ok=True, mode=0o700)
    with closing(_opened(source)) as connection:
        _copy(connection, space / "memory.db")


def verify(source: Path) -> None:
    """Check that a file is a sound backup; raises InvalidInput and NewerSchema."""
    if not source.is_file():
        raise InvalidInput(f"there is no file {source}")
    with closing(_opened(source)) as connection:
        try:
            sound = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            known = connection.execute(
                "SELECT count(*) FROM sqlite_schema WHERE name IN ('batches', 'passages', 'meta')"
            ).fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise InvalidInput(f"{source.name} is not a backup of a memory ({error})") from error
        if not sound or known != 3:
            raise InvalidInput(f"{source.name} is not a sound backup of a memory")
        pending_migrations(connection)


def _opened(source: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)


def _copy(source: sqlite3.Connection, target: Path) -> None:
    partial = target.with_name(target.name + ".partial")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    try:
        with translated(target), closing(sqlite3.connect(partial)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def purgeable(connection: sqlite3.Connection, records: Sequence[tuple[str, int]]) -> list[int]:
    """Return the passages to purge for deleted passages, or for deleted sources those that no other source holds.

    Raises:
        InvalidInput: a record is neither.
    """
    rows: dict[int, None] = {}
    for table, row in records:
        if table == "passages":
            rows[row] = None
        elif table == "sources":
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


CHECKS = {
    "evidence points to a fact that does not exist": """
        SELECT count(*) FROM evidence v LEFT JOIN facts f ON f.id = v.fact WHERE f.id IS NULL""",
    "a mention points to a name that does not exist": """
        SELECT count(*) FROM mentions m LEFT JOIN names n ON n.id = m.name WHERE n.id IS NULL""",
    "a name belongs to a merged entity": """
        SELECT count(*) FROM names n JOIN entities e ON e.id = n.entity WHERE e.merged_into IS NOT NULL""",
    "an entity is merged into itself": """
        WITH RECURSIVE up (start, id) AS (SELECT id, merged_into FROM entities WHERE merged_into IS NOT NULL
            UNION SELECT start, e.merged_into FROM up JOIN entities e ON e.id = up.id WHERE e.merged_into IS NOT NULL)
        SELECT count(*) FROM up WHERE start = id""",
    "an entity is shown that has no name": """
        SELECT count(*) FROM visible_entities e WHERE NOT EXISTS (SELECT 1 FROM names n WHERE n.entity = e.id)""",
    "a fact is shown that has an end out of sight": """
        SELECT count(*) FROM visible_facts f JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object
        WHERE s.entity NOT IN (SELECT id FROM visible_entities) OR t.entity NOT IN (SELECT id FROM visible_entities)""",
    "a fact joins a name to itself": "SELECT count(*) FROM facts WHERE subject = object",
    "a source has no occurrence": """
        SELECT count(*) FROM sources s WHERE s.deleted IS NULL AND NOT EXISTS (SELECT 1 FROM occurrences o WHERE o.source = s.id)""",
    "an occurrence has no task": """
        SELECT count(*) FROM live_occurrences o WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.occurrence = o.id)""",
    "two rows of one reading state the same fact": """
        SELECT count(*) FROM (SELECT 1 FROM evidence GROUP BY occurrence, fact, reader HAVING count(*) > 1)""",
    "a vector belongs to nothing": """
        SELECT count(*) FROM vectors v WHERE NOT CASE v.kind WHEN 'passage' THEN EXISTS (SELECT 1 FROM passages p WHERE p.id = v.owner)
            WHEN 'name' THEN EXISTS (SELECT 1 FROM names n WHERE n.id = v.owner)
            ELSE EXISTS (SELECT 1 FROM facts f WHERE f.id = v.owner) END""",
    "a vector has the wrong length": """
        SELECT count(*) FROM vectors v JOIN models m ON m.id = v.model WHERE length(v.data) <> 2 * m.dimension""",
}
"""What must be true of every file, whatever happened to it: each query counts the rows that break the sentence."""


def check(connection: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the truth, in sentences; nothing when all is well."""
    problems = [row[0] for row in connection.execute("PRAGMA integrity_check").fetchall() if row[0] != "ok"]
    problems += [
        f"{row['table']} row {row['rowid']} points to a missing row of {row['parent']}"
        for row in connection.execute("PRAGMA foreign_key_check").fetchall()
    ]
    for sentence, query in CHECKS.items():
        if count := connection.execute(query).fetchone()[0]:
            problems.append(f"{sentence} ({count} times)")
    altered = sum(
        content_hash(row["text"], row["title"]) != row["hash"]
        for row in connection.execute("SELECT hash, title, text FROM passages")
    )
    return [*problems, f"a text is not what was taken in ({altered} times)"] if altered else problems
