"""Weights are the sum of what the live passages say, whatever happened before."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.contributions import Contribution, Contributions
from lpmm_core.index.files import Stamp, UnusableBase
from lpmm_core.index.mutual import SynonymPairs
from lpmm_core.index.nodes import NodeKind
from lpmm_core.index.topology import Topology

E, P = NodeKind.ENTITY, NodeKind.PASSAGE
NOTHING = Topology.build()


def name_of(topology, node):
    return "ep"[topology.nodes.kinds([node])[0]] + str(topology.nodes.ids([node])[0])


def weights(topology):
    """The graph as {frozenset of two names: weight}: `e3` is entity 3, `p3` passage 3."""
    rows, columns, amounts = topology.edges()
    return {
        frozenset((name_of(topology, a), name_of(topology, b))): w
        for a, b, w in zip(rows.tolist(), columns.tolist(), amounts.tolist(), strict=True)
    }


def edge(a, b):
    return frozenset((a, b))


def counts(topology):
    by_entity = topology.over_entities(topology.passage_counts)
    return {int(number): int(by_entity[number]) for number in np.flatnonzero(by_entity)}


def test_a_fact_gives_two_a_mention_one_and_a_title_three_more():
    """LP-07, LP-08, LP-09."""
    said = Contribution([1, 1], [2, 2], [2.0, 2.0], mentions=[1, 2, 1], titles=[2])
    topology = NOTHING.with_changes(passages={7: said})
    assert weights(topology) == {edge("e1", "e2"): 4.0, edge("e1", "p7"): 1.0, edge("e2", "p7"): 4.0}
    assert counts(topology) == {1: 1, 2: 1}


def test_a_title_alone_counts_three():
    assert weights(NOTHING.with_changes(passages={7: Contribution(titles=[2])})) == {edge("e2", "p7"): 3.0}


def test_entities_and_passages_with_one_id_are_two_nodes():
    topology = NOTHING.with_changes(passages={1: Contribution(mentions=[1])})
    assert weights(topology) == {edge("e1", "p1"): 1.0}


def test_an_entity_is_not_joined_to_itself():
    """Known fault: self-loops. After a merge both ends of a fact may be one entity."""
    topology = NOTHING.with_changes(
        passages={1: Contribution([3], [3], [2.0], [3])}, synonyms=SynonymPairs([3], [3], [0.9])
    )
    assert weights(topology) == {edge("e3", "p1"): 1.0}


def test_saying_the_same_again_changes_nothing():
    """LP-01: re-ingest does not double weights."""
    said = {5: Contribution([1], [2], [2.0], [1, 2], [1])}
    once = NOTHING.with_changes(passages=said)
    assert weights(once.with_changes(passages=said)) == weights(once)


def test_taking_away_what_was_added_leaves_exactly_nothing():
    topology = NOTHING
    for number in range(1, 40):
        amount = 0.1 * number
        topology = topology.with_changes(
            passages={number: Contribution([1, 2], [2, 3], [amount, 1 / number], [1, 2, 3])},
            synonyms=SynonymPairs([1], [number + 1], [1 / (number + 1)]),
        )
    topology = topology.with_changes(
        passages=dict.fromkeys(range(1, 40)), synonyms=SynonymPairs([1] * 39, range(2, 41), [0] * 39)
    )
    assert weights(topology) == {}
    assert counts(topology) == {}
    assert not topology.adjacency.weighted_degrees.any()


def test_what_another_passage_supports_stays():
    said = Contribution([1], [2], [2.0], [1, 2])
    topology = NOTHING.with_changes(passages={1: said, 2: said}).with_changes(passages={1: None})
    assert weights(topology) == {edge("e1", "e2"): 2.0, edge("e1", "p2"): 1.0, edge("e2", "p2"): 1.0}


def test_readers_of_an_older_topology_are_not_disturbed():
    old = NOTHING.with_changes(passages={1: Contribution([1], [2], [2.0], [1, 2])})
    before = weights(old)
    old.with_changes(passages={1: None, 2: Contribution([1], [9000], [2.0])})
    assert weights(old) == before


def test_what_is_no_passage_adds_pairs_only():
    topology = NOTHING.with_changes(passages={-4: Contribution([1], [2], [0.5])})
    assert weights(topology) == {edge("e1", "e2"): 0.5}
    with pytest.raises(InvalidInput, match="-4"):
        NOTHING.with_changes(passages={-4: Contribution(mentions=[1])})


@pytest.mark.parametrize(
    "said",
    [
        {0: Contribution([1], [2], [2.0])},
        {1: Contribution([1], [2], [-2.0])},
        {1: Contribution([1], [2], [])},
        {1: Contribution(mentions=[0])},
        {1: Contribution([-1], [2], [2.0])},
    ],
)
def test_impossible_contributions_are_refused(said):
    with pytest.raises(InvalidInput):
        NOTHING.with_changes(passages=said)


# --- synonyms ---


def test_synonyms_add_their_cosine_to_the_weight():
    """LP-10."""
    topology = NOTHING.with_changes(
        passages={1: Contribution([1], [2], [2.0])}, synonyms=SynonymPairs([2], [1], [0.875])
    )
    assert weights(topology) == {edge("e1", "e2"): 2.875}
    assert topology.synonyms(1) == {2: 0.875}


def test_only_pairs_that_keep_each_other_count():
    pairs = SynonymPairs([1, 1, 1, 2], [2, 3, 4, 3], [0.9, 0.85, 0.8, 0.95])
    topology = Topology.build(synonyms=pairs, synonym_limit=2)
    assert set(weights(topology)) == {edge("e1", "e2"), edge("e1", "e3"), edge("e2", "e3")}
    assert topology.synonyms(4) == {}
    freed = topology.with_changes(synonyms=SynonymPairs([2], [1], [0]))
    assert set(weights(freed)) == {edge("e1", "e3"), edge("e1", "e4"), edge("e2", "e3")}


def test_equally_near_synonyms_are_kept_by_id():
    topology = Topology.build(synonyms=SynonymPairs([1, 1, 1], [9, 5, 7], [0.875] * 3), synonym_limit=2)
    assert topology.synonyms(1) == {5: 0.875, 7: 0.875}


def test_of_a_pair_given_twice_the_larger_cosine_counts():
    topology = NOTHING.with_changes(synonyms=SynonymPairs([1, 2], [2, 1], [0.8125, 0.9375]))
    assert topology.synonyms(2) == {1: 0.9375}


# --- any history ---

SMALL = st.integers(1, 6)
PAIRS = st.lists(st.tuples(SMALL, SMALL, st.sampled_from([2.0, 2.0, 0.1, 1 / 3])), max_size=3)
SAID = st.tuples(PAIRS, st.lists(SMALL, max_size=3), st.lists(SMALL, max_size=2))
NAMES = st.lists(st.tuples(SMALL, SMALL, st.sampled_from([0.0, 0.8, 0.85, 0.9, 0.95])), max_size=4)
STEP = st.tuples(st.dictionaries(st.sampled_from([1, 2, 3, 1500, 4]), st.one_of(st.none(), SAID), max_size=3), NAMES)


def contribution_of(said):
    pairs, mentions, titles = said
    return Contribution([p[0] for p in pairs], [p[1] for p in pairs], [p[2] for p in pairs], mentions, titles)


def naive(live, near, limit):
    """The definition, written out."""
    sums = Counter()
    for passage, (pairs, mentions, titles) in live.items():
        for a, b, amount in pairs:
            if a != b:
                sums[edge(f"e{a}", f"e{b}")] += amount
        for entity in set(mentions) | set(titles):
            sums[edge(f"e{entity}", f"p{passage}")] += (entity in mentions) + 3 * (entity in titles)

    def nearest(one):
        others = sorted((-cosine, next(iter(pair - {one}))) for pair, cosine in near.items() if one in pair)
        return {other for _, other in others[:limit]}

    for pair, cosine in near.items():
        a, b = pair
        if b in nearest(a) and a in nearest(b):
            sums[edge(f"e{a}", f"e{b}")] += cosine
    return sums


def assert_same(topology, expected, exactly):
    found = weights(topology)
    assert found.keys() == expected.keys()
    for key, weight in found.items():
        assert weight == (expected[key] if exactly else pytest.approx(expected[key], abs=1e-5))


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=8), st.booleans())
def test_an_updated_topology_equals_one_built_anew(history, merge_half_way):
    """Rebuilt equals updated, to the bit, and both are what the definition says."""
    topology, live, near = Topology.build(synonym_limit=2), {}, {}
    for number, (passages, names) in enumerate(history):
        live.update(passages)
        live = {passage: said for passage, said in live.items() if said is not None}
        given_now = {}
        for a, b, cosine in names:
            if a != b:
                given_now[frozenset((a, b))] = max(cosine, given_now.get(frozenset((a, b)), 0.0))
        near = {pair: cosine for pair, cosine in {**near, **given_now}.items() if cosine}
        said = {passage: None if s is None else contribution_of(s) for passage, s in passages.items()}
        topology = topology.with_changes(
            passages=said, synonyms=SynonymPairs(*zip(*names, strict=True)) if names else None
        )
        if merge_half_way and number == len(history) // 2:
            topology = topology.merged()
    pairs = SynonymPairs([min(pair) for pair in near], [max(pair) for pair in near], list(near.values()))
    flat = Contributions.of({passage: contribution_of(said) for passage, said in live.items()})
    rebuilt = Topology.build(flat, pairs, synonym_limit=2)
    assert_same(rebuilt, naive(live, near, 2), exactly=False)
    for other in (topology, topology.merged()):
        assert_same(other, weights(rebuilt), exactly=True)
        assert counts(other) == counts(rebuilt)
        degrees = other.adjacency.tocsr().sum(axis=0)
        assert np.array_equal(other.adjacency.weighted_degrees, degrees)


# --- asking ---


def chain():
    said = {1: Contribution([1], [2], [2.0], [1, 2]), 2: Contribution([2], [3], [2.0], [2, 3], [3])}
    return Topology.build(Contributions.of(said), SynonymPairs([1], [3], [0.875]))


def test_products_with_base_and_edits_are_those_of_the_whole_matrix():
    topology = chain().with_changes(passages={1: None, 3: Contribution([1], [4000], [2.0], [4000])})
    values = np.random.default_rng(0).random(topology.size)
    whole = topology.adjacency.tocsr()
    assert np.allclose(topology.adjacency @ values, whole @ values, atol=1e-12)
    light = values.astype(np.float32)
    assert np.allclose(topology.adjacency @ light, whole @ values, atol=1e-5)
    rows = np.flatnonzero(np.random.default_rng(1).random(topology.size) < 0.5)
    sparse = np.zeros(topology.size)
    sparse[rows] = values[rows]
    assert np.allclose(topology.adjacency.scatter(rows, light[rows]), whole @ sparse, atol=1e-5)


def test_seeds_leave_out_what_the_graph_does_not_know():
    topology = chain()
    seeds = topology.seeds(entities={1: 0.5, 99999: 3.0}, passages={2: 0.25})
    assert (seeds.sum(), topology.over_entities(seeds)[1], topology.over_passages(seeds)[2]) == (0.75, 0.5, 0.25)


def test_entities_without_edges_can_have_a_node():
    topology = Topology.build(entities=[5]).with_changes(entities=[5000])
    assert (topology.nodes.of(E, [5, 5000]) >= 0).all()
    assert (topology.merged().nodes.of(E, [5, 5000]) == topology.nodes.of(E, [5, 5000])).all()


def test_a_saved_topology_opens_to_the_same_graph_and_can_be_changed(tmp_path):
    topology = chain().with_changes(passages={1: None, 5: Contribution([1], [9], [2.0], [9])})
    topology.save(tmp_path / "base", Stamp(12))
    opened = Topology.open(tmp_path / "base")
    assert (opened.stamp.sequence, opened.tail) == (12, 0)
    assert weights(opened) == weights(topology)
    assert counts(opened) == counts(topology)
    back = opened.with_changes(passages={5: None, 2: None}, synonyms=SynonymPairs([3], [1], [0]))
    assert weights(back) == {}
    with pytest.raises(UnusableBase):
        Topology.open(tmp_path / "none")


def test_one_by_one_gives_the_same_as_all_at_once_and_a_short_tail():
    said = {number: Contribution([number], [number + 1], [2.0], [number, number + 1]) for number in range(1, 300)}
    topology = NOTHING
    for number, one in said.items():
        topology = topology.with_changes(passages={number: one})
    assert weights(topology) == weights(Topology.build(Contributions.of(said)))
    assert len(topology.adjacency.edits) <= 9
