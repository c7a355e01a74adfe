"""Which part of the graph a canvas shows: a budget of nodes, the edges among them, and how much is hidden behind each.

A whole memory on one canvas is a hairball. An overview takes the most central entities; a look around some nodes takes what activation
from them reaches first, always along edges, so that what is shown hangs together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lpmm_core.base.errors import InvalidInput
from lpmm_core.graph.pagerank import Spreader
from lpmm_core.index.adjacency import Amounts, Numbers
from lpmm_core.index.nodes import NodeKind
from lpmm_core.index.segments import Ids, Mask
from lpmm_core.index.topology import Topology

OVERVIEW = 80
"""Nodes of a canvas that just opened."""

MOST = 2_000
"""Nodes of the largest canvas."""

_TOLERANCE = 0.05  # of the walk: which nodes lie near is plain long before their scores are exact
_CANDIDATES = 4  # times the budget: how many of the most visited nodes a look around chooses from


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Some nodes, in order of choice, and the edges among them."""

    nodes: Numbers
    """Nodes of the topology."""
    kinds: NDArray[np.int64]
    """`NodeKind` of each."""
    ids: Ids
    """Entity or passage id of each."""
    hidden: Numbers
    """Of each, how many visible neighbours are not shown."""
    left: Numbers
    """One end of each edge, as a position in `nodes`; smaller than `right`."""
    right: Numbers
    weights: Amounts
    total: int
    """How many nodes were to choose from."""

    @property
    def truncated(self) -> bool:
        """Whether something was left out."""
        return self.total > len(self.nodes)


def central(topology: Topology, *, entities: Mask, passages: Mask | None = None, budget: int = OVERVIEW) -> Selection:
    """Return the most central visible entities: by passages that mention them, then by the weight of their edges, then by id.

    Args:
        topology: the graph.
        entities: boolean array over entity ids: which are visible.
        passages: boolean array over passage ids. They are not shown, only counted as hidden; None counts none.
        budget: how many nodes at most.
    """
    visible = _visible(topology, entities, passages)
    entity = topology.nodes.of_kind(NodeKind.ENTITY)
    candidates = np.flatnonzero(visible & entity)
    total = len(candidates)
    candidates = candidates[_among_the_best(topology.passage_counts[candidates], _within(budget))]
    counts, weights = topology.passage_counts[candidates], topology.adjacency.weighted_degrees[candidates]
    order = np.lexsort((topology.nodes.ids(candidates), -weights, -counts))[:budget]
    return _cut(topology, candidates[order], visible, total=total)


def around(
    topology: Topology,
    focus: ArrayLike,
    *,
    entities: Mask,
    passages: Mask | None = None,
    budget: int = OVERVIEW,
    follow: float = 0.5,
) -> Selection:
    """Return the focus nodes and what activation from them reaches first, best first and only along edges.

    Args:
        topology: the graph.
        focus: nodes; those that are not visible are left out.
        entities: boolean array over entity ids: which are visible.
        passages: the same for passages; None shows entities only.
        budget: how many nodes at most.
        follow: probability of following an edge; larger reaches farther.
    """
    visible = _visible(topology, entities, passages)
    wanted = np.asarray(focus, np.int64).reshape(-1)
    wanted = wanted[(wanted >= 0) & (wanted < topology.size)]
    starts = list(dict.fromkeys(wanted[visible[wanted]].tolist()))[: _within(budget)]
    total = int(np.count_nonzero(visible))
    if not starts:
        return _cut(topology, np.zeros(0, np.int64), visible, total=total)
    seeds = np.zeros(topology.size)
    seeds[starts] = 1.0
    # What is hidden and has no edges needs no hiding, and a walk without gains is quicker.
    gain = visible if topology.adjacency.weighted_degrees[~visible].any() else None
    visits = Spreader(topology.adjacency, follow=follow, gain=gain, tolerance=_TOLERANCE).spread(seeds)
    return _cut(topology, _grown(topology, starts, visits, budget), visible, total=total)


def among(topology: Topology, nodes: ArrayLike, *, entities: Mask, passages: Mask | None = None) -> Selection:
    """Return exactly these nodes (those of them that are visible), for instance what answered a question."""
    visible = _visible(topology, entities, passages)
    chosen = np.array(list(dict.fromkeys(np.asarray(nodes, np.int64).reshape(-1).tolist())), np.int64)
    return _cut(topology, chosen[visible[chosen]], visible, total=int(np.count_nonzero(visible)))


def _grown(topology: Topology, starts: list[int], visits: NDArray[np.float32], budget: int) -> Numbers:
    """Grow from `starts` along edges, always taking the most visited node at the border; equals by number."""
    reached = np.flatnonzero(visits > 0)
    reached = reached[_among_the_best(visits[reached], _CANDIDATES * budget)]
    best = reached[np.lexsort((reached, -visits[reached]))[: _CANDIDATES * budget]]
    candidates = np.union1d(best, np.array(starts, np.int64))
    chosen = dict.fromkeys(starts)
    border: list[tuple[float, int]] = []
    queued = np.zeros(topology.size, np.bool_)
    queued[starts] = True
    rows, columns, _ = topology.adjacency.of_rows(candidates)
    inside = np.zeros(topology.size, np.bool_)
    inside[candidates] = True
    keep = inside[columns]
    rows, columns = rows[keep], columns[keep]
    bounds = np.searchsorted(rows, np.arange(len(candidates) + 1))

    def look(nodes: Iterable[int]) -> None:
        for node in nodes:
            place = int(np.searchsorted(candidates, node))
            fresh = columns[bounds[place] : bounds[place + 1]]
            fresh = fresh[~queued[fresh]]
            queued[fresh] = True
            for neighbour in fresh.tolist():
                heappush(border, (-float(visits[neighbour]), neighbour))

    look(starts)
    while border and len(chosen) < budget:
        _, node = heappop(border)
        chosen[node] = None
        look([node])
    return np.array(list(chosen), np.int64)


def _among_the_best(values: NDArray[Any], count: int) -> Mask:
    """Return where the `count` largest values are, and all that equal the least of them: sorting a whole memory takes too long."""
    if len(values) <= count:
        return np.ones(len(values), np.bool_)
    return np.asarray(values >= np.partition(values, len(values) - count)[len(values) - count], np.bool_)


def _cut(topology: Topology, nodes: Numbers, visible: Mask, *, total: int) -> Selection:
    position = np.full(topology.size, -1, np.int64)
    position[nodes] = np.arange(len(nodes))
    rows, columns, weights = topology.adjacency.of_rows(nodes)
    there = position[columns]
    outside = visible[columns] & (there < 0)
    hidden = np.bincount(rows[outside], minlength=len(nodes))
    edge = (there >= 0) & (rows < there)
    order = np.lexsort((there[edge], rows[edge]))
    return Selection(
        nodes,
        topology.nodes.kinds(nodes),
        topology.nodes.ids(nodes),
        hidden,
        rows[edge][order],
        there[edge][order],
        weights[edge][order],
        total,
    )


def _visible(topology: Topology, entities: Mask, passages: Mask | None) -> Mask:
    shown = np.zeros(0, np.bool_) if passages is None else passages
    return topology.over_nodes(entities=entities, passages=shown) > 0


def _within(budget: int) -> int:
    if not 0 < budget <= MOST:
        raise InvalidInput(f"a canvas shows between 1 and {MOST} nodes, not {budget}")
    return budget
