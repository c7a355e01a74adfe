"""The weights of the graph: a large matrix that never changes, and edits that are added to it.

Weights are kept as multiples of 2**-20 in float64, so that adding and taking away is exact in any order: an edge whose last evidence
went is exactly 0, and a matrix that was edited holds the same numbers as one that was built anew. Walking uses a float32 copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from lpmm_core.index.segments import settled

Amounts = NDArray[np.float64]
Numbers = NDArray[np.int64]

_STEPS = float(1 << 20)


def exact(amounts: ArrayLike) -> Amounts:
    """Round to the multiples of 2**-20 in which weights are counted."""
    return np.asarray(np.rint(np.asarray(amounts, np.float64) * _STEPS) / _STEPS)


@dataclass(frozen=True, slots=True, eq=False)
class Edits:
    """Amounts to be added: those of row `rows[i]` are at `starts[i]` up to the next start, columns ascending."""

    rows: Numbers
    starts: Numbers
    columns: Numbers
    amounts: Amounts
    light: NDArray[np.float32]

    @classmethod
    def of(cls, left: Numbers, right: Numbers, amounts: Amounts) -> Edits:
        """Take amounts of undirected edges, each in one direction; repeated ones are added up, those that come to 0 fall away."""
        return cls._sum(
            np.concatenate([left, right]), np.concatenate([right, left]), np.concatenate([amounts, amounts])
        )

    @classmethod
    def _sum(cls, rows: Numbers, columns: Numbers, amounts: Amounts) -> Edits:
        order = np.lexsort((columns, rows))
        rows, columns, amounts = rows[order], columns[order], amounts[order]
        if len(rows):
            first = np.flatnonzero(np.append(True, (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])))
            rows, columns, amounts = rows[first], columns[first], np.add.reduceat(amounts, first)
            kept = amounts != 0
            rows, columns, amounts = rows[kept], columns[kept], amounts[kept]
        distinct, starts = np.unique(rows, return_index=True)
        return cls(distinct, starts.astype(np.int64), columns, amounts, amounts.astype(np.float32))

    def __len__(self) -> int:
        return len(self.columns)

    def joined(self, newer: Edits) -> Edits:
        """Return the sum of both."""
        rows = np.concatenate([self._all_rows(), newer._all_rows()])
        columns = np.concatenate([self.columns, newer.columns])
        return self._sum(rows, columns, np.concatenate([self.amounts, newer.amounts]))

    def _all_rows(self) -> Numbers:
        return np.repeat(self.rows, np.diff(np.append(self.starts, len(self.columns))))

    def of_rows(self, rows: Numbers) -> tuple[Numbers, Numbers, Amounts]:
        """Return (position in `rows`, column, amount) of what is edited in these rows."""
        ends = np.append(self.starts, len(self.columns))
        found = np.searchsorted(self.rows, rows)
        here = np.flatnonzero(found < len(self.rows))
        here = here[self.rows[found[here]] == rows[here]]
        positions, entries = _ranges(ends[found[here]], ends[found[here] + 1])
        return here[positions], self.columns[entries], self.amounts[entries]


class Adjacency:
    """A symmetric matrix of weights: `base` plus `edits`. Immutable, so threads may share it.

    Args:
        base: (m, m) symmetric weights, columns ascending in each row, nothing twice.
        size: rows and columns now; at least m.
        edits: what has been added since.
        degrees: (m,) column sums of the base, when they are known.
        light: the base in float32, when it is known.
    """

    def __init__(
        self,
        base: sparse.csr_array,
        size: int,
        edits: tuple[Edits, ...] = (),
        *,
        degrees: Amounts | None = None,
        light: sparse.csr_array | None = None,
    ) -> None:
        self.base = base
        self.size = size
        self.edits = edits
        self._degrees: Amounts = np.asarray(base.sum(axis=0), np.float64) if degrees is None else degrees
        if light is None:
            light = sparse.csr_array((base.data.astype(np.float32), base.indices, base.indptr), shape=base.shape)
        self._light = light

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self.size, self.size)

    @property
    def base_degrees(self) -> Amounts:
        """Column sums of the base alone."""
        return self._degrees

    @cached_property
    def weighted_degrees(self) -> Amounts:
        """Column sums: how much weight meets at each node."""
        sums = np.zeros(self.size)
        sums[: len(self._degrees)] = self._degrees
        for edits in self.edits:
            if len(edits):
                sums[edits.rows] += np.add.reduceat(edits.amounts, edits.starts)
        return sums

    def with_edits(self, edits: Edits, size: int) -> Adjacency:
        """Return the sum of these weights and `edits`."""
        kept = settled((*self.edits, edits), size=len, join=Edits.joined)
        return Adjacency(self.base, size, kept, degrees=self._degrees, light=self._light)

    def __matmul__(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the product with a (size,) vector: exact weights for float64, their float32 copy for float32."""
        light = values.dtype == np.float32
        inner = self.base.shape[0]
        product = np.zeros(self.size, values.dtype)
        product[:inner] = (self._light if light else self.base) @ values[:inner]
        for edits in self.edits:
            if len(edits):
                amounts = edits.light if light else edits.amounts
                product[edits.rows] += np.add.reduceat(amounts * values[edits.columns], edits.starts)
        return product

    def work(self, rows: Numbers) -> int:
        """Return how many entries `scatter` would look at."""
        inner = rows[rows < self.base.shape[0]]
        return int((self.base.indptr[inner + 1] - self.base.indptr[inner]).sum()) + sum(
            len(edits) for edits in self.edits
        )

    def scatter(self, rows: Numbers, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the product with the vector that is `values` at `rows` (ascending) and 0 elsewhere, looking at these rows only."""
        product = np.zeros(self.size, np.float64)
        for positions, columns, amounts in self._parts(rows):
            product += np.bincount(columns, amounts * values[positions], minlength=self.size)
        return product.astype(np.float32)

    def tocsr(self) -> sparse.csr_array:
        """Return the present weights as one matrix."""
        rows, columns, weights = self.of_rows(np.arange(self.size))
        return sparse.csr_array((weights, (rows, columns)), shape=self.shape)

    def of_rows(self, rows: ArrayLike) -> tuple[Numbers, Numbers, Amounts]:
        """Return (position in `rows`, column, weight) of every edge of these rows; positions ascending, then columns."""
        wanted = np.asarray(rows, np.int64).reshape(-1)
        found = self._parts(wanted)
        position, column, weight = (np.concatenate(part) for part in zip(*found, strict=True))
        if sum(len(part[0]) > 0 for part in found) > 1:
            order = np.lexsort((column, position))
            position, column, weight = position[order], column[order], weight[order]
            first = np.flatnonzero(np.append(True, (position[1:] != position[:-1]) | (column[1:] != column[:-1])))
            position, column, weight = position[first], column[first], np.add.reduceat(weight, first)
            kept = weight != 0
            position, column, weight = position[kept], column[kept], weight[kept]
        return position, column, weight

    def _parts(self, rows: Numbers) -> list[tuple[Numbers, Numbers, Amounts]]:
        """Return what base and edits hold of these rows, each for itself."""
        inner = np.flatnonzero(rows < self.base.shape[0])
        positions, entries = _ranges(self.base.indptr[rows[inner]], self.base.indptr[rows[inner] + 1])
        base = (inner[positions], self.base.indices[entries].astype(np.int64), self.base.data[entries])
        return [base, *(edits.of_rows(rows) for edits in self.edits if len(edits))]


def _ranges(starts: NDArray[Any], ends: NDArray[Any]) -> tuple[Numbers, Numbers]:
    """Return for each number in the ranges [start, end) which range it is of, and the number."""
    lengths = np.asarray(ends, np.int64) - starts
    owners = np.repeat(np.arange(len(lengths)), lengths)
    offsets = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return owners, np.asarray(starts, np.int64)[owners] + offsets
