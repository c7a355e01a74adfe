from __future__ import annotations

import time

import pytest

from lpmm_core.extract.patterns import find_patterns


def found(text: str) -> list[tuple[str, str]]:
    return [(m.name, str(m.kind)) for m in find_patterns(text)]


def test_addresses_phones_and_handles_are_found_with_certainty():
    """MT-11."""
    text = (
        "Mail a.b@c-d.org, see https://x.org/a(b)?q=1. or www.nimbus.example; +353 21 555 0182, (212) 555-0199, "
        "13812345678，010-12345678。Ask @ravi_k"
    )
    assert found(text) == [
        ("a.b@c-d.org", "email"),
        ("https://x.org/a(b)?q=1", "url"),
        ("www.nimbus.example", "url"),
        ("+353 21 555 0182", "phone"),
        ("(212) 555-0199", "phone"),
        ("13812345678", "phone"),
        ("010-12345678", "phone"),
        ("@ravi_k", "handle"),
    ]
    assert {m.confidence for m in find_patterns(text)} == {1.0}


@pytest.mark.parametrize(
    "sum_",
    [
        "$4.5 million",
        "€30",
        "12 million euros",
        "£12,000",
        "500 dollars",
        "USD 30k",
        "300元",
        "50万元",
        "1.5亿元",
        "三百块钱",
    ],
)
def test_money_is_found_in_both_languages(sum_: str):
    assert found(f"他付了 {sum_} for it") == [(sum_, "money")]


@pytest.mark.parametrize(
    "date",
    [
        "12 March 1911",
        "March 12, 1911",
        "May 3",
        "late 1980s",
        "3rd century BC",
        "nineteenth century",
        "2020-03-04",
        "1998年3月4日",
        "二〇一九年五月",
        "上世纪90年代",
        "公元前221年",
        "十二月三日",
        "19世纪末",
    ],
)
def test_dates_with_a_name_of_their_own_are_found(date: str):
    assert found(f"it was {date}，是的") == [(date, "date")]


@pytest.mark.parametrize(
    "text",
    [
        "yesterday, last week, 三年前, 上周",
        "ISBN 978-3-16-148410-0",
        "元旦 2元素 世纪 20年",
        "in 2000 people",
        "a @ b",
        "may go",
    ],
)
def test_what_only_looks_like_a_pattern_is_none(text: str):
    assert found(text) == []


def test_years_are_dates_after_a_preposition():
    assert found("founded in 1998, open from 1998 to 2005 and since 2010") == [
        (y, "date") for y in ("1998", "1998", "2005", "2010")
    ]


def test_offsets_are_those_of_the_text():
    text = "他在2020年花了300元，问 x@y.com。"
    assert all(text[m.start : m.end] == m.name for m in find_patterns(text))
    assert len(find_patterns(text)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "1" * 10**6,
        "@" * 10**6,
        "a@" * 300_000,
        "1,111" * 200_000,
        "十" * 500_000,
        "http://a" * 100_000,
        "+1 " * 300_000,
    ],
)
def test_hostile_text_takes_bounded_time(text: str):
    began = time.perf_counter()
    find_patterns(text)
    assert time.perf_counter() - began < 15
