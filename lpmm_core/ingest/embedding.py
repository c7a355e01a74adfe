"""Vectors and synonyms: of what a group of passages brings in, and of whatever has none yet."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lpmm_core.base.records import Vectors
from lpmm_core.graph.synonyms import synonym_pairs
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import Shelf
from lpmm_core.store import evidence, jobs, models
from lpmm_core.store.evidence import Found, Statement
from lpmm_core.store.jobs import Job, JobKind, JobState
from lpmm_core.store.journal import SYSTEM, Batch
from lpmm_core.store.models import Model
from lpmm_core.store.store import Store

AT_ONCE = 256
"""Texts embedded and written in one batch when filling gaps."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """Raw vectors (d,) of passages by row, of names by key, of facts by statement."""

    passages: Mapping[int, Vectors]
    names: Mapping[str, Vectors]
    facts: Mapping[Statement, Vectors]


def embed_fresh(store: Store, encoder: Encoder, passages: Sequence[tuple[int, str]], found: Sequence[Found]) -> Fresh:
    """Embed those of the passages (row, content), and of the names and facts found in them, that have no vector yet.

    Raises:
        ProviderError: the model failed; nothing is kept of this group's vectors.
        ModelMismatch: the memory's vectors are by another model.
    """
    wanted_names = list(dict.fromkeys(key for f in found for key in evidence.keys_of(f)))
    wanted_facts = list(dict.fromkeys(statement for f in found for statement in evidence.statements(f.extraction)))
    with store.reading() as connection:
        model = models.current_model(connection)
        if model is not None:
            encoder.check(model)
            names = evidence.known_names(connection, wanted_names)
            facts = {
                s: row
                for s in wanted_facts
                if s.subject in names
                and s.object in names
                and (row := evidence.known_fact(connection, names[s.subject], s.predicate, names[s.object], s.negated))
            }
            held = evidence.vectors_held(connection, "passage", [row for row, _ in passages], model=model.row)
            held_names = evidence.vectors_held(connection, "name", list(names.values()), model=model.row)
            held_facts = evidence.vectors_held(connection, "fact", list(facts.values()), model=model.row)
            passages = [(row, text) for row, text in passages if row not in held]
            wanted_names = [key for key in wanted_names if names.get(key) not in held_names]
            wanted_facts = [s for s in wanted_facts if facts.get(s) not in held_facts]
    if model is None:
        encoder.measure()
    contents = dict(passages)
    texts = [*contents.values(), *(s.text for s in wanted_facts)]
    vectors = encoder.embed(texts, "passage") if texts else np.zeros((0, 0), np.float32)
    name_vectors = encoder.embed(wanted_names, "query") if wanted_names else np.zeros((0, 0), np.float32)
    return Fresh(
        passages=dict(zip(contents, vectors, strict=False)),
        names=dict(zip(wanted_names, name_vectors, strict=True)),
        facts=dict(zip(wanted_facts, vectors[len(contents) :], strict=True)),
    )


def write_fresh(
    batch: Batch,
    encoder: Encoder,
    shelf: Shelf,
    fresh: Fresh,
    names: Mapping[str, int],
    facts: Mapping[Statement, int],
    *,
    threshold: float,
) -> None:
    """Write the vectors, and each pair of a name that is new and any other whose centred cosine reaches `threshold`."""
    model = encoder.adopt(batch)
    rows = {
        "passage": fresh.passages,
        "name": {names[key]: vector for key, vector in fresh.names.items() if key in names},
        "fact": {facts[statement]: vector for statement, vector in fresh.facts.items() if statement in facts},
    }
    _write(batch, shelf, model, rows, threshold=threshold)


TEXTS = {
    "passage": "SELECT p.id, CASE WHEN p.title IS NULL THEN p.text ELSE p.title || char(10) || p.text END AS text FROM passages p",
    "name": "SELECT p.id, p.key AS text FROM names p",
    "fact": """SELECT p.id, s.key || ' ' || p.predicate || ' ' || t.key AS text FROM facts p
        JOIN names s ON s.id = p.subject JOIN names t ON t.id = p.object""",
}
"""What there is to embed, by kind of vector."""

LACKING = " WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.kind = ? AND v.owner = p.id AND v.model = ?)"

DUE = {
    "passage": """ AND NOT EXISTS (SELECT 1 FROM occurrences o JOIN tasks k ON k.occurrence = o.id
        WHERE o.passage = p.id AND k.state = 'waiting')""",
    "name": " AND EXISTS (SELECT 1 FROM mentions m WHERE m.name = p.id)",
    "fact": "",
}
"""What should have a vector by now: passages once they are read, names once a text has them (a person may give others)."""


def lacking(connection: sqlite3.Connection) -> list[str]:
    """Say in a sentence what has no vector by the memory's model and should have one by now."""
    model = models.current_model(connection)
    found = {
        kind: connection.execute(
            f"SELECT count(*) FROM ({query}{LACKING}{DUE[kind]})",
            (kind, model.row if model else 0),
        ).fetchone()[0]
        for kind, query in TEXTS.items()
    }
    if not any(found.values()):
        return []
    return [
        f"{found['passage']} passages, {found['name']} names and {found['fact']} facts have no vector "
        "and are found by their words alone; `lpmm check --repair` embeds them"
    ]


