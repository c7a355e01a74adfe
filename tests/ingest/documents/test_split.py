"""Cutting long texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.ingest.documents.split import LONGEST_PASSAGE, cut, is_long, units


def test_an_ideograph_weighs_more_than_two_letters():
    assert units("字" * 800) == LONGEST_PASSAGE == units("a" * 1800)
    assert not is_long("字" * 800)
    assert is_long("字" * 801)
    assert is_long("a" * 1801)


# Where a cut falls depends on the lengths before it; these make it fall everywhere.
shifts = pytest.mark.parametrize("shift", range(0, 90, 7))


@shifts
def test_sentences_are_not_cut_at_abbreviations(shift):
    text = "x" * shift + "Dr. Smith met Mrs. Jones of the U.S. Army at 5 p.m. in St. Louis, e.g. for tea. " * 60
    assert all(part.endswith("tea. ") for part in cut(text))


@shifts
def test_a_mark_before_a_small_letter_ends_no_sentence(shift):
    text = "x" * shift + '"What is it that you want to know?" he asked her once more. ' * 60
    assert all(part.endswith("more. ") for part in cut(text))


def test_closing_quotes_stay_with_their_sentence():
    text = "“我们走吧！”她说，“天要黑了。”" * 100
    assert not any(part[0] in "”。！" for part in cut(text))


@shifts
def test_a_paragraph_end_is_preferred_to_a_sentence_end(shift):
    line = "一二三四五六七八九十。" * 6
    parts = cut("零" * shift + "\n".join([line] * 30))
    assert all(part.endswith("。\n") for part in parts[:-1])


def test_text_without_any_mark_is_cut_at_spaces_else_anywhere():
    assert all(part.endswith(" ") for part in cut("word " * 1000)[:-1])
    assert max(map(len, cut("字" * 5000))) <= 800


@pytest.mark.parametrize("shift", range(4))
def test_letters_are_not_parted_from_their_accents(shift):
    assert not any(part.startswith("\u0301") for part in cut("x" * shift + "e\u0301" * 3000))
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert not any(part.startswith("\u200d") or part.endswith("\u200d") for part in cut("x" * shift + family * 1000))


@shifts
def test_verse_is_cut_at_its_lines(shift):
    verse = "床前明月光，疑是地上霜\n" * 9 + "举头望一望天上的明月。低头思故乡\n"
    assert all(part.endswith("\n") for part in cut("零" * shift + verse * 20))


@shifts
def test_lines_wrapped_at_a_width_are_not_borders(shift):
    text = (
        "x" * shift
        + "The old tree was still there, she thought as she\nwalked on. It had been a long day, longer than\nmost. "
        * 60
    )
    assert all(part.endswith((". ", "most.")) for part in cut(text))


@pytest.mark.parametrize("text", ["", "短", " " * 3000])
def test_odd_texts_come_back_whole(text):
    assert "".join(cut(text)) == text


@settings(max_examples=200, deadline=None)
@given(st.tuples(st.text(max_size=200), st.integers(1, 100)).map(lambda pair: pair[0] * pair[1]))
def test_the_parts_joined_are_the_text(text):
    parts = cut(text)
    assert "".join(parts) == text
    assert all(cut(part) == [part] for part in parts)
