"""Vectors of one segment, kept as float16 codes that Faiss can scan, and what can be asked of them alone.

Faiss's own scores decide only which rows are looked at closely: its float32 sums depend in their last digits on where a row stands, and
a score that is handed out must not. A memory of a million vectors must not become resident either because a hundred rows are looked
at in it: what single rows of a large base made resident is let go of again.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from lpmm_core.base.records import Vectors
from lpmm_core.index.inverted import propose
from lpmm_core.index.segments import Ids, Mask, Rows

BLOCK = 16_384
"""Vectors that are decoded at once."""

_SPARE = 16
_FEW = 128  # so many are scored at once: waking Faiss's threads would take longer
_HELD = 2_000  # rows of a large base that are looked at before its pages are let go of
_FEW_QUESTIONS = 8  # so many are asked of Faiss, more are multiplied out
_ROUNDING = 1e-5  # more than float32 sums of a unit vector's products can be wrong
_PRODUCTS = 1 << 22  # numbers that are multiplied out at once

Pairs = tuple[NDArray[np.int64], Ids, NDArray[np.float64]]
"""Question numbers, ids, cosines."""


class RowFile:
    """Float16 rows at the end of a file, read through a map that is let go of again and again.

    Every row that is looked at makes its surroundings resident. Dropping them costs one call now and then, and reading them again a
    soft fault, since the system still has them cached.
    """

    def __init__(self, path: Path, *, dimension: int, rows: int) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        start = len(self._map) - 2 * dimension * rows
        self._rows = np.frombuffer(self._map, np.uint8, offset=start).reshape(rows, 2 * dimension)
        self._looked_at = 0

    def read(self, rows: NDArray[np.int64]) -> Vectors:
        """Return the vectors of `rows`."""
        vectors = self._rows[rows].view(np.float16).astype(np.float32)
        self._looked_at += len(rows)
        if self._looked_at > _HELD:
            self._map.madvise(mmap.MADV_DONTNEED)
            self._looked_at = 0
        return vectors


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Vectors in a Faiss store of float16 codes, row by row. A large base has an inverted file over the same rows."""

    rows: Rows
    codes: Any
    inverted: Any = None
    file: RowFile | None = None

    def take(self, rows: NDArray[Any]) -> Vectors:
        """Return the vectors of `rows`."""
        wanted = np.ascontiguousarray(rows, np.int64)
        if self.file is not None:
            return self.file.read(wanted)
        return np.asarray(self.codes.reconstruct_batch(wanted), np.float32)

    def blocks(self) -> Iterator[tuple[int, Vectors]]:
        """Yield all vectors in blocks, each with its first row."""
        for start in range(0, len(self.rows.ids), BLOCK):
            yield start, self.codes.reconstruct_n(start, min(BLOCK, len(self.rows.ids) - start))

    def candidates(self, questions: Vectors, k: int, allowed: Mask | None) -> list[NDArray[np.int64]]:
        """Return for each question rows that hold its k best, and some more."""
        permitted = self.rows.permitted(allowed)
        count = self.rows.live if permitted is None else int(np.count_nonzero(permitted))
        if count <= max(k + _SPARE, _FEW):
            few = self.rows.living() if permitted is None else np.flatnonzero(permitted)
            return [few] * len(questions)
        # The selector points to `bits` and does not keep it alive.
        bits = None if permitted is None else np.packbits(permitted, bitorder="little")
        selector = None if bits is None else faiss.IDSelectorBitmap(len(self.rows.ids), faiss.swig_ptr(bits))
        if self.inverted is not None:
            proposed = propose(self.inverted, questions, k, count=count, selector=selector)
            if proposed is not None:
                return proposed
        found: list[NDArray[np.int64]] = [np.zeros(0, np.int64)] * len(questions)
        pending, fetch = np.arange(len(questions)), min(count, k + _SPARE)
        while len(pending):
            scores, rows = self._scan(questions[pending], fetch, selector)
            # Done where the last is clearly worse than the k-th: else there may be equals that were not fetched.
            done = np.full(len(pending), fetch == count) | (scores[:, min(k, fetch) - 1] - scores[:, -1] > _ROUNDING)
            for question, row in zip(pending[done], rows[done], strict=True):
                found[question] = row
            pending, fetch = pending[~done], min(count, 4 * fetch)
        return found

    def above(self, questions: Vectors, threshold: float) -> Pairs:
        """Return every pair of a question and a living row whose cosine is at least `threshold`, in no order."""
        alive = self.rows.permitted(None)
        few = len(questions) <= _FEW_QUESTIONS and len(self.rows.ids) > BLOCK
        near = self._near_of_few(questions, threshold) if few else self._near(questions, threshold)
        pairs: list[Pairs] = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
        for numbers, rows, vectors in near:
            if alive is not None:
                kept = alive[rows]
                numbers, rows, vectors = numbers[kept], rows[kept], vectors[kept]
            found = cosines(vectors, questions[numbers])
            enough = found >= threshold
            pairs.append((numbers[enough], self.rows.ids[rows[enough]], found[enough]))
        numbers, ids, scores = (np.concatenate(column) for column in zip(*pairs, strict=True))
        return numbers, ids, scores

    def _near(
        self, questions: Vectors, threshold: float
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Vectors]]:
        """Yield question numbers, rows and vectors of what may be near enough, by multiplying everything out in bounded parts."""
        for start, block in self.blocks():
            height = max(1, _PRODUCTS // len(block))
            for first in range(0, len(questions), height):
                products = questions[first : first + height] @ block.T
                # One flat search for the few truths is many times faster than numpy's search in two dimensions.
                which, rows = np.divmod(np.flatnonzero(products >= threshold - _ROUNDING), len(block))
                for begin in range(0, len(which), BLOCK):
                    part = rows[begin : begin + BLOCK]
                    yield which[begin : begin + BLOCK] + first, part + start, block[part]

    def _near_of_few(
        self, questions: Vectors, threshold: float
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Vectors]]:
        """Do the same by asking Faiss for more and more neighbours: it scans codes without decoding them into memory first."""
        pending, fetch = np.arange(len(questions)), min(len(self.rows.ids), 64)
        while len(pending):
            scores, rows = self._scan(questions[pending], fetch, None)
            done = np.full(len(pending), fetch == len(self.rows.ids)) | (scores[:, -1] < threshold - _ROUNDING)
            for question, row, score in zip(pending[done], rows[done], scores[done], strict=True):
                close = row[score >= threshold - _ROUNDING]
                for begin in range(0, len(close), BLOCK):
                    part = close[begin : begin + BLOCK]
                    yield np.full(len(part), question), part, self.take(part)
            pending, fetch = pending[~done], min(len(self.rows.ids), 8 * fetch)

    def _scan(self, questions: Vectors, fetch: int, selector: Any) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        parameters = None if selector is None else faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]  # its stubs are short
        scores, rows = self.codes.search(questions, fetch, params=parameters)
        return scores, rows


def segment_of(dimension: int, ids: Ids, blocks: Iterable[Vectors]) -> Segment:
    """Make a segment of unit vectors, given in blocks in the order of `ids`, which ascend."""
    codes = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    codes.train(np.zeros((1, dimension), np.float32))
    for block in blocks:
        codes.add(np.ascontiguousarray(block, np.float32))
    return Segment(Rows.of(ids), codes)


def cosines(vectors: Vectors, question: Vectors) -> NDArray[np.float64]:
    """Multiply row by row, in float64: unlike a matrix product, a row's result does not depend on its neighbours."""
    return np.asarray((vectors.astype(np.float64) * question).sum(axis=1))
