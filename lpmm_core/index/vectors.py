"""The vector index: which texts mean something near to a question.

Vectors come raw; the index subtracts the calibration's mean, makes them unit vectors again and keeps them as float16, so the inner
product with a centred unit question is their cosine. A small memory is searched exactly. From `exact_below` vectors on, an inverted
file of 8-bit codes (Faiss IVF with SQ8) proposes candidates, and every score that is handed out is computed from the float16 vectors.

Scores do not depend on where a vector stands, so an index that was updated answers like one that was built anew, and equal scores
are ordered by id.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import faiss
import numpy as np
from numpy.typing import ArrayLike, NDArray

from lpmm_core.base.errors import InvalidInput, ModelMismatch
from lpmm_core.base.records import Vectors
from lpmm_core.index.codes import BLOCK, RowFile, Segment, cosines, segment_of
from lpmm_core.index.files import Stamp, UnusableBase, open_base, save_base
from lpmm_core.index.inverted import inverted_file
from lpmm_core.index.segments import Hits, Ids, Mask, Rows, ascending, best, settled

EXACT_BELOW = 50_000
"""Number of vectors from which on search is approximate."""

_KIND = "vectors"


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Pairs of a question (its position among those asked) and an id, with their cosine; by question, then id."""

    questions: NDArray[np.int64]
    ids: Ids
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.ids)


