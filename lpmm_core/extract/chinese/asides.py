"""Brackets: what stands in them is taken out of the sentence, which reads on without it, and read by itself.

Two kinds state something about the name before them: a life (松平康忠（1546年－1618年）) and another name (姑苏区（又称…）).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.claims import CONFIDENCE, Sort, Statement
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import NAMES, Noun
from lpmm_core.extract.chinese.words import Word

_OPENING = "（([【"
_CLOSING = "）)]】"
_LIFE = re.compile(
    r"^[^0-9]{0,6}(\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)[^－\-—–~～至，。]{0,10}[－\-—–~～至]+[^0-9]{0,4}(\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)?"
)
_OTHER_NAME = re.compile(
    r"(又称|又名|亦称|也称|简称|原名|本名|别名|旧称|古称|俗称|全称|英文名?|英语|学名|法文|德文|日文|外文名)(?:为|作|叫)?[:：]?\s*[“「《\"]?([^，,。；;、）)”」》\"]{1,40})"
)


@dataclass(frozen=True, slots=True)
class Aside:
    """The text in one pair of brackets and the name that stands before it."""

    text: str
    name: Word | None


def without_asides(words: Sequence[Word]) -> tuple[list[Word], list[Aside]]:
    """Return the words outside brackets, and what the brackets held. An opening bracket that is never closed is a mark like any other."""
    kept: list[Word] = []
    asides: list[Aside] = []
    index = 0
    while index < len(words):
        word = words[index]
        if word.text in _OPENING and word.tag == "w":
            depth, end = 1, index + 1
            while end < len(words) and depth:
                depth += (words[end].text in _OPENING) - (words[end].text in _CLOSING)
                end += 1
            if not depth:
                inner = "".join(w.text for w in words[index + 1 : end - 1])
                name = kept[-1] if kept and (kept[-1].tag in NAMES or kept[-1].kind is not None) else None
                asides.append(Aside(inner, name))
                index = end
                continue
        kept.append(word)
        index += 1
    return kept, asides


def aside_statements(aside: Aside, vocabulary: Vocabulary) -> Iterator[Statement]:
    """Yield what an aside states about the name before it."""
    if aside.name is None:
        return
    word = aside.name
    noun = Noun(
        word.text,
        word.text,
        word.kind or (Kind.PERSON if word.tag == "PER" else Kind.THING),
        word.start,
        word.end,
        proper=True,
    )
    if word.tag == "PER" and (life := _LIFE.match(aside.text)):
        yield Statement(word.text, "出生于", life[1], CONFIDENCE[Sort.DATE], subject_noun=noun)
        if life[2]:
            yield Statement(word.text, "逝世于", life[2], CONFIDENCE[Sort.DATE], subject_noun=noun)
    for match in _OTHER_NAME.finditer(aside.text):
        other = match[2].strip()
        if other and other != word.text:
            yield Statement(
                word.text, match[1], other, CONFIDENCE[Sort.NAMING], subject_noun=noun, object_kind=noun.kind
            )
