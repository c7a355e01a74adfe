"""What a canvas draws: names, kinds, positions, facts between shown nodes, and how much is hidden."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from lpmm_core.base.errors import NotFound
from lpmm_core.graph import subgraph as choose
from lpmm_core.graph.canvas import CanvasNode, Subgraph
from lpmm_core.memory import Memory
from tests.fixtures.toy import document, entity, passage, picture

Open = Callable[..., Memory]


@pytest.fixture
def town(open_toy: Open) -> Memory:
    memory = open_toy("town")
    memory.ingest(
        [
            document(
                "Mira|knows|Anna",
                "Mira|knows|Anna\nAnna|likes|Mira",
                "# Mira\nShe and Pavel met Anna in Varna.",
                "Harbour Lane|lies in|Varna",
                "Harbour Lanes|lies in|Sofia",
                "陈默|住在|青石镇",
            )
        ]
    )
    return memory


def named(part: Subgraph) -> dict[str, CanvasNode]:
    return {node.name: node for node in part.nodes}


def test_entities_come_with_kind_size_and_how_many_passages_mention_them(town: Memory) -> None:
    """LP-24, LP-08."""
    nodes = named(town.subgraph())
    assert {node.type for node in nodes.values()} == {"entity"}
    assert {name: node.passages for name, node in nodes.items()} == {
        "Mira": 2,
        "Anna": 3,
        "Pavel": 1,
        "Varna": 2,
        "Harbour Lane": 1,
        "Harbour Lanes": 1,
        "Sofia": 1,
        "陈默": 1,
        "青石镇": 1,
    }
    assert nodes["Anna"].kind == "person"
    assert nodes["Anna"].size > nodes["Mira"].size > nodes["Pavel"].size >= 10
    assert all(node.hidden == 0 for node in nodes.values())


def test_facts_between_shown_entities_are_edges_with_the_number_of_passages_that_state_them(town: Memory) -> None:
    part = town.subgraph()
    names = {node.id: node.name for node in part.nodes}
    facts = {(names[e.source], e.predicate, names[e.target]): e.weight for e in part.edges if e.type == "fact"}
    assert facts == {
        ("Mira", "knows", "Anna"): 2.0,
        ("Anna", "likes", "Mira"): 1.0,
        ("Harbour Lane", "lies in", "Varna"): 1.0,
        ("Harbour Lanes", "lies in", "Sofia"): 1.0,
        ("陈默", "住在", "青石镇"): 1.0,
    }
    (edge,) = [e for e in part.edges if e.predicate == "likes"]
    assert town.fact(edge.fact or "").object == "Mira"
    synonyms = [{names[e.source], names[e.target]} for e in part.edges if e.type == "synonym"]
    assert synonyms == [{"Harbour Lane", "Harbour Lanes"}]


def test_passages_are_shown_when_asked_for_with_their_place_as_name(town: Memory) -> None:
    part = town.subgraph(focus=[entity(town, "Pavel")], passages=True, limit=3)
    (sheet,) = [node for node in part.nodes if node.type == "passage"]
    assert (sheet.name, sheet.kind, sheet.label) == ("notes · 3", "passage", "")
    assert any({edge.source, edge.target} == {sheet.id, entity(town, "Pavel")} for edge in part.edges)


def test_looking_around_an_entity_shows_it_first_and_counts_what_is_hidden(town: Memory) -> None:
    part = town.subgraph(focus=[entity(town, "Anna")], limit=1)
    assert [node.name for node in part.nodes] == ["Anna"]
    assert part.nodes[0].hidden == 1, "Mira"
    assert part.truncated
    assert (part.total, part.cap) == (9, 1)


def test_looking_around_a_passage_shows_whom_it_mentions(town: Memory) -> None:
    part = town.subgraph(focus=[passage(town, "Pavel")], passages=True, limit=20)
    assert part.nodes[0].type == "passage"
    assert {"Pavel", "Anna", "Varna", "Mira"} <= set(named(part))


def test_a_merged_entity_in_focus_leads_to_what_it_became(town: Memory) -> None:
    gone = entity(town, "Pavel")
    town.merge([gone], entity(town, "Mira"))
    part = town.subgraph(focus=[gone], limit=1)
    assert [node.id for node in part.nodes] == [entity(town, "Mira")]


def test_unknown_deleted_and_other_records_in_focus_are_refused(town: Memory, open_toy: Open) -> None:
    gone = entity(town, "Pavel")
    town.delete([gone])
    elsewhere = open_toy("elsewhere")
    elsewhere.ingest([document("Mira|knows|Anna")])
    source, fact = town.sources().items[0].id, town.entity(entity(town, "Mira")).facts[0].id
    for focus in ("nonsense", gone, entity(elsewhere, "Mira"), source, fact):
        with pytest.raises(NotFound):
            town.subgraph(focus=[focus])


def test_a_deleted_passage_in_focus_shows_nothing_of_itself(town: Memory) -> None:
    gone = passage(town, "Pavel")
    town.delete([gone])
    part = town.subgraph(focus=[gone], passages=True)
    assert gone not in [node.id for node in part.nodes]
    assert "Pavel" not in named(part)


def test_nodes_that_stand_somewhere_stay_there(town: Memory) -> None:
    first = town.subgraph(focus=[entity(town, "Anna")], passages=True, limit=4)
    standing = {node.id: (node.x, node.y) for node in first.nodes}
    more = town.subgraph(focus=[entity(town, "Anna")], passages=True, limit=10, shown=standing)
    assert len(more.nodes) > len(first.nodes)
    assert {node.id: (node.x, node.y) for node in more.nodes if node.id in standing} == standing


def test_a_canvas_grows_by_the_neighbours_of_what_is_unfolded(town: Memory) -> None:
    shown = {entity(town, name): (100.0 * n, 0.0) for n, name in enumerate(("Varna", "Mira"))}
    more = town.subgraph(focus=[entity(town, "Varna")], limit=3, shown=shown)
    assert len(more.nodes) == 3
    assert set(shown) <= {node.id for node in more.nodes}
    new = next(node.id for node in more.nodes if node.id not in shown)
    assert {new, entity(town, "Varna")} in [{edge.source, edge.target} for edge in more.edges]
    assert len(town.subgraph(focus=[entity(town, "Varna")], limit=1, shown=shown).nodes) == 2, "nothing is taken away"
    assert len(town.subgraph(focus=[entity(town, "Varna")], limit=9, shown=shown).nodes) == 3, "only neighbours come"


def test_what_is_gone_leaves_a_canvas_and_nothing_else_does(town: Memory) -> None:
    gone, sheets = entity(town, "Pavel"), [passage(town, "Pavel"), passage(town, "Mira")]
    shown = {id: (50.0 * n, 9.0) for n, id in enumerate([entity(town, "Anna"), gone, *sheets, "nonsense"])}
    town.delete([gone])
    part = town.subgraph(focus=[entity(town, "Anna")], limit=1, passages=True, shown=shown)
    assert {node.id for node in part.nodes} == set(shown) - {gone, "nonsense"}


def test_no_two_nodes_stand_in_one_place_and_asking_again_changes_nothing(town: Memory) -> None:
    part = town.subgraph(passages=True)
    assert part == town.subgraph(passages=True)
    places = np.array([(node.x, node.y) for node in part.nodes])
    assert np.isfinite(places).all()
    assert len({tuple(place) for place in places.tolist()}) == len(places)


def test_an_empty_memory_is_an_empty_canvas(open_toy: Open) -> None:
    part = open_toy().subgraph()
    assert (part.nodes, part.edges, part.total, part.truncated) == ((), (), 0, False)


@pytest.mark.parametrize("limit", [-3, 0, 1, 10**9])
def test_a_limit_is_kept_within_what_a_canvas_can_show(town: Memory, limit: int) -> None:
    part = town.subgraph(limit=limit)
    assert part.cap == max(1, min(limit, choose.MOST))
    assert len(part.nodes) <= part.cap


def test_the_json_holds_what_the_page_draws_from(town: Memory) -> None:
    part = town.subgraph(passages=True)
    document = json.loads(json.dumps(part.to_json()))
    assert set(document) == {"nodes", "edges", "total", "cap", "truncated", "sequence"}
    assert document["sequence"] == town.stats().sequence
    assert {"id", "type", "name", "kind", "label", "passages", "size", "hidden", "x", "y"} <= set(document["nodes"][0])
    assert {"source", "target", "type", "weight", "predicate", "fact"} <= set(document["edges"][0])


def test_long_names_are_cut_on_the_canvas_and_whole_underneath(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("A Very Long Name Of Some Sort|knows|青石镇上最老的那一座图书馆")])
    nodes = named(memory.subgraph())
    assert nodes["A Very Long Name Of Some Sort"].label == "A Very Long Name …"
    assert nodes["青石镇上最老的那一座图书馆"].label == "青石镇上最老的那一…"


def test_networkx_holds_the_whole_visible_graph_with_typed_attributes(town: Memory) -> None:
    """LP-24."""
    graph = town.to_networkx()
    kinds = [data["type"] for _, data in graph.nodes(data=True)]
    assert (kinds.count("entity"), kinds.count("passage")) == (9, 6)
    assert sorted({data["type"] for _, _, data in graph.edges(data=True)}) == ["fact", "mention", "synonym"]
    mentions = [data["weight"] for _, _, data in graph.edges(data=True) if data["type"] == "mention"]
    said = [weight for ends, weight in picture(town).edges.items() if sum(isinstance(end, str) for end in ends) == 1]
    assert sorted(mentions) == sorted(said)
    part = town.to_networkx(town.subgraph(focus=[entity(town, "陈默")], limit=2))
    assert sorted(data["name"] for _, data in part.nodes(data=True)) == ["陈默", "青石镇"]
    assert "x" not in next(iter(part.nodes(data=True)))[1]


def test_what_is_deleted_is_on_no_canvas(town: Memory) -> None:
    town.delete([entity(town, "Anna")])
    part = town.subgraph(passages=True)
    assert "Anna" not in named(part)
    assert not any(edge.predicate in ("knows", "likes") for edge in part.edges)
    assert "Anna" not in str(town.to_networkx().nodes(data=True))
