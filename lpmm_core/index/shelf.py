"""The indexes of one space, kept at the journal's present sequence number.

A reader opens a read transaction, and the indexes are brought forward to the very sequence number it sees: truth and indexes belong to
one moment. What is brought forward is what changed (see `gather`); readers that hold an earlier moment keep it undisturbed, because
every index is a value. The whole stands on disk as one directory per sequence number, written aside and renamed; it may be deleted at
any time.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lpmm_core.base.errors import StorageFull
from lpmm_core.index import gather
from lpmm_core.index.files import Stamp, UnusableBase
from lpmm_core.index.gather import Touched
from lpmm_core.index.lexical import LexicalIndex
from lpmm_core.index.mutual import SynonymPairs
from lpmm_core.index.topology import SYNONYM_LIMIT, Topology
from lpmm_core.index.vectors import VectorIndex
from lpmm_core.store import models
from lpmm_core.store.ids import Ids
from lpmm_core.store.journal import Batch, changes_since, current_sequence
from lpmm_core.store.models import Calibration, Model
from lpmm_core.store.store import Store

WORTH_MERGING = 0.1
"""A tail is folded into the base when it is this share of it."""

ABANDONED = 3600.0
"""Seconds after which a directory that was being written belongs to a process that died."""


@dataclass(frozen=True, slots=True, eq=False)
class Indexes:
    """All indexes at one sequence number. They hold what is visible, and nothing else. Vectors are None while there is no model."""

    sequence: int
    words: LexicalIndex
    fact_words: LexicalIndex
    topology: Topology
    model: Model | None = None
    calibration: Calibration | None = None
    passages: VectorIndex | None = None
    facts: VectorIndex | None = None
    base: int = 0
    """Sequence number of what they were opened from, 0 when some of them were built anew and are on no disk."""

    @property
    def tail(self) -> int:
        """How much has changed since the bases were made."""
        vectors = sum(index.tail for index in (self.passages, self.facts) if index is not None)
        return self.words.tail + self.fact_words.tail + self.topology.tail + vectors

    @property
    def size(self) -> int:
        """How much there is."""
        return len(self.words) + len(self.fact_words) + self.topology.size


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One moment of a memory: the truth through `connection`, and the indexes of the same sequence number."""

    connection: sqlite3.Connection
    indexes: Indexes
    ids: Ids


