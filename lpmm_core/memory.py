"""Memory: the one façade. The command line, the web page and other programs use nothing below it.

    with Memory.open("my-space") as memory:
        memory.ingest(["notes.txt"])
        for passage in memory.retrieve("谁住在往世乐土？").passages:
            print(passage.text, *(reason.text for reason in passage.why))

Verbs that write take `actor`, the name of who does it; undo and redo work on that actor's own operations. Threads may share a Memory, and
several processes may open one space at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from lpmm_core.base import settings as configuration
from lpmm_core.base.clock import Clock, now
from lpmm_core.base.errors import InvalidInput, LpmmError, NotFound
from lpmm_core.base.records import Document, Entity, Extractor, Fact, Kind, Occurrence, Page, Source
from lpmm_core.base.settings import Settings
from lpmm_core.exchange.openie import save_openie
from lpmm_core.extract.local import LocalExtractor
from lpmm_core.graph import canvas
from lpmm_core.graph.canvas import Subgraph
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import Shelf, View, build, differences
from lpmm_core.index.stats import Stats, gather_stats
from lpmm_core.ingest import embedding, intake, work
from lpmm_core.ingest.intake import Upload
from lpmm_core.ingest.report import IngestReport, Progress
from lpmm_core.provider.chat import ChatModel
from lpmm_core.provider.configured import open_chat, open_embedder
from lpmm_core.provider.embedding import Embedder
from lpmm_core.retrieve import pipeline, suggest
from lpmm_core.retrieve.pipeline import Asker
from lpmm_core.retrieve.result import Result, Route
from lpmm_core.store import care, edits, entries, history, jobs, read, traces, undo
from lpmm_core.store.entries import EntityEntry, PassageEntry
from lpmm_core.store.history import Done
from lpmm_core.store.jobs import Job, JobState
from lpmm_core.store.journal import Batch, Change, changes_since, current_sequence
from lpmm_core.store.preview import Deletion, deletion
from lpmm_core.store.store import Store
from lpmm_core.store.undo import Undone

if TYPE_CHECKING:
    import networkx as nx


class Memory:
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
        self._shelf = Shelf(store)
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

    def close(self) -> None:
        """Keep the indexes for the next time and close the file."""
        try:
            self._shelf.settle()
        finally:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[View]:
        """One moment of the memory: the truth and its indexes at one sequence number."""
        with self._shelf.view() as view:
            yield view

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

    # --- questions ---

    def retrieve(
        self, question: str, *, top_k: int | None = None, route: str = "auto", record: bool = True, actor: str = "cli"
    ) -> Result:
        """Answer a question with passages and facts, and the reasons for each.

        Args:
            question: in any language; empty text finds nothing.
            top_k: passages wanted, 1 to 100; the configured number when left out.
            route: auto, graph, dense, lexical or hybrid; the result says which was taken and why.
            record: keep the trace, and note that the passages were used.
            actor: who asks.
        """
        if route not in set(Route):
            raise InvalidInput(f"there is no route {route!r}; choose one of {', '.join(Route)}")
        wanted = self.settings.retrieve.top_k if top_k is None else top_k
        if not 1 <= wanted <= 100:
            raise InvalidInput(f"top_k must be from 1 to 100, got {wanted}")
        with self.snapshot() as view:
            result = pipeline.retrieve(view, question, Route(route), top_k=wanted, asker=self._asker)
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

    def trace(self, retrieval: str) -> Mapping[str, Any]:
        """Return the kept result of an earlier question; raises NotFound."""
        with self._store.reading() as connection:
            return traces.load(connection, self._store.ids, retrieval)

    # --- looking ---

    def stats(self) -> Stats:
        """Count what is visible."""
        with self.snapshot() as view:
            return gather_stats(view)

    def sources(self, *, offset: int = 0, limit: int = 50, deleted: bool = False) -> Page[Source]:
        """Return sources, newest first: the standing ones, or those in the recycle bin."""
        with self._store.reading() as connection:
            rows, total = read.source_rows(connection, offset=offset, limit=limit, deleted=deleted)
            return Page(tuple(read.sources(connection, self._store.ids, rows)), total, offset)

    def source(self, id: str) -> Source:
        """Return one source; raises NotFound."""
        with self._store.reading() as connection:
            found = read.sources(connection, self._store.ids, [self._store.ids.row(id, "sources")])
        if not found:
            raise NotFound(f"there is no source {id!r} in this memory")
        return found[0]

    def passages_of(self, source: str, *, offset: int = 0, limit: int = 50) -> Page[PassageEntry]:
        """Return the passages of a source in its order, with what was found in each; raises NotFound."""
        with self._store.reading() as connection:
            rows, total = read.passage_rows(
                connection, self._store.ids.row(source, "sources"), offset=offset, limit=limit
            )
            return Page(tuple(entries.passage_entries(connection, self._store.ids, rows)), total, offset)

    def passage(self, id: str) -> PassageEntry:
        """Return a passage with what was found in it; raises NotFound."""
        with self._store.reading() as connection:
            return entries.passage_entry(connection, self._store.ids, id)

    def entity(self, id: str) -> EntityEntry:
        """Return an entity with its facts and the first passages that mention it; raises NotFound."""
        with self._store.reading() as connection:
            return entries.entity_entry(connection, self._store.ids, id)

    def fact(self, id: str) -> Fact:
        """Return one fact; raises NotFound."""
        with self._store.reading() as connection:
            found = read.facts(connection, self._store.ids, [self._store.ids.row(id, "facts")])
        if not found:
            raise NotFound(f"there is no fact {id!r} in this memory")
        return found[0]

    def occurrences(self, ids: Sequence[str]) -> list[Occurrence]:
        """Return those of the occurrences that are live: what a fact's evidence points to."""
        with self._store.reading() as connection:
            rows = [self._store.ids.row(id, "occurrences") for id in ids]
            return read.occurrences(connection, self._store.ids, column="id", values=rows)

    def suggestions(self, text: str, limit: int = 10) -> list[Entity]:
        """Return entities whose name begins with, or holds, what was typed."""
        with self._store.reading() as connection:
            return entries.suggestions(connection, self._store.ids, text, limit)

    def subgraph(
        self,
        *,
        focus: Sequence[str] = (),
        limit: int = 80,
        passages: bool = False,
        positions: Mapping[str, tuple[float, float]] | None = None,
    ) -> Subgraph:
        """Return a budgeted part of the graph with positions: the most central entities, or those around `focus`."""
        with self.snapshot() as view:
            return canvas.subgraph(view, focus=focus, limit=limit, passages=passages, positions=positions or {})

    def to_networkx(self, subgraph: Subgraph | None = None) -> nx.MultiDiGraph[str]:
        """Return a subgraph (by default everything visible) as a networkx graph with typed attributes."""
        with self.snapshot() as view:
            return canvas.to_networkx(subgraph or canvas.everything(view))

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

    # --- editing ---

    def rename(self, id: str, name: str, *, actor: str = "cli", version: int | None = None) -> None:
        """Show an entity under another name; the old one stays as an alias. Raises Conflict when another entity has the name."""
        row = self._entity(id)
        self._edit(actor, "rename", name, lambda batch: edits.rename(batch, row, name, version=version))

    def retype(self, id: str, kind: str, *, actor: str = "cli", version: int | None = None) -> None:
        """Say what kind of thing an entity is."""
        if kind not in set(Kind):
            raise InvalidInput(f"there is no kind {kind!r}; choose one of {', '.join(Kind)}")
        row = self._entity(id)
        self._edit(actor, "retype", kind, lambda batch: edits.retype(batch, row, Kind(kind), version=version))

    def merge(self, ids: Sequence[str], into: str, *, actor: str = "cli", version: int | None = None) -> None:
        """Make several entities one; `into` keeps the name and kind it shows."""
        rows, target = [self._entity(id) for id in ids], self._entity(into)
        self._edit(
            actor,
            "merge",
            self.entity(into).entity.name,
            lambda batch: edits.merge(batch, rows, target, version=version),
        )

    def split(self, id: str, names: Sequence[str], *, actor: str = "cli", version: int | None = None) -> str:
        """Give some of an entity's names, with what was said under them, an entity of their own; return its id."""
        row = self._entity(id)
        new = self._edit(
            actor, "split", ", ".join(names), lambda batch: edits.split(batch, row, names, version=version)
        )
        return self._store.ids.encode("entities", new)

    def deletion(self, ids: Sequence[str]) -> Deletion:
        """Return what deleting these records would take out of sight, and what would stay; nothing is changed."""
        return deletion(self._store, [self._store.ids.decode(id) for id in ids])

    def delete(self, ids: Sequence[str], *, actor: str = "cli") -> None:
        """Put sources, passages, entities or facts into the recycle bin, all in one operation."""
        self._each(actor, "delete", ids, edits.delete)

    def undelete(self, ids: Sequence[str], *, actor: str = "cli") -> None:
        """Take records out of the recycle bin."""
        self._each(actor, "undelete", ids, edits.undelete)

    def pin(self, id: str, *, pinned: bool = True, actor: str = "cli") -> None:
        """Keep a passage, an entity or a fact whatever forgetting does, or (with `pinned` false) stop keeping it."""
        self._each(
            actor,
            "pin" if pinned else "unpin",
            [id],
            lambda batch, table, row: edits.pin(batch, table, row, pinned=pinned),
        )

    def purge(self, ids: Sequence[str], *, actor: str = "cli") -> None:
        """Take deleted sources or passages out of every file for good. This cannot be undone."""
        with self._store.reading() as connection:
            rows = care.purgeable(connection, [self._store.ids.decode(id) for id in ids])
        self._edit(
            actor,
            "purge",
            f"{len(rows)} passages",
            lambda batch: care.purge_passages(batch, rows, secret=self._store.secret),
        )
        self._shelf.forget()
        self._store.database.scrub()

    def undo(self, *, actor: str = "cli") -> Undone:
        """Take back the actor's latest operation; raises NothingToUndo and UndoBlocked."""
        return undo.undo(self._store.journal, actor)

    def redo(self, *, actor: str = "cli") -> Undone:
        """Do again what the actor's latest undo took back; raises as `undo`."""
        return undo.redo(self._store.journal, actor)

    def history(self, *, limit: int = 50, derived: bool = False) -> list[Done]:
        """Return the latest operations, newest first."""
        with self._store.reading() as connection:
            return history.operations(connection, self._store.ids, limit=limit, derived=derived)

    def changes_since(self, sequence: int) -> tuple[int, list[Change]]:
        """Return the present sequence number and what was written after `sequence`, by any process."""
        with self._store.reading() as connection:
            return current_sequence(connection), changes_since(connection, sequence)

    # --- work that waits ---

    def jobs(self, *, limit: int = 50) -> list[Job]:
        """Return jobs, newest first."""
        with self._store.reading() as connection:
            return jobs.listed(connection, self._store.ids, limit=limit)

    def job(self, id: str) -> Job:
        """Return one job; raises NotFound."""
        with self._store.reading() as connection:
            return jobs.one(connection, self._store.ids, self._store.ids.row(id, "jobs"))

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

    # --- health ---

    def check(self) -> list[str]:
        """Return what is wrong with the truth or with the indexes, in sentences; nothing when all is well."""
        with self.snapshot() as view:
            return care.check(view.connection) + differences(
                view.indexes, build(view.connection, view.indexes.sequence)
            )

    def rebuild(self) -> None:
        """Throw the indexes away and build them anew from the truth."""
        self._shelf.forget()
        with self.snapshot():
            self._shelf.save()

    def backup(self, target: str | Path) -> None:
        """Write a consistent copy to a file, while others go on writing."""
        care.backup(self._store.database, Path(target))

    # --- inside ---

    def _entity(self, id: str) -> int:
        with self._store.reading() as connection:
            return read.standing(connection, self._store.ids.row(id, "entities"))

    def _edit(self, actor: str, kind: str, summary: str, change: Callable[[Batch], Any]) -> Any:
        with self._store.operation(actor, kind, summary=summary) as operation, operation.batch() as batch:
            return change(batch)

    def _each(self, actor: str, kind: str, ids: Sequence[str], change: Callable[[Batch, str, int], None]) -> None:
        if not ids:
            raise InvalidInput(f"say what to {kind}")
        records = [self._store.ids.decode(id) for id in ids]

        def all_of_them(batch: Batch) -> None:
            for table, row in records:
                change(batch, table, row)

        self._edit(actor, kind, f"{len(ids)} records" if len(ids) > 1 else "1 record", all_of_them)


def restore(backup: str | Path, space: str | Path) -> None:
    """Make a new space from a backup file; raises InvalidInput and Conflict."""
    care.restore(Path(backup), configuration.space_directory(space))


def verify(backup: str | Path) -> None:
    """Check that a file is a sound backup; raises InvalidInput."""
    care.verify(Path(backup))


__all__ = ["LpmmError", "Memory", "Upload", "restore", "verify"]
