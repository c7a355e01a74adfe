"""Where the sentences of a passage stand, who says them and in which language they are.

Every other part of extraction works sentence by sentence, and evidence points to characters of the passage, so the split is exact: a
sentence is the text at [start, end), without the white space, list mark or speaker mark before it, with its closing quotes and
brackets. One pass over the text; a run without any full stop is cut at a space, so that no text, however hostile, makes a sentence
that is long enough to be slow.

A line that opens with `[name]` is said by that name until the next such line (LP-29); a number in brackets is a citation, no name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

Language = Literal["zh", "en", "other"]

LONGEST_SENTENCE = 900

_SPEAKER = re.compile(r"(?m)^[ \t\u3000]*[\[【]([^\[\]【】\n]{1,40})[\]】](?!\()[ \t\u3000]*[:：]?[ \t\u3000]*")
_LIST_MARK = re.compile(
    r"(?:[-*+•·‣▪–—]|\(?\d{1,3}[.)、）](?!\d)|[（(][一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、|#{1,6})[ \t\u3000]*"
)
_DATELINE = re.compile(r"([A-Z]{2}[A-Z .,]{1,30}(?:\([A-Za-z .]{2,20}\))?)\s?[—–]\s?(?=[A-Z“\"'])")
_BRACKETED = re.compile(r"\([^()\n]{0,200}\)|（[^（）\n]{0,200}）|\[[^\[\]\n]{0,200}\]")
_STOP = re.compile(r"[。！？!?…]+|\.+|\n|；")
_CLOSING = "\"'”’」』》〉】)）]"
_SPACE = " \t\r\u00a0\u3000"
_OTHER_SCRIPTS = re.compile(r"[\u0370-\u1cff\u3040-\u30ff\u31f0-\u31ff\ua000-\ud7ff]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]+")


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says without a break: the text at [start, end), the mark left out. `speaker` is None before the first mark."""

    start: int
    end: int
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """The text at [start, end), in `language`; `other` is a script that neither half of extraction reads."""

    start: int
    end: int
    language: Language


def split_turns(text: str) -> list[Turn]:
    """Cut `text` at the lines that open with a speaker's mark."""
    turns: list[Turn] = []
    start, speaker = 0, None
    for mark in _SPEAKER.finditer(text):
        name = mark[1].strip()
        if not any(c.isalpha() for c in name) or name.casefold() == "x":  # citations, times, ticked boxes
            continue
        if text[start : mark.start()].strip():
            turns.append(Turn(start, mark.start(), speaker))
        start, speaker = mark.end(), name
    if text[start:].strip() or not turns:
        turns.append(Turn(start, len(text), speaker))
    return turns


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[Sentence]:
    """Cut text[start:end] into sentences, offsets in characters of `text`."""
    end = len(text) if end is None else end
    kept_whole = {b.start(): b.end() for b in _BRACKETED.finditer(text, start, end)}
    openings, next_opening = sorted(kept_whole), 0
    sentences: list[Sentence] = []
    begin = place = start
    while place < end:
        stop = _STOP.search(text, place, end)
        if stop is None:
            break
        while next_opening < len(openings) and openings[next_opening] < place:
            next_opening += 1
        if next_opening < len(openings) and openings[next_opening] < stop.start():
            opening, place = openings[next_opening], kept_whole[openings[next_opening]]
            if text[place - 2] in ".!?。！？" and not text[begin:opening].strip() and not _goes_on(text, place, end):
                _keep(sentences, text, begin, place)  # a whole sentence in brackets
                begin = place
            continue
        place = stop.end()
        if _ends_here(text, begin, stop, end):
            if stop[0] != "\n":
                place = _past_closing(text, place, end)
            _keep(sentences, text, begin, place)
            begin = place
    _keep(sentences, text, begin, end)
    return sentences


def language_of(text: str) -> Language:
    """The language of one sentence by the share of its scripts; one Chinese character weighs as much as one Latin word."""
    han, latin = len(_HAN.findall(text)), len(_LATIN.findall(text))
    other = len(_OTHER_SCRIPTS.findall(text))
    if other and other >= max(han / 2, latin):
        return "other"
    if han == latin == 0:
        return "other"
    return "zh" if han >= latin else "en"


