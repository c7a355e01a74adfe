"""Which names mean the same: pairs of names whose centred vectors are near.

New names are compared with all, exactly and in blocks, so the pairs do not depend on the order in which names came. Vectors see little
difference between names that differ only in a number, which are as a rule different things: 2019年 is not 2020年.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.segments import Ids
from lpmm_core.index.vectors import VectorIndex

THRESHOLD = 0.8
"""Cosine of centred vectors from which on two names are synonyms (LPMM's default)."""

_AT_ONCE = 1024
_DIGITS = re.compile(r"\d+")
_HANZI_NUMBER = re.compile("[零〇一二三四五六七八九十百千万亿两]+")
_ROMAN = re.compile(r"(?=.)(x[cl]|l?x{0,3})(i[xv]|v?i{0,3})")
_DATE_WORDS = re.compile("[年月日号代前后初末底中以起来世纪至到s ]*|(st|nd|rd|th|of|the| )*")
_NUMBER_WORDS = {
    word: str(number)
    for line in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen",
        " first second third fourth fifth sixth seventh eighth ninth tenth",
    )
    for number, word in enumerate(line.split(" "))
    if word
}
_HANZI_DIGITS = {character: str(value) for value, character in enumerate("零一二三四五六七八九十")} | {
    "〇": "0",
    "两": "2",
}
_NAMED_DAYS = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday thursday friday
    saturday sunday""".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True, eq=False)
class NamePairs:
    """Pairs of names that mean the same, each once: the smaller id left; ordered by both."""

    left: Ids
    right: Ids
    cosines: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.left)


def synonym_pairs(
    index: VectorIndex,
    fresh: ArrayLike,
    key_of: Callable[[int], str],
    *,
    threshold: float = THRESHOLD,
) -> NamePairs:
    """Return every pair of a fresh name and any name of the index whose cosine is at least `threshold`.

    Args:
        index: the vectors of all names, centred, the fresh ones included.
        fresh: ids of the names to compare.
        key_of: the key of a name, by its id; called only for names in a pair.
        threshold: the least cosine.

    Raises:
        InvalidInput: a fresh name has no vector in the index, or the threshold is not between 0 and 1.
    """
    if not 0 < threshold <= 1:
        raise InvalidInput(f"a synonym's threshold must lie between 0 and 1, got {threshold}")
    wanted = np.unique(np.asarray(fresh, np.int64))
    low, high, cosines = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    for begin, end in pairwise((*range(0, len(wanted), _AT_ONCE), len(wanted))):
        ids = wanted[begin:end]
        found = index.above(index.vectors(ids), threshold)
        mine = ids[found.questions]
        different = mine != found.ids
        low.append(np.minimum(mine, found.ids)[different])
        high.append(np.maximum(mine, found.ids)[different])
        cosines.append(found.scores[different])
    ends = np.column_stack([np.concatenate(low), np.concatenate(high)])
    distinct, first = np.unique(ends, axis=0, return_index=True)
    near = np.concatenate(cosines)[first]
    keys = {int(name): key_of(int(name)) for name in np.unique(distinct)}
    kept = np.array([may_be_synonyms(keys[left], keys[right]) for left, right in distinct.tolist()], np.bool_)
    return NamePairs(distinct[kept, 0], distinct[kept, 1], near[kept])


def may_be_synonyms(left: str, right: str) -> bool:
    """Tell whether two keys may mean the same at all: not when they count or date differently.

    "chapter 3" and "chapter 4", 三月 and 四月, "world war i" and "world war ii" may not; nor may a name with a number and the same name
    without it ("iphone 4", "iphone"), nor dates of different precision (2006年, 2006年5月, "1960s", "1960"). "6 august 1945" and
    "august 6, 1945" may, and "shanghai 13" and "shanghai thirteen". Number words inside different words say nothing: 万科, 万达.
    """
    one, other = _Numbered.read(left), _Numbered.read(right)
    if _DATE_WORDS.fullmatch(one.words) and _DATE_WORDS.fullmatch(other.words) and one.words != other.words:
        return False
    if one.numbers == other.numbers:
        return True
    return one.digits == other.digits and one.words != other.words


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A key taken apart: its numbers however written, those written in digits, and the words that are left."""

    numbers: tuple[str, ...]
    digits: tuple[str, ...]
    words: str

    @classmethod
    def read(cls, key: str) -> _Numbered:
        text = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", key).casefold())
        digits = [found.lstrip("0") or "0" for found in _DIGITS.findall(text)]
        spelled = [_HANZI_DIGITS.get(found, found) for found in _HANZI_NUMBER.findall(text)]
        words = _HANZI_NUMBER.sub(" ", _DIGITS.sub(" ", text)).split()
        left = []
        for word in words:
            if word in _NUMBER_WORDS or word in _NAMED_DAYS:
                spelled.append(_NUMBER_WORDS.get(word, word))
            elif len(words) > 1 and _ROMAN.fullmatch(word):
                spelled.append(str(_roman(word)))
            else:
                left.append(word)
        return cls(tuple(sorted(digits + spelled)), tuple(sorted(digits)), " ".join(left))


def _roman(numeral: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[letter] for letter in numeral]
    return sum(-value if value < following else value for value, following in pairwise([*values, 0]))
