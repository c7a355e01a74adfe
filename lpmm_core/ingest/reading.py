"""Reading a group of passages: what they say is extracted, what is new is embedded, and all of it is written in one batch.

What fails is kept apart. A passage that cannot be read is marked and can be retried, the others go on. When only the embedding fails,
names and facts are written all the same, the text is found by its words, and a job that embeds what lacks a vector is left behind, with
the reason; the reading itself is done.

A text that was read in another document is read again only when this document's terms cut it differently; else what was found there is
taken. Names that the memory knows from elsewhere play no part, so that order does not matter, until a person asks for a passage to be
read again.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lpmm_core.base.clock import from_text, to_text
from lpmm_core.base.errors import LpmmError, ModelMismatch, ProviderError
from lpmm_core.base.records import Extraction, Extractor, Kind, Lexicon, Mention, Reading
from lpmm_core.base.settings import IngestSettings
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import Shelf
from lpmm_core.ingest.documents.headings import topic
from lpmm_core.ingest.embedding import embed_fresh, write_fresh
from lpmm_core.retrieve.question import understand
from lpmm_core.store import evidence, jobs, readings, texts
from lpmm_core.store.evidence import Found
from lpmm_core.store.jobs import JobKind, Task
from lpmm_core.store.journal import SYSTEM
from lpmm_core.store.read import displayed, in_parts
from lpmm_core.store.store import Store

if TYPE_CHECKING:
    from lpmm_core.extract.llm import LLMExtractor

logger = logging.getLogger(__name__)

SHOWN_NAMES = 40
GIVEN = "given/1"
"""The reader's name of extractions that came with a file."""

Group = tuple[list[tuple[str, Mention]], str | None]
"""Names that a group found (id of the passage, mention), and the sentence of what failed in it."""


class Interrupted(LpmmError):
    """The job was cancelled or taken over while a group was being read; what was read is thrown away, to be read again."""


@dataclass(frozen=True, slots=True)
class Item:
    """One task with all that reading it takes."""

    task: Task
    passage: int
    source: int
    content: str
    given: Extraction | None
    reading: Reading
    reader: str
    """Name of the reader under which what is found is kept."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a language model made of a passage, kept so that the same text is never paid for twice."""

    key: str
    passage: int
    model: str
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """What reading gave, by position in the group: extractions, sentences of failures; tokens spent, and answers worth keeping."""

    extractions: dict[int, Extraction]
    failures: dict[int, str]
    prompt_tokens: int = 0
    completion_tokens: int = 0
    answers: tuple[Answer, ...] = ()


