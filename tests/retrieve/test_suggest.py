"""Questions that a memory can answer, made from its own facts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpmm_core.memory import Memory
from tests.fixtures.toy import document, entity

Open = Callable[..., Memory]


def test_questions_are_about_different_subjects_and_can_be_answered(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Mira|met|Pell", "Quist|found|Rossa", "陈默|认识|林知夏")])
    asked = memory.questions(3)
    assert sorted(asked) == sorted(["Who knows Anna?", "Who found Rossa?", "陈默认识谁？"])
    for question in asked:
        assert memory.retrieve(question, record=False).facts
    assert memory.questions(1) == asked[:1]


@pytest.mark.parametrize(
    ("stated", "asked"),
    [
        ("陈默|是…的叔叔|林知夏", "陈默是谁的叔叔？"),
        ("陈默|以…为师|林知夏", "陈默以谁为师？"),
        ("Mira|was taught by|Anna", "Who was taught by Anna?"),
        ("Mira|worked at|Anna", "Who worked at Anna?"),
        ("Mira|starring|Anna", None),
        ("Mira|opened shipyard at|Anna", None),
        ("陈默|met|林知夏", None),
    ],
)
def test_a_fact_becomes_a_sentence_or_no_question(open_toy: Open, stated: str, asked: str | None) -> None:
    memory = open_toy()
    memory.ingest([document(stated)])
    assert memory.questions() == ([asked] if asked else [])


def test_a_memory_without_facts_suggests_nothing(open_toy: Open) -> None:
    memory = open_toy()
    assert memory.questions() == []
    memory.ingest([document("just words", "Ann|!met|Bob")])
    assert memory.questions() == []


def test_what_was_deleted_is_not_asked_about(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna")])
    memory.delete([entity(memory, "Anna")])
    assert memory.questions() == []
