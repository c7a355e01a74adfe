"""Time comes from an injected clock, so that tests and simulations move it by hand.

Inside the engine a moment is an aware UTC `datetime`; in the store and in JSON it is ISO 8601 text in UTC with a trailing `Z`, whose
order as text is its order in time.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


def to_text(moment: datetime) -> str:
    """Return `moment` as `YYYY-MM-DDTHH:MM:SS.ffffffZ`.

    Raises:
        ValueError: the moment has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"a moment needs a time zone, got {moment!r}")
    # Not strftime: it writes the year 476 with three digits, and text would no longer sort as time does.
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def from_text(text: str) -> datetime:
    """Read ISO 8601 text; text without a zone is UTC.

    Raises:
        ValueError: the text is not a date and time.
    """
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class ManualClock:
    """A clock that moves only when told."""

    def __init__(self, start: datetime) -> None:
        self.moment = start

    def __call__(self) -> datetime:
        """Return the moment last set."""
        return self.moment

    def advance(self, step: timedelta) -> None:
        """Move by `step`, which may be negative: clocks are set back in real life too."""
        self.moment += step
