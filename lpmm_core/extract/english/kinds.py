"""What a name names: read off its own words and the words around it (MT-13).

A head noun ("Harlow Bridge"), a company suffix, a known first name or place speak for themselves; a title before the name ("Captain
Rourke") speaks loudest; where the recogniser was unsure, the word before decides (after "met" a person, after "in" a place).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.parse import Parse
from lpmm_core.extract.english.words import Words

NOT_NAMING = frozenset({Kind.DATE, Kind.MONEY})
_HEADS = (
    ("event", Kind.EVENT),
    ("place", Kind.PLACE),
    ("organisation", Kind.ORGANISATION),
    ("thing", Kind.THING),
)


@dataclass(frozen=True, slots=True)
class Name:
    """Words [first, last) of a sentence name something; `text` is how it is shown.

    `sure` tells whether `kind` is more than a default, `female` what a title before the name says of the person's gender.
    """

    first: int
    last: int
    text: str
    kind: Kind
    confidence: float
    sure: bool = True
    female: bool | None = None

    def __contains__(self, word: int) -> bool:
        return self.first <= word < self.last

    def __len__(self) -> int:
        return self.last - self.first


def guess_kind(name: str, words: Words) -> Kind | None:
    """What a name by itself suggests: its company suffix, head noun or first name; None when it suggests nothing."""
    tokens = [bare for token in name.split() if (bare := token.strip(",.()\"'").casefold())]
    if not tokens:
        return None
    if words.listed(tokens[-1], "nouns", "suffix"):
        return Kind.ORGANISATION
    of = tokens.index("of", 1) if "of" in tokens[1:] else None
    kind_words = tokens[:of]
    if words.listed(" ".join(kind_words), "places", "place"):
        return Kind.PLACE
    if len(tokens) > 1:
        for group, kind in _HEADS:
            if words.listed(kind_words[-1], "nouns", group):
                return kind
        if words.listed(tokens[0], "nouns", "opener"):
            return Kind.PLACE
    if 1 < len(kind_words) < 5 and words.listed(tokens[0], "firstnames", "male", "female"):
        return Kind.PERSON
    return None


def with_kind(parse: Parse, words: Words, name: Name) -> Name:
    """`name` with the kind its own words and the words around it tell."""
    if name.confidence == 1.0 or name.kind in NOT_NAMING:
        return name
    before = parse.lower[name.first - 1].rstrip(".") if name.first else ""
    male, female = words.listed(before, "people", "male"), words.listed(before, "people", "female")
    kind, confidence, sure = _kind(parse, words, name, before)
    return replace(name, kind=kind, confidence=confidence, sure=sure, female=female if male != female else None)


def _kind(parse: Parse, words: Words, name: Name, before: str) -> tuple[Kind, float, bool]:
    if words.listed(before, "people", "title") and parse.words[name.first - 1][0].isupper():
        return Kind.PERSON, 0.9, True
    guess = guess_kind(name.text, words)
    if guess is not None and not (guess is Kind.PERSON and name.kind is Kind.WORK):
        return guess, 0.9, True
    if words.listed(before, "people", "kin"):  # "his sister Agnes"
        return Kind.PERSON, 0.85, True
    if name.sure:
        return name.kind, name.confidence, True
    if words.listed(before, "verbs", "person-cue") or words.listed(before, "people", "role", "social"):
        return Kind.PERSON, 0.85, True
    if len(name) < 4 and words.listed(parse.lower[name.first], "firstnames", "male", "female"):
        return Kind.PERSON, 0.8, True
    if words.listed(before, "verbs", "place-cue"):
        return Kind.PLACE, 0.8, False
    return name.kind, name.confidence, False
