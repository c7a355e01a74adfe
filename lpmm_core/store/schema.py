"""What the file holds, as numbered migrations, and the one rule of what is visible, as views.

Evidence is stated by *name*: a mention joins an occurrence and a name, a fact joins two names. Which *entity* a name belongs to is one
column, `names.entity`; renaming, merging and splitting change that column and nothing else, so evidence that arrives in any order, or
after an undo, lands where it belongs. The text that a passage, a name or a fact is embedded by never changes during its life.

A *titular* mention says that a passage stands under a title. It adds weight between that passage and the entity of that name, but does not
make one visible: a heading is no entity until some text speaks of it.

A fact that a person made or pinned keeps its two entities visible, and a fact whose ends have become one entity is out of sight until they
are two again; so a visible fact always has two visible ends.

`deleted` holds the time of deletion. Rows are taken out only by purging. Row numbers are never used twice.
"""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database as UtilsDatabase
from sqlite_utils import Migrations

from lpmm_core.base.errors import NewerSchema

migrations = Migrations("lpmm")

EDITABLE = frozenset({"sources", "passages", "entities", "facts", "names"})
"""Tables whose rows a person edits: each row has a `version` that grows with every change."""


@migrations()
def m0001_foundation(db: UtilsDatabase) -> None:
    """Truth, journal, jobs and side log."""
    for statement in FOUNDATION.split(";\n"):
        if statement.strip():
            db.execute(statement)


KNOWN = frozenset({"m0001_foundation"})
"""Every migration this program ever had; a file that holds another one is from the future."""

FOUNDATION = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL, summary TEXT NOT NULL,
    parent INTEGER REFERENCES operations, inverts INTEGER REFERENCES operations, state TEXT NOT NULL) STRICT;
CREATE INDEX operations_of_actor ON operations (actor, state, id);
CREATE INDEX operations_of_parent ON operations (parent);
CREATE INDEX operations_of_inverted ON operations (inverts) WHERE inverts IS NOT NULL;

CREATE TABLE batches (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, operation INTEGER NOT NULL REFERENCES operations, time TEXT NOT NULL) STRICT;
CREATE INDEX batches_of_operation ON batches (operation);
CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, sequence INTEGER NOT NULL REFERENCES batches, kept TEXT NOT NULL, action TEXT NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, before TEXT) STRICT;
CREATE INDEX changes_of_batch ON changes (sequence);
CREATE INDEX changes_of_record ON changes (kept, first) WHERE action = 'update';

CREATE TABLE sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, media TEXT NOT NULL, digest TEXT, encoding TEXT, notes TEXT NOT NULL,
    created TEXT NOT NULL, trust REAL NOT NULL, version INTEGER NOT NULL, deleted TEXT) STRICT;
CREATE INDEX sources_by_digest ON sources (digest);
CREATE INDEX deleted_sources ON sources (id) WHERE deleted IS NOT NULL;

CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, title TEXT, text TEXT NOT NULL,
    pinned INTEGER NOT NULL, version INTEGER NOT NULL, deleted TEXT) STRICT;
CREATE INDEX deleted_passages ON passages (id) WHERE deleted IS NOT NULL;

CREATE TABLE occurrences (
    id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL REFERENCES sources, passage INTEGER NOT NULL REFERENCES passages,
    position INTEGER NOT NULL, speaker TEXT, addressee TEXT, said_at TEXT, recorded_at TEXT NOT NULL, given TEXT, deleted TEXT) STRICT;
CREATE INDEX occurrences_of_source ON occurrences (source, position);
CREATE INDEX occurrences_of_passage ON occurrences (passage);

CREATE TABLE entities (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, kind TEXT, merged_into INTEGER REFERENCES entities,
    hand INTEGER NOT NULL, pinned INTEGER NOT NULL, version INTEGER NOT NULL, deleted TEXT) STRICT;
CREATE INDEX entities_of_merger ON entities (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE names (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, entity INTEGER NOT NULL REFERENCES entities,
    version INTEGER NOT NULL) STRICT;
CREATE INDEX names_of_entity ON names (entity);

CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, lineage INTEGER NOT NULL, number INTEGER NOT NULL,
    subject INTEGER NOT NULL REFERENCES names, predicate TEXT NOT NULL, object INTEGER NOT NULL REFERENCES names, negated INTEGER NOT NULL,
    confidence REAL NOT NULL, recorded_start TEXT NOT NULL, recorded_end TEXT, valid_start TEXT, valid_end TEXT,
    hand INTEGER NOT NULL, pinned INTEGER NOT NULL, version INTEGER NOT NULL, deleted TEXT) STRICT;
CREATE UNIQUE INDEX facts_as_stated ON facts (subject, predicate, object, negated) WHERE number = 1 AND hand = 0;
CREATE INDEX facts_of_object ON facts (object);
CREATE INDEX facts_of_subject ON facts (subject);
CREATE INDEX facts_of_lineage ON facts (lineage, number);
CREATE INDEX kept_facts_of_object ON facts (object) WHERE hand OR pinned;
CREATE INDEX kept_facts_of_subject ON facts (subject) WHERE hand OR pinned;

CREATE TABLE mentions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, occurrence INTEGER NOT NULL REFERENCES occurrences, name INTEGER NOT NULL REFERENCES names,
    spelling TEXT NOT NULL, kind TEXT NOT NULL, start INTEGER, stop INTEGER, titular INTEGER NOT NULL, confidence REAL NOT NULL,
    reader TEXT NOT NULL) STRICT;
