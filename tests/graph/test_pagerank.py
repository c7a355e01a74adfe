"""Activation spreads as the definition says."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from lpmm_core.graph.pagerank import Spreader
from lpmm_core.index.adjacency import Adjacency
from lpmm_core.index.contributions import Contribution, Contributions
from lpmm_core.index.mutual import SynonymPairs
from lpmm_core.index.nodes import NodeKind
from lpmm_core.index.topology import Topology


def random_graph(seed, *, directed=False, nodes=60):
    """Two parts, some nodes without edges, weights of all sizes."""
    generator = np.random.default_rng(seed)
    graph = (nx.DiGraph if directed else nx.Graph)()
    graph.add_nodes_from(range(nodes))
    half = nodes // 2
    for low, high in ((0, half), (half, nodes - 5)):
        for a, b in generator.integers(low, high, (nodes, 2)).tolist():
            if a != b:
                graph.add_edge(a, b, weight=float(generator.choice([0.25, 1.0, 2.0, 7.5])))
    return graph


def matrix_of(graph):
    """Entry (i, j) is the edge j -> i."""
    return sparse.csr_array(nx.to_scipy_sparse_array(graph, nodelist=range(len(graph)), weight="weight").T)


def expected(graph, seeds, follow):
    seeded = {node: float(weight) for node, weight in enumerate(seeds)}
    result = nx.pagerank(graph, alpha=follow, personalization=seeded, dangling=seeded, tol=1e-14, max_iter=5000)
    return np.array([result[node] for node in range(len(graph))])


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("follow", [0.5, 0.85])
@pytest.mark.parametrize("seeded", ["one", "some", "one without edges"])
def test_it_agrees_with_networkx(directed, follow, seeded):
    for seed in range(3):
        graph = random_graph(seed, directed=directed)
        seeds = np.zeros(len(graph))
        places = {"one": [3], "some": [2, 11, 40, 58], "one without edges": [57]}[seeded]
        seeds[places] = np.arange(1, len(places) + 1)
        visits = Spreader(matrix_of(graph), follow=follow, tolerance=1e-8, precise=True).spread(seeds)
        assert np.abs(visits - expected(graph, seeds, follow)).max() < 1e-6
        assert visits.sum() == pytest.approx(1)


def test_it_gives_the_figures_of_the_original_on_its_own_graph():
    """LP-14: LPMM's graph file, directed edges as stored, follow .8. networkx stops at its own 1e-6, so its last digit is not exact."""
    badge, mei, paragraph, elysia = range(4)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(4))
    for a, b, weight in (
        (mei, badge, 1.0),
        (badge, mei, 1.0),
        (mei, paragraph, 2.0),
        (mei, elysia, 1.0),
        (elysia, mei, 1.0),
    ):
        graph.add_edge(a, b, weight=weight)
    seeds = np.zeros(4)
    seeds[badge], seeds[paragraph] = 1.0, 0.05
    visits = Spreader(matrix_of(graph), follow=0.8, tolerance=1e-9, precise=True).spread(seeds)
    theirs = nx.pagerank(graph, alpha=0.8, personalization={badge: 1.0, paragraph: 0.05})
    assert visits.tolist() == pytest.approx([theirs[node] for node in range(4)], abs=1e-6)
    printed = [0.371401, 0.389973, 0.074281, 0.164346]
    assert visits[[mei, badge, elysia, paragraph]].tolist() == pytest.approx(printed, abs=1.5e-6)


