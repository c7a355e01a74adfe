"""Cutting a long text into passages of roughly equal size at the best places.

A passage has to be small enough that its vector means something and large enough to be understood alone: 300 to 400 Chinese
characters or 120 to 180 English words. Only what is longer than 800 Chinese or 1,800 Latin characters is cut at all, so that a
paragraph which its author wrote as one stays one. The cut is made near equal shares, at the strongest border there: the end of a
paragraph line, then of a sentence, then a clause, then white space. Nothing is dropped: the parts joined are the text.

Sizes are in units of which an ideograph has nine and any other character four, because one ideograph says what 2.25 letters do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_IDEOGRAPH_UNITS = 9
_LETTER_UNITS = 4
LONGEST_PASSAGE = 800 * _IDEOGRAPH_UNITS
_USUAL_PART = 3_300
_LONGEST_PART = 4_500
_EARLIEST, _LATEST = 0.7, 1.25

_IDEOGRAPHS = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]+")

_CLOSERS = "\"'”’」』）)】》〉\\]"
# A full stop of the Latin kind ends a sentence only before white space; the Chinese marks need none. Only sets repeat possessively:
# before 3.11.5 Python matches a possessive group wrongly.
_BORDER = re.compile(
    rf"(?P<asian>(?:[。！？…]|(?<=[\u3040-\u9fff])[!?])[。！？…!?]*+[{_CLOSERS}]*+\s*+)"
    rf"|(?P<latin>[.!?]++[{_CLOSERS}]*+(?:\s++|\Z))"
    r"|(?P<line>\n\s*+)"
)
_CLAUSE = re.compile(rf"[，,、；;：:—–]++[{_CLOSERS}]*+\s*+")
_SPACE = re.compile(r"\s++")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Col|Capt|Lt|Sgt|St|Jr|Sr|Mt|Ft|vs|etc|cf|al|Inc|Ltd|Co|Corp|No|Nos|Vol|Fig|Eq|Sec|Ch|pp?|ca|approx|est"
    r"|e\.g|i\.e|a\.m|p\.m|U\.S|U\.K|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))\Z"
)
_FINAL = re.compile(rf"[。！？!?….:：;；][{_CLOSERS}]*\s*\Z")
_PARAGRAPH, _SENTENCE, _WEAK = 3, 2, 1
_LINES_A_SENTENCE_MAY_TAKE = 8
_SHORTEST_ATOM = 8
_ENOUGH_TO_JUDGE = 100_000


@dataclass(frozen=True, slots=True)
class _Atom:
    """A stretch of text that is not cut further, up to `end`, and how good a place its end is to cut."""

    end: int
    units: int
    strength: int


def units(text: str) -> int:
    """Return the size of `text`: nine for an ideograph, four for any other character."""
    ideographs = sum(map(len, _IDEOGRAPHS.findall(text)))
    return _LETTER_UNITS * len(text) + (_IDEOGRAPH_UNITS - _LETTER_UNITS) * ideographs


def is_long(text: str) -> bool:
    """Whether `text` is more than one passage should hold."""
    return len(text) * _LETTER_UNITS > LONGEST_PASSAGE or (
        len(text) * _IDEOGRAPH_UNITS > LONGEST_PASSAGE and units(text) > LONGEST_PASSAGE
    )


def ends_a_sentence(line: str) -> bool:
    """Whether a line ends with the mark of a finished sentence, a closing quote or bracket behind it allowed."""
    return _FINAL.search(line[-12:]) is not None


def cut(text: str) -> list[str]:
    """Return `text` in parts of roughly equal size, none longer than a passage may be.

    The parts joined are the text, white space included; a text that is not long comes back alone.
    """
    if not is_long(text):
        return [text]
    atoms = list(_atoms(text))
    left = sum(atom.units for atom in atoms)
    parts = []
    start = first = 0
    while first < len(atoms):
        shares = round(left / _USUAL_PART)
        if shares <= 1:
            break
        chosen, taken = _best_cut(atoms, first, left / shares)
        parts.append(text[start : atoms[chosen].end])
        start, first, left = atoms[chosen].end, chosen + 1, left - taken
    if start < len(text):
        parts.append(text[start:])
    return parts


def _best_cut(atoms: list[_Atom], first: int, goal: float) -> tuple[int, int]:
    """Return the atom after which to cut, and the units up to there."""
    earliest, latest = goal * _EARLIEST, min(goal * _LATEST, _LONGEST_PART)
    chosen, taken = first, atoms[first].units
    best: tuple[int, float] | None = None
    total = 0
    for i in range(first, len(atoms)):
        total += atoms[i].units
        if total > latest:
            break
        if total < earliest:
            chosen, taken = i, total
            continue
        merit = (atoms[i].strength, -abs(total - goal))
        if best is None or merit > best:
            best, chosen, taken = merit, i, total
    return chosen, taken


def _atoms(text: str) -> Iterator[_Atom]:
    line_is_border = _lines_are_borders(text)
    start = 0
    for match in _BORDER.finditer(text):
        if match.end() - start < _SHORTEST_ATOM:
            continue
        if match.lastgroup == "line":
            strength = _PARAGRAPH if line_is_border else _WEAK
        elif match.lastgroup == "latin" and _is_inside_sentence(text, match):
            continue
        else:
            strength = _PARAGRAPH if "\n" in match.group() else _SENTENCE
        yield from _within(text, start, match.end(), strength)
        start = match.end()
    if start < len(text):
        yield from _within(text, start, len(text), _WEAK)


def _lines_are_borders(text: str) -> bool:
    """Whether line ends mean something: in lists and verse they do, in prose wrapped at a fixed width they do not."""
    opening = text[:_ENOUGH_TO_JUDGE]
    lines = opening.count("\n")
    sentences = sum(1 for match in _BORDER.finditer(opening) if match.lastgroup != "line")
    return sentences * _LINES_A_SENTENCE_MAY_TAKE < lines


def _is_inside_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether a full stop ends an abbreviation, or is followed by a small letter."""
    following = text[match.end() : match.end() + 1]
    if following.islower():
        return True
    return (
        match.group().rstrip() == "."
        and _ABBREVIATION.search(text[max(0, match.start() - 8) : match.start()]) is not None
    )


def _within(text: str, start: int, end: int, strength: int) -> Iterator[_Atom]:
    """Yield [start, end) as one atom, or in stretches when it is longer than a part."""
    size = units(text[start:end])
    while size > _LONGEST_PART:
        stop = _weak_border(text, start, end)
        yield _Atom(stop, units(text[start:stop]), _WEAK)
        size -= units(text[start:stop])
        start = stop
    yield _Atom(end, size, strength)


def _weak_border(text: str, start: int, end: int) -> int:
    """Return where to cut a sentence that is too long: behind its last clause that fits, else a space, else anywhere."""
    latest = min(start + _LONGEST_PART // _IDEOGRAPH_UNITS, end)
    for border in (_CLAUSE, _SPACE):
        ends = [match.end() for match in border.finditer(text, (start + latest) // 2, latest)]
        if ends:
            return ends[-1]
    return _whole_character(text, latest)


def _whole_character(text: str, position: int) -> int:
    """Move `position` on until it does not part a letter from its accent, or an emoji from what is joined to it."""
    for _ in range(32):
        if position >= len(text) or not (_joins(text[position]) or text[position - 1] == "\u200d"):
            break
        position += 1
    return position


def _joins(character: str) -> bool:
    return (
        character in "\u200d\ufe0f\ufe0e"
        or unicodedata.combining(character) != 0
        or unicodedata.category(character) in {"Mn", "Me"}
    )
