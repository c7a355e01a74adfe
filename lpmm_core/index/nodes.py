"""How entities and passages become rows of one matrix, and back.

Entities and passages have id spaces of their own, and both grow. Ids are cut into pages of 1,024; a page gets the next free stretch of
nodes when its first id arrives. So both directions are arithmetic on whole arrays, growing copies a table of a few hundred numbers,
and a node never changes its number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.segments import Ids, Mask

PAGE = 1024
_BITS = 10


class NodeKind(IntEnum):
    """What a node stands for."""

    ENTITY = 0
    PASSAGE = 1


NodeNumbers = NDArray[np.int64]
"""(n,) rows of the matrix; -1 for an id that has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The numbering. `pages` holds, in node order, kind and page number of each stretch."""

    pages: NDArray[np.int64]
    tables: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of_pages(cls, pages: NDArray[np.int64]) -> Self:
        """Take the (p, 2) pages of a numbering that was saved."""
        tables = []
        for kind in NodeKind:
            mine = np.flatnonzero(pages[:, 0] == kind)
            table = np.full(int(pages[mine, 1].max(initial=-1)) + 1, -1, np.int64)
            table[pages[mine, 1]] = mine
            tables.append(table)
        return cls(pages, (tables[0], tables[1]))

    @property
    def size(self) -> int:
        """Number of rows of the matrix, those without an id included."""
        return len(self.pages) * PAGE

    def with_ids(self, kind: NodeKind, ids: ArrayLike) -> Nodes:
        """Return a numbering in which each of `ids` has a node.

        Raises:
            InvalidInput: an id is not positive.
        """
        wanted = np.asarray(ids, np.int64)
        if len(wanted) and wanted.min() <= 0:
            raise InvalidInput(f"row ids must be positive, got {wanted.min()}")
        needed = np.unique(wanted >> _BITS)
        table = self.tables[kind]
        known = needed[needed < len(table)]
        fresh = np.setdiff1d(needed, known[table[known] >= 0], assume_unique=True)
        if not len(fresh):
            return self
        return self.of_pages(np.concatenate([self.pages, np.column_stack([np.full(len(fresh), int(kind)), fresh])]))

    def of(self, kind: NodeKind, ids: ArrayLike) -> NodeNumbers:
        """Return the node of each id, -1 where its page is unknown."""
        wanted = np.asarray(ids, np.int64)
        table, pages = self.tables[kind], wanted >> _BITS
        known = (wanted > 0) & (pages < len(table))
        found = np.full(wanted.shape, -1, np.int64)
        found[known] = table[pages[known]]
        return np.where(found >= 0, found * PAGE + (wanted & (PAGE - 1)), -1)

    def kinds(self, nodes: ArrayLike) -> NDArray[np.int64]:
        """Return the `NodeKind` of each node."""
        return np.asarray(self.pages[np.asarray(nodes, np.int64) >> _BITS, 0])

    def ids(self, nodes: ArrayLike) -> Ids:
        """Return the id of each node, in its own kind's id space."""
        numbers = np.asarray(nodes, np.int64)
        return np.asarray(self.pages[numbers >> _BITS, 1] * PAGE + (numbers & (PAGE - 1)))

    def by_id(self, kind: NodeKind, values: NDArray[Any]) -> NDArray[Any]:
        """Turn an array over nodes into one over the ids of `kind`; ids without a node get 0."""
        table = self.tables[kind]
        paged = values.reshape(-1, PAGE)
        result = np.zeros((len(table), PAGE), values.dtype)
        result[table >= 0] = paged[table[table >= 0]]
        return result.reshape(-1)

    def by_node(self, kind: NodeKind, values: NDArray[Any], into: NDArray[Any]) -> None:
        """Write an array over the ids of `kind` into one over nodes; ids beyond its end give 0."""
        table = self.tables[kind]
        padded = np.zeros(len(table) * PAGE, into.dtype)
        padded[: len(values)] = values[: len(padded)]
        padded[:1] = 0  # there is no id 0
        into.reshape(-1, PAGE)[table[table >= 0]] = padded.reshape(-1, PAGE)[table >= 0]

    def of_kind(self, kind: NodeKind) -> Mask:
        """Return which nodes are of `kind`, as an array over nodes."""
        return np.repeat(self.pages[:, 0] == kind, PAGE)


NO_NODES = Nodes.of_pages(np.zeros((0, 2), np.int64))
