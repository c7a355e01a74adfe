"""Precision, recall and F1 of extraction against labelled passages, for any language.

Exact: all three parts are equal by name key, an article apart. Relaxed: the ends are equal or one holds the other whole, and the
predicates share a content word's stem (in Chinese a character), or neither has one ("is", "is a"). A triple whose negation differs
never matches. Each label is met once; `also` labels are true but not asked for: meeting one counts for precision only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from lpmm_core.base.names import name_key

T = TypeVar("T")
TripleLabel = tuple[str, str, str, bool]
"""Subject, predicate, object, negated."""

_ARTICLE = re.compile(r"^(?:the|a|an)\s+")
_FUNCTION = frozenset(
    [
        *("is", "are", "was", "were", "be", "been", "being", "am", "have", "has", "had", "having", "do", "does", "did"),
        *("will", "would", "can", "could", "may", "might", "shall", "should", "must", "used", "get", "got", "getting"),
        *("a", "an", "the", "of", "in", "on", "at", "to", "from", "by", "for", "with", "as", "into", "over", "under"),
        *("near", "between", "and", "or", "not", "'s", "'m"),
    ]
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_FUNCTION = frozenset("是的了在被把于有为和与从到给对向着过")


@dataclass(frozen=True, slots=True)
class Score:
    """Counts that add up over passages."""

    found: int = 0
    right: int = 0
    wanted: int = 0
    met: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.found + other.found, self.right + other.right, self.wanted + other.wanted, self.met + other.met
        )

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.met / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score_triples(
    found: Iterable[TripleLabel],
    wanted: Sequence[TripleLabel],
    also: Sequence[TripleLabel] = (),
    *,
    relaxed: bool = True,
) -> Score:
    """Score one passage's triples."""
    same = _relaxed if relaxed else _exact
    return _score(list(dict.fromkeys(found)), wanted, also, same)


def score_names(found: Iterable[str], wanted: Sequence[str], also: Sequence[str] = ()) -> Score:
    """Score one passage's names, by key, an article apart."""
    return _score(
        list(dict.fromkeys(map(_bare, found))), [_bare(w) for w in wanted], [_bare(a) for a in also], str.__eq__
    )


def _score(found: Sequence[T], wanted: Sequence[T], also: Sequence[T], same: Callable[[T, T], bool]) -> Score:
    open_labels = list(wanted)
    right = 0
    left: list[T] = []
    for one in found:  # equal ones first, so that a loose match does not take an equal one's label
        if one in open_labels:
            open_labels.remove(one)
            right += 1
        else:
            left.append(one)
    for one in left:
        label = next((w for w in open_labels if same(one, w)), None)
        if label is not None:
            open_labels.remove(label)
            right += 1
        elif any(same(one, a) for a in also):
            right += 1
    return Score(len(found), right, len(wanted), len(wanted) - len(open_labels))


def _bare(name: str) -> str:
    return _ARTICLE.sub("", name_key(name))


def _exact(one: TripleLabel, other: TripleLabel) -> bool:
    return one[3] == other[3] and all(_bare(a) == _bare(b) for a, b in zip(one[:3], other[:3], strict=True))


def _relaxed(one: TripleLabel, other: TripleLabel) -> bool:
    return (
        one[3] == other[3]
        and _ends_agree(one[0], other[0])
        and _ends_agree(one[2], other[2])
        and _predicates_agree(one[1], other[1])
    )


def _ends_agree(one: str, other: str) -> bool:
    a, b = _bare(one), _bare(other)
    short, long = sorted((a, b), key=len)
    if short == long:
        return True
    if _HAN.search(short):
        return len(short) > 1 and short in long
    return re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long) is not None


def _predicates_agree(one: str, other: str) -> bool:
    a, b = _content(one), _content(other)
    return bool(a & b) if a and b else a == b


def _content(predicate: str) -> frozenset[str]:
    key = name_key(predicate)
    if _HAN.search(key):
        return frozenset(c for c in key if _HAN.match(c) and c not in _HAN_FUNCTION)
    return frozenset(word[:4] for word in re.findall(r"[\w'-]+", key) if word not in _FUNCTION)