class Shelf:
    """Keeps the indexes of a store. Threads may share it.

    Args:
        store: the truth.
        synonym_limit: how many nearest synonyms an entity keeps; indexes on disk that were made with another number are made anew.
    """

    def __init__(self, store: Store, *, synonym_limit: int = SYNONYM_LIMIT) -> None:
        self._store = store
        self._synonym_limit = synonym_limit
        self._directory = store.path / "cache"
        self._lock = threading.RLock()
        self._current: Indexes | None = None
        self._names_lock = threading.Lock()
        self._names: _Names | None = None

    @contextmanager
    def view(self) -> Iterator[View]:
        """Open one moment of the memory."""
        with ExitStack() as stack:
            with self._lock:
                # The moment is chosen under the lock, so no later one can have been published before.
                connection = stack.enter_context(self._store.reading())
                indexes = self._at(connection)
            yield View(connection, indexes, self._store.ids)

    def _at(self, connection: sqlite3.Connection) -> Indexes:
        sequence = current_sequence(connection)
        current = self._current or self._opened(connection, sequence)
        if current is None or current.sequence > sequence:
            current = build(connection, sequence, synonym_limit=self._synonym_limit)
        elif current.sequence < sequence:
            current = advanced(connection, current, sequence)
        self._current = current
        return current

    # --- names, for finding synonyms ---

    def names(self, batch: Batch, model: Model) -> VectorIndex:
        """Return the index of all names, visible or not, centred by the model's own mean, as they are before `batch` adds any."""
        with self._names_lock:
            held = self._names
            if held is None or held.model != model.row or _purged_since(batch.connection, held.sequence):
                empty = np.zeros((0, model.dimension), np.float32)
                index = VectorIndex.build([], empty, centre=model.centre, dimension=model.dimension)
                held = _Names(model.row, 0, 0, index)
            rows = batch.connection.execute(
                "SELECT id, owner, data FROM vectors WHERE id > ? AND kind = 'name' AND model = ? ORDER BY id",
                (held.last, model.row),
            ).fetchall()
            index = held.index
            if rows:
                owners = np.array([row["owner"] for row in rows], np.int64)
                vectors = np.frombuffer(b"".join(row["data"] for row in rows), "<f2").reshape(len(rows), -1)
                index = index.with_changes(add=(owners, vectors))
            # The batch's own number may yet be given up, and then be another's.
            self._names = _Names(model.row, batch.sequence - 1, rows[-1]["id"] if rows else held.last, index)
            return index

    # --- on disk ---

    def save(self) -> None:
        """Write the indexes as they are now, to be opened next time; other ones are removed.

        Raises:
            StorageFull: the disk refused; nothing is left behind.
        """
        with self.view() as view:
            indexes = view.indexes
        target = self._directory / f"base-{indexes.sequence}"
        if not indexes.size or target.exists():
            return
        self._write(indexes, target)
        for sequence, directory in self._bases():
            if sequence != indexes.sequence:
                shutil.rmtree(directory, ignore_errors=True)
        with self._store.reading() as connection:
            if _purged_since(connection, indexes.sequence):
                # Whoever purged may have cleared this directory just before the new base came into it.
                shutil.rmtree(target, ignore_errors=True)
                return
            with self._lock:
                if self._current is indexes:
                    self._current = opened(connection, target, indexes.sequence, synonym_limit=self._synonym_limit)

    def settle(self) -> None:
        """Save when the next opening would take noticeably longer without it; a disk that is full costs that time and no more."""
        with self._lock:
            indexes = self._current
        if indexes is not None and (not indexes.base or indexes.tail > WORTH_MERGING * indexes.size):
            with suppress(StorageFull, UnusableBase, OSError):
                self.save()

    def forget(self) -> None:
        """Throw away the indexes, in memory and on disk; the next reader builds them anew."""
        with self._lock, self._names_lock:
            self._current = None
            self._names = None
            shutil.rmtree(self._directory, ignore_errors=True)

    def _write(self, indexes: Indexes, target: Path) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        for left in self._directory.glob(".base-*"):
            with suppress(FileNotFoundError):  # its maker has finished with it meanwhile
                if time.time() - left.stat().st_mtime > ABANDONED:
                    shutil.rmtree(left, ignore_errors=True)
        workplace = Path(tempfile.mkdtemp(prefix=".base-", dir=self._directory))
        try:
            stamp = stamp_of(indexes)
            indexes.words.save(workplace / "words", stamp)
            indexes.fact_words.save(workplace / "fact-words", stamp)
            indexes.topology.save(workplace / "topology", stamp)
            if indexes.passages is not None and indexes.facts is not None:
                indexes.passages.save(workplace / "passages", stamp)
                indexes.facts.save(workplace / "facts", stamp)
            try:
                workplace.rename(target)
            except OSError:
                if not target.exists():  # else another process was quicker
                    raise
        finally:
            shutil.rmtree(workplace, ignore_errors=True)

    def _opened(self, connection: sqlite3.Connection, sequence: int) -> Indexes | None:
        for saved, directory in sorted(self._bases(), reverse=True):
            if saved <= sequence:
                with suppress(UnusableBase):
                    return opened(connection, directory, saved, synonym_limit=self._synonym_limit)
            # Damaged, made with another setting, or of a future that never came: an older file was put back in place of the truth.
            shutil.rmtree(directory, ignore_errors=True)
        return None

    def _bases(self) -> list[tuple[int, Path]]:
        if not self._directory.is_dir():
            return []
        return [(int(path.name[5:]), path) for path in self._directory.glob("base-*") if path.name[5:].isdigit()]


@dataclass(frozen=True, slots=True, eq=False)
class _Names:
    """The index of names that have a vector by `model`, up to row `last` of the vectors, at a sequence number."""

    model: int
    sequence: int
    last: int
    index: VectorIndex


def _purged_since(connection: sqlite3.Connection, sequence: int) -> bool:
    query = "SELECT 1 FROM changes WHERE sequence > ? AND action = 'purge' LIMIT 1"
    return connection.execute(query, (sequence,)).fetchone() is not None


