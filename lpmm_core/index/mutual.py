"""Synonyms as the graph uses them: of all stored pairs only those where each is among the other's nearest.

Every pair above the threshold is stored, and a common name has hundreds of them; left alone they would make the graph one lump. So an
entity keeps its nearest few (by cosine, then id), and a pair counts only when both keep each other. That is symmetric, and does not
depend on the order in which pairs came.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.adjacency import Amounts, Numbers, exact
from lpmm_core.index.segments import Ids, Layers


@dataclass(frozen=True, slots=True, eq=False)
class SynonymPairs:
    """Pairs of entities with the cosine of their names, in any order and direction; of a pair that stands twice the larger cosine counts.

    As a change, a cosine of 0 takes the pair away.
    """

    left: ArrayLike = ()
    right: ArrayLike = ()
    cosines: ArrayLike = ()

    def columns(self) -> tuple[Ids, Ids, Amounts]:
        """Return each pair once, (smaller id, larger id, cosine); pairs of an entity with itself are left out.

        Raises:
            InvalidInput: the three do not have the same length, or a cosine is negative.
        """
        left, right = np.asarray(self.left, np.int64), np.asarray(self.right, np.int64)
        cosines = exact(self.cosines)
        if not len(left) == len(right) == len(cosines):
            raise InvalidInput(
                f"synonyms need as many left as right ends and cosines, got {len(left)}, {len(right)}, {len(cosines)}"
            )
        if len(cosines) and not cosines.min() >= 0:
            raise InvalidInput(f"a synonym's cosine must not be negative, got {cosines.min()}")
        low, high = np.minimum(left, right), np.maximum(left, right)
        order = np.lexsort((-cosines, high, low))
        order = order[low[order] != high[order]]
        low, high, cosines = low[order], high[order], cosines[order]
        first = np.append(True, (low[1:] != low[:-1]) | (high[1:] != high[:-1]))[: len(low)]
        return low[first], high[first], cosines[first]


Row = tuple[Ids, Amounts]
"""The synonyms of one entity: ids and cosines, the nearest first."""

_NONE: Row = (np.zeros(0, np.int64), np.zeros(0))


@dataclass(frozen=True, slots=True, eq=False)
class Synonyms:
    """All pairs, by entity id. Those of `owners[i]` stand from `starts[i]` to `starts[i + 1]`, the nearest first."""

    owners: Ids
    starts: Numbers
    others: Ids
    cosines: Amounts
    limit: int
    tail: Layers[int, Row]

    @classmethod
    def build(cls, pairs: SynonymPairs, *, limit: int) -> Self:
        """Take pairs of which each entity keeps its `limit` nearest."""
        low, high, cosines = pairs.columns()
        present = cosines > 0
        owner = np.concatenate([low[present], high[present]])
        other = np.concatenate([high[present], low[present]])
        cosine = np.concatenate([cosines[present], cosines[present]])
        order = np.lexsort((other, -cosine, owner))
        owners, starts = np.unique(owner[order], return_index=True)
        return cls(owners, np.append(starts, len(order)).astype(np.int64), other[order], cosine[order], limit, Layers())

    def of(self, entity: int) -> Row:
        """Return every stored synonym of `entity`, the nearest first."""
        if entity in self.tail:
            return self.tail[entity]
        row = int(np.searchsorted(self.owners, entity))
        if row == len(self.owners) or self.owners[row] != entity:
            return _NONE
        here = slice(int(self.starts[row]), int(self.starts[row + 1]))
        return self.others[here], self.cosines[here]

    def kept(self, entity: int) -> dict[int, float]:
        """Return the synonyms of `entity` that count: each among the other's nearest."""
        ids, cosines = self.of(entity)
        near = zip(ids[: self.limit].tolist(), cosines[: self.limit].tolist(), strict=True)
        return {other: cosine for other, cosine in near if entity in self.of(other)[0][: self.limit]}

    def all_kept(self) -> tuple[Ids, Ids, Amounts]:
        """Return every pair that counts, once, the smaller id first. The tail must be empty."""
        owner = np.repeat(self.owners, np.diff(self.starts))
        rank = np.arange(len(owner)) - np.repeat(self.starts[:-1], np.diff(self.starts))
        near = rank < self.limit
        owner, other, cosine = owner[near], self.others[near], self.cosines[near]
        low, high = np.minimum(owner, other), np.maximum(owner, other)
        order = np.lexsort((high, low))
        low, high, cosine = low[order], high[order], cosine[order]
        both = np.flatnonzero((low[1:] == low[:-1]) & (high[1:] == high[:-1]))
        return low[both], high[both], cosine[both]

    def pairs(self) -> SynonymPairs:
        """Return every stored pair, once."""
        rows = [(owner, *self.of(owner)) for owner, _ in self.tail.items()]
        changed = np.array([owner for owner, _ in self.tail.items()], np.int64)
        owner = np.repeat(self.owners, np.diff(self.starts))
        old = ~np.isin(owner, changed)
        left = np.concatenate([owner[old], *(np.full(len(ids), entity) for entity, ids, _ in rows)])
        right = np.concatenate([self.others[old], *(ids for _, ids, _ in rows)])
        cosines = np.concatenate([self.cosines[old], *(near for _, _, near in rows)])
        once = left < right
        return SynonymPairs(left[once], right[once], cosines[once])

    def changed(self, changes: SynonymPairs) -> tuple[Synonyms, tuple[Ids, Ids, Amounts]]:
        """Apply `changes`; return the result, and what is to be added to the weights: (id, id, amount), each pair once."""
        touched: dict[int, dict[int, float]] = {}
        for low, high, cosine in zip(*(column.tolist() for column in changes.columns()), strict=True):
            touched.setdefault(low, {})[high] = cosine
            touched.setdefault(high, {})[low] = cosine
        rows = {entity: _merged_row(self.of(entity), given) for entity, given in touched.items()}
        result = Synonyms(self.owners, self.starts, self.others, self.cosines, self.limit, self.tail.updated(rows))
        amounts: dict[tuple[int, int], float] = {}
        for entity in touched:
            before, after = self.kept(entity), result.kept(entity)
            for other in before.keys() | after.keys():
                difference = after.get(other, 0.0) - before.get(other, 0.0)
                if difference:
                    amounts[min(entity, other), max(entity, other)] = difference
        ends = np.array(list(amounts), np.int64).reshape(-1, 2)
        return result, (ends[:, 0], ends[:, 1], np.array(list(amounts.values()), np.float64))


def _merged_row(row: Row, given: dict[int, float]) -> Row:
    ids, cosines = row
    old = ~np.isin(ids, np.fromiter(given, np.int64, len(given)))
    fresh = [(other, cosine) for other, cosine in given.items() if cosine > 0]
    together = np.concatenate([ids[old], np.array([other for other, _ in fresh], np.int64)])
    near = np.concatenate([cosines[old], np.array([cosine for _, cosine in fresh], np.float64)])
    order = np.lexsort((together, -near))
    return together[order], near[order]
