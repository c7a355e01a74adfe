"""The parts that vectors and words have in common: rows with ids, tombstones, and a tail of segments.

An index is a row of segments, the base first. A segment is never changed; removing an id marks its row dead in a new view of the
segment. The segments of the tail are joined as they grow, each at least twice as large as the next, so that n additions one by one
leave about log2(n) segments and each was copied about log2(n) times (the idea of log-structured merge trees, O'Neil et al. 1996).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lpmm_core.base.errors import InvalidInput

Ids = NDArray[np.int64]
"""(n,) positive row ids."""

Mask = NDArray[np.bool_]
"""(n,) one truth a row, or, as `allowed`, one an id."""

S = TypeVar("S")
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What a search found, best first; equal scores by id."""

    ids: Ids
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The ids of a segment's rows, ascending, and which of them are dead."""

    ids: Ids
    dead: Mask | None = None
    live: int = 0

    @classmethod
    def of(cls, ids: Ids) -> Rows:
        """Take ascending ids, all alive."""
        return cls(ids, None, len(ids))

    def find(self, ids: Ids) -> tuple[NDArray[np.intp], Mask]:
        """Return for each of `ids` its row, and whether it is here and alive; the row of an absent one means nothing."""
        if not len(self.ids):
            return np.zeros(len(ids), np.intp), np.zeros(len(ids), np.bool_)
        rows = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        here = self.ids[rows] == ids
        if self.dead is not None:
            here &= ~self.dead[rows]
        return rows, here

    def without(self, ids: Ids) -> Rows:
        """Return these rows with `ids` dead; the same object when none of them was alive here."""
        rows, here = self.find(ids)
        if not here.any():
            return self
        dead = np.zeros(len(self.ids), np.bool_) if self.dead is None else self.dead.copy()
        dead[rows[here]] = True
        return replace(self, dead=dead, live=len(dead) - int(np.count_nonzero(dead)))

    def living(self) -> NDArray[np.intp]:
        """Return the rows that are alive."""
        return np.arange(len(self.ids)) if self.dead is None else np.flatnonzero(~self.dead)

    def permitted(self, allowed: Mask | None) -> Mask | None:
        """Return which rows are alive and allowed; None when all are."""
        if allowed is None:
            return None if self.dead is None else ~self.dead
        permitted = self._allowed(allowed)
        if self.dead is not None:
            permitted = permitted & ~self.dead
        return permitted

    def _allowed(self, allowed: Mask) -> Mask:
        if not len(self.ids):
            return np.zeros(0, np.bool_)
        first, last = int(self.ids[0]), int(self.ids[-1])
        if last < len(allowed):
            # Without holes the ids are one slice, which is much cheaper than picking a million truths one by one.
            return allowed[first : last + 1] if last - first + 1 == len(self.ids) else allowed[self.ids]
        inside = int(np.searchsorted(self.ids, len(allowed)))
        return np.concatenate([allowed[self.ids[:inside]], np.zeros(len(self.ids) - inside, np.bool_)])


def ascending(ids: ArrayLike) -> tuple[Ids, NDArray[np.intp]]:
    """Return `ids` as an ascending array, and the order that makes it so.

    Raises:
        InvalidInput: an id is not positive, or stands twice.
    """
    given = np.asarray(ids, np.int64).reshape(-1)
    order = np.argsort(given, kind="stable")
    ordered = given[order]
    if len(ordered) and ordered[0] <= 0:
        raise InvalidInput(f"row ids must be positive, got {ordered[0]}")
    twice = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(twice):
        raise InvalidInput(f"row id {ordered[twice[0]]} was given twice")
    return ordered, order


def settled(segments: tuple[S, ...], *, size: Callable[[S], int], join: Callable[[S, S], S]) -> tuple[S, ...]:
    """Join segments from the end until each is at least twice as large as the next; empty ones fall away."""
    kept = [segment for segment in segments if size(segment)]
    while len(kept) > 1 and size(kept[-2]) < 2 * size(kept[-1]):
        newer = kept.pop()
        kept[-1] = join(kept[-1], newer)
    return tuple(kept)


def best(ids: Ids, scores: NDArray[np.float64], k: int) -> Hits:
    """Return the k best of `ids`, equal scores by id."""
    if 0 < k < len(ids):
        enough = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        ids, scores = ids[enough], scores[enough]
    order = np.lexsort((ids, -scores))[: max(k, 0)]
    return Hits(ids[order], scores[order].astype(np.float32))


class Layers(Generic[K, V]):
    """A small mapping that can be changed without disturbing whoever holds the old one: what a tail says about single keys."""

    def __init__(self, layers: tuple[Mapping[K, V], ...] = ()) -> None:
        self._layers = layers  # the newest last

    def __contains__(self, key: K) -> bool:
        return any(key in layer for layer in self._layers)

    def __getitem__(self, key: K) -> V:
        for layer in reversed(self._layers):
            if key in layer:
                return layer[key]
        raise KeyError(key)

    def items(self) -> Iterator[tuple[K, V]]:
        """Yield every key once, with what was said of it last."""
        together: dict[K, V] = {}
        for layer in self._layers:
            together.update(layer)
        yield from together.items()

    def __len__(self) -> int:
        return len(set().union(*self._layers))

    def updated(self, changes: Mapping[K, V]) -> Layers[K, V]:
        """Return a mapping in which `changes` stand above what was said before."""
        joined = settled((*self._layers, dict(changes)), size=len, join=lambda older, newer: {**older, **newer})
        return Layers(joined)
