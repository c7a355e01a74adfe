"""When two spellings are one name, and what is no name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpmm_core.base.names import LONGEST_NAME, clean_name, name_key, why_not_a_name

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ａpple  Inc", "apple inc"),
        ("STRASSE", "straße"),
        ("往世乐土", " 往世\u200b乐土\n"),
        ("Anna\tKarenina", "anna karenina"),
        ("Anna\x0bKarenina", "Anna\x85Karenina"),
        ("《红楼梦》", "红楼梦"),
        ("“ Anna ”", "Anna"),
        ('"Anna"', "'anna'"),
        ("ﬁle", "FILE"),
        ("e\u0301", "é"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Apple", "Apple Inc."),
        ("张三", "张四"),
        ("Анна", "Anna"),
        ("C", "C++"),
        ("《甲》与《乙》", "甲》与《乙"),
        ("été", "ete"),
    ],
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["往世乐土", "Ελλάδα", "東京", "서울", "Москва", "ไทย", "العربية", "हिन्दी"])
def test_every_script_keeps_its_letters(name: str) -> None:
    assert name_key(name)
    assert why_not_a_name(name) is None


@given(texts)
def test_the_key_of_a_key_is_itself(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


@given(texts.filter(lambda text: not set(text) & set("＂＇")))
def test_a_name_as_shown_has_the_key_of_the_name_as_given(text: str) -> None:
    assert name_key(clean_name(text)) == name_key(text)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  Anna \n Karenina ", "Anna Karenina"),
        ("「『Anna』」", "Anna"),
        ("《红楼梦》", "红楼梦"),
        ("《红楼梦》与《西游记》", "《红楼梦》与《西游记》"),
        ('"Foo" and "Bar"', '"Foo" and "Bar"'),
        ("O'Brien", "O'Brien"),
        ('"', '"'),
        ('""', ""),
        ("Ａpple", "Ａpple"),
        ("An\u200bna\x00", "Anna"),
    ],
)
def test_a_name_is_shown_without_what_encloses_it_but_otherwise_as_it_was_spelt(given: str, shown: str) -> None:
    assert clean_name(given) == shown


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        (" \u200b\n", "empty"),
        ("“”", "empty"),
        ("他", "pronoun"),
        ("《他》", "pronoun"),
        ("It", "pronoun"),
        ("I", "pronoun"),
        ("IT", None),
        ("WHO", None),
        ("Themselves", "pronoun"),
        ("：", "no letters"),
        ("[", "no letters"),
        ("—…—", "no letters"),
        ("x" * (LONGEST_NAME + 1), "too long"),
        ("x" * LONGEST_NAME, None),
        ("7", None),
        ("It (film)", None),
        ("C++", None),
    ],
)
def test_what_is_no_name_is_said_with_the_reason(name: str, reason: str | None) -> None:
    assert why_not_a_name(name) == reason