def coverage(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return how many passages, names and facts there are, and how many of them have a vector by the memory's model."""
    model = models.current_model(connection)
    row = model.row if model else 0
    total = missing = 0
    for kind, query in TEXTS.items():
        total += connection.execute(f"SELECT count(*) FROM ({query})").fetchone()[0]
        missing += connection.execute(f"SELECT count(*) FROM ({query}{LACKING})", (kind, row)).fetchone()[0]
    return total, total - missing


def counted(connection: sqlite3.Connection, job: Job) -> Job:
    """Return a job with its counts: embedding has no tasks, and is done as far as there are vectors."""
    if job.kind is not JobKind.EMBED or job.state in (JobState.DONE, JobState.CANCELLED):
        return job
    total, done = coverage(connection)
    return replace(job, total=total, done=done)


def embed_missing(store: Store, shelf: Shelf, encoder: Encoder, *, threshold: float) -> Iterator[tuple[int, int]]:
    """Embed whatever passage, name or fact has no vector by the memory's model, group by group.

    Yields:
        After each group how many texts there are, and how many of them have a vector by now.

    Raises:
        ProviderError, ModelMismatch: the model failed, or is another than the memory's.
    """
    with store.reading() as connection:
        total, done = coverage(connection)
    for kind, query in TEXTS.items():
        while True:
            with store.reading() as connection:
                model = models.current_model(connection)
                rows = connection.execute(
                    f"{query}{LACKING} ORDER BY p.id LIMIT ?", (kind, model.row if model else 0, AT_ONCE)
                ).fetchall()
            if not rows:
                break
            if model is None:
                encoder.measure()
            else:
                encoder.check(model)
            vectors = encoder.embed([row["text"] for row in rows], "query" if kind == "name" else "passage")
            with store.operation(f"{SYSTEM}embed", "embed") as operation, operation.batch() as batch:
                fresh = {row["id"]: vector for row, vector in zip(rows, vectors, strict=True)}
                _write(batch, shelf, encoder.adopt(batch), {kind: fresh}, threshold=threshold)
            done += len(rows)
            yield max(total, done), done


def change_model(store: Store, encoder: Encoder, *, actor: str) -> int:
    """Make the model at hand the memory's model and queue embedding everything by it; return the job's row number.

    Until the job is done, search goes by words and over what is embedded already.
    """
    encoder.measure()
    with store.operation(actor, "reembed") as operation, operation.batch() as batch:
        encoder.record(batch)
        return jobs.ensure(batch.connection, JobKind.EMBED, created=batch.time)


def _write(
    batch: Batch, shelf: Shelf, model: Model, rows: Mapping[str, Mapping[int, Vectors]], *, threshold: float
) -> None:
    held = shelf.names(batch, model) if rows.get("name") else None
    last = batch.connection.execute("SELECT coalesce(max(id), 0) FROM vectors").fetchone()[0]
    for kind, vectors in rows.items():
        if vectors:
            evidence.add_vectors(batch, kind, list(vectors), np.stack(list(vectors.values())), model=model.row)
    if held is not None:
        added = batch.connection.execute(
            "SELECT owner FROM vectors WHERE id > ? AND kind = 'name' AND model = ?", (last, model.row)
        ).fetchall()
        owners, stored = models.vectors(batch.connection, "name", model.row, owners=[row["owner"] for row in added])
        index = held.with_changes(add=(owners, stored)) if len(owners) else held
        pairs = synonym_pairs(index, owners, lambda name: _key(batch, name), threshold=threshold)
        found = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.cosines.tolist(), strict=True)
        evidence.add_synonyms(batch, found, model=model.row)


def _key(batch: Batch, name: int) -> str:
    return str(batch.connection.execute("SELECT key FROM names WHERE id = ?", (name,)).fetchone()["key"])
