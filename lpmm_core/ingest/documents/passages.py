"""From the text of one paragraph to the pieces that are stored: cut when it is long, stripped, its speaker read off.

Every reader of running text ends here, so that a paragraph becomes the same passage whatever file it stood in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from lpmm_core.base.records import Piece
from lpmm_core.ingest.documents.speaker import speaker_of
from lpmm_core.ingest.documents.split import cut

# White space and the characters that take no room: a paragraph of nothing else is blank.
_VISIBLE = re.compile("[^\\s\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")


def is_blank(text: str) -> bool:
    """Whether nothing in `text` can be seen."""
    return _VISIBLE.search(text) is None


def passages(
    text: str, *, title: str | None = None, speaker: str | None = None, said_at: datetime | None = None
) -> Iterator[Piece]:
    """Yield the pieces of one paragraph or message; none when it is blank. All parts of a long one have its speaker."""
    whole = text.strip()
    if speaker is None:
        speaker = speaker_of(whole)
    for part in cut(whole):
        stripped = part.strip()
        if not is_blank(stripped):
            yield Piece(stripped, title, speaker, said_at)