@pytest.mark.parametrize("follow", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("tolerance", [0.1, 1e-2, 1e-4])
def test_the_error_stays_below_the_tolerance(follow, tolerance):
    """Also on a long chain, where activation travels slowly, and between two groups, where it leaks for long by little."""
    chain, groups = nx.path_graph(80), nx.barbell_graph(8, 0)
    nx.set_edge_attributes(chain, 1.0, "weight")
    nx.set_edge_attributes(groups, 1.0, "weight")
    groups[7][8]["weight"] = 2.0
    for graph in (random_graph(1), chain, groups):
        seeds = np.zeros(len(graph))
        seeds[0] = 1
        visits = Spreader(matrix_of(graph), follow=follow, tolerance=tolerance).spread(seeds)
        assert np.abs(visits - expected(graph, seeds, follow)).sum() <= tolerance


def test_two_seeds_have_two_tops():
    """Known fault: the same documents on top for every question."""
    spreader = Spreader(matrix_of(random_graph(4)))
    tops = [int(np.argmax(spreader.spread(np.eye(60)[seed]))) for seed in (1, 40)]
    assert tops == [1, 40]


def story():
    said = {
        1: Contribution([1], [2], [2.0], [1, 2]),
        2: Contribution([2], [3], [2.0], [2, 3], [3]),
        3: Contribution([4], [5], [2.0], [4, 5]),
        4: Contribution([3], [6], [2.0], [3, 6]),
    }
    return Topology.build(Contributions.of(said), SynonymPairs([1], [3], [0.875]))


def changed(topology):
    topology = topology.with_changes(passages={1: None, 9: Contribution([1], [7000], [2.0], [1, 7000])})
    return topology.with_changes(passages={3: None}, synonyms=SynonymPairs([3], [1], [0]))


@pytest.mark.parametrize("topology", [story(), changed(story())])
def test_a_topology_is_walked_as_if_it_were_one_matrix(topology):
    seeds = topology.seeds(entities={1: 1.0}, passages={2: 0.5, 3: 0.1})
    whole = Spreader(topology.adjacency.tocsr(), tolerance=1e-9, precise=True).spread(seeds)
    assert np.abs(Spreader(topology.adjacency, tolerance=1e-6).spread(seeds) - whole).max() < 2e-6


def test_few_and_many_nodes_are_walked_alike(monkeypatch):
    topology = changed(story())
    seeds = topology.seeds(entities={1: 1.0, 2: 0.5})
    results = []
    for share in (0.0, 10.0):
        monkeypatch.setattr("lpmm_core.graph.pagerank._SPARSE_BELOW", share)
        results.append(Spreader(topology.adjacency, tolerance=1e-6).spread(seeds))
    assert np.allclose(*results, atol=1e-6)


def test_a_hidden_node_is_as_good_as_absent():
    """Scope and time narrow before anything is ranked."""
    topology = story()
    visible = topology.over_nodes(entities=np.ones(8, np.bool_), passages=np.array([0, 1, 0, 1, 1], np.bool_))
    hidden = int(topology.nodes.of(NodeKind.PASSAGE, [2])[0])
    seeds = topology.seeds(entities={2: 1.0}, passages={2: 5.0})
    visits = Spreader(topology.adjacency, gain=visible, tolerance=1e-7).spread(seeds)
    without = topology.adjacency.tocsr().tolil()
    without[hidden, :] = 0
    without[:, hidden] = 0
    expected_visits = Spreader(without.tocsr(), tolerance=1e-7).spread(topology.seeds(entities={2: 1.0}))
    assert visits[hidden] == 0
    assert np.allclose(visits, expected_visits, atol=1e-6)


def test_a_larger_gain_draws_more_activation():
    topology = story()
    gain = np.ones(topology.size)
    liked = int(topology.nodes.of(NodeKind.PASSAGE, [2])[0])
    seeds = topology.seeds(entities={2: 1.0})
    plain = Spreader(topology.adjacency, gain=gain).spread(seeds)
    gain[liked] = 1.25
    assert Spreader(topology.adjacency, gain=gain).spread(seeds)[liked] > plain[liked]


def test_a_gain_also_works_on_directed_edges():
    graph = random_graph(2, directed=True)
    gain = np.random.default_rng(0).random(len(graph))
    seeds = np.eye(len(graph))[4]
    weighted = sparse.csr_array(matrix_of(graph).multiply(gain[:, None]).multiply(gain[None, :]))
    one = Spreader(matrix_of(graph), gain=gain, tolerance=1e-9, precise=True).spread(seeds)
    assert np.allclose(one, Spreader(weighted, tolerance=1e-9, precise=True).spread(seeds), atol=1e-8)


def test_a_node_whose_edges_were_all_taken_away_is_not_reached():
    """Not even by the last digits of its neighbours' sums."""
    said = {number: Contribution(mentions=range(number, 40)) for number in range(1, 9)}
    topology = Topology.build(Contributions.of(said)).with_changes(passages=dict.fromkeys(range(2, 9)))
    seeds = topology.seeds(entities={number: 1 / number for number in range(1, 40)})
    gone = topology.nodes.of(NodeKind.PASSAGE, range(2, 9))
    assert Spreader(topology.adjacency).spread(seeds)[gone].tolist() == [0] * 7


@pytest.mark.parametrize("seeds", [np.zeros(3), np.array([1.0, -1.0, 1.0]), np.array([np.nan, 1.0, 1.0]), np.ones(2)])
def test_impossible_seeds_are_refused(seeds):
    with pytest.raises(ValueError, match="seed"):
        Spreader(sparse.csr_array(np.ones((3, 3)))).spread(seeds)


@pytest.mark.parametrize(
    ("matrix", "parameters", "word"),
    [
        (np.ones((2, 3)), {}, "square"),
        (-np.ones((2, 2)), {}, "negative"),
        (np.ones((2, 2)), {"follow": 1.0}, "follow"),
        (np.ones((2, 2)), {"tolerance": 0.0}, "tolerance"),
        (np.ones((2, 2)), {"gain": [1.0, -1.0]}, "gain"),
        (np.ones((2, 2)), {"gain": [1.0]}, "gain"),
    ],
)
def test_impossible_graphs_are_refused(matrix, parameters, word):
    with pytest.raises(ValueError, match=word):
        Spreader(sparse.csr_array(matrix), **parameters)


def test_one_node_alone_keeps_everything():
    assert Spreader(sparse.csr_array((1, 1))).spread([3.0]).tolist() == [1.0]
    empty = Adjacency(sparse.csr_array((2, 2)), 2)
    assert Spreader(empty).spread([0.0, 3.0]).tolist() == [0.0, 1.0]


def test_the_strongest_path_leads_from_the_seed_along_edges():
    topology = story()
    seeds = topology.seeds(entities={1: 1.0, 4: 1.0})
    spreader = Spreader(topology.adjacency)
    visits = spreader.spread(seeds)
    target = int(topology.nodes.of(NodeKind.PASSAGE, [4])[0])
    path = spreader.strongest_path(seeds, visits, target)
    assert topology.nodes.ids(path).tolist() == [1, 3, 4]
    assert spreader.strongest_path(seeds, visits, target, hops=1) == []


def test_a_path_does_not_pass_through_what_is_hidden():
    topology = story()
    entities = np.ones(8, np.bool_)
    entities[3] = False
    gain = topology.over_nodes(entities=entities, passages=np.ones(8, np.bool_))
    seeds = topology.seeds(entities={1: 1.0})
    spreader = Spreader(topology.adjacency, gain=gain)
    target = int(topology.nodes.of(NodeKind.PASSAGE, [4])[0])
    assert spreader.strongest_path(seeds, spreader.spread(seeds), target) == []


def test_a_seed_that_nothing_else_reaches_is_its_own_path():
    topology = story()
    target = int(topology.nodes.of(NodeKind.PASSAGE, [3])[0])
    seeds = topology.seeds(passages={3: 1.0})
    spreader = Spreader(topology.adjacency)
    assert spreader.strongest_path(seeds, spreader.spread(seeds), target) == [target]
