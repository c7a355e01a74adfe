"""Who speaks inside quotation marks, so that "I" in a quotation is not the passage's speaker.

In `"I never liked this house," said Helena` the words inside belong to Helena: the subject of a verb of saying in the same sentence.
Quotes around a few words are titles or doubts and change nobody's voice.
"""

from __future__ import annotations

from lpmm_core.extract.english.parse import Parse
from lpmm_core.extract.english.words import Words

_OPENING, _CLOSING = frozenset({'"', "“", "``"}), frozenset({'"', "”", "''"})


def voices(parse: Parse, words: Words) -> dict[int, int | None]:
    """For each word inside quotation marks, the word for who says it; None when the sentence does not tell."""
    inside: list[int] = []
    opened: int | None = None
    for i, word in enumerate(parse.words):
        if opened is None and word in _OPENING:
            opened = i
        elif opened is not None and word in _CLOSING:
            inside.extend(range(opened + 1, i))
            opened = None
    if opened is not None:
        inside.extend(range(opened + 1, len(parse)))
    if not any(parse.tags[i].startswith("VB") for i in inside):
        return {}
    quoted = frozenset(inside)
    voice = None
    for anchor, upper, lower in parse.anchors:
        if (
            anchor == "subject"
            and upper not in quoted
            and lower not in quoted
            and parse.lower[upper] in words["verbs", "say"]
        ):
            voice = lower
            break
    return dict.fromkeys(inside, voice)
