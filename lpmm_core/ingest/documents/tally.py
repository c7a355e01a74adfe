"""Counting what was left out, so that nothing disappears without being mentioned.

A file with a million bad records must not answer with a million sentences: each reason is one note with its count and the first
few places.
"""

from __future__ import annotations

_PLACES_SHOWN = 5


class Tally:
    """Counts by reason, in the order in which the reasons first came up."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._places: dict[str, list[str]] = {}
        self._with_more_places: set[str] = set()

    def add(self, reason: str, place: str | None = None, *, count: int = 1) -> None:
        """Count one more for `reason`; the first few places are remembered."""
        self._counts[reason] = self._counts.get(reason, 0) + count
        places = self._places.setdefault(reason, [])
        if place is None or place in places:
            return
        if len(places) < _PLACES_SHOWN:
            places.append(place)
        else:
            self._with_more_places.add(reason)

    def count(self, reason: str) -> int:
        """How often `reason` came up."""
        return self._counts.get(reason, 0)

    def first_place(self, *reasons: str) -> str | None:
        """Return the first place of the first of `reasons` that came up anywhere."""
        return next((self._places[reason][0] for reason in reasons if self._places.get(reason)), None)

    def notes(self) -> tuple[str, ...]:
        """One line a reason: `triples dropped, not three texts: 185 (docs[3], docs[9], ...)`."""
        return tuple(self._note(reason, count) for reason, count in self._counts.items() if count)

    def _note(self, reason: str, count: int) -> str:
        places = self._places[reason]
        if not places:
            return f"{reason}: {count:,}"
        more = ", ..." if reason in self._with_more_places else ""
        return f"{reason}: {count:,} ({', '.join(places)}{more})"
