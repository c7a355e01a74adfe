"""Keeping the file itself well: backup, restore, purge, checks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from lpmm_core.base.errors import Conflict, InvalidInput, LpmmError
from lpmm_core.store.database import Database
from lpmm_core.store.journal import Batch
from lpmm_core.store.texts import content_hash, salted


def backup(database: Database, target: Path) -> None:
    """Write a consistent copy of the truth to `target` while others go on writing; it appears whole or not at all."""
    partial = target.with_name(target.name + ".partial")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial.unlink(missing_ok=True)
    copy = sqlite3.connect(partial)
    try:
        with database.reading() as source:
            source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
    partial.chmod(0o600)
    partial.replace(target)


def restore(source: Path, space: Path) -> None:
    """Make a new space from a backup.

    Raises:
        InvalidInput: the file is no backup of a memory, or is damaged.
        Conflict: the space exists.
    """
    if (space / "memory.db").exists():
        raise Conflict(f"{space.name} exists already; restore into a new space")
    verify(source)
    space.mkdir(parents=True, exist_ok=True)
    partial = space / "memory.db.partial"
    partial.write_bytes(source.read_bytes())
    partial.chmod(0o600)
    partial.replace(space / "memory.db")


def verify(source: Path) -> None:
    """Check that a file is a sound backup; raises InvalidInput."""
    if not source.is_file():
        raise InvalidInput(f"there is no file {source}")
    connection = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    try:
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        known = (
            connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('batches', 'passages', 'meta')"
            ).fetchone()[0]
            == 3
        )
    except sqlite3.DatabaseError as error:
        raise InvalidInput(f"{source.name} is not a backup of a memory ({error})") from error
    finally:
        connection.close()
    if not (sound and known):
        raise InvalidInput(f"{source.name} is not a sound backup of a memory")


def purge_passages(batch: Batch, passages: Sequence[int], *, secret: bytes) -> None:
    """Take passages out for good: text, occurrences, evidence, vectors, cached answers, traces and before-images that hold the text.

    A salted hash stays, so that the same text is refused later. Facts and names that nothing supports any more go too.

    Raises:
        LpmmError: a passage is not in the recycle bin and not without source; only what was deleted can be purged.
    """
    connection = batch.connection
    for passage in passages:
        row = connection.execute("SELECT title, text FROM passages WHERE id = ?", (passage,)).fetchone()
        if row is None:
            continue
        if connection.execute("SELECT 1 FROM visible_passages WHERE id = ?", (passage,)).fetchone():
            raise LpmmError("only deleted text can be purged; delete it first")
        occurrences = _ids(connection, "SELECT id FROM occurrences WHERE passage = ?", passage)
        names: set[int] = set()
        facts: set[int] = set()
        for occurrence in occurrences:
            names.update(_ids(connection, "SELECT name FROM mentions WHERE occurrence = ?", occurrence))
            facts.update(_ids(connection, "SELECT fact FROM evidence WHERE occurrence = ?", occurrence))
            batch.purge("mentions", _ids(connection, "SELECT id FROM mentions WHERE occurrence = ?", occurrence))
            batch.purge("evidence", _ids(connection, "SELECT id FROM evidence WHERE occurrence = ?", occurrence))
            connection.execute("DELETE FROM tasks WHERE occurrence = ?", (occurrence,))
        connection.execute("DELETE FROM answers WHERE passage = ?", (passage,))
        connection.execute("DELETE FROM uses WHERE passage = ?", (passage,))
        connection.execute(
            "DELETE FROM traces WHERE instr(trace, ?) > 0", (json.dumps(row["text"], ensure_ascii=False)[1:-1],)
        )
        batch.purge("vectors", _ids(connection, "SELECT id FROM vectors WHERE kind = 'passage' AND owner = ?", passage))
        batch.purge("occurrences", occurrences)
        digest = salted(secret, content_hash(row["text"], row["title"]))
        connection.execute("INSERT OR REPLACE INTO tombstones (digest, time) VALUES (?, ?)", (digest, batch.time))
        batch.purge("passages", [passage])
        _purge_unsupported(batch, facts, names)


def _purge_unsupported(batch: Batch, facts: set[int], names: set[int]) -> None:
    connection = batch.connection
    for fact in sorted(facts):
        supported = connection.execute("SELECT 1 FROM evidence WHERE fact = ? LIMIT 1", (fact,)).fetchone()
        kept = connection.execute("SELECT hand OR pinned FROM facts WHERE id = ?", (fact,)).fetchone()
        if not supported and kept is not None and not kept[0]:
            batch.purge("vectors", _ids(connection, "SELECT id FROM vectors WHERE kind = 'fact' AND owner = ?", fact))
            batch.purge("facts", [fact])
    for name in sorted(names):
        held = connection.execute(
            """SELECT 1 FROM mentions WHERE name = ?1 UNION ALL SELECT 1 FROM facts WHERE subject = ?1 OR object = ?1 LIMIT 1""",
            (name,),
        ).fetchone()
        entity = connection.execute(
            """SELECT n.entity, e.hand OR e.pinned OR e.name IS NOT NULL AS kept
            FROM names n JOIN entities e ON e.id = n.entity WHERE n.id = ?""",
            (name,),
        ).fetchone()
        if held or entity is None or entity["kept"]:
            continue
        batch.purge("synonyms", _ids(connection, "SELECT id FROM synonyms WHERE a = ?1 OR b = ?1", name))
        batch.purge("vectors", _ids(connection, "SELECT id FROM vectors WHERE kind = 'name' AND owner = ?", name))
        batch.purge("names", [name])
        left = connection.execute(
            "SELECT 1 FROM names WHERE entity = ?1 UNION ALL SELECT 1 FROM entities WHERE merged_into = ?1 LIMIT 1",
            (entity["entity"],),
        ).fetchone()
        if not left:
            batch.purge("entities", [entity["entity"]])


def _ids(connection: sqlite3.Connection, query: str, value: int) -> list[int]:
    return [row[0] for row in connection.execute(query, (value,)).fetchall()]


CHECKS = {
    "evidence points to a fact that does not exist": """
        SELECT count(*) FROM evidence v LEFT JOIN facts f ON f.id = v.fact WHERE f.id IS NULL""",
    "a mention points to a name that does not exist": """
        SELECT count(*) FROM mentions m LEFT JOIN names n ON n.id = m.name WHERE n.id IS NULL""",
    "a name belongs to a merged entity": """
        SELECT count(*) FROM names n JOIN entities e ON e.id = n.entity WHERE e.merged_into IS NOT NULL""",
    "a fact joins a name to itself": "SELECT count(*) FROM facts WHERE subject = object",
    "a source has no occurrence": """
        SELECT count(*) FROM sources s WHERE s.deleted IS NULL AND NOT EXISTS (SELECT 1 FROM occurrences o WHERE o.source = s.id)""",
    "an occurrence has no task": """
        SELECT count(*) FROM live_occurrences o WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.occurrence = o.id)""",
    "two rows of one reading state the same fact": """
        SELECT count(*) FROM (SELECT 1 FROM evidence GROUP BY occurrence, fact, reader HAVING count(*) > 1)""",
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
    return problems
