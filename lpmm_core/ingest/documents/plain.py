"""Plain text: blank lines part paragraphs, as in LPMM, and each paragraph is a passage.

Three kinds of files do not keep to that, and each would become one enormous passage. Logs of speech have a speaker's mark at the
beginning of each line: every turn is a passage. Many Chinese books have one paragraph a line and no blank line but between
chapters: when a block is too long and most of its lines end like sentences, its lines are its paragraphs, and tiny ones (a heading, a
line of dialogue) are grouped with their neighbours. Text wrapped at a fixed width is one paragraph and is cut at sentences.

A block that is not too long is left as LPMM leaves it, one passage with its line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lpmm_core.base.records import Piece
from lpmm_core.ingest.documents.passages import passages
from lpmm_core.ingest.documents.speaker import turns
from lpmm_core.ingest.documents.split import ends_a_sentence, is_long, units

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_PARAGRAPH_LINES_SHARE = 0.6
_FEWEST_LINES = 4

# 60 ideographs or 135 letters: less is no paragraph of its own. 150 ideographs are enough company.
_TINY = 540
_GROUP = 1_350


def read_plain(text: str) -> Iterator[Piece]:
    """Yield the passages of `text`, which is cleaned and has newlines as line ends."""
    for block in _BLANK_LINES.split(text):
        for paragraph in paragraphs(block):
            yield from passages(paragraph)


def paragraphs(block: str) -> list[str]:
    """Return the paragraphs of a block without blank lines; joined by newlines they are the block."""
    spoken = turns(block)
    if len(spoken) > 1:
        return spoken
    if not is_long(block):
        return [block]
    lines = block.split("\n")
    finished = sum(map(ends_a_sentence, lines))
    if len(lines) < _FEWEST_LINES or finished < _PARAGRAPH_LINES_SHARE * len(lines):
        return [block]
    return _grouped(lines)


def _grouped(lines: list[str]) -> list[str]:
    """Join tiny lines to groups, and a tiny group (a heading) to the line that follows it."""
    groups: list[list[str]] = []
    group: list[str] = []
    size = 0
    for line in lines:
        weight = units(line)
        if group and (size >= _GROUP or (weight >= _TINY and size >= _TINY)):
            groups.append(group)
            group, size = [], 0
        group.append(line)
        size += weight
        if weight >= _TINY:
            groups.append(group)
            group, size = [], 0
    if group:
        groups.append(group)
    return ["\n".join(group) for group in groups]