CREATE INDEX mentions_of_occurrence ON mentions (occurrence);
CREATE INDEX mentions_of_name ON mentions (name, titular, spelling, kind, occurrence);

CREATE TABLE evidence (
    id INTEGER PRIMARY KEY AUTOINCREMENT, occurrence INTEGER NOT NULL REFERENCES occurrences, fact INTEGER NOT NULL REFERENCES facts,
    start INTEGER, stop INTEGER, confidence REAL NOT NULL, reader TEXT NOT NULL) STRICT;
CREATE INDEX evidence_of_occurrence ON evidence (occurrence);
CREATE INDEX evidence_of_fact ON evidence (fact);

CREATE TABLE models (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, dimension INTEGER NOT NULL, probe BLOB NOT NULL, centre BLOB NOT NULL,
    current INTEGER NOT NULL) STRICT;
CREATE TABLE calibrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL REFERENCES models, reason TEXT NOT NULL,
    passage BLOB NOT NULL, fact BLOB NOT NULL, question_zh BLOB NOT NULL, question_en BLOB NOT NULL) STRICT;
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, owner INTEGER NOT NULL, model INTEGER NOT NULL REFERENCES models,
    data BLOB NOT NULL, UNIQUE (kind, owner, model)) STRICT;
CREATE TABLE synonyms (
    id INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER NOT NULL REFERENCES names, b INTEGER NOT NULL REFERENCES names,
    model INTEGER NOT NULL REFERENCES models, cosine REAL NOT NULL, UNIQUE (a, b, model)) STRICT;
CREATE INDEX synonyms_of_b ON synonyms (b);

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, operation INTEGER REFERENCES operations, kind TEXT NOT NULL, state TEXT NOT NULL,
    created TEXT NOT NULL, finished TEXT, holder TEXT, lease REAL NOT NULL, cancel INTEGER NOT NULL, error TEXT,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL) STRICT;
CREATE INDEX jobs_by_state ON jobs (state);
CREATE INDEX jobs_of_operation ON jobs (operation);
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, job INTEGER NOT NULL REFERENCES jobs, occurrence INTEGER NOT NULL REFERENCES occurrences,
    state TEXT NOT NULL, attempts INTEGER NOT NULL, error TEXT) STRICT;
CREATE INDEX tasks_of_job ON tasks (job, state);
CREATE INDEX tasks_of_occurrence ON tasks (occurrence);

CREATE TABLE answers (key TEXT PRIMARY KEY, passage INTEGER REFERENCES passages, model TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX answers_of_passage ON answers (passage);
CREATE TABLE traces (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, actor TEXT NOT NULL, question TEXT NOT NULL, trace TEXT NOT NULL) STRICT;
CREATE TABLE uses (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, passage INTEGER NOT NULL, manner TEXT NOT NULL, trace INTEGER) STRICT;
CREATE INDEX uses_of_passage ON uses (passage);
CREATE TABLE tombstones (digest TEXT PRIMARY KEY, time TEXT NOT NULL) STRICT;

CREATE VIEW live_occurrences AS
    SELECT o.* FROM occurrences o WHERE o.deleted IS NULL
    AND NOT EXISTS (SELECT 1 FROM sources s INDEXED BY deleted_sources WHERE s.id = o.source AND s.deleted IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM passages p INDEXED BY deleted_passages WHERE p.id = o.passage AND p.deleted IS NOT NULL);
CREATE VIEW visible_passages AS
    SELECT p.* FROM passages p WHERE p.deleted IS NULL AND EXISTS (SELECT 1 FROM live_occurrences o WHERE o.passage = p.id);
CREATE VIEW visible_entities AS
    SELECT e.* FROM entities e WHERE e.deleted IS NULL AND e.merged_into IS NULL AND (e.hand OR e.pinned
        OR EXISTS (SELECT 1 FROM names n JOIN mentions m ON m.name = n.id AND m.titular = 0
            JOIN live_occurrences o ON o.id = m.occurrence WHERE n.entity = e.id)
        OR EXISTS (SELECT 1 FROM names n JOIN facts f ON f.subject = n.id AND (f.hand OR f.pinned)
            WHERE n.entity = e.id AND f.deleted IS NULL)
        OR EXISTS (SELECT 1 FROM names n JOIN facts f ON f.object = n.id AND (f.hand OR f.pinned)
            WHERE n.entity = e.id AND f.deleted IS NULL));
CREATE VIEW visible_facts AS
    SELECT f.* FROM facts f JOIN names s ON s.id = f.subject JOIN entities se ON se.id = s.entity
    JOIN names t ON t.id = f.object JOIN entities te ON te.id = t.entity
    WHERE f.deleted IS NULL AND se.deleted IS NULL AND te.deleted IS NULL AND s.entity <> t.entity
    AND (f.hand OR f.pinned OR EXISTS (
        SELECT 1 FROM evidence v JOIN live_occurrences o ON o.id = v.occurrence WHERE v.fact = f.id))
"""


def pending_migrations(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the migrations that the file lacks, oldest first.

    Raises:
        NewerSchema: the file holds a migration that this program does not know.
    """
    db = UtilsDatabase(connection)
    pending = [migration.name for migration in migrations.pending(db)]
    applied = {migration.name for migration in migrations.applied(db)}
    unknown = sorted(applied - KNOWN)
    if unknown:
        raise NewerSchema(
            f"this memory was written by a newer version (it holds {unknown[-1]}); update the program to open it"
        )
    return pending


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the pending migrations inside an open transaction, so that of two processes that open an old file one waits for the other."""
    migrations.apply(UtilsDatabase(connection))
