"""Where somebody is quoted: inside a quotation 我 is who speaks, and a clause without a subject is not about the narrator's topic."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_QUOTED = re.compile(r"“([^“”]{1,600})”|「([^「」]{1,600})」|『([^『』]{1,600})』|\"([^\"\n]{1,600})\"")
_SENTENCE_MARK = re.compile(r"[，。！？；…,!?]")


@dataclass(frozen=True, slots=True)
class Quotation:
    """Speech at [start, end), its marks included; `introduced` when a colon or comma stands before it."""

    start: int
    end: int
    introduced: bool


def find_quotations(text: str) -> list[Quotation]:
    """Return the stretches of `text` that quote speech rather than a name, in order."""
    found = []
    for match in _QUOTED.finditer(text):
        inner = match[match.lastindex or 0]
        before = text[max(0, match.start() - 1) : match.start()]
        introduced = before in ("：", ":")
        if introduced or _SENTENCE_MARK.search(inner):
            found.append(Quotation(match.start(), match.end(), introduced or before in ("，", ",")))
    return found


def quotation_at(quotations: Sequence[Quotation], place: int) -> Quotation | None:
    """Return the quotation that `place` is inside of."""
    index = bisect_right(quotations, place, key=lambda quotation: quotation.start) - 1
    return quotations[index] if index >= 0 and place < quotations[index].end else None
