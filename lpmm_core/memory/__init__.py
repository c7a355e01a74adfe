"""Memory: the one façade. The command line, the web page and other programs use nothing below it.

    with Memory.open("my-space") as memory:
        memory.ingest(["notes.txt"])
        for passage in memory.retrieve("谁住在往世乐土？").passages:
            print(passage.text, *(reason.text for reason in passage.why))

Verbs that write take `actor`, the name of who does it; undo and redo work on that actor's own operations. Threads may share a Memory, and
several processes may open one space at once. `looking` has the verbs that read records, `editing` those that a person corrects by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from lpmm_core.base import settings as configuration
from lpmm_core.base.clock import Clock, now
from lpmm_core.base.errors import InvalidInput, LpmmError
from lpmm_core.base.records import Document, Extractor
from lpmm_core.base.settings import Settings
from lpmm_core.exchange.openie import save_openie
from lpmm_core.extract.local import LocalExtractor
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import Indexes, Shelf, View, build, differences
from lpmm_core.ingest import embedding, intake, work
from lpmm_core.ingest.intake import Upload
from lpmm_core.ingest.report import IngestReport, Progress
from lpmm_core.memory.editing import Edit, Editing
from lpmm_core.memory.looking import Looking
from lpmm_core.provider.chat import ChatModel
from lpmm_core.provider.configured import open_chat, open_embedder
from lpmm_core.provider.embedding import Embedder
from lpmm_core.retrieve import pipeline, suggest
from lpmm_core.retrieve.pipeline import Asker
from lpmm_core.retrieve.result import Result, Route
from lpmm_core.store import backup as copies
from lpmm_core.store import checks, entries, jobs, traces
from lpmm_core.store.jobs import Job, JobKind, JobState
from lpmm_core.store.store import Store


class Memory(Looking, Editing):
    """One space, open. Make it with `Memory.open`; close it, or use it as a context manager."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        embedder: Embedder | None,
        extractor: Extractor,
        chat: ChatModel | None,
    ) -> None:
        self.settings = settings
        self._store = store
        self._chat = chat
        encoder = Encoder(store, embedder) if embedder is not None else None
        self._shelf = Shelf(store, synonym_limit=settings.ingest.synonyms_per_name)
        self._asker = Asker(settings, encoder, chat)
        llm = None
        if chat is not None:
            from lpmm_core.extract.llm import LLMExtractor

            llm = LLMExtractor(chat)
        self._work = work.Work(store, self._shelf, extractor, encoder, llm, settings.ingest)

    @classmethod
    def open(
        cls,
        space: str | Path = "default",
        *,
        settings: Settings | None = None,
        clock: Clock = now,
        embedder: Embedder | None = None,
        extractor: Extractor | None = None,
        chat: ChatModel | None = None,
    ) -> Self:
        """Open a space, making it when it does not exist. Models are loaded when they are first needed.

        Args:
            space: a name under `LPMM_HOME/data/spaces`, or a directory (a value with a separator).
            settings: config.toml's, read from the installation when left out.
            clock: where "now" comes from.
            embedder, extractor, chat: models to use in place of the configured ones.

        Raises:
            SettingsError, NewerSchema, Busy: config.toml or the space cannot be read.
        """
        settings = settings or configuration.load()
        store = Store(configuration.space_directory(space), clock=clock)
        return cls(
            store,
            settings,
            embedder=embedder or open_embedder(settings.embedding, configuration.home() / "cache" / "models"),
            extractor=extractor or LocalExtractor(),
            chat=chat or open_chat(settings.llm),
        )

    @property
    def name(self) -> str:
        """The space's name: that of its directory."""
        return self._store.path.name

    @property
    def path(self) -> Path:
        """The space's directory."""
        return self._store.path

    def close(self, *, settle: bool = True) -> None:
        """Keep the indexes for the next time (not with `settle` false, when the space is gone from its place) and close the file."""
        try:
            if settle:
                self._shelf.settle()
        finally:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- text comes in ---

    def ingest(
        self,
        files: Sequence[str | Path | Upload | Document],
        *,
        actor: str = "cli",
        wait: bool = True,
        encoding: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Take files in. Their text is safe and searchable by its words when this returns, whatever happens later.

        With `wait` the jobs that read it (names, facts, vectors, and the language model's turn) are worked off first, by this process
        or by another that was quicker.
        """
        taken = intake.take_in(
            self._store,
            files,
            actor=actor,
            encoding=encoding,
            largest_file=self.settings.ingest.largest_file,
            with_llm=self._chat is not None and self.settings.llm is not None and self.settings.llm.extract,
        )
        if wait:
            for job in taken.jobs:
                work.see_through(self._work, job, on_progress=on_progress)
        return taken.report

    def ingest_text(self, text: str, *, name: str = "text", actor: str = "cli", wait: bool = True) -> IngestReport:
        """Take pasted text in, as `ingest` does a file."""
        return self.ingest([Upload(name, text.encode())], actor=actor, wait=wait)

    def reextract(self, ids: Sequence[str], *, actor: str = "cli") -> str:
        """Queue reading passages again, with every name that the memory knows by now for a term; return the job's id.

        Names play a part nowhere else, so that the order of ingests does not matter. What is found is added to what was found before.

        Raises:
            NotFound, InvalidInput: there is no such passage in sight, or none was named.
        """
        rows = [self._store.ids.row(id, "passages") for id in ids]
        return self._store.ids.encode("jobs", intake.read_again(self._store, rows, actor=actor))

    # --- questions ---

    def retrieve(
        self,
        question: str,
        *,
        top_k: int | None = None,
        route: str = "auto",
        record: bool = True,
        told_in: str | None = None,
        actor: str = "cli",
    ) -> Result:
        """Answer a question with passages and facts, and the reasons for each.

        Args:
            question: in any language; empty text finds nothing.
            top_k: passages wanted, 1 to 100; the configured number when left out.
            route: auto, graph, dense, lexical or hybrid; the result says which was taken and why.
            record: keep the trace, and note that the passages were used.
            told_in: "zh" or "en", the language of the reasons; the question's when left out.
            actor: who asks.
        """
        if route not in set(Route):
            raise InvalidInput(f"there is no route {route!r}; choose one of {', '.join(Route)}")
        wanted = self.settings.retrieve.top_k if top_k is None else top_k
        if not 1 <= wanted <= 100:
            raise InvalidInput(f"top_k must be from 1 to 100, got {wanted}")
        if told_in not in (None, "zh", "en"):
            raise InvalidInput(f"reasons are told in zh or en, not {told_in!r}")
        with self.snapshot() as view:
            result = pipeline.retrieve(view, question, Route(route), top_k=wanted, asker=self._asker, told_in=told_in)
        if not record or not result.passages:
            return result
        kept = traces.keep(self._store, actor, result.question, result.to_json())
        return result if kept is None else result.recorded_as(kept)

    async def aretrieve(self, question: str, **options: Any) -> Result:
        """Do as `retrieve`, awaited; the same question gives the same result."""
        return await asyncio.to_thread(self.retrieve, question, **options)

    def questions(self, limit: int = 3) -> list[str]:
        """Return questions that this memory can answer, made from its own facts."""
        with self.snapshot() as view:
            return suggest.questions(view, limit)

    # --- out and in ---

    def export(self, target: str | Path, *, format: str = "openie") -> int:
        """Write what is visible to a file, which appears whole or not at all; return how many passages it holds.

        Raises:
            InvalidInput: there is no such format.
            StorageFull: the disk refused; what stood there is untouched.
        """
        if format != "openie":
            raise InvalidInput(f"there is no format {format!r} to export; choose openie")
        with self._store.reading() as connection:
            return save_openie(Path(target), entries.stated(connection)).documents

    # --- work that waits ---

    def jobs(self, *, limit: int = 50) -> list[Job]:
        """Return jobs, newest first."""
        with self._store.reading() as connection:
            found = jobs.listed(connection, self._store.ids, limit=limit)
            return [embedding.counted(connection, job) for job in found]

    def job(self, id: str) -> Job:
        """Return one job; raises NotFound."""
        with self._store.reading() as connection:
            row = self._store.ids.row(id, "jobs")
            return embedding.counted(connection, jobs.one(connection, self._store.ids, row))

    def run_jobs(self, *, on_progress: Callable[[Progress], None] | None = None) -> int:
        """Work off every job that waits or whose worker died; return how many were taken."""
        return work.run_open(self._work, on_progress=on_progress)

    def run_job(self, id: str, *, on_progress: Callable[[Progress], None] | None = None) -> JobState:
        """Work off one job; raises NotFound, Busy (another worker is at it) and Conflict (it is finished)."""
        return work.run(self._work, self._store.ids.row(id, "jobs"), on_progress=on_progress)

    def finish_job(self, id: str, *, on_progress: Callable[[Progress], None] | None = None) -> JobState:
        """Work off one job, or look on while another worker does; return how it ended. Raises NotFound."""
        return work.see_through(self._work, self._store.ids.row(id, "jobs"), on_progress=on_progress)

    def cancel(self, id: str) -> JobState:
        """Stop a job after its present group; what it did stays."""
        return jobs.cancel(self._store.database, self._store.ids.row(id, "jobs"), finished=self._store.now())

    def retry(self, id: str) -> int:
        """Let a finished job wait again, for what failed or was not reached; return how many passages that is."""
        return jobs.retry(self._store.database, self._store.ids.row(id, "jobs"))

    def reembed(self, *, actor: str = "cli") -> str:
        """Take the configured model for the memory's model and queue embedding everything by it; return the job's id."""
        if self._asker.encoder is None:
            raise InvalidInput("no embedding model is configured, so there is nothing to embed with")
        job = embedding.change_model(self._store, self._asker.encoder, actor=actor)
        return self._store.ids.encode("jobs", job)

    def calibrate(self) -> str:
        """Queue taking the means that vectors are centred with anew, from what the memory holds now; return the job's id."""
        if self._asker.encoder is None:
            raise InvalidInput("no embedding model is configured, so there is nothing to calibrate")
        with self._store.database.writing() as connection:
            job = jobs.ensure(connection, JobKind.CALIBRATE, created=self._store.now())
        return self._store.ids.encode("jobs", job)

    # --- health ---

    def check(self) -> list[str]:
        """Return what is wrong with the truth or with the indexes, and what lacks a vector, in sentences; nothing when all is well."""
        with self.snapshot() as view:
            wrong = checks.check(view.connection) + differences(view.indexes, self._built_anew(view))
            return wrong + (embedding.lacking(view.connection) if self._asker.encoder else [])

    def repair(self) -> str | None:
        """Build the indexes anew when they differ from the truth, and queue embedding what lacks a vector; return that job's id."""
        with self.snapshot() as view:
            differ = differences(view.indexes, self._built_anew(view))
            lacking = self._asker.encoder is not None and embedding.lacking(view.connection)
        if differ:
            self.rebuild()
        if not lacking:
            return None
        with self._store.database.writing() as connection:
            job = jobs.ensure(connection, JobKind.EMBED, created=self._store.now())
        return self._store.ids.encode("jobs", job)

    def _built_anew(self, view: View) -> Indexes:
        limit = self.settings.ingest.synonyms_per_name
        return build(view.connection, view.indexes.sequence, synonym_limit=limit)

    def rebuild(self) -> None:
        """Throw the indexes away and build them anew from the truth."""
        self._shelf.forget()
        with self.snapshot():
            self._shelf.save()

    def backup(self, target: str | Path) -> None:
        """Write a consistent copy to a file, while others go on writing."""
        copies.write(self._store.database, Path(target))


def restore(backup: str | Path, space: str | Path) -> None:
    """Make a new space from a backup file; raises InvalidInput and Conflict."""
    copies.restore(Path(backup), configuration.space_directory(space))


def verify(backup: str | Path) -> None:
    """Check that a file is a sound backup; raises InvalidInput."""
    copies.verify(Path(backup))


__all__ = ["Edit", "LpmmError", "Memory", "Upload", "restore", "verify"]
