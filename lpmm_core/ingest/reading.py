"""Reading a group of passages: what they say is extracted, what is new is embedded, and all of it is written in one batch.

What fails is kept apart. A passage that cannot be read is marked and can be retried, the others go on. When only the embedding fails,
names and facts are written all the same, the text is found by its words, and a job that embeds what lacks a vector is left behind.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lpmm_core.base.clock import from_text, to_text
from lpmm_core.base.errors import LpmmError, ModelMismatch, ProviderError
from lpmm_core.base.records import Extraction, Extractor, Lexicon, Mention, Reading
from lpmm_core.base.settings import IngestSettings
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import Shelf
from lpmm_core.ingest.embedding import embed_fresh, write_fresh
from lpmm_core.store import evidence, jobs, texts
from lpmm_core.store.evidence import Found
from lpmm_core.store.jobs import JobKind, Task
from lpmm_core.store.journal import SYSTEM
from lpmm_core.store.read import in_parts
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
    content: str
    given: Extraction | None
    reading: Reading


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
            Found(
                item.task.occurrence,
                item.reading.title,
                read.extractions[i],
                GIVEN if item.given else self._extractor.name,
            )
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
                jobs.ensure(batch.connection, JobKind.EMBED, created=batch.time)
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
        return shown[:SHOWN_NAMES], failure or next(iter(read.failures.values()), None)

    def read(self, items: Sequence[Item]) -> Read:
        """Read all at once; when that fails, one by one, so that the reason stays with the passage that caused it."""
        found = {i: item.given for i, item in enumerate(items) if item.given is not None}
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

    def _items(self, tasks: Sequence[Task]) -> list[Item]:
        with self.store.reading() as connection:
            query = "SELECT o.*, p.title, p.text FROM occurrences o JOIN passages p ON p.id = o.passage WHERE o.id IN ({slots})"
            rows = {row["id"]: row for row in in_parts(connection, query, [task.occurrence for task in tasks])}
            for source in sorted({row["source"] for row in rows.values()} - self._lexicons.keys()):
                document = connection.execute(
                    "SELECT p.text FROM occurrences o JOIN passages p ON p.id = o.passage WHERE o.source = ? ORDER BY o.position",
                    (source,),
                )
                self._lexicons[source] = self._extractor.discover([row["text"] for row in document])
        return [
            Item(
                task=task,
                passage=row["passage"],
                content=texts.content(row["text"], row["title"]),
                given=texts.unpack(row["given"]),
                reading=Reading(
                    text=row["text"],
                    title=row["title"],
                    speaker=row["speaker"],
                    addressee=row["addressee"],
                    said_at=from_text(row["said_at"]) if row["said_at"] else None,
                    lexicon=self._lexicons[row["source"]],
                ),
            )
            for task in tasks
            if (row := rows.get(task.occurrence)) is not None
        ]


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