class VectorIndex:
    """Vectors by id. Every change returns a new index; this one stays as it is, and threads may share it."""

    def __init__(self, segments: tuple[Segment, ...], *, centre: Vectors, exact_below: int, stamp: Stamp) -> None:
        self._segments = segments  # the base, then the tail
        self._centre = centre
        self._exact_below = exact_below
        self.stamp = stamp
        """What the base was made from."""

    @classmethod
    def build(
        cls,
        ids: ArrayLike,
        vectors: NDArray[Any],
        *,
        centre: ArrayLike | None = None,
        exact_below: int = EXACT_BELOW,
        dimension: int | None = None,
    ) -> Self:
        """Build an index of everything.

        Args:
            ids: (n,) positive row ids, each once, in any order.
            vectors: (n, d) raw vectors, float16 or float32.
            centre: (d,) the mean that is subtracted; None subtracts nothing.
            exact_below: number of vectors from which on search is approximate.
            dimension: d, needed only when there are no vectors yet.

        Raises:
            InvalidInput: an id is not positive or stands twice, or a vector holds a number that is not finite.
            ModelMismatch: `centre` has another dimension than the vectors.
        """
        ordered, order = ascending(ids)
        width = (
            vectors.shape[1]
            if vectors.ndim == 2 and len(vectors)
            else (dimension or (vectors.shape[-1] if vectors.ndim == 2 else 0))
        )
        middle = np.zeros(width, np.float32) if centre is None else np.asarray(centre, np.float32)
        if middle.shape != (width,):
            raise ModelMismatch(f"the mean has {middle.size} numbers, the vectors have {width}: embed the memory again")
        empty = cls((segment_of(width, ordered[:0], []),), centre=middle, exact_below=exact_below, stamp=Stamp())
        prepared = (empty._prepare(vectors[order[i : i + BLOCK]]) for i in range(0, len(order), BLOCK))
        return empty._with_base(segment_of(width, ordered, prepared))

    @classmethod
    def open(cls, directory: Path, *, fingerprint: str | None = None, calibration: int | None = None) -> Self:
        """Open a base that `save` wrote.

        Raises:
            UnusableBase: there is none, it is damaged, or it is of another model or calibration.
        """
        base = open_base(directory, kind=_KIND, fingerprint=fingerprint, calibration=calibration)
        ids, centre = base.array("ids"), base.array("centre")
        inverted = directory / "inverted.faiss"
        path = directory / "codes.faiss"
        try:
            codes = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
            coarse = faiss.read_index(str(inverted), faiss.IO_FLAG_MMAP_IFC) if inverted.exists() else None
            # A large base is scanned seldom; its single rows must not make it resident all the same.
            rows_file = None if coarse is None else RowFile(path, dimension=codes.d, rows=codes.ntotal)
        except (OSError, RuntimeError) as cause:
            raise UnusableBase(f"the index {directory} cannot be read: {cause}") from cause
        if codes.ntotal != len(ids) or codes.d != len(centre):
            raise UnusableBase(f"the index {directory} contradicts itself: {codes.ntotal} vectors, {len(ids)} ids")
        segment = Segment(Rows.of(ids), codes, coarse, rows_file)
        return cls((segment,), centre=centre, exact_below=int(base.settings["exact_below"]), stamp=base.stamp)

    def save(self, directory: Path, stamp: Stamp) -> None:
        """Write the base to `directory`, to be opened again; an index with a tail is merged first.

        Raises:
            StorageFull: the disk refused.
        """
        if self.tail:
            self.merged().save(directory, stamp)
            return
        base = self._segments[0]
        files = {"codes.faiss": lambda path: faiss.write_index(base.codes, str(path))}
        if base.inverted is not None:
            files["inverted.faiss"] = lambda path: faiss.write_index(base.inverted, str(path))
        save_base(
            directory,
            kind=_KIND,
            stamp=stamp,
            arrays={"ids": base.rows.ids, "centre": self._centre},
            settings={"exact_below": self._exact_below},
            files=files,
        )

    # --- what it holds ---

    def __len__(self) -> int:
        return sum(segment.rows.live for segment in self._segments)

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return len(self._centre)

    @property
    def tail(self) -> int:
        """How much has changed since the base was made: rows added and rows removed. Merge when it grows past a tenth."""
        base, *rest = self._segments
        return len(base.rows.ids) - base.rows.live + sum(segment.rows.live for segment in rest)

    def ids(self) -> Ids:
        """Return every id, ascending."""
        return np.sort(np.concatenate([segment.rows.ids[segment.rows.living()] for segment in self._segments]))

    def vectors(self, ids: ArrayLike) -> Vectors:
        """Return the centred unit vectors of `ids` as they are kept.

        Raises:
            InvalidInput: an id is not here.
        """
        wanted = np.asarray(ids, np.int64)
        taken = np.empty((len(wanted), self.dimension), np.float32)
        missing = np.ones(len(wanted), np.bool_)
        for segment in self._segments:
            rows, here = segment.rows.find(wanted)
            if here.any():
                taken[here] = segment.take(rows[here])
                missing &= ~here
        if missing.any():
            raise InvalidInput(f"the index has no vector with the id {wanted[missing][0]}")
        return taken

    # --- changing ---

    def with_changes(self, *, add: tuple[ArrayLike, NDArray[Any]] | None = None, remove: ArrayLike = ()) -> Self:
        """Return an index without the ids `remove` and with `add` (ids and raw vectors), which replace what they had.

        Raises:
            InvalidInput, ModelMismatch: as `build`.
        """
        gone = np.asarray(remove, np.int64).reshape(-1)
        fresh: tuple[Segment, ...] = ()
        if add is not None and np.size(add[0]):
            ids, order = ascending(add[0])
            gone = np.union1d(gone, ids)
            fresh = (segment_of(self.dimension, ids, [self._prepare(add[1][order])]),)
        if not len(gone):
            return self
        kept = tuple(self._without(segment, gone) for segment in self._segments)
        tail = settled((*kept[1:], *fresh), size=lambda segment: segment.rows.live, join=self._joined)
        return self._with_segments((kept[0], *tail))

    def merged(self) -> Self:
        """Return an index with the same contents and no tail. Takes time and memory: do it in the background."""
        ids = self.ids()
        gathered = (self.vectors(ids[i : i + BLOCK]) for i in range(0, len(ids), BLOCK))
        return self._with_base(segment_of(self.dimension, ids, gathered))

    # --- asking ---

    def search(self, question: ArrayLike, k: int, allowed: Mask | None = None) -> Hits:
        """Return the k nearest of the allowed ids.

        Args:
            question: (d,) centred unit vector.
            k: how many; fewer come back when fewer are allowed.
            allowed: boolean array over ids; ids beyond its end are not allowed. None allows all.
        """
        return self.search_many(np.asarray(question, np.float32).reshape(1, -1), k, allowed)[0]

    def search_many(self, questions: ArrayLike, k: int, allowed: Mask | None = None) -> list[Hits]:
        """Return for each of the (m, d) questions what `search` would, in one go."""
        asked = self._questions(questions)
        if k <= 0 or not len(asked):
            return [Hits(np.zeros(0, np.int64), np.zeros(0, np.float32)) for _ in asked]
        per_segment = [segment.candidates(asked, k, allowed) for segment in self._segments]
        results = []
        for number, question in enumerate(asked):
            ids, scores = [], []
            for segment, candidates in zip(self._segments, per_segment, strict=True):
                ids.append(segment.rows.ids[candidates[number]])
                scores.append(cosines(segment.take(candidates[number]), question))
            results.append(best(np.concatenate(ids), np.concatenate(scores), k))
        return results

    def score(self, question: ArrayLike, ids: ArrayLike) -> NDArray[np.float32]:
        """Return the cosines of the question with each of `ids`; NaN for an id that is not here."""
        wanted = np.asarray(ids, np.int64)
        asked = self._questions(np.asarray(question, np.float32).reshape(1, -1))[0]
        scores = np.full(len(wanted), np.nan, np.float32)
        for segment in self._segments:
            rows, here = segment.rows.find(wanted)
            if here.any():
                scores[here] = cosines(segment.take(rows[here]), asked)
        return scores

    def above(self, questions: ArrayLike, threshold: float) -> Matches:
        """Return every pair of a question and an id whose cosine is at least `threshold`, exactly.

        Memory stays bounded: vectors are multiplied out block by block.
        """
        asked = self._questions(questions)
        found = [segment.above(asked, threshold) for segment in self._segments]
        numbers, ids, scores = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.lexsort((ids, numbers))
        return Matches(numbers[order], ids[order], scores[order].astype(np.float32))

    # --- inside ---

    def _with_segments(self, segments: tuple[Segment, ...]) -> Self:
        return type(self)(segments, centre=self._centre, exact_below=self._exact_below, stamp=self.stamp)

    def _with_base(self, base: Segment) -> Self:
        inverted = inverted_file(base.codes) if len(base.rows.ids) >= self._exact_below else None
        return self._with_segments((replace(base, inverted=inverted),))

    def _without(self, segment: Segment, ids: Ids) -> Segment:
        rows = segment.rows.without(ids)
        return segment if rows is segment.rows else replace(segment, rows=rows)

    def _joined(self, older: Segment, newer: Segment) -> Segment:
        ids = np.concatenate([segment.rows.ids[segment.rows.living()] for segment in (older, newer)])
        vectors = np.concatenate([segment.take(segment.rows.living()) for segment in (older, newer)])
        order = np.argsort(ids)
        return segment_of(self.dimension, ids[order], [vectors[order]])

    def _prepare(self, vectors: NDArray[Any]) -> Vectors:
        raw = np.asarray(vectors, np.float32)
        if raw.ndim != 2 or raw.shape[1] != self.dimension:
            raise ModelMismatch(f"the memory's vectors have {self.dimension} numbers, these have the shape {raw.shape}")
        if not np.isfinite(raw).all():
            raise InvalidInput("a vector holds a number that is not finite: embed its text again")
        centred = raw - self._centre
        return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), np.float32(1e-9)))

    def _questions(self, questions: ArrayLike) -> Vectors:
        asked = np.ascontiguousarray(questions, np.float32)
        if asked.ndim != 2 or asked.shape[1] != self.dimension:
            raise ModelMismatch(
                f"the memory's vectors have {self.dimension} numbers, the question has the shape {asked.shape}"
            )
        return asked
