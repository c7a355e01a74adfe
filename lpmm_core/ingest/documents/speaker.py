"""Who speaks, when a line begins with `[name]` as LPMM's texts do.

`[芽衣]今天也要加油。` is said by 芽衣.

The mark is part of the text and stays in it; only the speaker is read off. Brackets also hold footnote numbers, times, check boxes,
link texts and log levels, which speak nothing.
"""

from __future__ import annotations

import re

# A name of at most 40 characters, not followed by what makes the bracket a link.
_MARK = re.compile(r"[ \t\u3000]*[\[［]([^\[\]［］\n]{1,40})[\]］](?!\(|\[|:[ \t]*[a-zA-Z]+://)")
_LETTER = re.compile(r"[^\W\d_]")
_DATE_OR_FIGURE = re.compile(
    r"\d[\d\s年月日号时分秒点:：./T-]*|[图表注附第]\s*[\d一二三四五六七八九十]+.?", re.IGNORECASE
)
_NO_SPEAKERS = frozenset(
    {"x", "ok", "fail", "todo", "note", "info", "warn", "warning", "error", "debug", "trace", "fatal", "critical"}
    | {"notice", "verse", "chorus", "bridge", "intro", "outro", "music", "applause", "sic"}
)


def speaker_of(text: str) -> str | None:
    """Return the name in the mark at the beginning of `text`, or None."""
    match = _MARK.match(text)
    if match is None:
        return None
    name = match.group(1).strip()
    if not _LETTER.search(name) or _DATE_OR_FIGURE.fullmatch(name) or name.casefold() in _NO_SPEAKERS:
        return None
    return name


def turns(block: str) -> list[str]:
    """Cut `block` before each line that begins with a speaker's mark; joined by newlines the turns are the block.

    A block is left whole unless it begins with a mark or holds two: a single bracketed word inside prose is no change of speaker.
    """
    lines = block.split("\n")
    starts = [i for i, line in enumerate(lines) if speaker_of(line) is not None]
    if not starts or (starts[0] != 0 and len(starts) < 2):
        return [block]
    cuts = sorted({0, *starts})
    return ["\n".join(lines[a:b]) for a, b in zip(cuts, [*cuts[1:], len(lines)], strict=True)]
