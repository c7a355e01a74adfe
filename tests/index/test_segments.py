"""Rows with tombstones, and tails that stay short."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.segments import Layers, Rows, ascending, best, settled


def test_a_dead_row_is_not_found_and_the_old_view_still_has_it():
    rows = Rows.of(np.array([2, 5, 9]))
    fewer = rows.without(np.array([5, 7]))
    assert fewer.find(np.array([2, 5, 7, 9]))[1].tolist() == [True, False, False, True]
    assert rows.find(np.array([5]))[1].tolist() == [True]
    assert (rows.live, fewer.live, fewer.living().tolist()) == (3, 2, [0, 2])


def test_removing_what_is_not_there_changes_nothing():
    rows = Rows.of(np.array([2, 5]))
    assert rows.without(np.array([3, 99])) is rows


@pytest.mark.parametrize("ids", [[1, 2, 3, 4], [1, 3, 7, 9]])
def test_ids_beyond_the_end_of_allowed_are_not_allowed(ids):
    allowed = np.zeros(4, np.bool_)
    allowed[[1, 3]] = True
    permitted = Rows.of(np.array(ids)).permitted(allowed)
    assert permitted.tolist() == [number in (1, 3) for number in ids]


def test_no_rows_permit_nothing():
    assert Rows.of(np.zeros(0, np.int64)).permitted(np.ones(3, np.bool_)).tolist() == []


@pytest.mark.parametrize(("ids", "word"), [([3, 0], "positive"), ([-1], "positive"), ([4, 2, 4], "twice")])
def test_impossible_ids_are_refused(ids, word):
    with pytest.raises(InvalidInput, match=word):
        ascending(ids)


def test_a_thousand_single_additions_leave_few_segments_and_copy_little():
    copied = 0

    def join(older, newer):
        nonlocal copied
        copied += len(older) + len(newer)
        return older + newer

    segments = ()
    for number in range(1000):
        segments = settled((*segments, [number]), size=len, join=join)
    assert len(segments) <= 10
    assert [number for segment in segments for number in segment] == list(range(1000))
    assert copied < 1000 * 12


@settings(max_examples=50, deadline=None)
@given(st.lists(st.dictionaries(st.integers(1, 9), st.integers(), max_size=3), max_size=20))
def test_layers_say_what_was_said_last(changes):
    layers, expected, held = Layers(), {}, []
    for change in changes:
        held.append((layers, dict(expected)))
        layers = layers.updated(change)
        expected.update(change)
    held.append((layers, expected))
    for old, content in held:
        assert dict(old.items()) == content
        assert len(old) == len(content)
        assert all(key in old and old[key] == value for key, value in content.items())


def test_the_best_are_ordered_by_score_and_equal_ones_by_id():
    hits = best(np.array([7, 3, 5, 1]), np.array([0.5, 0.9, 0.5, 0.1]), 3)
    assert hits.ids.tolist() == [3, 5, 7]
    assert len(best(np.array([7]), np.array([0.5]), 0)) == 0
