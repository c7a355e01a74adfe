"""One tokeniser for every language: what the lexical index counts, for texts and for questions alike.

Scripts that put spaces between words give words, folded to lower case without accents, English ones stemmed. Scripts that do not
(Chinese, Japanese, Korean, Thai and their neighbours) give every character and every pair of neighbouring characters: pairs stand in
for words without a dictionary to disagree with, and single characters let a one-character word be found.

A text keeps all its tokens. A question drops what says nothing (English stop words, characters such as 的 and 了), unless nothing
else is left: then these are what it asks for. Traditional and simplified characters are not folded into each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

VERSION = 1
"""Raised whenever the same text gives other tokens: lexical bases of another version are built again."""

ONE_CHARACTER_WEIGHT = 0.5
"""What a single character of a longer run counts in a question, where a pair counts 1 (measured, docs/decisions/0003-indexes.md)."""

_RUN = re.compile(
    "(?P<dense>[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"  # Chinese characters
    "|[\u3040-\u30ff\u31f0-\u31ff]+"  # kana
    "|[\uac00-\ud7a3]+"  # hangul
    "|[\u0e00-\u0eff]+|[\u1000-\u109f]+|[\u1780-\u17ff]+)"  # Thai and Lao, Burmese, Khmer
    "|(?P<word>(?:[^\\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
    "|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff]"  # marks that belong to a letter
    "|(?<=[^\\W\\d_])'(?=[^\\W\\d_]))+)"  # an apostrophe inside a word
)

_STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are as at be because been before being below between both but by can
    could did do does doing don't down during each few for from further had has have having he her here hers him his how i if in into
    is it it's its just me more most my no nor not of off on once only or other our ours out over own s same she should so some such t
    than that the their theirs them then there these they this those through to too under until up upon very was we were what when
    where which while who whom whose why will with would you your yours""".split()  # noqa: SIM905
)
_STOP_CHARACTERS = frozenset("的了是在有和与及或也就都而着过被把吗呢吧啊呀么之其这那哪个什谁为于以")


def tokens(text: str) -> list[str]:
    """Return every token of `text`, in order and with repetitions."""
    found: list[str] = []
    for run, dense in _runs(text):
        if dense:
            found.extend(run)
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            found.append(_word(run))
    return found


def question_tokens(text: str) -> dict[str, float]:
    """Return the tokens that a question looks for, with the weight of each.

    A pair of characters and a word weigh 1. A single character weighs 1 where it stands alone and `ONE_CHARACTER_WEIGHT` inside a
    longer run. Said twice is asked once: a question is short, and repeats a word for grammar's sake.
    """
    wanted: dict[str, float] = {}
    weightless: dict[str, float] = {}
    for run, dense in _runs(text):
        if not dense:
            (weightless if run in _STOP_WORDS else wanted)[_word(run)] = 1.0
            continue
        single = 1.0 if len(run) == 1 else ONE_CHARACTER_WEIGHT
        for character in run:
            kept = weightless if character in _STOP_CHARACTERS else wanted
            kept[character] = max(single, kept.get(character, 0.0))
        wanted.update((run[i : i + 2], 1.0) for i in range(len(run) - 1))
    return wanted or weightless


def is_one_word(text: str) -> bool:
    """Tell whether a text is one word, besides words that say nothing: in scripts without spaces a run of at most four characters."""
    runs = [(run, dense) for run, dense in _runs(text) if dense or run not in _STOP_WORDS]
    return len(runs) == 1 and (not runs[0][1] or len(runs[0][0]) <= 4)


def is_stop_word(key: str) -> bool:
    """Tell whether a folded word or character says nothing by itself."""
    return key in _STOP_WORDS or key in _STOP_CHARACTERS


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    for match in _RUN.finditer(folded):
        yield match.group(), match.lastgroup == "dense"


@lru_cache(maxsize=65_536)
def _word(run: str) -> str:
    if not run.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFD", run) if not "\u0300" <= c <= "\u036f")
        if not plain.isascii():
            return unicodedata.normalize("NFC", run)
        run = plain
    import snowballstemmer  # thirty languages, a quarter of a second

    # A stemmer keeps the word it works on in itself, so threads cannot share one; making one is cheap.
    return str(snowballstemmer.stemmer("english").stemWord(run))
