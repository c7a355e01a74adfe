from __future__ import annotations

import time
from itertools import pairwise

import pytest

from lpmm_core.extract.sentences import LONGEST_SENTENCE, language_of, split_sentences, split_turns


def sentences(text: str) -> list[str]:
    return [text[s.start : s.end] for s in split_sentences(text)]


def test_sentences_end_at_full_stops_of_both_languages():
    """MT-10."""
    assert sentences("Anna left. Bob stayed! 她走了。真的？Then he came.") == [
        "Anna left.",
        "Bob stayed!",
        "她走了。",
        "真的？",
        "Then he came.",
    ]


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Smith met J. K. Rowling at St. John's Church.",
        "He paid $4.50 for 1.5 kg on Jan. 3 at 5 p.m. in the U.S. embassy.",
        "Apple Inc. was founded in Cupertino.",
        '"Stop!" he cried.',
        "She left (see p. 3. It is long) at once.",
        "Well... that is all.",
        "见图3.14和www.a.com为止。",
        "用了GPT-4。",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(whole: str):
    assert sentences(whole) == [whole]


def test_an_abbreviation_ends_a_sentence_when_another_one_starts():
    assert sentences("He works at Apple Inc. He likes it in the U.S. The pay is good.") == [
        "He works at Apple Inc.",
        "He likes it in the U.S.",
        "The pay is good.",
    ]


def test_closing_quotes_and_brackets_stay_with_their_sentence():
    assert sentences("芽衣说：“你好。我叫芽衣。”她走了……然后呢？") == [
        "芽衣说：“你好。",
        "我叫芽衣。”",
        "她走了……",
        "然后呢？",
    ]
    assert sentences('"I am." She left. (He too.) Yes.') == ['"I am."', "She left.", "(He too.)", "Yes."]


def test_list_marks_are_left_out_and_wrapped_lines_joined():
    assert sentences("1. First item\n2. Second item\n- third one\n一、第四项") == [
        "First item",
        "Second item",
        "third one",
        "第四项",
    ]
    assert sentences("A line that the editor wrapped by\nitself goes on. Next.") == [
        "A line that the editor wrapped by\nitself goes on.",
        "Next.",
    ]


def test_a_dateline_is_a_sentence_of_its_own():
    assert sentences("LONDON — The firm closed.") == ["LONDON", "The firm closed."]


def test_speaker_marks_cut_turns_and_are_no_text():
    """LP-29."""
    text = "[芽衣] 我住在往世乐土。\n【凯文】：I left.\nHe stayed.\n[1] A note\n[ ] to do"
    turns = split_turns(text)
    assert [(t.speaker, text[t.start : t.end].strip()) for t in turns] == [
        ("芽衣", "我住在往世乐土。"),
        ("凯文", "I left.\nHe stayed.\n[1] A note\n[ ] to do"),
    ]
    assert split_turns("No mark [here] at all")[0].speaker is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我用 Python 写代码", "zh"),
        ("He said 你好 to everybody in the room", "en"),
        ("Привет, мир", "other"),
        ("これは日本語です", "other"),
        ("12:30", "other"),
        ("Où est la gare", "en"),
    ],
)
def test_the_language_is_the_one_of_most_words(text: str, language: str):
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "a" * 10**6,
        "word " * 200_000,
        "(" * 10**5 + ")" * 10**5,
        "\n" * 10**6,
        ". " * 10**5,
        "[a]\n" * 10**5,
        "Mr. " * 10**5,
    ],
    ids=["no break", "no stop", "brackets", "line breaks", "stops", "marks", "abbreviations"],
)
def test_hostile_text_is_split_in_bounded_time_into_bounded_sentences(text: str):
    began = time.perf_counter()
    found = [s for turn in split_turns(text) for s in split_sentences(text, turn.start, turn.end)]
    assert time.perf_counter() - began < 10
    assert all(0 < s.end - s.start <= LONGEST_SENTENCE for s in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
