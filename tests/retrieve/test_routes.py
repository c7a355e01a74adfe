"""Every route, what each falls back to, and that the result says so."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from lpmm_core.base.errors import InvalidInput, NotFound
from lpmm_core.memory import Memory
from lpmm_core.retrieve.result import Result, Route
from tests.fixtures.toy import FlakyEmbedder, document, entity, passage
from tests.retrieve.conftest import AROUND, FIRST, QUESTION, SECOND

Open = Callable[..., Memory]


def texts(result: Result) -> list[str]:
    return [passage.text for passage in result.passages]


def ask(memory: Memory, question: str, **options: Any) -> Result:
    return memory.retrieve(question, record=False, **options)


# --- routes ---


@pytest.mark.parametrize("route", ["graph", "dense", "lexical", "hybrid"])
def test_each_route_finds_the_passage_that_says_it_and_is_named_in_the_result(sea: Memory, route: str) -> None:
    """LP-12, LP-16."""
    result = ask(sea, "Ottoline was born on the island of Tarsk", route=route, top_k=3)
    assert texts(result)[0] == FIRST
    assert len(result.passages) == 3
    assert (result.route, result.trace.asked_route) == (route, route)
    assert result.trace.reason
    scores = [passage.score for passage in result.passages]
    assert scores == sorted(scores, reverse=True)


def test_left_to_itself_it_takes_the_graph_and_says_from_how_many_facts(sea: Memory) -> None:
    """LP-14."""
    result = ask(sea, QUESTION)
    assert (result.route, result.trace.asked_route) == (Route.GRAPH, Route.AUTO)
    assert result.trace.reason == f"over the graph, from {len(result.facts)} facts"
    assert [stage["stage"] for stage in result.trace.stages] == [
        "understand",
        "candidates",
        "facts",
        "second step",
        "spread",
    ]


def test_the_graph_finds_the_second_step_that_similarity_cannot(sea: Memory) -> None:
    assert SECOND not in texts(ask(sea, QUESTION, route="dense", top_k=5))
    assert SECOND not in texts(ask(sea, QUESTION, route="lexical", top_k=5))
    assert SECOND not in texts(ask(sea, QUESTION, route="hybrid", top_k=5))
    assert texts(ask(sea, QUESTION, top_k=2)) == [FIRST, SECOND]


def test_the_graph_finds_a_passage_without_any_name(sea: Memory) -> None:
    result = ask(sea, "Ottoline: wine stood on a table", top_k=3)
    assert result.route is Route.GRAPH
    assert "Wine stood on a table." in texts(result)


@pytest.mark.parametrize("route", ["auto", "graph", "dense", "hybrid"])
def test_a_passage_that_waits_for_its_vector_and_its_reading_is_found_by_its_words(open_toy: Open, route: str) -> None:
    """What was taken in is answerable at once."""
    memory = open_toy()
    memory.ingest([document(FIRST, SECOND, *AROUND)])
    memory.ingest([document("A zeppelin was repaired in Tarsk", name="late")], wait=False)
    result = ask(memory, "Who repaired the zeppelin in Tarsk?", route=route, top_k=3)
    assert "A zeppelin was repaired in Tarsk" in texts(result)


def test_two_questions_have_two_different_answers_on_top(sea: Memory) -> None:
    """Seeds matter: the same documents on top for every question is a fault that others had."""
    one, other = ask(sea, "where was Ottoline born"), ask(sea, "陈默住在哪里")
    assert texts(one)[0] == FIRST
    assert texts(other)[0] == "陈默|住在|青石镇"
    assert one.trace.entities[0]["name"] in ("Ottoline", "Tarsk")
    assert other.trace.entities[0]["name"] in ("陈默", "青石镇")


# --- falling back ---


def test_without_facts_the_ranking_is_that_of_meaning_and_says_so(open_toy: Open) -> None:
    """LP-15."""
    memory = open_toy()
    memory.ingest([document(*(text for text in AROUND if "|" not in text))])
    result, dense = (
        ask(memory, "quarrels on the road"),
        ask(memory, "quarrels on the road", route="dense"),
    )
    assert result.route is Route.DENSE
    assert result.trace.reason == "no fact is near enough, so by meaning"
    assert texts(result) == texts(dense)
    assert result.facts == ()


def test_facts_that_are_not_near_enough_do_not_lead(open_toy: Open) -> None:
    """LP-15."""
    memory = open_toy(retrieve={"fact_threshold": 0.99})
    memory.ingest([document(FIRST, SECOND, *AROUND)])
    result = ask(memory, QUESTION)
    assert (result.route, result.facts) == (Route.DENSE, ())
    assert ask(memory, "Ottoline was born on the island of Tarsk").route is Route.GRAPH


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "quantum flux",
            "Nothing in this memory is near this question; these are merely the nearest passages there are.",
        ),
        ("量子纠缠", "记忆里没有与这个问题相近的内容，以下只是相对最近的几段。"),
        ("where was wine", None),
        ("灯塔", None),
        ("陈默和量子纠缠", None),
    ],
)
def test_a_question_far_from_everything_is_answered_and_told_so(
    open_toy: Open, question: str, told: str | None
) -> None:
    memory = open_toy(retrieve={"far": 0.4})
    memory.ingest([document(FIRST, SECOND, *AROUND)])
    result = ask(memory, question)
    assert result.passages
    assert result.trace.warnings == ((told,) if told else ())


def test_without_an_embedding_model_words_lead(open_toy: Open) -> None:
    memory = open_toy(embedding={"provider": "none"})
    memory.ingest([document(FIRST, SECOND, *AROUND)])
    for route in ("auto", "dense", "hybrid", "lexical"):
        result = ask(memory, "where was Ottoline born", route=route)
        assert result.route is Route.LEXICAL
        assert texts(result)[0] == FIRST
    assert ask(memory, "where was Ottoline born").trace.reason == "there are no vectors, so by words"
    over_the_graph = ask(memory, "where was Ottoline born", route="graph", top_k=2)
    assert over_the_graph.route is Route.GRAPH
    assert SECOND in texts(over_the_graph)


def test_an_embedding_service_that_is_away_is_told_once_and_words_lead(open_toy: Open) -> None:
    """ME-07."""
    embedder = FlakyEmbedder()
    memory = open_toy(embedder=embedder)
    memory.ingest([document(FIRST, SECOND, *AROUND)])
    embedder.works = False
    result = ask(memory, QUESTION)
    assert result.route is Route.LEXICAL
    assert result.trace.warnings == ("the embedding service is away",)
    assert result.passages


def test_the_reason_is_in_the_questions_language(sea: Memory) -> None:
    assert ask(sea, "陈默住在哪里", route="lexical").trace.reason == "按字词查找"
    assert ask(sea, "where", route="lexical").trace.reason == "by words"


# --- small and odd memories and questions ---


@pytest.mark.parametrize(("told_in", "told"), [("zh", "条事实出发，沿图查找"), ("en", "over the graph, from")])
def test_the_reasons_can_be_told_in_another_language_than_the_question(sea: Memory, told_in: str, told: str) -> None:
    for question in (QUESTION, "陈默住在哪里"):
        result = ask(sea, question, told_in=told_in)
        assert told in result.trace.reason
        in_chinese = ["语义上排第" in reason.text for found in result.passages for reason in found.why]
        assert any(in_chinese) == (told_in == "zh")
    with pytest.raises(InvalidInput, match="zh or en"):
        ask(sea, QUESTION, told_in="fr")


def test_an_empty_memory_answers_calmly(open_toy: Open) -> None:
    memory = open_toy()
    for route in Route:
        result = ask(memory, "anything", route=str(route))
        assert (result.passages, result.facts) == ((), ())
        assert result.trace.reason == "The memory is still empty."
    assert ask(memory, "有什么").trace.reason == "记忆还是空的。"


@pytest.mark.parametrize("question", ["", "   \n", "\x00\x07", "\u200b", "“”"])
def test_an_empty_question_finds_nothing_and_says_so(sea: Memory, question: str) -> None:
    """ME-08."""
    result = sea.retrieve(question)
    assert (result.passages, result.facts, result.retrieval) == ((), (), None)
    assert result.trace.reason in ("There is no question, so there is no answer.", "没有问题，就没有答案。")


@pytest.mark.parametrize(
    "question",
    ["?", "🙂", "\ud800 Ottoline", "Otto\x00line", "'; DROP TABLE passages; --", "%_\\", "a" * 20_000, "的", "\u202e"],
)
def test_no_question_is_too_odd(sea: Memory, question: str) -> None:
    result = sea.retrieve(question)
    assert str(result.to_json()).encode()
    if result.retrieval:
        assert sea.trace(result.retrieval)["paragraphs"]


def test_a_memory_of_one_passage_works_on_every_route(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(FIRST)])
    for route in Route:
        result = ask(memory, "where was Ottoline born", route=str(route))
        assert texts(result) == [FIRST]
        assert 0 < result.passages[0].score < 100


def test_equal_scores_divide_by_nothing(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Ann|met|Bob", name="one")])
    memory.ingest([document("# Same\nAnn|met|Bob", "# Sama\nAnn|met|Bob", name="two")])
    for route in Route:
        result = ask(memory, "Ann met Bob", route=str(route))
        assert len(result.passages) == 3
        assert all(passage.score == passage.score for passage in result.passages)


def test_more_names_than_top_k_do_not_wipe_the_seeds(open_toy: Open) -> None:
    memory = open_toy()
    names = [f"{first}{second}" for first in ("Ka", "Lo", "Mi", "Nu") for second in ("ras", "tem", "vol", "zan")]
    memory.ingest([document(*(f"{name}|carries|{name}stone" for name in names))])
    result = ask(memory, f"what do {', '.join(names)} carry", top_k=16)
    assert result.route is Route.GRAPH
    (spread,) = [stage for stage in result.trace.stages if stage["stage"] == "spread"]
    assert spread["entities"] >= len(names)
    assert sorted(texts(result)) == sorted(f"{name}|carries|{name}stone" for name in names)


@pytest.mark.parametrize(
    ("word", "found"), [("茶", "茶凉了"), ("灯塔", "青石镇的灯塔已经不亮了"), ("亮", "青石镇的灯塔已经不亮了")]
)
def test_one_and_two_characters_are_found_by_words(sea: Memory, word: str, found: str) -> None:
    assert texts(ask(sea, word, route="lexical"))[0] == found


def test_marked_speakers_are_found(open_toy: Open) -> None:
    """LP-29."""
    memory = open_toy()
    memory.ingest([document("[芽衣]今天的茶很好喝。", "[琪亚娜]我想吃点心。", "爱莉希雅|住在|往世乐土")])
    assert texts(ask(memory, "芽衣说了什么", route="lexical"))[0].startswith("[芽衣]")
    assert texts(ask(memory, "谁住在往世乐土？"))[0] == "爱莉希雅|住在|往世乐土"


def test_top_k_is_kept_and_bounded(sea: Memory) -> None:
    """LP-16."""
    assert len(ask(sea, QUESTION, top_k=1).passages) == 1
    assert len(ask(sea, QUESTION, top_k=4).passages) == 4
    assert len(ask(sea, QUESTION).passages) == sea.settings.retrieve.top_k
    for wrong in (0, 101, -1):
        with pytest.raises(InvalidInput, match="top_k"):
            ask(sea, QUESTION, top_k=wrong)


def test_an_unknown_route_is_refused_with_the_ones_there_are(sea: Memory) -> None:
    with pytest.raises(InvalidInput, match="auto, graph, dense, lexical, hybrid"):
        ask(sea, QUESTION, route="magic")


# --- the same for all who ask ---


def without_time(result: Result) -> dict[str, Any]:
    document = result.to_json()
    del document["trace"]["seconds"]
    del document["retrieval"]
    return document


@pytest.mark.parametrize("question", [QUESTION, "陈默住在哪里", "", "nothing of the kind"])
def test_awaited_and_direct_give_the_same(sea: Memory, question: str) -> None:
    """ME-03."""
    assert without_time(asyncio.run(sea.aretrieve(question))) == without_time(sea.retrieve(question))


def test_asking_again_and_asking_together_give_the_same(sea: Memory) -> None:
    alone = [without_time(ask(sea, question)) for question in (QUESTION, "陈默住在哪里", "Ottoline")]

    async def together() -> list[Result]:
        asked = [sea.aretrieve(q, record=False) for q in (QUESTION, "陈默住在哪里", "Ottoline") for _ in range(4)]
        return await asyncio.gather(*asked)

    found = [without_time(result) for result in asyncio.run(together())]
    assert found == [one for one in alone for _ in range(4)]


def test_a_question_can_be_asked_as_soon_as_a_memory_is_open(sea: Memory, open_toy: Open) -> None:
    assert texts(ask(open_toy("sea"), QUESTION, top_k=2)) == [FIRST, SECOND]


# --- what leaves a trace ---


def rows(memory: Memory, table: str) -> list[sqlite3.Row]:
    with memory.snapshot() as view:
        return view.connection.execute(f"SELECT * FROM {table}").fetchall()


def test_an_answer_is_kept_with_its_trace_and_counts_as_use(sea: Memory) -> None:
    sequence = sea.stats().sequence
    result = sea.retrieve(QUESTION, actor="web", top_k=2)
    assert result.retrieval is not None
    assert sea.trace(result.retrieval) == result.to_json()
    (trace,) = rows(sea, "traces")
    assert (trace["actor"], trace["question"]) == ("web", QUESTION)
    assert [use["manner"] for use in rows(sea, "uses")] == ["returned", "returned"]
    assert sea.stats().sequence == sequence, "use is not an edit"
    with pytest.raises(NotFound):
        sea.trace("t" + "a" * 13)


def test_asking_without_record_leaves_no_trace_and_no_use(sea: Memory) -> None:
    result = sea.retrieve(QUESTION, record=False)
    assert result.retrieval is None
    assert rows(sea, "traces") == rows(sea, "uses") == []


# --- what is gone stays away ---


def everything(memory: Memory) -> str:
    """Return all that questions, canvas, suggestions and counts say."""
    told: list[Any] = []
    for route in Route:
        for question in ("Ottoline", "Ottoline was born on the island of Tarsk", QUESTION):
            result = ask(memory, question, route=str(route), top_k=100).to_json()
            del result["question"]
            for stage in result["trace"]["stages"]:
                stage.pop("names", None)  # what the question itself says
            told.append(result)
    told.append(memory.subgraph(passages=True).to_json())
    told.append(list(memory.to_networkx().nodes(data=True)))
    told.append([e.name for e in memory.suggestions("o")])
    return str(told)


def delete_passage(memory: Memory) -> None:
    memory.delete([passage(memory, FIRST)])


def delete_source(memory: Memory) -> None:
    memory.delete([memory.sources().items[0].id])


def undo_ingest(memory: Memory) -> None:
    memory.undo()


def purge_passage(memory: Memory) -> None:
    gone = passage(memory, FIRST)
    memory.delete([gone])
    memory.purge([gone])


@pytest.mark.parametrize("go", [delete_passage, delete_source, undo_ingest, purge_passage])
def test_what_was_taken_away_comes_back_on_no_path(open_toy: Open, go: Callable[[Memory], None]) -> None:
    memory = open_toy()
    memory.ingest([document(SECOND, *AROUND, name="around")])
    memory.ingest([document(FIRST, name="first")])
    assert "Ottoline" in everything(memory)
    go(memory)
    assert "Ottoline" not in everything(memory)
    assert "ottoline" not in everything(memory)


def test_a_deleted_fact_leads_nowhere_while_its_text_stays(sea: Memory) -> None:
    fact = ask(sea, QUESTION).facts[0].fact
    assert (fact.subject, fact.object) == ("Ottoline", "Tarsk")
    sea.delete([fact.id])
    result = ask(sea, QUESTION)
    assert fact.id not in [found.fact.id for found in result.facts]
    assert not any(
        "Ottoline — was born on the island of — Tarsk" in reason.text for p in result.passages for reason in p.why
    )
    assert FIRST in texts(ask(sea, "Ottoline"))


def test_a_deleted_entity_is_no_seed_no_node_and_no_suggestion(sea: Memory) -> None:
    gone = entity(sea, "Tarsk")
    sea.delete([gone])
    result = ask(sea, QUESTION, top_k=20)
    assert gone not in [node.id for node in result.trace.nodes]
    assert gone not in [one["id"] for one in result.trace.entities]
    assert gone not in [one for p in result.passages for one in p.entities]
    assert not any(found.fact.object == "Tarsk" or found.fact.subject == "Tarsk" for found in result.facts)


def test_a_merged_entity_is_named_by_what_it_became(sea: Memory) -> None:
    sea.merge([entity(sea, "Ottoline")], entity(sea, "陈默"))
    result = ask(sea, QUESTION, top_k=3)
    assert texts(result)[0] == FIRST
    assert result.facts[0].fact.subject == "陈默"
    assert "Ottoline" not in [node.name for node in result.trace.nodes]
    assert result.trace.entities[0]["name"] in ("陈默", "Tarsk")


def test_a_fact_between_what_became_one_entity_leads_nowhere(sea: Memory) -> None:
    sea.merge([entity(sea, "Ottoline")], entity(sea, "Tarsk"))
    result = ask(sea, "Ottoline was born on the island of Tarsk")
    assert all(found.fact.subject_id != found.fact.object_id for found in result.facts)
    assert all(edge.source != edge.target for edge in result.trace.edges)


def test_the_graph_without_vectors_does_not_speak_of_meaning(open_toy: Open) -> None:
    memory = open_toy(embedding={"provider": "none"})
    memory.ingest([document("Ottoline|was born on|Tarsk", "Tarsk|lies in|the North Sea")])
    result = ask(memory, "where was Ottoline born", route="graph")
    assert result.route is Route.GRAPH
    told = " ".join(reason.text for passage in result.passages for reason in passage.why)
    assert "nearness" in told
    assert "meaning" not in told
