"""One message of a conversation file: `{"ts": ..., "role": ..., "speaker": ..., "text": ..., "session_id": ...}`, one a line.

The speaker is the named one, else the role; what a message says belongs to whoever said it. The `role`/`content` messages of chat
programs are read too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from lpmm_core.base import clock
from lpmm_core.base.records import Piece
from lpmm_core.ingest.documents.clean import clean
from lpmm_core.ingest.documents.passages import is_blank, passages
from lpmm_core.ingest.documents.tally import Tally

_ROLES = {"human": "user", "client": "user", "bot": "assistant", "agent": "assistant"}
_MARKS_OF_A_MESSAGE = ("ts", "role", "speaker", "session_id")

# Seconds since 1970 have ten digits until the year 2286; programs in JavaScript write thousandths.
_LAST_SECOND = 10_000_000_000

# A year, or the seconds since a conversation began, is no time of day in 1970.
_FIRST_SECOND = 100_000_000

EMPTY_MESSAGE = "messages skipped, no text"
UNREADABLE_TIME = "messages whose time could not be read"


def is_message(record: Mapping[str, Any]) -> bool:
    """Whether a record is a message rather than a titled text."""
    return any(mark in record for mark in _MARKS_OF_A_MESSAGE) and ("text" in record or "content" in record)


def message_pieces(record: Mapping[str, Any], place: str, tally: Tally) -> Iterator[Piece]:
    """Yield the passages of one message: one, unless it is long."""
    text = record.get("text", record.get("content"))
    cleaned = clean(text).text if isinstance(text, str) else ""
    if is_blank(cleaned):
        tally.add(EMPTY_MESSAGE, place)
        return
    said_at = None
    if record.get("ts") not in (None, ""):
        said_at = moment(record["ts"])
        if said_at is None:
            tally.add(UNREADABLE_TIME, place)
    yield from passages(cleaned, speaker=_speaker(record), said_at=said_at)


def moment(value: Any) -> datetime | None:
    """Read ISO 8601 text or seconds (or thousandths) since 1970 as a moment in UTC; None when it is neither."""
    try:
        if isinstance(value, str) and not value.strip().replace(".", "", 1).isdigit():
            return clock.from_text(value.strip().replace("/", "-"))
        seconds = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else math.nan
        if seconds < _FIRST_SECOND:
            return None
        return datetime.fromtimestamp(seconds if seconds < _LAST_SECOND else seconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _speaker(record: Mapping[str, Any]) -> str | None:
    speaker, role = record.get("speaker"), record.get("role")
    if isinstance(speaker, str) and speaker.strip():
        return clean(speaker).text.strip()
    if isinstance(role, str) and role.strip():
        lower = role.strip().lower()
        return _ROLES.get(lower, lower)
    return None
