"""Time as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpmm_core.base.clock import ManualClock, from_text, now, to_text

zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=zones)


@given(moments)
def test_a_moment_written_and_read_is_the_same_moment(moment: datetime) -> None:
    assert from_text(to_text(moment)) == moment


@given(moments, moments)
def test_the_order_of_the_texts_is_the_order_in_time(one: datetime, other: datetime) -> None:
    assert (to_text(one) < to_text(other)) == (one < other)


def test_a_moment_is_written_in_utc_with_microseconds() -> None:
    assert to_text(datetime(2024, 5, 6, 7, 8, tzinfo=timezone(timedelta(hours=8)))) == "2024-05-05T23:08:00.000000Z"
    assert to_text(datetime(476, 9, 4, tzinfo=UTC)) == "0476-09-04T00:00:00.000000Z"


def test_a_moment_without_a_zone_is_not_written() -> None:
    with pytest.raises(ValueError, match="needs a time zone"):
        to_text(datetime(2024, 5, 6))


def test_text_without_a_zone_is_read_as_utc_and_other_zones_are_converted() -> None:
    moment = datetime(2024, 5, 6, 7, tzinfo=UTC)
    for text in ("2024-05-06T07:00:00", "2024-05-06 07:00", "2024-05-06T15:00:00+08:00", "2024-05-06T07:00:00Z"):
        assert from_text(text) == moment
        assert from_text(text).tzinfo is UTC
    assert from_text("2024-05-06") == datetime(2024, 5, 6, tzinfo=UTC)


def test_what_is_no_date_is_refused() -> None:
    with pytest.raises(ValueError, match="yesterday"):
        from_text("yesterday")


def test_a_manual_clock_moves_only_when_told_and_may_be_set_back() -> None:
    clock = ManualClock(start := datetime(2024, 1, 1, tzinfo=UTC))
    assert clock() == clock() == start
    clock.advance(timedelta(days=2))
    clock.advance(timedelta(days=-3))
    assert clock() == start - timedelta(days=1)


def test_the_present_moment_has_a_zone() -> None:
    assert now().tzinfo is UTC
