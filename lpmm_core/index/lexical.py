"""The lexical index: which texts use the words of a question, ranked by BM25 (Robertson and Zaragoza 2009).

Postings are kept per segment: for each term the rows that have it and how often. Counts of texts and their mean length are taken
over what is alive now, at query time, so an index that was updated scores like one that was built anew. Terms are known by a 64-bit
hash, which makes the dictionary of a base one sorted array that needs no loading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index import tokens
from lpmm_core.index.files import Stamp, UnusableBase, open_base, save_base
from lpmm_core.index.segments import Hits, Ids, Mask, Rows, ascending, best, settled

K1 = 1.2
"""How soon repeating a word stops to count (measured, docs/decisions/0003-indexes.md)."""

B = 0.4
"""How much a long text is held against itself (measured, docs/decisions/0003-indexes.md)."""

_MOST = 255  # a word said more often counts as if said so often: BM25 has long stopped to care
_KIND = "lexical"


@dataclass(frozen=True, slots=True, eq=False)
class _Segment:
    """Postings of some texts: of term number t they are `posted[starts[t]:starts[t + 1]]`, rows in ascending order."""

    rows: Rows
    lengths: NDArray[np.int32]
    terms: NDArray[np.uint64]
    starts: NDArray[np.int64]
    posted: NDArray[np.int32]
    frequencies: NDArray[np.uint8]
    total: int
    """Tokens of the texts that are alive."""

    def postings(self, term: np.uint64) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        number = int(np.searchsorted(self.terms, term))
        if number == len(self.terms) or self.terms[number] != term:
            return self.posted[:0], self.frequencies[:0]
        here = slice(int(self.starts[number]), int(self.starts[number + 1]))
        rows, frequencies = self.posted[here], self.frequencies[here]
        if self.rows.dead is not None:
            alive = ~self.rows.dead[rows]
            rows, frequencies = rows[alive], frequencies[alive]
        return rows, frequencies

    def without(self, ids: Ids) -> _Segment:
        rows, here = self.rows.find(ids)
        if not here.any():
            return self
        return replace(self, rows=self.rows.without(ids), total=self.total - int(self.lengths[rows[here]].sum()))

    def triples(self) -> tuple[NDArray[np.uint64], Ids, NDArray[np.uint8]]:
        """Return (term, id, frequency) of everything that is alive."""
        terms = np.repeat(self.terms, np.diff(self.starts))
        ids = self.rows.ids[self.posted]
        if self.rows.dead is None:
            return terms, ids, np.asarray(self.frequencies)
        alive = ~self.rows.dead[self.posted]
        return terms[alive], ids[alive], self.frequencies[alive]


class LexicalIndex:
    """Words of texts by id. Every change returns a new index; this one stays as it is, and threads may share it."""

    def __init__(self, segments: tuple[_Segment, ...], *, stamp: Stamp | None = None) -> None:
        self._segments = segments  # the base, then the tail
        self._count = sum(segment.rows.live for segment in segments)
        self._mean_length = sum(segment.total for segment in segments) / max(1, self._count)
        self.stamp = stamp or Stamp()
        """What the base was made from."""

    @classmethod
    def build(cls, ids: ArrayLike = (), texts: Sequence[str] = ()) -> Self:
        """Build an index of everything.

        Args:
            ids: (n,) positive row ids, each once, in any order.
            texts: n texts; a title stands on a text's first line.

        Raises:
            InvalidInput: an id is not positive or stands twice, or there are not as many texts as ids.
        """
        return cls((_segment_of(ids, texts),))

    @classmethod
    def open(cls, directory: Path) -> Self:
        """Open a base that `save` wrote.

        Raises:
            UnusableBase: there is none, it is damaged, or it was made by another version of the tokeniser.
        """
        base = open_base(directory, kind=_KIND)
        if base.settings.get("tokens") != tokens.VERSION:
            raise UnusableBase(
                f"the index {directory} was made by version {base.settings.get('tokens')} of the tokeniser"
            )
        segment = _Segment(
            Rows.of(base.array("ids")),
            base.array("lengths"),
            base.array("terms"),
            base.array("starts"),
            base.array("posted"),
            base.array("frequencies"),
            int(base.settings["total"]),
        )
        return cls((segment,), stamp=base.stamp)

    def save(self, directory: Path, stamp: Stamp) -> None:
        """Write the base to `directory`, to be opened again; an index with a tail is merged first.

        Raises:
            StorageFull: the disk refused.
        """
        if self.tail:
            self.merged().save(directory, stamp)
            return
        base = self._segments[0]
        arrays: dict[str, NDArray[Any]] = {
            "ids": base.rows.ids,
            "lengths": base.lengths,
            "terms": base.terms,
            "starts": base.starts,
            "posted": base.posted,
            "frequencies": base.frequencies,
        }
        settings = {"tokens": tokens.VERSION, "total": base.total}
        save_base(directory, kind=_KIND, stamp=stamp, arrays=arrays, settings=settings)

    # --- what it holds ---

    def __len__(self) -> int:
        return self._count

    @property
    def tail(self) -> int:
        """How much has changed since the base was made: rows added and rows removed. Merge when it grows past a tenth."""
        base, *rest = self._segments
        return len(base.rows.ids) - base.rows.live + sum(segment.rows.live for segment in rest)

    def ids(self) -> Ids:
        """Return every id, ascending."""
        return np.sort(np.concatenate([segment.rows.ids[segment.rows.living()] for segment in self._segments]))

    # --- changing ---

    def with_changes(self, *, add: tuple[ArrayLike, Sequence[str]] | None = None, remove: ArrayLike = ()) -> Self:
        """Return an index without the ids `remove` and with `add` (ids and texts), which replace what they had.

        Raises:
            InvalidInput: as `build`.
        """
        gone = np.asarray(remove, np.int64).reshape(-1)
        fresh: tuple[_Segment, ...] = ()
        if add is not None and np.size(add[0]):
            fresh = (_segment_of(*add),)
            gone = np.union1d(gone, fresh[0].rows.ids)
        if not len(gone):
            return self
        base, *tail = (segment.without(gone) for segment in self._segments)
        kept = settled(
            (*tail, *fresh), size=lambda segment: segment.rows.live, join=lambda older, newer: _joined((older, newer))
        )
        return type(self)((base, *kept), stamp=self.stamp)

    def merged(self) -> Self:
        """Return an index with the same contents and no tail. Takes time and memory: do it in the background."""
        return type(self)((_joined(self._segments),), stamp=self.stamp)

    # --- asking ---

    def search(self, text: str, k: int, allowed: Mask | None = None, *, k1: float = K1, b: float = B) -> Hits:
        """Return the k allowed ids whose texts match best; texts that share no word with the question are no hits.

        Args:
            text: the question, in any language.
            k: how many; fewer come back when fewer match.
            allowed: boolean array over ids; ids beyond its end are not allowed. None allows all. Word statistics are the
                whole memory's, whatever is allowed.
            k1: how soon repeating a word stops to count; 0 counts presence only.
            b: how much a long text is held against itself, from 0 to 1.
        """
        wanted = [(_hash(token), weight) for token, weight in tokens.question_tokens(text).items()]
        postings = [[segment.postings(term) for term, _ in wanted] for segment in self._segments]
        counts = np.array([[len(rows) for rows, _ in column] for column in postings], np.int64).sum(axis=0)
        rarity = np.log1p((self._count - counts + 0.5) / (counts + 0.5))
        factors = rarity * np.array([weight for _, weight in wanted]) * (k1 + 1)
        ids, scores = [np.zeros(0, np.int64)], [np.zeros(0)]
        for segment, columns in zip(self._segments, postings, strict=True):
            found, points = self._points(segment, columns, factors, k1, b)
            if allowed is not None:
                inside = found < len(allowed)
                inside[inside] = allowed[found[inside]]
                found, points = found[inside], points[inside]
            ids.append(found)
            scores.append(points)
        return best(np.concatenate(ids), np.concatenate(scores), k)

    def frequency(self, text: str) -> int:
        """Return how many texts hold the rarest token of `text`: no fewer than hold all of it."""
        terms = [_hash(token) for token in dict.fromkeys(tokens.tokens(text))]
        return min((sum(len(segment.postings(term)[0]) for segment in self._segments) for term in terms), default=0)

    def _points(
        self,
        segment: _Segment,
        columns: Sequence[tuple[NDArray[np.int32], NDArray[np.uint8]]],
        factors: NDArray[np.float64],
        k1: float,
        b: float,
    ) -> tuple[Ids, NDArray[np.float64]]:
        if not sum(len(rows) for rows, _ in columns):
            return np.zeros(0, np.int64), np.zeros(0)
        rows = np.concatenate([rows for rows, _ in columns])
        frequencies = np.concatenate([frequencies for _, frequencies in columns]).astype(np.float64)
        slowness = k1 * (1 - b + b * segment.lengths[rows] / (self._mean_length or 1.0))
        points = frequencies / (frequencies + slowness) * np.repeat(factors, [len(rows) for rows, _ in columns])
        # Each text's points are added in the order of the question's words, whichever segment it stands in: sums are equal to the bit.
        sums = np.asarray(np.bincount(rows, points, minlength=len(segment.rows.ids)), np.float64)
        matching = np.flatnonzero(sums)
        return segment.rows.ids[matching], sums[matching]


def _segment_of(ids: ArrayLike, texts: Sequence[str]) -> _Segment:
    ordered, order = ascending(ids)
    if len(ordered) != len(texts):
        raise InvalidInput(f"{len(ordered)} ids came with {len(texts)} texts")
    numbers: dict[str, int] = {}
    found: list[int] = []
    counts: list[int] = []
    distinct, lengths = np.zeros(len(ordered), np.int64), np.zeros(len(ordered), np.int32)
    for row, place in enumerate(order):
        counted = Counter(tokens.tokens(texts[place]))
        found.extend(numbers.setdefault(token, len(numbers)) for token in counted)
        counts.extend(counted.values())
        distinct[row], lengths[row] = len(counted), counted.total()
    hashes = np.fromiter((_hash(token) for token in numbers), np.uint64, len(numbers))
    terms = hashes[np.array(found, np.int64)]
    return _posted(ordered, lengths, terms, np.repeat(ordered, distinct), np.minimum(counts, _MOST).astype(np.uint8))


def _joined(segments: Sequence[_Segment]) -> _Segment:
    living = [segment.rows.living() for segment in segments]
    ids = np.concatenate([segment.rows.ids[rows] for segment, rows in zip(segments, living, strict=True)])
    lengths = np.concatenate([segment.lengths[rows] for segment, rows in zip(segments, living, strict=True)])
    order = np.argsort(ids)
    terms, owners, frequencies = (
        np.concatenate(column) for column in zip(*(s.triples() for s in segments), strict=True)
    )
    return _posted(ids[order], lengths[order], terms, owners, frequencies)


def _posted(
    ids: Ids, lengths: NDArray[np.int32], terms: NDArray[np.uint64], owners: Ids, frequencies: NDArray[np.uint8]
) -> _Segment:
    rows = np.searchsorted(ids, owners).astype(np.int32)
    order = np.lexsort((rows, terms))
    distinct, starts = np.unique(terms[order], return_index=True)
    bounds = np.append(starts, len(terms)).astype(np.int64)
    return _Segment(Rows.of(ids), lengths, distinct, bounds, rows[order], frequencies[order], int(lengths.sum()))


def _hash(token: str) -> np.uint64:
    return np.uint64(int.from_bytes(blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"))
