"""A store with a few words of a toy language, so that a test says what happens and not how rows are written.

A passage is lines of the toy language: `Anna knows Bob` is a triple (`Anna never knows Bob` its negation), `Anna:person` a mention. A
title is written before the text: `# Anna`.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lpmm_core.base.names import name_key
from lpmm_core.base.records import Document, Extraction, Kind, Mention, Piece, Triple
from lpmm_core.store import edits, evidence, jobs, read, texts, undo
from lpmm_core.store.evidence import Found
from lpmm_core.store.jobs import JobKind
from lpmm_core.store.journal import Batch
from lpmm_core.store.store import Store

Result = TypeVar("Result")

READER = "toy/1"


def piece(passage: str) -> Piece:
    """Read `# title` and the rest of a passage."""
    first, _, rest = passage.partition("\n")
    return Piece(rest, first[2:]) if first.startswith("# ") else Piece(passage)


def reading(text: str) -> Extraction:
    """Read the toy language."""
    mentions: list[Mention] = []
    triples: list[Triple] = []
    for line in text.splitlines():
        if ":" in line:
            name, kind = line.split(":")
            mentions.append(Mention(name, Kind(kind), 0, len(name)))
        elif line.count(" ") >= 2:
            subject, *predicate, last = line.split(" ")
            negated = predicate[0] == "never"
            triples.append(Triple(subject, " ".join(predicate[negated:]), last, negated=negated))
    return Extraction(tuple(mentions), tuple(triples))


def document(*passages: str, name: str = "notes") -> Document:
    """Make a document of these passages; its digest follows from its name and text."""
    digest = hashlib.sha256("\0".join((name, *passages)).encode()).hexdigest()
    return Document(name, digest, "text/plain", tuple(map(piece, passages)))


@dataclass(frozen=True)
class Taken:
    """Row numbers of what an ingest brought."""

    operation: int
    source: int
    occurrences: tuple[int, ...]
    job: int


@dataclass(frozen=True)
class Graph:
    """All that is visible, by text and keys alone, so that two memories can be compared."""

    passages: dict[tuple[str | None, str], int]
    """(title, text) -> live occurrences."""
    entities: dict[frozenset[str], tuple[str, str, int]]
    """keys -> name, kind, passages."""
    facts: dict[tuple[str, str, str, bool], tuple[str, str, frozenset[str]]]
    """statement by keys -> shown subject, shown object, texts that are its evidence."""
    mentions: frozenset[tuple[str, frozenset[str], bool]]
    """text, keys of the entity, titular."""

    def counted_once(self) -> Graph:
        """Leave out how often a passage occurs, which another source with the same text changes."""
        return replace(self, passages=dict.fromkeys(self.passages, 1))


class World:
    """One open store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._documents = 0

    # --- writing ---

    @contextmanager
    def batch(self, actor: str = "ann", kind: str = "edit", summary: str = "") -> Iterator[Batch]:
        """One operation of one batch."""
        with self.store.operation(actor, kind, summary=summary) as operation, operation.batch() as batch:
            yield batch

    def edit(self, change: Callable[..., Result], *arguments: Any, actor: str = "ann", **options: Any) -> Result:
        """Carry out one of `edits` as an operation of its own."""
        with self.batch(actor, change.__name__) as batch:
            return change(batch, *arguments, **options)

    def rename(self, name: str, to: str, *, actor: str = "ann") -> None:
        self.edit(edits.rename, self.entity(name), to, actor=actor)

    def merge(self, *names: str, into: str, actor: str = "ann") -> None:
        self.edit(edits.merge, [self.entity(name) for name in names], self.entity(into), actor=actor)

    def split(self, name: str, *names: str, actor: str = "ann") -> int:
        return self.edit(edits.split, self.entity(name), names, actor=actor)

    def delete(self, table: str, row: int, *, actor: str = "ann") -> None:
        self.edit(edits.delete, table, row, actor=actor)

    def undelete(self, table: str, row: int, *, actor: str = "ann") -> None:
        self.edit(edits.undelete, table, row, actor=actor)

    def pin(self, table: str, row: int, *, pinned: bool = True, actor: str = "ann") -> None:
        self.edit(edits.pin, table, row, pinned=pinned, actor=actor)

    def undo(self, actor: str = "ann", *, named: int | None = None) -> undo.Undone:
        return undo.undo(self.store.journal, actor, named=named)

    def redo(self, actor: str = "ann", *, named: int | None = None) -> undo.Undone:
        return undo.redo(self.store.journal, actor, named=named)

    def write(self, *passages: str, actor: str = "ann", name: str | None = None) -> Taken:
        """Take a text in without reading it."""
        self._documents += 1
        return self.write_document(document(*passages, name=name or f"notes {self._documents}"), actor=actor)

    def write_document(self, given: Document, *, actor: str = "ann") -> Taken:
        """Take a document in without reading it."""
        with self.batch(actor, "ingest", given.name) as batch:
            added = texts.add_document(batch, given, secret=self.store.secret)
            job = jobs.add(batch.connection, JobKind.READ, operation=batch.operation, created=batch.time)
            jobs.add_tasks(batch.connection, job, added.occurrences)
        return Taken(batch.operation, added.source, tuple(added.occurrences), job)

    def read(self, *taken: Taken, reader: str = READER) -> None:
        """Read what was taken in, in one batch."""
        with self.store.reading() as connection:
            found = [
                Found(row["id"], row["title"], reading(row["text"]), reader)
                for one in taken
                for row in connection.execute(
                    f"""SELECT o.id, p.title, p.text FROM occurrences o JOIN passages p ON p.id = o.passage
                    WHERE o.id IN ({",".join(map(str, one.occurrences))}) ORDER BY o.id"""
                )
            ]
        with self.batch("system:read", "read") as batch:
            evidence.add_found(batch, found)
            for one in taken:
                tasks = [task.row for task in jobs.waiting_tasks(batch.connection, one.job, 1000)]
                jobs.settle(batch.connection, tasks, "done")

    def ingest(self, *passages: str, actor: str = "ann", name: str | None = None) -> Taken:
        """Take a text in and read it."""
        taken = self.write(*passages, actor=actor, name=name)
        self.read(taken)
        return taken

    # --- looking ---

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        with self.store.reading() as connection:
            return connection.execute(query, values).fetchall()

    def latest(self, actor: str = "ann") -> int:
        """Return the operation that an actor began last."""
        return int(self.value("SELECT max(id) FROM operations WHERE actor = ?", actor))

    def value(self, query: str, *values: Any) -> Any:
        """Return the first column of the first row."""
        return self.rows(query, *values)[0][0]

    def entity(self, name: str) -> int:
        """Return the entity a name belongs to."""
        return int(self.value("SELECT entity FROM names WHERE key = ?", name_key(name)))

    def passage(self, text: str) -> int:
        return int(self.value("SELECT id FROM passages WHERE text = ?", text))

    def fact(self, line: str) -> int:
        """Return the fact that a line of the toy language states."""
        (triple,) = reading(line).triples
        ends = [
            self.value("SELECT id FROM names WHERE key = ?", name_key(end)) for end in (triple.subject, triple.object)
        ]
        with self.store.reading() as connection:
            found = evidence.known_fact(connection, ends[0], triple.predicate, ends[1], triple.negated)
        assert found is not None
        return found

    def sees(self, table: str, row: int) -> bool:
        """Tell whether a row of passages, entities or facts is visible."""
        return bool(self.rows(f"SELECT 1 FROM visible_{table} WHERE id = ?", row))

    def sees_entity(self, name: str) -> bool:
        return self.sees("entities", self.entity(name))

    def sees_fact(self, line: str) -> bool:
        return self.sees("facts", self.fact(line))

    def shown(self, name: str) -> tuple[str, str]:
        """Return name and kind that the entity of a name shows."""
        with self.store.reading() as connection:
            shown = read.displayed(connection, [row := self.entity(name)])[row]
        return shown[0], str(shown[1])

    def graph(self) -> Graph:
        with self.store.reading() as connection:
            return graph(connection)