def stamp_of(indexes: Indexes) -> Stamp:
    """Return what a base of these indexes is made from."""
    model, calibration = indexes.model, indexes.calibration
    fingerprint = hashlib.sha256(model.probe.tobytes()).hexdigest() if model else ""
    return Stamp(indexes.sequence, fingerprint, calibration.row if calibration else 0)


def build(connection: sqlite3.Connection, sequence: int, *, synonym_limit: int = SYNONYM_LIMIT) -> Indexes:
    """Build all indexes anew from the truth; an entity keeps its `synonym_limit` nearest synonyms."""
    model = models.current_model(connection)
    pairs = gather.synonyms(connection, model.row) if model else SynonymPairs()
    plain = Indexes(
        sequence,
        words=LexicalIndex.build(*gather.passage_texts(connection)),
        fact_words=LexicalIndex.build(*gather.fact_texts(connection)),
        topology=Topology.build(gather.contributions(connection), pairs, synonym_limit=synonym_limit),
    )
    return _with_vectors(connection, plain, model)


def _with_vectors(connection: sqlite3.Connection, indexes: Indexes, model: Model | None) -> Indexes:
    calibration = models.current_calibration(connection, model.row) if model else None
    if model is None or calibration is None:
        return replace(indexes, model=None, calibration=None, passages=None, facts=None, base=0)
    built = {}
    for kind, table, centre in (("passage", "passages", calibration.passage), ("fact", "facts", calibration.fact)):
        owners, vectors = models.vectors(connection, kind, model.row)
        seen = np.isin(owners, gather.visible(connection, table))
        built[table] = VectorIndex.build(owners[seen], vectors[seen], centre=centre, dimension=model.dimension)
    return replace(
        indexes, model=model, calibration=calibration, passages=built["passages"], facts=built["facts"], base=0
    )


def opened(
    connection: sqlite3.Connection, directory: Path, sequence: int, *, synonym_limit: int = SYNONYM_LIMIT
) -> Indexes:
    """Open what `Shelf.save` wrote; raises UnusableBase when it is damaged, of another model or made with another limit."""
    topology = Topology.open(directory / "topology", synonym_limit=synonym_limit)
    indexes = Indexes(
        sequence,
        words=LexicalIndex.open(directory / "words"),
        fact_words=LexicalIndex.open(directory / "fact-words"),
        topology=topology,
        base=sequence,
    )
    model = models.current_model(connection)
    calibration = models.current_calibration(connection, model.row) if model else None
    if model is None or calibration is None:
        return indexes
    stamp = stamp_of(replace(indexes, model=model, calibration=calibration))
    saved = topology.stamp
    if (saved.fingerprint, saved.calibration) != (stamp.fingerprint, stamp.calibration):
        return _with_vectors(connection, indexes, model)
    found = [
        VectorIndex.open(directory / name, fingerprint=stamp.fingerprint, calibration=stamp.calibration)
        for name in ("passages", "facts")
    ]
    return replace(indexes, model=model, calibration=calibration, passages=found[0], facts=found[1])


def advanced(connection: sqlite3.Connection, indexes: Indexes, sequence: int) -> Indexes:
    """Bring indexes forward to `sequence`, by what changed since."""
    changes = changes_since(connection, indexes.sequence)
    limit = indexes.topology.synonym_limit
    if any(change.action == "purge" for change in changes):
        return build(connection, sequence, synonym_limit=limit)  # what was purged shall not live on in a base or a tail
    touched = gather.touched(connection, changes)
    model = models.current_model(connection)
    another = indexes.model is not None and (model is None or model.row != indexes.model.row)
    if another or len(touched.passages) > len(indexes.words):
        return build(connection, sequence, synonym_limit=limit)
    indexes = _advanced_words(connection, replace(indexes, sequence=sequence), touched)
    indexes = _advanced_topology(connection, indexes, touched)
    if touched.models or indexes.model is None:
        return _with_vectors(connection, indexes, model)
    return _advanced_vectors(connection, indexes, touched)


