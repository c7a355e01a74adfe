"""Ids: opaque, of one kind, and of one space alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpmm_core.base.errors import NotFound
from lpmm_core.store.ids import KINDS, Ids
from tests.store.conftest import Opener
from tests.store.world import World

OURS, THEIRS = Ids(b"a" * 32), Ids(b"b" * 32)

tables = st.sampled_from(sorted(KINDS))
rows = st.integers(1, 2**40 - 1)


@given(table=tables, row=rows)
def test_an_id_leads_back_to_its_row_and_is_short_plain_text(table: str, row: int) -> None:
    text = OURS.encode(table, row)
    assert OURS.decode(text) == (table, row)
    assert OURS.row(text, table) == row
    assert len(text) == 14
    assert text.isalnum()
    assert text == text.lower()


@given(table=tables, other=tables, row=rows)
def test_an_id_of_one_kind_is_unknown_as_another(table: str, other: str, row: int) -> None:
    text = OURS.encode(table, row)
    if table != other:
        with pytest.raises(NotFound):
            OURS.row(text, other)
        with pytest.raises(NotFound):
            OURS.decode(KINDS[other] + text[1:])


@given(st.one_of(st.text(max_size=20), st.from_regex(r"[spoefxjt][a-z2-7]{13}", fullmatch=True)))
def test_any_other_text_is_unknown(text: str) -> None:
    with pytest.raises(NotFound):
        OURS.decode(text)


@given(table=tables, row=rows)
def test_an_id_has_one_spelling(table: str, row: int) -> None:
    text = OURS.encode(table, row)
    for other in (text.upper(), text[0] + text[1:].upper(), text + "a", text[:-1], " " + text):
        with pytest.raises(NotFound):
            OURS.decode(other)
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    accepted = []
    for last in alphabet:
        try:
            accepted.append(OURS.decode(text[:-1] + last))
        except NotFound:
            continue
    assert accepted == [(table, row)]


def test_ids_of_another_space_are_unknown(open_store: Opener) -> None:
    one, other = World(open_store("one")), World(open_store("other"))
    assert one.store.secret != other.store.secret
    for table in KINDS:
        for row in range(1, 200):
            with pytest.raises(NotFound, match="in this memory"):
                other.store.ids.decode(one.store.ids.encode(table, row))


def test_ids_stay_the_same_when_the_memory_is_opened_again(open_store: Opener) -> None:
    store = open_store()
    text = store.ids.encode("entities", 7)
    store.close()
    assert open_store().ids.row(text, "entities") == 7


def test_an_unknown_id_is_refused_with_the_noun_that_was_looked_for() -> None:
    with pytest.raises(NotFound, match=r"^there is no entity 'nonsense' in this memory$"):
        OURS.row("nonsense", "entities")
