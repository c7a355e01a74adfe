"""A canvas shows a budget of nodes, and says what it hides."""

import numpy as np
import pytest

from lpmm_core.base.errors import InvalidInput
from lpmm_core.graph.subgraph import among, around, central
from lpmm_core.index.contributions import Contribution, Contributions
from lpmm_core.index.nodes import NodeKind
from lpmm_core.index.topology import Topology

ALL = np.ones(200, np.bool_)


def star():
    """Entity 1 is joined to 2..30, those from 20 on also to 100..110 in a row; passage n states the n-th."""
    ends = [(1, other) for other in range(2, 31)] + [(19 + step, 99 + step) for step in range(1, 12)]
    said = {number: Contribution([a], [b], [2.0], [a, b]) for number, (a, b) in enumerate(ends, 1)}
    return Topology.build(Contributions.of(said))


def shown(found, kind=NodeKind.ENTITY):
    return found.ids[found.kinds == kind].tolist()


def node(topology, number, kind=NodeKind.ENTITY):
    return int(topology.nodes.of(kind, [number])[0])


def test_an_overview_takes_the_most_mentioned_and_breaks_ties_by_id():
    found = central(star(), entities=ALL, budget=5)
    assert shown(found) == [1, 20, 21, 22, 23]
    assert (found.total, found.truncated) == (199, True)
    assert not central(star(), entities=ALL[:6], budget=5).truncated


def test_edges_are_those_among_the_shown_and_the_rest_is_counted():
    topology = star()
    found = central(topology, entities=ALL, budget=5)
    ends = {(int(found.ids[a]), int(found.ids[b])) for a, b in zip(found.left, found.right, strict=True)}
    assert ends == {(1, 20), (1, 21), (1, 22), (1, 23)}
    assert found.weights.tolist() == [2.0] * 4
    assert found.hidden.tolist() == [29 - 4, 1, 1, 1, 1]
    with_passages = central(topology, entities=ALL, passages=ALL, budget=5)
    assert with_passages.hidden.tolist() == [25 + 29, 3, 3, 3, 3]


def test_what_is_not_visible_is_neither_shown_nor_counted():
    entities = ALL.copy()
    entities[[20, 25, 26]] = False
    found = central(star(), entities=entities, budget=5)
    assert 20 not in shown(found)
    assert found.hidden[0] == 29 - 3 - 4


def test_a_look_around_grows_along_edges_from_its_focus():
    topology = star()
    found = around(topology, [node(topology, 105)], entities=ALL, budget=4)
    assert shown(found)[:3] == [105, 25, 1]
    assert len(found.nodes) == 4
    reached = {int(found.nodes[0])}
    for position in range(1, len(found.nodes)):
        touching = {int(found.nodes[a]) for a, b in zip(found.left, found.right, strict=True) if b == position}
        touching |= {int(found.nodes[b]) for a, b in zip(found.left, found.right, strict=True) if a == position}
        assert touching & reached
        reached.add(int(found.nodes[position]))


def test_two_focuses_give_two_pictures():
    topology = star()
    one, other = (around(topology, [node(topology, number)], entities=ALL, budget=3) for number in (101, 108))
    assert shown(one) != shown(other)


def test_passages_are_shown_when_they_are_visible():
    topology = star()
    found = around(topology, [node(topology, 105)], entities=ALL, passages=ALL, budget=6)
    assert shown(found, NodeKind.PASSAGE)


def test_a_focus_that_is_hidden_or_unknown_gives_an_empty_picture():
    topology = star()
    entities = ALL.copy()
    entities[105] = False
    assert len(around(topology, [node(topology, 105), -1], entities=entities).nodes) == 0
    assert len(central(Topology.build(), entities=ALL).nodes) == 0


def test_exactly_the_asked_nodes_are_shown():
    topology = star()
    numbers = [node(topology, number) for number in (20, 1, 20)]
    found = among(topology, numbers, entities=ALL, passages=ALL)
    assert shown(found) == [20, 1]
    assert (found.left.tolist(), found.right.tolist()) == ([0], [1])


def test_an_entity_without_edges_can_be_shown():
    """Known fault: what was made by hand cannot be found."""
    topology = Topology.build(entities=[7])
    entities = np.arange(9) == 7
    assert shown(central(topology, entities=entities)) == [7]
    assert shown(around(topology, [node(topology, 7)], entities=entities)) == [7]


@pytest.mark.parametrize("budget", [0, 2001])
def test_an_impossible_budget_is_refused(budget):
    with pytest.raises(InvalidInput, match="canvas"):
        central(star(), entities=ALL, budget=budget)
