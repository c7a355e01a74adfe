"""What passages say about the graph, kept so that any of it can be taken back.

A passage contributes pairs of entities (the facts it states), the entities it mentions, and those in its title. The topology's weights
are nothing but the sum of contributions and synonyms, so replacing or removing a passage subtracts exactly what it had added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.adjacency import Amounts, Numbers, exact
from lpmm_core.index.segments import Ids, Layers, Mask

MENTION = 1.0
"""Weight between a passage and an entity that it mentions."""

TITLE = 3.0
"""Weight added when the entity stands in the passage's title."""

_WEIGHT = np.array([0.0, MENTION, TITLE, MENTION + TITLE])  # by the two flags: mentioned, in the title


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """What one passage adds: pairs of entities with an amount each (those of equal pairs add up), mentions and title entities (sets).

    Under a negative key it stands for something that is no passage, a fact made by hand or an imported weight: then it has pairs only.
    """

    left: ArrayLike = ()
    right: ArrayLike = ()
    amounts: ArrayLike = ()
    mentions: ArrayLike = ()
    titles: ArrayLike = ()


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """Contributions of many passages as flat columns, in any order: `*_keys` says whose each row is."""

    pair_keys: ArrayLike = ()
    left: ArrayLike = ()
    right: ArrayLike = ()
    amounts: ArrayLike = ()
    mention_keys: ArrayLike = ()
    mentions: ArrayLike = ()
    title_keys: ArrayLike = ()
    titles: ArrayLike = ()

    @classmethod
    def of(cls, single: Mapping[int, Contribution]) -> Self:
        """Put contributions by key into columns."""

        def column(values: list[ArrayLike]) -> Ids:
            return np.concatenate(
                [np.zeros(0, np.int64), *(np.asarray(value, np.int64).reshape(-1) for value in values)]
            )

        def keys(values: list[ArrayLike]) -> Ids:
            return np.repeat(
                np.fromiter(single, np.int64, len(single)), [np.size(np.asarray(value)) for value in values]
            )

        every = list(single.values())
        left, mentions, titles = ([c.left for c in every], [c.mentions for c in every], [c.titles for c in every])
        amounts = np.concatenate([np.zeros(0), *(np.asarray(c.amounts, np.float64).reshape(-1) for c in every)])
        right = column([c.right for c in every])
        return cls(
            keys(left), column(left), right, amounts, keys(mentions), column(mentions), keys(titles), column(titles)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Contributions by key, ascending: pairs of `keys[i]` from `pair_starts[i]`, its entities with two flags from `entity_starts[i]`."""

    keys: Ids
    pair_starts: Numbers
    left: Ids
    right: Ids
    amounts: Amounts
    entity_starts: Numbers
    entities: Ids
    flags: NDArray[np.uint8]

    @classmethod
    def of(cls, given: Contributions) -> Self:
        """Order and check columns.

        Raises:
            InvalidInput: columns of one kind differ in length, an amount is negative, a key is 0, or a negative key has mentions.
        """
        pair_keys, left, right = (
            np.asarray(c, np.int64).reshape(-1) for c in (given.pair_keys, given.left, given.right)
        )
        amounts = exact(given.amounts).reshape(-1)
        mention_keys, mentions = (np.asarray(c, np.int64).reshape(-1) for c in (given.mention_keys, given.mentions))
        title_keys, titles = (np.asarray(c, np.int64).reshape(-1) for c in (given.title_keys, given.titles))
        if not len(pair_keys) == len(left) == len(right) == len(amounts):
            raise InvalidInput(f"pairs need two ends and an amount each, got {len(left)}, {len(right)}, {len(amounts)}")
        if len(mention_keys) != len(mentions) or len(title_keys) != len(titles):
            raise InvalidInput("mentions and titles need one key an entity")
        if len(amounts) and not amounts.min() >= 0:
            raise InvalidInput(f"an amount must not be negative, got {amounts.min()}")
        owner, entities = np.concatenate([mention_keys, title_keys]), np.concatenate([mentions, titles])
        flag = np.repeat(np.array([1, 2], np.uint8), [len(mentions), len(titles)])
        if len(owner) and owner.min() < 0:
            raise InvalidInput(f"only passages mention entities, got the key {owner.min()}")
        order = np.lexsort((entities, owner))
        owner, entities, flag = owner[order], entities[order], flag[order]
        first = np.flatnonzero(
            np.append(True, (owner[1:] != owner[:-1]) | (entities[1:] != entities[:-1]))[: len(owner)]
        )
        flags = np.bitwise_or.reduceat(flag, first) if len(first) else flag
        owner, entities = owner[first], entities[first]
        distinct = (left != right) & (amounts > 0)
        pair_keys, left, right, amounts = pair_keys[distinct], left[distinct], right[distinct], amounts[distinct]
        order = np.argsort(pair_keys, kind="stable")
        pair_keys, left, right, amounts = pair_keys[order], left[order], right[order], amounts[order]
        keys = np.union1d(pair_keys, owner)
        if np.any(keys == 0):
            raise InvalidInput("0 is no passage's row id")
        pair_starts, entity_starts = (
            np.searchsorted(column, np.append(keys, keys[-1:] + 1)) for column in (pair_keys, owner)
        )
        return cls(keys, pair_starts, left, right, amounts, entity_starts, entities, flags)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def pair_keys(self) -> Ids:
        """Whose each pair is."""
        return np.repeat(self.keys, np.diff(self.pair_starts)) if len(self.keys) else self.keys

    @property
    def entity_keys(self) -> Ids:
        """Whose each entity is."""
        return np.repeat(self.keys, np.diff(self.entity_starts)) if len(self.keys) else self.keys

    @property
    def entity_weights(self) -> Amounts:
        """Weight between passage and entity."""
        return _WEIGHT[self.flags]

    def rows(self, keys: Ids) -> Table:
        """Return the contributions of `keys` (ascending) that are here."""
        here = np.isin(keys, self.keys, assume_unique=True)
        chosen = np.searchsorted(self.keys, keys[here])
        return self._taken(chosen)

    def only(self, kept: Mask) -> Table:
        """Return the contributions of the rows where `kept` is true."""
        return self._taken(np.flatnonzero(kept))

    def _taken(self, rows: Numbers) -> Table:
        keys = self.keys[rows]
        if not len(rows):
            none, start = np.zeros(0, np.int64), np.zeros(0, np.int64)
            return Table(keys, start, none, none, np.zeros(0), start, none, np.zeros(0, np.uint8))
        pair_starts, pairs = _gathered(self.pair_starts, rows)
        entity_starts, entities = _gathered(self.entity_starts, rows)
        return Table(
            keys,
            pair_starts,
            self.left[pairs],
            self.right[pairs],
            self.amounts[pairs],
            entity_starts,
            self.entities[entities],
            self.flags[entities],
        )

    def columns(self) -> Contributions:
        """Return the contents as flat columns."""
        owner = self.entity_keys
        mentioned, titled = (self.flags & 1) > 0, (self.flags & 2) > 0
        return Contributions(
            self.pair_keys,
            self.left,
            self.right,
            self.amounts,
            owner[mentioned],
            self.entities[mentioned],
            owner[titled],
            self.entities[titled],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Ledger:
    """A base table, and what has been said since: a one-row table a key, or None for what was taken away."""

    base: Table
    tail: Layers[int, Table | None]

    def of(self, keys: Ids) -> list[Table]:
        """Return the present contributions of `keys` (ascending), in parts."""
        changed = [key for key in keys.tolist() if key in self.tail]
        parts = [table for key in changed if (table := self.tail[key]) is not None]
        return [self.base.rows(np.setdiff1d(keys, np.array(changed, np.int64), assume_unique=True)), *parts]

    def changed(self, changes: Mapping[int, Table | None]) -> Ledger:
        """Return a ledger in which `changes` stand."""
        return Ledger(self.base, self.tail.updated(changes))

    def whole(self) -> Contributions:
        """Return everything that stands now."""
        said = dict(self.tail.items())
        untouched = self.base.only(~np.isin(self.base.keys, np.fromiter(said, np.int64, len(said))))
        parts = [untouched.columns(), *(table.columns() for table in said.values() if table is not None)]
        names = ("pair_keys", "left", "right", "amounts", "mention_keys", "mentions", "title_keys", "titles")
        return Contributions(*(np.concatenate([np.asarray(getattr(part, name)) for part in parts]) for name in names))


def _gathered(starts: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    lengths = starts[rows + 1] - starts[rows]
    fresh = np.append(0, np.cumsum(lengths))
    return fresh, np.arange(fresh[-1]) + np.repeat(starts[rows] - fresh[:-1], lengths)
