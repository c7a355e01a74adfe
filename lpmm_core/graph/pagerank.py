"""Personalised PageRank: spreading activation from a few seed nodes.

This is how a question reaches passages that share no word with it (HippoRAG 2, arXiv 2502.14802). Power iteration in float32, which
stops when the result is proven to be near enough: the map contracts L1 distances by the follow probability, so a step that moved d
leaves at most d * follow / (1 - follow), and k steps leave at most 2 * follow**k. Mixing graphs need far fewer steps than that bound.

The graph may be a topology's `Adjacency`, a large base with recent edits beside it, which is walked without being put together first.
"""

from __future__ import annotations

from math import ceil, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from lpmm_core.index.adjacency import Adjacency

_SPARSE_BELOW = 1 / 16  # share of the matrix up to which a step looks only at the nodes that hold something
_BEAM = 12


class Spreader:
    """Personalised PageRank over one weighted graph.

    Build it once for a graph and ask it many questions; it is immutable, so threads may share it. Making one costs a few passes over
    the nodes, or one step when there is a gain.

    Args:
        adjacency: (n, n) non-negative weights; entry (i, j) is the edge j -> i, so an undirected graph is symmetric.
        follow: probability of following an edge rather than returning to the seeds, in (0, 1).
        tolerance: largest L1 error of the result.
        gain: (n,) non-negative factors of nodes; an edge's weight is multiplied by those of both ends. 0 hides a node: nothing
            passes through it, and it is no seed. Usefulness, trust, scope and time act through this.
        precise: compute in float64; only for a `csr_array`.

    Raises:
        ValueError: the matrix is not square, a weight or factor is negative, or a parameter is outside its range.
    """

    def __init__(
        self,
        adjacency: sparse.csr_array | Adjacency,
        *,
        follow: float = 0.5,
        tolerance: float = 1e-2,
        gain: ArrayLike | None = None,
        precise: bool = False,
    ) -> None:
        rows, columns = adjacency.shape
        if rows != columns:
            raise ValueError(f"adjacency must be square, got {rows} x {columns}")
        if not 0 < follow < 1:
            raise ValueError(f"follow must lie between 0 and 1, got {follow}")
        if not tolerance > 0:
            raise ValueError(f"tolerance must be positive, got {tolerance}")
        self._number: Any = np.float64 if precise else np.float32
        self._gain = None if gain is None else np.asarray(gain, np.float64)
        if self._gain is not None and (self._gain.shape != (rows,) or not np.all(self._gain >= 0)):
            raise ValueError(f"gain must be {rows} factors that are not negative")
        if isinstance(adjacency, Adjacency):
            if precise:
                raise ValueError("a topology is walked in float32; take adjacency.tocsr() to be precise")
            self._matrix: Any = adjacency
            degrees = adjacency.weighted_degrees if self._gain is None else self._gain * (adjacency @ self._gain)
        else:
            if adjacency.nnz and adjacency.data.min() < 0:
                raise ValueError("edge weights must not be negative")
            self._matrix = adjacency.astype(self._number)
            out = adjacency.T
            degrees = np.asarray(adjacency.sum(axis=0)) if self._gain is None else self._gain * (out @ self._gain)
        self._follow = follow
        self._tolerance = tolerance
        self.steps = max(1, ceil(log(tolerance / 2) / log(follow)))
        """No more steps than these are ever needed."""
        self._leads_on = degrees > 0
        share = np.divide(1.0, degrees, out=np.zeros(rows), where=self._leads_on)
        # What a node hands to each neighbour per unit of weight, and what a neighbour makes of it.
        self._giving: NDArray[Any] = (share if self._gain is None else share * self._gain).astype(self._number)
        self._taking: NDArray[Any] | None = None if self._gain is None else self._gain.astype(self._number)

    def spread(self, seeds: ArrayLike) -> NDArray[Any]:
        """Return the (n,) visiting probability of each node, given (n,) non-negative seed weights.

        A node without edges sends its mass back to the seeds, as networkx does.

        Raises:
            ValueError: a seed is negative or not finite, or no visible seed has weight.
        """
        restart = self._restart(seeds)
        visits, returned = restart, 1.0
        for _ in range(self.steps):
            flow = self._step(visits)
            # Edges carry on all that is not at dead ends: what is missing from the whole goes back to the seeds.
            returned = 1.0 - self._follow * float(flow.sum())
            following = self._number(self._follow) * flow + self._number(returned) * restart
            moved = float(np.abs(following - visits).sum())
            visits = following
            if moved * self._follow / (1 - self._follow) <= self._tolerance:
                break
        # Edits that take an edge away cancel it only to float32's last digit.
        np.maximum(visits, 0, out=visits)
        lonely = ~self._leads_on
        if isinstance(self._matrix, Adjacency):
            visits[lonely] = self._number(returned) * restart[lonely]
        return visits

    def strongest_path(self, seeds: ArrayLike, visits: NDArray[Any], target: int, *, hops: int = 3) -> list[int]:
        """Return the nodes of the path along which most of one seed's activation reaches `target`: seed first, target last.

        The value of a path is the seed's weight times the probability of walking it. Only the most visited nodes before each node are
        looked at. A seed that is reached by no other gives `[target]`; a target that nothing reaches within `hops` gives `[]`.
        The graph must be undirected.

        Args:
            seeds: the seed weights to explain from, (n,); those of passages may be left out of it.
            visits: what `spread` returned.
            target: a node.
            hops: edges of the longest path.
        """
        restart = self._restart(seeds)
        best_value, best_path = 0.0, [target] if restart[target] > 0 else []
        frontier: dict[int, tuple[float, list[int]]] = {target: (1.0, [target])}
        for _ in range(hops):
            reached: dict[int, tuple[float, list[int]]] = {}
            for node, (value, path) in frontier.items():
                before, chances = self._before(node)
                order = np.lexsort((before, -(chances * visits[before])))[:_BEAM]
                seeded = np.flatnonzero(restart[before] > 0)
                if len(seeded):
                    order = np.append(order, seeded[np.argmax(chances[seeded] * restart[before[seeded]])])
                for previous, chance in zip(before[order].tolist(), chances[order].tolist(), strict=True):
                    if previous not in path and value * chance > reached.get(previous, (0.0, []))[0]:
                        reached[previous] = (value * chance, [previous, *path])
            for node, (value, path) in reached.items():
                if value * float(restart[node]) > best_value:
                    best_value, best_path = value * float(restart[node]), path
            promising = sorted(reached, key=lambda node: (-reached[node][0] * float(visits[node]), node))[:_BEAM]
            frontier = {node: reached[node] for node in promising}
        return best_path

    def _restart(self, seeds: ArrayLike) -> NDArray[Any]:
        weights = np.asarray(seeds, np.float64)
        if weights.shape != (self._matrix.shape[0],):
            raise ValueError(f"there are {self._matrix.shape[0]} nodes, got seeds of the shape {weights.shape}")
        if self._gain is not None:
            weights = np.where(self._gain > 0, weights, 0.0)
        total = weights.sum()
        if not np.isfinite(total) or (len(weights) and weights.min() < 0):
            raise ValueError("seed weights must be finite and not negative")
        if not total > 0:
            raise ValueError("at least one seed needs a positive weight")
        return np.asarray(weights / total, self._number)

    def _step(self, visits: NDArray[Any]) -> NDArray[Any]:
        flow = self._few(visits)
        if flow is None:
            flow = self._matrix @ (visits * self._giving)
        return np.asarray(flow if self._taking is None else flow * self._taking)

    def _few(self, visits: NDArray[Any]) -> NDArray[np.float32] | None:
        """Take the step from the few nodes that hold something; None when they are not few."""
        if not isinstance(self._matrix, Adjacency):
            return None
        holding = np.flatnonzero(visits)
        if self._matrix.work(holding) > self._matrix.base.nnz * _SPARSE_BELOW:
            return None
        return self._matrix.scatter(holding, visits[holding] * self._giving[holding])

    def _before(self, node: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the neighbours of `node`, and for each the probability that a walk at it goes on to `node`."""
        if isinstance(self._matrix, Adjacency):
            _, columns, weights = self._matrix.of_rows([node])
        else:
            here = slice(self._matrix.indptr[node], self._matrix.indptr[node + 1])
            columns, weights = self._matrix.indices[here].astype(np.int64), self._matrix.data[here]
        taking = 1.0 if self._taking is None else float(self._taking[node])
        return columns, self._follow * weights * self._giving[columns] * taking
