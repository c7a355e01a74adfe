"""Scores put on one scale, and added up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpmm_core.base.settings import RetrieveSettings
from lpmm_core.retrieve.candidates import Ranked, best, minmax, near, with_waiting


@pytest.mark.parametrize(
    ("scores", "scaled"), [([], []), ([7.0], [1.0]), ([2.0, 2.0, 2.0], [1, 1, 1]), ([3.0, 1.0, 2.0], [1.0, 0.0, 0.5])]
)
def test_scaling_to_one_makes_equal_scores_one(scores: list[float], scaled: list[float]) -> None:
    """Division by zero on one hit is a fault that others had."""
    np.testing.assert_allclose(minmax(np.array(scores)), scaled)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_scaling_keeps_the_order_and_never_leaves_the_range(scores: list[float]) -> None:
    given = np.array(scores)
    scaled = minmax(given)
    assert np.isfinite(scaled).all()
    assert scaled.min() >= 0
    assert scaled.max() == 1
    assert (np.diff(scaled[np.argsort(given, kind="stable")]) >= 0).all()


DENSE = Ranked(np.array([1, 2, 3]), np.array([0.9, 0.8, 0.1]))
LEXICAL = Ranked(np.array([2, 4]), np.array([5.0, 1.0]))


def test_a_passage_that_both_find_outranks_what_only_one_finds() -> None:
    found = near("who mends the clock", DENSE, LEXICAL, RetrieveSettings(lexical_weight=0.3))
    assert found.rows.tolist() == [2, 1, 4, 3]
    assert found.as_dict() == pytest.approx({2: 0.875 + 0.3, 1: 1.0, 4: 0.06, 3: 0.0})
    assert near("clock", Ranked(), Ranked(), RetrieveSettings()).rows.tolist() == []


@pytest.mark.parametrize("word", ["clock", "the clock?", "钟", "钟表匠"])
def test_a_single_word_is_looked_up_rather_than_understood(word: str) -> None:
    assert near(word, DENSE, LEXICAL, RetrieveSettings()).rows.tolist()[0] == 2
    assert near(word, DENSE, Ranked(np.array([3]), np.array([0.1])), RetrieveSettings()).rows.tolist()[0] == 3


def test_what_waits_for_its_vector_is_as_near_as_its_words() -> None:
    found = with_waiting(DENSE, LEXICAL, np.array([1, 2, 3]))
    assert found.as_dict() == pytest.approx({1: 0.9, 2: 0.8, 4: 0.18, 3: 0.1})
    assert with_waiting(DENSE, LEXICAL, np.array([1, 2, 3, 4])) is DENSE


def test_equal_scores_are_ordered_by_row() -> None:
    found = best(np.array([9, 3, 5]), np.array([0.5, 0.5, 0.7]))
    assert found.rows.tolist() == [5, 3, 9]