class Reader:
    """Reads by the local extractor; an extraction that came with the file stands in its place."""

    def __init__(
        self, store: Store, shelf: Shelf, extractor: Extractor, encoder: Encoder | None, settings: IngestSettings
    ) -> None:
        self.store = store
        self._shelf = shelf
        self._extractor = extractor
        self._encoder = encoder
        self._settings = settings
        self._lexicons: dict[int, Lexicon] = {}

    def group(self, job: int, holder: str, tasks: Sequence[Task]) -> Group:
        """Read and write one group of tasks; raises Interrupted when the job is no longer this worker's."""
        items = self._items(tasks)
        read = self.read(items)
        found = [
            Found(item.task.occurrence, item.reading.title, read.extractions[i], item.reader)
            for i, item in enumerate(items)
            if i in read.extractions
        ]
        fresh, failure = None, None
        if self._encoder is not None:
            try:
                fresh = embed_fresh(self.store, self._encoder, [(item.passage, item.content) for item in items], found)
            except (ProviderError, ModelMismatch) as error:
                failure = f"embedding failed: {error.message}; the text is found by its words until it is embedded"
        with self.store.reading() as connection:
            parent = jobs.operation_of(connection, job)
        with self.store.operation(f"{SYSTEM}read", "read", parent=parent) as operation, operation.batch() as batch:
            if not jobs.holds(batch.connection, job, holder):
                raise Interrupted("the job was cancelled or taken over")
            names, facts = evidence.add_found(batch, found)
            if self._encoder is not None and fresh is not None:
                threshold = self._settings.synonym_threshold
                write_fresh(batch, self._encoder, self._shelf, fresh, names, facts, threshold=threshold)
            elif failure is not None:
                jobs.ensure(batch.connection, JobKind.EMBED, created=batch.time, error=failure)
            jobs.settle(batch.connection, [items[i].task.row for i in read.extractions], "done")
            for i, reason in read.failures.items():
                jobs.settle(batch.connection, [items[i].task.row], "failed", reason)
            batch.connection.executemany(
                "INSERT OR IGNORE INTO answers (key, passage, model, text) VALUES (?, ?, ?, ?)",
                ((answer.key, answer.passage, answer.model, answer.text) for answer in read.answers),
            )
            jobs.add_tokens(batch.connection, job, read.prompt_tokens, read.completion_tokens)
        shown = [
            (self.store.ids.encode("passages", items[i].passage), mention)
            for i in sorted(read.extractions)
            for mention in read.extractions[i].mentions
        ]
        return shown[:SHOWN_NAMES], next(iter(read.failures.values()), None)

    def read(self, items: Sequence[Item]) -> Read:
        """Read all at once; when that fails, one by one, so that the reason stays with the passage that caused it."""
        found = {i: item.given for i, item in enumerate(items) if item.given is not None} | self._known(items)
        waiting = [i for i in range(len(items)) if i not in found]
        try:
            found.update(zip(waiting, self._extractor.extract([items[i].reading for i in waiting]), strict=True))
            return Read(found, {})
        except Exception:  # a fault in reading one passage, be it ours, must not keep the others waiting for ever
            failures: dict[int, str] = {}
            for i in waiting:
                try:
                    found[i] = self._extractor.extract([items[i].reading])[0]
                except ProviderError as error:
                    failures[i] = error.message
                except Exception as error:
                    logger.warning("%s failed on a passage", self._extractor.name, exc_info=True)
                    failures[i] = f"this passage could not be read ({type(error).__name__}: {error})"
            return Read(found, failures)

    def _known(self, items: Sequence[Item]) -> dict[int, Extraction]:
        """Return, by position, what is known of texts that were read in another document whose terms cut them the same way."""
        at = {item.task.occurrence: i for i, item in enumerate(items) if item.given is None}
        found: dict[int, Extraction] = {}
        with self.store.reading() as connection:
            for known in readings.earlier_readings(connection, at, self._extractor.name):
                item = items[at[known.occurrence]]
                # Finding the terms of a long document for the sake of a few passages would cost more than reading those.
                if known.source in self._lexicons or readings.shares_most(connection, item.source, known.source):
                    there = self._lexicon(connection, known.source)
                    if occurring(there, item.reading.text) == occurring(item.reading.lexicon, item.reading.text):
                        found[at[known.occurrence]] = readings.extraction_of(
                            connection, known.earlier, self._extractor.name
                        )
        return found

    def _items(self, tasks: Sequence[Task]) -> list[Item]:
        with self.store.reading() as connection:
            query = "SELECT o.*, p.title, p.text FROM occurrences o JOIN passages p ON p.id = o.passage WHERE o.id IN ({slots})"
            rows = {row["id"]: row for row in in_parts(connection, query, [task.occurrence for task in tasks])}
            return [
                self._item(connection, task, row) for task in tasks if (row := rows.get(task.occurrence)) is not None
            ]

    def _item(self, connection: sqlite3.Connection, task: Task, row: sqlite3.Row) -> Item:
        given = texts.unpack(row["given"])
        return Item(
            task=task,
            passage=row["passage"],
            source=row["source"],
            content=texts.content(row["text"], row["title"]),
            given=given,
            reading=Reading(
                text=row["text"],
                title=topic(row["title"]),
                speaker=row["speaker"],
                addressee=row["addressee"],
                said_at=from_text(row["said_at"]) if row["said_at"] else None,
                lexicon=self._lexicon(connection, row["source"]),
            ),
            reader=self._extractor.name if given is None else GIVEN,
        )

    def _lexicon(self, connection: sqlite3.Connection, source: int) -> Lexicon:
        if source not in self._lexicons:
            document = connection.execute(
                "SELECT p.text FROM occurrences o JOIN passages p ON p.id = o.passage WHERE o.source = ? ORDER BY o.position",
                (source,),
            )
            self._lexicons[source] = self._extractor.discover([row["text"] for row in document])
        return self._lexicons[source]