def _advanced_words(connection: sqlite3.Connection, indexes: Indexes, touched: Touched) -> Indexes:
    passages, facts = sorted(touched.passages), sorted(touched.facts)
    return replace(
        indexes,
        words=indexes.words.with_changes(add=gather.passage_texts(connection, passages), remove=passages),
        fact_words=indexes.fact_words.with_changes(add=gather.fact_texts(connection, facts), remove=facts),
    )


def _advanced_topology(connection: sqlite3.Connection, indexes: Indexes, touched: Touched) -> Indexes:
    topology = indexes.topology
    # A title counts once its entity is in sight, so passages under the name of an entity that was touched may change too.
    passages = sorted(touched.passages | gather.titled(connection, touched.entities))
    given = gather.by_passage(gather.contributions(connection, passages), passages)
    model = indexes.model or models.current_model(connection)
    changes: dict[tuple[int, int], float] = {}
    if model is not None:
        ends = touched.entities | touched.synonyms
        for entity in ends:
            changes.update(
                ((min(entity, other), max(entity, other)), 0.0) for other in topology.stored_synonyms(entity)
            )
        changes.update(gather.synonyms_of(connection, model.row, ends))
    pairs = np.array(list(changes), np.int64).reshape(-1, 2)
    cosines = np.fromiter(changes.values(), np.float64, len(changes))
    return replace(
        indexes,
        topology=topology.with_changes(passages=given, synonyms=SynonymPairs(pairs[:, 0], pairs[:, 1], cosines)),
    )


def _advanced_vectors(connection: sqlite3.Connection, indexes: Indexes, touched: Touched) -> Indexes:
    if indexes.model is None or indexes.passages is None or indexes.facts is None:
        return indexes
    embedded = _owners(connection, touched.vectors)
    changed: dict[str, VectorIndex] = {}
    for kind, table, index, rows in (
        ("passage", "passages", indexes.passages, touched.passages),
        ("fact", "facts", indexes.facts, touched.facts),
    ):
        wanted = sorted(rows | embedded.get(kind, set()))
        seen = gather.visible(connection, table, wanted).tolist()
        owners, vectors = models.vectors(connection, kind, indexes.model.row, owners=seen)
        changed[table] = index.with_changes(add=(owners, vectors), remove=wanted)
    return replace(indexes, passages=changed["passages"], facts=changed["facts"])


def _owners(connection: sqlite3.Connection, ranges: Sequence[tuple[int, int]]) -> dict[str, set[int]]:
    owners: dict[str, set[int]] = {}
    for span in ranges:
        for row in connection.execute("SELECT kind, owner FROM vectors WHERE id BETWEEN ? AND ?", span):
            owners.setdefault(row["kind"], set()).add(row["owner"])
    return owners


def differences(held: Indexes, fresh: Indexes) -> list[str]:
    """Say in sentences where two sets of indexes of one sequence number differ in what they hold."""
    found = []
    for name, one, other in (
        ("the words of passages", held.words.ids(), fresh.words.ids()),
        ("the words of facts", held.fact_words.ids(), fresh.fact_words.ids()),
        ("the vectors of passages", _ids(held.passages), _ids(fresh.passages)),
        ("the vectors of facts", _ids(held.facts), _ids(fresh.facts)),
    ):
        if not np.array_equal(one, other):
            found.append(
                f"the index of {name} holds {len(one)} records, the truth has {len(other)}; run `lpmm rebuild`"
            )
    if _edges(held.topology) != _edges(fresh.topology):
        found.append("the graph's weights differ from what the evidence adds up to; run `lpmm rebuild`")
    return found


def _ids(index: VectorIndex | None) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.zeros(0, np.int64) if index is None else index.ids()


def _edges(topology: Topology) -> set[tuple[tuple[int, int], tuple[int, int], float]]:
    left, right, weights = topology.edges()
    kinds, ids = topology.nodes.kinds(np.arange(topology.size)), topology.nodes.ids(np.arange(topology.size))
    node = list(zip(kinds.tolist(), ids.tolist(), strict=True))
    return {
        (*sorted((node[a], node[b])), round(float(w), 5))
        for a, b, w in zip(left.tolist(), right.tolist(), weights.tolist(), strict=True)
        if w
    }
