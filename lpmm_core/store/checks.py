"""Whether the truth holds together."""

from __future__ import annotations

import sqlite3

from lpmm_core.store.texts import content_hash

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
