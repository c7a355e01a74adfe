"""What a rule claims, and what of it may become a triple.

A rule speaks of noun phrases; a triple holds names. Between the two stands one gate: an end without a name (a pronoun that stands for
nobody, 情况, 时候) or a number where none is measured makes no triple, and each kind of claim has its confidence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from lpmm_core.base.names import why_not_a_name
from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.discourse import Discourse
from lpmm_core.extract.chinese.events import Rule
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.nouns import Noun

_LONGEST_END = 30
_LONGEST_PREDICATE = 20
_UNITS = re.compile(
    r"(?:米|里|亩|公顷|吨|公斤|千克|克|升|度|元|岁|人|万|亿|层|倍|分钟|小时|英尺|英里|海里|立方|平方|%|％|天|年|座位|席|集|页|字|票|分"
    r"|美金|镑|法郎|马克|卢布|瓦|赫兹|安|伏)[多余]?$"
)


class Sort(StrEnum):
    """Which family of rules makes a claim."""

    COPULA = "copula"
    NAMING = "naming"
    ATTRIBUTE = "attribute"
    APPOSITION = "apposition"
    OBJECT = "object"
    PASSIVE = "passive"
    PHRASE = "phrase"
    PLACE = "place"
    DATE = "date"
    EXISTENCE = "existence"


CONFIDENCE = {
    Sort.COPULA: 0.8,
    Sort.NAMING: 0.85,
    Sort.ATTRIBUTE: 0.8,
    Sort.APPOSITION: 0.8,
    Sort.OBJECT: 0.75,
    Sort.PASSIVE: 0.75,
    Sort.PHRASE: 0.7,
    Sort.PLACE: 0.65,
    Sort.DATE: 0.7,
    Sort.EXISTENCE: 0.7,
}
SHARE_OF_RULE = {Rule.CLAUSE: 1.0, Rule.CARRIED: 0.9, Rule.RELATIVE: 0.9, Rule.PIVOT: 0.85, Rule.FAR: 0.8}


class Claim(NamedTuple):
    """Subject, predicate, object as a rule found them; a date is an object without a noun phrase."""

    subject: Noun
    predicate: str
    object: Noun | str
    sort: Sort
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple before it has its sentence, with the noun phrases its ends came from.

    An object without a noun phrase is of `object_kind`.
    """

    subject: str
    predicate: str
    object: str
    confidence: float
    negated: bool = False
    subject_noun: Noun | None = None
    object_noun: Noun | None = None
    object_kind: Kind = Kind.DATE


class Gate:
    """Lets through what can be a triple."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._verbs = vocabulary.verbs
        self._nouns = vocabulary.nouns
        self._pronouns = vocabulary.function.pronouns

    def statement(self, claim: Claim, discourse: Discourse, share: float = 1.0) -> Statement | None:
        """Return the claim with its names, None when it makes no triple."""
        noun = claim.object if isinstance(claim.object, Noun) else None
        subject_name = self._end(claim.subject, discourse)
        object_name = claim.object if isinstance(claim.object, str) else self._end(claim.object, discourse)
        if why_not_a_name(subject_name) or why_not_a_name(object_name) or subject_name == object_name:
            return None
        if noun is not None and claim.sort is Sort.COPULA and self._is_crumb(noun):
            return None
        if (
            claim.subject.is_quantity
            or claim.predicate in self._verbs.empty
            or len(claim.predicate) > _LONGEST_PREDICATE
        ):
            return None
        if noun is not None and noun.is_quantity and not self._measures(claim.predicate, noun.quantity):
            return None
        confidence = round(CONFIDENCE[claim.sort] * share, 3)
        return Statement(subject_name, claim.predicate, object_name, confidence, claim.negated, claim.subject, noun)

    def _end(self, noun: Noun, discourse: Discourse) -> str:
        if noun.pronoun or (noun.owner is None and self._is_vague(noun.name)):
            return ""
        shown = discourse.shown(noun)
        if not noun.is_quantity and not any(character.isalpha() for character in shown):
            return ""  # 740623
        return shown if len(shown) <= _LONGEST_END and shown not in self._pronouns else ""

    def _is_crumb(self, noun: Noun) -> bool:
        """是 路: a single character that is no name is more often a piece of a word than what something is."""
        if len(noun.name) != 1 or noun.proper or noun.owner is not None:
            return False
        return not (noun.determiner or noun.kind is Kind.PERSON)

    def _is_vague(self, name: str) -> bool:
        """情况, and 小问题 as well."""
        vague = self._nouns.vague
        return name in vague or (len(name) > 2 and name[0] in "小大新老好" and name[1:] in vague)

    def _measures(self, predicate: str, quantity: str) -> bool:
        """Whether a number is what the predicate asks for: 全长 六千公里, but not 有 一处."""
        if predicate in self._nouns.measures and quantity.isdigit():
            return False  # 直径 1 of 直径 1—2 毫米
        if predicate in self._nouns.attributes or predicate in self._nouns.measures:
            return True
        measuring = predicate in self._verbs.measuring or predicate.endswith(("达", "长", "高", "约"))
        return measuring and _UNITS.search(quantity) is not None
