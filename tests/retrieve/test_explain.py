"""Reasons are read off what happened: parts add up, facts are really stated, paths really exist, and stay small."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from lpmm_core.memory import Memory
from lpmm_core.retrieve.explain import SHOWN_NODES
from lpmm_core.retrieve.result import Result, Route
from tests.fixtures.toy import document, entity
from tests.retrieve.conftest import FIRST, QUESTION, SECOND

Open = Callable[..., Memory]


def ask(memory: Memory, question: str, **options: Any) -> Result:
    return memory.retrieve(question, record=False, **options)


def said(result: Result, number: int) -> list[str]:
    return [reason.text for reason in result.passages[number].why]


@pytest.mark.parametrize("route", list(Route))
@pytest.mark.parametrize("question", [QUESTION, "陈默住在哪里", "Ottoline", "Pell sold wine"])
def test_the_parts_of_a_score_add_up_to_it(sea: Memory, route: Route, question: str) -> None:
    result = ask(sea, question, route=str(route), top_k=100)
    assert result.passages
    for passage in result.passages:
        assert sum(passage.parts.values()) == pytest.approx(passage.score, abs=5e-6)
        assert route is Route.DENSE or all(part >= 0 for part in passage.parts.values())


def test_the_parts_add_up_far_from_the_seeds_too(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*(f"Knot{i}|pulls|Knot{i + 1}" for i in range(60)))])
    result = ask(memory, "what pulls Knot7", top_k=100)
    assert result.route is Route.GRAPH
    assert len(result.passages) > 10
    for passage in result.passages:
        assert sum(passage.parts.values()) == pytest.approx(passage.score, abs=5e-6)


def test_a_passage_that_states_a_leading_fact_says_which(sea: Memory) -> None:
    result = ask(sea, QUESTION, top_k=2)
    assert said(result, 0)[0] == "It states “Ottoline — was born on the island of — Tarsk”."
    assert any(
        re.match(r"Score [\d.]+: facts [\d.]+, names [\d.]+, nearness [\d.]+\.", text) for text in said(result, 0)
    )


def test_a_passage_found_at_the_second_step_says_the_way(sea: Memory) -> None:
    result = ask(sea, QUESTION, top_k=2)
    assert result.passages[1].text == SECOND
    way = said(result, 1)[0]
    assert "Tarsk" in way


def test_reasons_are_in_chinese_for_a_chinese_question(sea: Memory) -> None:
    result = ask(sea, "陈默住在哪里")
    assert said(result, 0)[0] == "这里说到“陈默 — 住在 — 青石镇”。"


def test_facts_in_reasons_are_stated_by_the_passage_or_lie_on_its_path(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*(f"Knot{i}|pulls|Knot{i + 1}" for i in range(12)), FIRST, SECOND)])
    for question in ("what pulls Knot3", "Knot7 pulls", QUESTION):
        result = ask(memory, question, top_k=20)
        edges = {edge.fact for edge in result.trace.edges if edge.fact}
        for passage in result.passages:
            stated = {f"{f.subject} — {f.predicate} — {f.object}" for f in memory.passage(passage.id).facts}
            on_paths = {f"{f.subject} — {f.predicate} — {f.object}" for f in (memory.fact(fact) for fact in edges)}
            for reason in passage.why:
                quoted = set(re.findall(r"“([^”]+)”", reason.text))
                if reason.kind == "states" or reason.text.startswith("It states"):
                    assert quoted <= stated
                assert quoted <= stated | on_paths


def test_a_denied_fact_is_told_as_denied_and_does_not_hide_its_affirmation(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Ann|likes|Bob", name="one"), document("Ann|!likes|Bob", name="two")])
    result = ask(memory, "Ann likes Bob")
    assert [(found.fact.negated, found.fact.predicate) for found in result.facts] == [(False, "likes"), (True, "likes")]
    by_text = {passage.text: passage.why[0].text for passage in result.passages}
    assert by_text == {
        "Ann|likes|Bob": "It states “Ann — likes — Bob”.",
        "Ann|!likes|Bob": "It states “Ann — likes — Bob (denied)”.",
    }
    assert ask(memory, "Ann 喜欢 Bob 吗，谁喜欢谁").passages
    chinese = open_toy("chinese")
    chinese.ingest([document("陈默|!认识|林知夏")])
    assert ask(chinese, "陈默认识林知夏吗").passages[0].why[0].text == "这里说到“陈默 — 认识 — 林知夏（否认）”。"


def test_the_lit_path_holds_the_passages_the_seeds_and_real_facts(sea: Memory) -> None:
    result = ask(sea, QUESTION, top_k=2)
    nodes = {node.id: node for node in result.trace.nodes}
    assert [passage.id for passage in result.passages] == [n.id for n in result.trace.nodes if n.type == "passage"]
    assert {"Ottoline", "Tarsk"} <= {node.name for node in nodes.values()}
    assert all(0 <= node.lit <= 1 for node in nodes.values())
    assert max(node.lit for node in nodes.values()) == 1
    for edge in result.trace.edges:
        assert edge.source in nodes
        assert edge.target in nodes
        if edge.fact:
            fact = sea.fact(edge.fact)
            assert {nodes[edge.source].name, nodes[edge.target].name} == {fact.subject, fact.object}
            assert edge.predicate == fact.predicate
    assert {edge.type for edge in result.trace.edges} == {"fact", "mention"}


def test_the_lit_path_stays_small_however_much_is_asked_for(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*(f"Hub|holds|Thing{i} number" for i in range(90)))])
    result = ask(memory, "what does Hub hold", top_k=100)
    assert len(result.passages) == 90
    assert 0 < len(result.trace.nodes) <= SHOWN_NODES == 40


def test_marked_names_stand_where_they_are_said(sea: Memory) -> None:
    passage = ask(sea, QUESTION, top_k=1).passages[0]
    marked = [passage.text[start:end] for start, end in passage.spans]
    assert marked == ["Ottoline", "Tarsk"]
    assert passage.entities == (entity(sea, "Ottoline"), entity(sea, "Tarsk"))


def test_a_passage_says_where_it_stands(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Ann|met|Bob", FIRST, name="letters")])
    passage = ask(memory, "Ottoline", top_k=1).passages[0]
    assert (passage.source_name, passage.position, passage.title) == ("letters", 2, None)
    assert passage.source == memory.sources().items[0].id


def test_the_json_is_what_the_contract_says(sea: Memory) -> None:
    found = sea.retrieve(QUESTION, top_k=2).to_json()
    assert list(found) == ["retrieval", "question", "route", "paragraphs", "facts", "trace"]
    assert {"id", "text", "score", "source", "why"} <= set(found["paragraphs"][0])
    assert set(found["paragraphs"][0]["source"]) == {"id", "name"}
    assert all(isinstance(sentence, str) for sentence in found["paragraphs"][0]["why"])
    assert {"id", "subject", "predicate", "object", "score", "recorded", "valid", "evidence"} <= set(found["facts"][0])
    start, end = found["facts"][0]["recorded"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", start)
    assert end is None
    assert found["facts"][0]["valid"] == [None, None]
    occurrence = sea.occurrences(found["facts"][0]["evidence"])[0]
    assert sea.passage(occurrence.passage).passage.text == FIRST
