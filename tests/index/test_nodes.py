"""Ids become nodes and come back, and a node never changes its number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.nodes import NO_NODES, PAGE, NodeKind

ARRIVALS = st.lists(st.tuples(st.sampled_from(NodeKind), st.lists(st.integers(1, 5 * PAGE), max_size=5)), max_size=10)


@settings(max_examples=40, deadline=None)
@given(ARRIVALS)
def test_every_id_has_its_own_node_for_ever(arrivals):
    nodes, seen = NO_NODES, {}
    for kind, ids in arrivals:
        nodes = nodes.with_ids(kind, ids)
        for number, node in zip(ids, nodes.of(kind, ids).tolist(), strict=True):
            assert seen.setdefault((kind, number), node) == node
    assert len(set(seen.values())) == len(seen)
    for (kind, number), node in seen.items():
        assert 0 <= node < nodes.size
        assert (nodes.kinds([node])[0], nodes.ids([node])[0]) == (kind, number)


def test_unknown_ids_have_no_node():
    nodes = NO_NODES.with_ids(NodeKind.ENTITY, [3])
    assert nodes.of(NodeKind.ENTITY, [PAGE, 0, -4, 99 * PAGE]).tolist() == [-1] * 4
    assert nodes.of(NodeKind.PASSAGE, [3]).tolist() == [-1]


def test_an_id_that_is_not_positive_is_refused():
    with pytest.raises(InvalidInput, match="positive"):
        NO_NODES.with_ids(NodeKind.ENTITY, [0])


def test_arrays_over_nodes_and_over_ids_are_two_views_of_one():
    nodes = (
        NO_NODES.with_ids(NodeKind.PASSAGE, [2 * PAGE + 1])
        .with_ids(NodeKind.ENTITY, [7])
        .with_ids(NodeKind.PASSAGE, [5])
    )
    values = np.zeros(nodes.size)
    values[nodes.of(NodeKind.PASSAGE, [2 * PAGE + 1, 5])] = [1.5, 2.5]
    values[nodes.of(NodeKind.ENTITY, [7])] = 9
    by_id = nodes.by_id(NodeKind.PASSAGE, values)
    assert {int(number): by_id[number] for number in np.flatnonzero(by_id)} == {5: 2.5, 2 * PAGE + 1: 1.5}
    back = np.zeros(nodes.size)
    nodes.by_node(NodeKind.PASSAGE, by_id, back)
    nodes.by_node(NodeKind.ENTITY, np.full(8, 9.0)[:8] * (np.arange(8) == 7), back)
    assert np.array_equal(back, values)
