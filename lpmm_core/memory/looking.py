"""Looking into a memory: what is there, where it comes from, what was done. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lpmm_core.base.errors import NotFound
from lpmm_core.base.records import Entity, Fact, Occurrence, Page, Source
from lpmm_core.index.shelf import Shelf, View
from lpmm_core.index.stats import Stats, gather_stats
from lpmm_core.store import entries, history, provenance, read, traces
from lpmm_core.store.entries import EntityEntry, PassageEntry
from lpmm_core.store.history import Done
from lpmm_core.store.journal import Change, changes_since, current_sequence
from lpmm_core.store.store import Store

if TYPE_CHECKING:
    import networkx as nx

    from lpmm_core.graph.canvas import Subgraph


class Looking:
    """The verbs of a Memory that read records."""

    _store: Store
    _shelf: Shelf

    @contextmanager
    def snapshot(self) -> Iterator[View]:
        """One moment of the memory: the truth and its indexes at one sequence number."""
        with self._shelf.view() as view:
            yield view

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
        shown: Mapping[str, tuple[float, float]] | None = None,
    ) -> Subgraph:
        """Return a budgeted part of the graph with positions: the most central entities, or those around `focus`.

        What is `shown` already stays where it stands. With both, all of it that is still there stays, and what is added is `focus` and
        the neighbours nearest to it, up to `limit` nodes in all.
        """
        from lpmm_core.graph import canvas

        with self.snapshot() as view:
            return canvas.subgraph(view, focus=focus, limit=limit, passages=passages, shown=shown or {})

    def to_networkx(self, subgraph: Subgraph | None = None) -> nx.MultiDiGraph[str]:
        """Return a subgraph (by default everything visible) as a networkx graph with typed attributes."""
        from lpmm_core.graph import canvas

        with self.snapshot() as view:
            return canvas.to_networkx(subgraph or canvas.everything(view))

    def trace(self, id: str) -> Mapping[str, Any]:
        """Return, as JSON, how an earlier answer came about, or where a fact, a passage or a message comes from.

        Raises:
            NotFound, InvalidInput: there is no such record, or it is one of another kind.
        """
        with self._store.reading() as connection:
            if self._store.ids.decode(id)[0] == "traces":
                return traces.load(connection, self._store.ids, id)
            return provenance.trace(connection, self._store.ids, id).to_json()

    def history(self, *, limit: int = 50, derived: bool = False) -> list[Done]:
        """Return the latest operations, newest first."""
        with self._store.reading() as connection:
            return history.operations(connection, self._store.ids, limit=limit, derived=derived)

    def changes_since(self, sequence: int) -> tuple[int, list[Change]]:
        """Return the present sequence number and what was written after `sequence`, by any process."""
        with self._store.reading() as connection:
            return current_sequence(connection), changes_since(connection, sequence)
