"""Words find texts, whatever happened to the index before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index import tokens
from lpmm_core.index.files import Stamp, UnusableBase
from lpmm_core.index.lexical import LexicalIndex

TEXTS = {
    1: "芽衣\n芽衣和爱莉希雅给我的那枚徽章颇为相似。",
    2: "爱莉希雅住在往世乐土，喜欢喝茶。",
    3: "Tim Cook works at Apple in Cupertino.",
    4: "The crystal chandelier came from my aunt; the aunt lives in Paris.",
    5: "凯文是逐火之蛾的首席融合战士。",
}


def index_of(texts):
    return LexicalIndex.build(list(texts), list(texts.values()))


def ids(index, question, k=10, **more):
    return index.search(question, k, **more).ids.tolist()


def test_two_questions_have_two_tops():
    index = index_of(TEXTS)
    assert ids(index, "Who works at Apple?")[0] == 3
    assert ids(index, "谁住在往世乐土？")[0] == 2


@pytest.mark.parametrize("word", ["茶", "蛾", "徽章", "乐土", "aunts", "PARIS"])
def test_words_of_one_and_two_characters_and_inflected_ones_are_found(word):
    assert ids(index_of(TEXTS), word)


def test_scores_are_those_of_the_formula():
    index = LexicalIndex.build([1, 2, 3], ["red red apple", "green apple", "blue sky here"])
    k1, b, mean = 1.2, 0.75, 8 / 3
    rarity = np.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = rarity * 2 * (k1 + 1) / (2 + k1 * (1 - b + b * 3 / mean))
    assert index.search("red", 5, k1=k1, b=b).scores.tolist() == pytest.approx([expected], rel=1e-6)


def test_equal_scores_are_ordered_by_id_and_cut_at_k():
    index = LexicalIndex.build([9, 4, 6, 2], ["same text"] * 4)
    assert ids(index, "same", 3) == [2, 4, 6]
    assert ids(index, "same", 0) == []


def test_an_empty_index_and_an_empty_question_find_nothing():
    assert ids(LexicalIndex.build(), "anything") == []
    assert ids(index_of(TEXTS), "…") == []
    assert ids(index_of({1: ""}), "anything") == []


def test_only_what_is_allowed_comes_back_and_fills_k():
    index = LexicalIndex.build(range(1, 101), ["common word"] * 100)
    allowed = np.zeros(60, np.bool_)
    allowed[[40, 50, 59]] = True
    assert ids(index, "common", 3, allowed=allowed) == [40, 50, 59]


def test_a_removed_text_is_gone_and_comes_back_when_added_again():
    index = index_of(TEXTS)
    fewer = index.with_changes(remove=[2])
    assert 2 not in ids(fewer, "往世乐土")
    assert ids(index, "往世乐土")[0] == 2
    again = fewer.with_changes(add=([2], [TEXTS[2]]))
    assert again.search("往世乐土", 5).scores.tolist() == index.search("往世乐土", 5).scores.tolist()


def test_adding_a_known_id_replaces_its_text():
    index = index_of(TEXTS).with_changes(add=([3], ["Nobody works at Microsoft."]))
    assert len(index) == len(TEXTS)
    assert ids(index, "Apple") == []
    assert ids(index, "Microsoft") == [3]


def test_a_word_said_hundreds_of_times_does_not_overflow():
    index = LexicalIndex.build([1, 2], ["echo " * 256, "echo once"])
    assert ids(index, "echo", b=0.0) == [1, 2]


def test_ids_and_texts_must_match():
    with pytest.raises(InvalidInput, match="2 ids came with 1 texts"):
        LexicalIndex.build([1, 2], ["one"])


def test_a_saved_index_opens_to_the_same_answers(tmp_path):
    index = index_of(TEXTS).with_changes(remove=[5], add=([8], ["芽衣 lives in Paris"]))
    index.save(tmp_path / "base", Stamp(3))
    opened = LexicalIndex.open(tmp_path / "base")
    assert (opened.stamp.sequence, len(opened), opened.tail) == (3, 5, 0)
    for question in ("芽衣", "Paris aunt", "逐火之蛾"):
        one, other = index.search(question, 9), opened.search(question, 9)
        assert (one.ids.tolist(), one.scores.tolist()) == (other.ids.tolist(), other.scores.tolist())
    assert ids(opened.with_changes(add=([5], [TEXTS[5]])), "逐火之蛾")[0] == 5


def test_a_base_of_another_tokeniser_is_refused(tmp_path, monkeypatch):
    index_of(TEXTS).save(tmp_path / "base", Stamp())
    monkeypatch.setattr(tokens, "VERSION", tokens.VERSION + 1)
    with pytest.raises(UnusableBase, match="tokeniser"):
        LexicalIndex.open(tmp_path / "base")


WORDS = st.lists(st.sampled_from(["茶", "茶园", "red", "apple", "的", "the", "2019年"]), max_size=6).map(" ".join)
HISTORY = st.lists(st.dictionaries(st.integers(1, 12), st.one_of(st.none(), WORDS), max_size=4), max_size=12)


@settings(max_examples=60, deadline=None)
@given(HISTORY)
def test_an_updated_index_answers_exactly_like_one_built_anew(history):
    """Rebuilt equals updated."""
    index, live = LexicalIndex.build(), {}
    for step in history:
        live.update(step)
        live = {number: text for number, text in live.items() if text is not None}
        added = {number: text for number, text in step.items() if text is not None}
        removed = [number for number, text in step.items() if text is None]
        index = index.with_changes(add=(list(added), list(added.values())), remove=removed)
    for other in (index_of(live), index.merged()):
        assert other.ids().tolist() == index.ids().tolist() == sorted(live)
        for question in ("茶园 apple", "red 2019年", "the"):
            one, two = index.search(question, 20), other.search(question, 20)
            assert one.ids.tolist() == two.ids.tolist()
            assert one.scores.tolist() == two.scores.tolist()