def graph(connection: sqlite3.Connection) -> Graph:
    """Read all that is visible through the views."""
    names: dict[int, set[str]] = {}
    for row in connection.execute("SELECT key, entity FROM names"):
        names.setdefault(row["entity"], set()).add(row["key"])
    keys = {entity: frozenset(held) for entity, held in names.items()}
    rows = [row["id"] for row in connection.execute("SELECT id FROM visible_entities")]
    shown = read.displayed(connection, keys)
    mentions = connection.execute(
        """SELECT DISTINCT p.text, n.entity, m.titular FROM mentions m JOIN live_occurrences o ON o.id = m.occurrence
        JOIN passages p ON p.id = o.passage JOIN names n ON n.id = m.name JOIN visible_entities e ON e.id = n.entity"""
    ).fetchall()
    passages = {
        entity: len({row["text"] for row in mentions if row["entity"] == entity and not row["titular"]})
        for entity in rows
    }
    facts = connection.execute(
        """SELECT f.id, s.key AS subject, f.predicate, t.key AS object, f.negated, s.entity AS se, t.entity AS te
        FROM visible_facts f JOIN names s ON s.id = f.subject JOIN names t ON t.id = f.object"""
    ).fetchall()
    return Graph(
        passages={
            (row["title"], row["text"]): row["n"]
            for row in connection.execute(
                """SELECT p.title, p.text, (SELECT count(*) FROM live_occurrences o WHERE o.passage = p.id) AS n
                FROM visible_passages p"""
            )
        },
        entities={
            keys.get(row, frozenset({f"nameless {row}"})): (*map(str, shown[row]), passages[row]) for row in rows
        },
        facts={
            (row["subject"], row["predicate"], row["object"], bool(row["negated"])): (
                shown[row["se"]][0],
                shown[row["te"]][0],
                frozenset(
                    v["text"]
                    for v in connection.execute(
                        """SELECT p.text FROM evidence v JOIN live_occurrences o ON o.id = v.occurrence
                        JOIN passages p ON p.id = o.passage WHERE v.fact = ?""",
                        (row["id"],),
                    )
                ),
            )
            for row in facts
        },
        mentions=frozenset((row["text"], keys[row["entity"]], bool(row["titular"])) for row in mentions),
    )


def contents(connection: sqlite3.Connection, tables: Sequence[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of some tables, to see that nothing at all changed."""
    return {table: [tuple(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1")] for table in tables}
