"""Headings as titles, the same for every format that has them.

A passage's title is the nearest heading above it. A heading with text of its own is the title of that text and of no other; one that has
only headings below it stands before theirs ("Lives › Ida Pellow"), so that its words lead to every passage they are about, and none is
put into an author's text. A heading with nothing below it is a passage itself: no word of a file may be out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lpmm_core.base.records import Piece
from lpmm_core.ingest.documents.passages import passages

STEP = " › "


@dataclass(frozen=True, slots=True)
class Block:
    """A heading of some level (the lower, the higher it stands), or a paragraph, list, table or block of code that stands under one."""

    text: str
    level: int | None = None


@dataclass(slots=True)
class _Heading:
    """A heading that the present place stands under."""

    level: int
    text: str
    has_text: bool = False
    is_kept: bool = False
    """Whether its words are in a passage or a title already."""


def under_headings(blocks: Iterable[Block]) -> Iterator[Piece]:
    """Yield the passages of `blocks`, in reading order."""
    above: list[_Heading] = []
    for block in blocks:
        if block.level is not None:
            yield from _closed(above, block.level)
            if text := " ".join(block.text.split()):
                above.append(_Heading(block.level, text))
        elif block.text.strip():
            if above:
                above[-1].has_text = True
            yield from passages(block.text, title=_path(above))
    yield from _closed(above, None)


def topic(title: str | None) -> str | None:
    """Return what a passage under a title is about: the nearest heading, without those it stands under."""
    return title.rpartition(STEP)[2] if title else title


def _closed(above: list[_Heading], level: int | None) -> Iterator[Piece]:
    """Take away the headings that end where one of `level` begins; those whose words are nowhere yet make a passage."""
    kept = 0 if level is None else next((i for i, h in enumerate(above) if h.level >= level), len(above))
    alone = [heading.text for heading in above[kept:] if not heading.is_kept]
    del above[kept:]
    if alone:
        yield from passages("\n".join(alone), title=_path(above))


def _path(above: list[_Heading]) -> str | None:
    """Return the title under these headings: the last, after those that have no text of their own."""
    shown = [heading for heading in above if not heading.has_text or heading is above[-1]]
    for heading in shown:
        heading.is_kept = True
    return STEP.join(heading.text for heading in shown) or None
