"""Headings as titles, the same for every format that has them.

A passage's title is the nearest heading above it. A heading with no text of its own begins the text below it, or, when there
is none, is a passage itself: no word of a file may be out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lpmm_core.base.records import Piece
from lpmm_core.ingest.documents.passages import passages


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, or a paragraph, list, table or block of code that stands under one."""

    text: str
    is_heading: bool = False


def under_headings(blocks: Iterable[Block]) -> Iterator[Piece]:
    """Yield the passages of `blocks`, in reading order."""
    title: str | None = None
    alone: list[str] = []  # headings above the present one that have no text of their own
    said = True
    for block in blocks:
        if block.is_heading:
            if title and not said:
                alone.append(title)
            title, said = " ".join(block.text.split()) or None, False
        elif block.text.strip():
            yield from passages("\n".join([*alone, block.text]), title=title)
            alone, said = [], True
    if title and not said:
        yield from passages("\n".join([*alone, title]))
