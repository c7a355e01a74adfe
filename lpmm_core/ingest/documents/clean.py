"""Taking out of a text what no reader can see and no database, index or XML writer takes well.

Line ends of every system become one newline; control characters, half surrogate pairs, stray byte order marks, and the spaces and joiners
of no width that cut a name unseen go. So do whole escape sequences of a terminal, of which "[31m" would be left. The joiners that
Persian and emoji are written with stay. Nothing visible is touched: the text that is stored, hashed and quoted is what the author wrote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# A terminal's control sequences ("ESC [ 31 m") and commands ("ESC ] 0 ; title BEL"), each as a whole.
_ESCAPE = "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)"
# Everything of category Cc but tab and line ends, surrogates, byte order marks, zero-width space and word joiner, interlinear annotation
# and non-characters.
_CONTROL = re.compile(
    f"{_ESCAPE}|"
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_CONTROL_OR_PAGE = re.compile(f"{_CONTROL.pattern}|[\x0b\x0c\x85]")
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028]")
_LOST = "\ufffd"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without control characters, and how many there were."""

    text: str
    controls: int = 0
    lost: int = 0
    """Replacement characters in the source: letters that an earlier program had destroyed."""


def clean(text: str) -> Cleaned:
    """Return `text` with newlines as line ends and without control characters; tabs stay, a paragraph separator is a blank line."""
    lines = _LINE_END.sub("\n", text).replace("\u2029", "\n\n")
    kept, controls = _CONTROL.subn("", lines)
    return Cleaned(kept, controls, kept.count(_LOST))


def without_controls(text: str) -> str:
    """Return `text` without control characters, its line ends as they are: imported passages keep the bytes they are hashed by."""
    return _CONTROL_OR_PAGE.sub("", text)


def count_controls(text: str) -> int:
    """How many characters (or escape sequences) `without_controls` would take out."""
    return sum(1 for _ in _CONTROL_OR_PAGE.finditer(text))


def cleaning_notes(controls: int, lost: int) -> tuple[str, ...]:
    """Say what was taken out, and what was already lost."""
    notes = []
    if controls:
        notes.append(f"control characters taken out: {controls:,}")
    if lost:
        notes.append(f"characters that were already lost in the file (shown as {_LOST}): {lost:,}")
    return tuple(notes)
