"""What counts as a word, in every script."""

import pytest

from lpmm_core.index.tokens import ONE_CHARACTER_WEIGHT, question_tokens, tokens


def test_english_words_are_folded_and_stemmed():
    assert tokens("Running RUNS, the runner's  café") == ["run", "run", "the", "runner", "cafe"]


def test_chinese_gives_characters_and_pairs():
    assert tokens("爱莉希雅") == ["爱", "莉", "希", "雅", "爱莉", "莉希", "希雅"]


def test_scripts_are_cut_apart_where_they_meet():
    assert tokens("2019年iPhone发布") == ["2019", "年", "iphon", "发", "布", "发布"]


def test_pairs_do_not_reach_over_punctuation():
    assert "土花" not in tokens("往世乐土，花园")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＡＢＣ１２３", ["abc123"]),
        ("さくら", ["さ", "く", "ら", "さく", "くら"]),
        ("서울", ["서", "울", "서울"]),
        ("Москва", ["москва"]),
        ("हिन्दी", ["हिन्दी"]),
        ("😀 — …", []),
        ("", []),
        ("𠮷野家", ["𠮷", "野", "家", "𠮷野", "野家"]),
        ("\ud800坏", ["坏"]),
    ],
)
def test_every_script_gives_tokens(text, expected):
    assert tokens(text) == expected


def test_thai_gives_pairs():
    assert "กร" in tokens("กรุงเทพ")


def test_a_question_drops_what_says_nothing():
    assert set(question_tokens("Where does the cat live?")) == {"cat", "live"}
    assert "的" not in question_tokens("芽衣的徽章")


def test_a_question_of_nothing_else_keeps_it():
    assert set(question_tokens("The Who")) == {"the", "who"}
    assert set(question_tokens("的")) == {"的"}


def test_a_lone_character_counts_as_a_word_and_one_in_a_run_less():
    assert question_tokens("茶") == {"茶": 1.0}
    assert question_tokens("茶园")["茶"] == ONE_CHARACTER_WEIGHT
    assert question_tokens("茶园 茶")["茶"] == 1.0


def test_every_token_a_question_looks_for_is_one_that_texts_have():
    for text in ("谁住在往世乐土？", "Don't the dogs' owners run?", "3.14 和 naïve façade"):
        assert set(question_tokens(text)) <= set(tokens(text))