def _ends_here(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    mark, after = stop[0], stop.end()
    if mark == "\n":
        return _line_ends(text, begin, stop.start(), after, end)
    if mark == "；":
        return True
    if mark[0] in "。！？…" or _HAN.match(text[stop.start() - 1 : stop.start()]):
        return mark[0] != "…" or not _goes_on(text, after, end)
    if mark == "." and not _full_stop(text, begin, stop.start(), end):
        return False
    return not _goes_on(text, _past_closing(text, after, end), end)


def _goes_on(text: str, place: int, end: int) -> bool:
    """Whether what follows a stop belongs to the same sentence: no space, a lower-case word, a comma."""
    if place >= end:
        return False
    following = text[place]
    if following == "\n" or _HAN.match(following):
        return False
    if following not in _SPACE:
        return True
    while place < end and text[place] in _SPACE:
        place += 1
    return place < end and (text[place].islower() or text[place] in ",;:，；：")


def _full_stop(text: str, begin: int, dot: int, end: int) -> bool:
    """Whether the single dot at `dot` is a full stop, not an abbreviation's, an initial's or a number's."""
    if dot + 1 < end and text[dot + 1].isalnum():
        return False
    first = max(begin, dot - 24)
    word = text[first:dot].rsplit(None, 1)[-1].lstrip("\"'“‘(（[") if text[first:dot].strip() else ""
    if _LIST_MARK.fullmatch(word + ".") and not text[begin : dot - len(word)].strip():
        return False
    after = text[dot + 1 : dot + 24].lstrip(_SPACE + _CLOSING)
    following = re.match(r"[A-Za-z]+", after)
    starts = following is not None and following[0].casefold() in _words()["starts"]
    if len(word) == 1 and word.isupper() and word != "I":
        return (starts and following is not None and following[0] != "I") or not after
    lower = word.casefold()
    if lower in _words()["maybe"] or re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word):
        return starts or not after
    if lower in _words()["never"]:
        return not after or after[0] == "\n"
    return True


def _line_ends(text: str, begin: int, line_end: int, after: int, end: int) -> bool:
    """A line break ends the sentence, unless a hard-wrapped line goes on in lower case."""
    following = text[after : min(after + 1, end)]
    return not (following.islower() and len(text[begin:line_end].strip()) > 20)


def _past_closing(text: str, place: int, end: int) -> int:
    while place < end and text[place] in _CLOSING:
        # a straight quote after a space or at the start of a word opens rather than closes
        if text[place] in "\"'" and place + 1 < end and text[place + 1].isalnum():
            break
        place += 1
    return place


def _keep(sentences: list[Sentence], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    dateline = _DATELINE.match(text, start, end)
    if dateline:
        _keep(sentences, text, start, dateline.end(1))
        start = dateline.end()
    mark = _LIST_MARK.match(text, start, end)
    if mark and mark.end() < end and (mark[0][-1] in _SPACE or not text[mark.end() - 1].isascii()):
        start = mark.end()
    while end - start > LONGEST_SENTENCE:
        cut = max(text.rfind(c, start + LONGEST_SENTENCE // 2, start + LONGEST_SENTENCE) for c in " ,，、;")
        cut = cut + 1 if cut > 0 else start + LONGEST_SENTENCE
        sentences.append(Sentence(start, cut, language_of(text[start:cut])))
        start = cut
    if start < end and any(c.isalnum() for c in text[start:end]):
        sentences.append(Sentence(start, end, language_of(text[start:end])))


@cache
def _words() -> dict[str, frozenset[str]]:
    """The word lists of `data/en-sentences.txt` by group."""
    groups: dict[str, list[str]] = {}
    for line in resources.files("lpmm_core.extract").joinpath("data/en-sentences.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            group, _, words = line.partition(":")
            groups.setdefault(group, []).extend(words.split())
    return {group: frozenset(words) for group, words in groups.items()}
