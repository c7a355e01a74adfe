"""Questions that a memory can answer, made from its own facts."""

from __future__ import annotations

from collections.abc import Callable

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
