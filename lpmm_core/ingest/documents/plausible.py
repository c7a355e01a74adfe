"""Whether decoded bytes read like text of some language, or are the accident of a wrong encoding.

Most encodings give *some* character to almost any byte, so that decoding without an error proves nothing. What tells is which
characters come out: running Chinese is made of the few thousand common ideographs, Japanese has kana everywhere, Korean keeps to
the syllables of its old standard, and European text has letters of one alphabet. Only a sample is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_SAMPLE = 20_000
_NON_ASCII = re.compile("[^\x00-\x7f]+")
_ASIAN = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uff60\uffe0-\uffef]")
_TYPOGRAPHY = frozenset("‘’“”–—…«»\u00a0°·€£§№¡¿")
_ASIAN_SHARE = 0.9

# Fewer of the characters that are common in running text means that the bytes were not meant this way.
_COMMON_SHARE = 0.8
_KOREAN_COMMON_SHARE = 0.95

# Korean and Japanese bytes also give common ideographs when read as Chinese, but not those that no Chinese page lacks.
_IN_EVERY_TEXT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里這個們來為國說時會對於著過發後裡"
)
_IN_EVERY_TEXT_SHARE = 0.06
_LONG_ENOUGH_TO_TELL = 30
_KANA_SHARE = 0.2
_HANGUL_SHARE = 0.5
_MOST_ACCENTED = 0.4


def reads_as_chinese(text: str) -> bool:
    """Whether `text` is Chinese, simplified or traditional."""
    foreign = _sample(text)
    ideographs = _ideographs(foreign)
    if not ideographs or not _is_asian(foreign) or _share(map(_is_kana, foreign)) > _KANA_SHARE:
        return False
    if (
        len(ideographs) >= _LONG_ENOUGH_TO_TELL
        and _share(c in _IN_EVERY_TEXT for c in ideographs) < _IN_EVERY_TEXT_SHARE
    ):
        return False
    return any(_share(_is_common(c, *level) for c in ideographs) >= _COMMON_SHARE for level in _COMMON_LEVELS)


def reads_as_japanese(text: str) -> bool:
    """Whether `text` is Japanese."""
    foreign = _sample(text)
    return _is_asian(foreign) and _share(map(_is_kana, foreign)) > _KANA_SHARE


def reads_as_korean(text: str) -> bool:
    """Whether `text` is Korean."""
    foreign = _sample(text)
    hangul = [c for c in foreign if "\uac00" <= c <= "\ud7a3"]
    if not _is_asian(foreign) or len(hangul) <= _HANGUL_SHARE * len(foreign):
        return False
    return _share(_is_common(c, "euc_kr", 0xB0, 0xC8) for c in hangul) >= _KOREAN_COMMON_SHARE


def reads_as_letters(text: str) -> bool:
    """Whether the characters beyond ASCII are letters of one alphabet, and few of them if that alphabet is Latin."""
    foreign = _sample(text)
    if _ASIAN.search(foreign):
        return False
    letters = [c for c in foreign if unicodedata.category(c)[0] in "LM"]
    if len(letters) + sum(c in _TYPOGRAPHY for c in foreign) < _ASIAN_SHARE * len(foreign):
        return False
    latin = _share(unicodedata.name(c, "").startswith("LATIN") for c in letters)
    if 0.1 < latin < 0.9:
        return False
    return latin <= 0.1 or len(foreign) <= _MOST_ACCENTED * sum(c.isalpha() for c in text[:_SAMPLE] + text[-_SAMPLE:])


# The rows of the ideographs that a standard calls common.
_COMMON_LEVELS = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6))


def _sample(text: str) -> str:
    """Return characters beyond ASCII from the beginning, the middle and the end."""
    third = _SAMPLE // 3
    middle = len(text) // 2
    parts = [text] if len(text) <= _SAMPLE else [text[:third], text[middle : middle + third], text[-third:]]
    return "".join("".join(_NON_ASCII.findall(part)) for part in parts)


def _ideographs(foreign: str) -> list[str]:
    return [c for c in foreign if "\u3400" <= c <= "\u9fff"]


def _is_asian(foreign: str) -> bool:
    known = len(_ASIAN.findall(foreign)) + sum(c in _TYPOGRAPHY for c in foreign)
    return known >= _ASIAN_SHARE * len(foreign) > 0


def _is_kana(character: str) -> bool:
    return "\u3040" <= character <= "\u30ff"


def _is_common(character: str, standard: str, first_row: int, last_row: int) -> bool:
    try:
        return first_row <= character.encode(standard)[0] <= last_row
    except UnicodeEncodeError:
        return False


def _share(answers: Iterable[bool]) -> float:
    """Return how many of the answers are yes, from 0 to 1; 0 when there are none."""
    given: Sequence[bool] = list(answers)
    return sum(given) / len(given) if given else 0.0