def occurring(lexicon: Lexicon, text: str) -> tuple[tuple[str, Kind], ...]:
    """Return the terms that may stand in a text, but for their first letter, which may be a capital there."""
    flat = " ".join(text.split())
    return tuple(term for term in lexicon.terms if term[0][1:] in text or term[0][1:] in flat)


class SecondReader(Reader):
    """Reads passages again, at a person's wish: names that the memory knows by now are terms, beside those of the document.

    What it finds is added to what was found before, under a reader's name that tells which terms there were.
    """

    def _item(self, connection: sqlite3.Connection, task: Task, row: sqlite3.Row) -> Item:
        item = super()._item(connection, task, row)
        text, names = item.reading.text, understand(connection, item.reading.text).names
        query = "SELECT DISTINCT name FROM mentions WHERE occurrence = ? AND start IS NOT NULL"
        found = {mention["name"] for mention in connection.execute(query, (task.occurrence,))}
        if found.issuperset(name.name for name in names):
            return replace(item, given=None, reader=self._extractor.name)
        shown = displayed(connection, [name.entity for name in names])
        known = {text[name.start : name.end]: shown[name.entity][1] for name in names}
        terms = tuple(sorted((known | dict(item.reading.lexicon.terms)).items()))
        digest = hashlib.sha256(repr(occurring(Lexicon(terms), text)).encode()).hexdigest()[:8]
        reading = replace(item.reading, lexicon=Lexicon(terms))
        return replace(item, given=None, reading=reading, reader=f"{self._extractor.name}+{digest}")

    def _known(self, items: Sequence[Item]) -> dict[int, Extraction]:
        return {}


class LLMReader(Reader):
    """Reads by a language model, after the local extractor; each passage fails or succeeds by itself, and answers are kept."""

    def __init__(
        self, store: Store, shelf: Shelf, extractor: LLMExtractor, encoder: Encoder | None, settings: IngestSettings
    ) -> None:
        super().__init__(store, shelf, extractor, encoder, settings)
        self._llm = extractor

    def read(self, items: Sequence[Item]) -> Read:
        """Take kept answers, ask the model for the others."""
        # What came with the file was extracted elsewhere already.
        found = {i: Extraction() for i, item in enumerate(items) if item.given is not None}
        keys = {i: self._key(item) for i, item in enumerate(items) if i not in found}
        with self.store.reading() as connection:
            rows = in_parts(connection, "SELECT key, text FROM answers WHERE key IN ({slots})", keys.values())
        kept = {row["key"]: texts.unpack(row["text"]) for row in rows}
        found.update((i, extraction) for i, key in keys.items() if (extraction := kept.get(key)) is not None)
        asked = [i for i in keys if i not in found]
        failures: dict[int, str] = {}
        answers: list[Answer] = []
        prompt = completion = 0
        for outcome in self._llm.extract_each([items[i].reading for i in asked]):
            i = asked[outcome.index]
            prompt, completion = prompt + outcome.prompt_tokens, completion + outcome.completion_tokens
            if outcome.error is not None:
                failures[i] = outcome.error.message
                continue
            found[i] = outcome.extraction
            answers.append(Answer(keys[i], items[i].passage, self._llm.name, texts.pack(outcome.extraction) or ""))
        return Read(found, failures, prompt, completion, tuple(answers))

    def _key(self, item: Item) -> str:
        reading = item.reading
        said_at = to_text(reading.said_at) if reading.said_at else None
        parts = (self._llm.name, reading.title, reading.text, reading.speaker, reading.addressee, said_at)
        return hashlib.sha256(repr(parts).encode()).hexdigest()
