"""What hangs on a word by a preposition: places, dates, names and further nouns, as claims of the clause it stands in.

    lived in Paris                        (.., lived in, Paris)
    worked at a bakery in Lyon            (.., worked at, bakery) (.., worked at bakery in, Lyon)
    joined the board of Apple             (.., joined board of, Apple)
A common noun alone is kept where the verb has no object, or after a preposition that says where to, what for, or with whom.
"""

from __future__ import annotations

from lpmm_core.extract.english.claims import JOINED, STATED, Claim
from lpmm_core.extract.english.nouns import Nouns

_MOST_TIES = 4


def named_ties(nouns: Nouns, noun: int) -> list[tuple[int, int]]:
    """(preposition, name) for each name or pronoun that hangs on a common noun ("board of Apple", "shipyard in Bergen")."""
    parse = nouns.parse
    if noun in nouns.stands_for:
        return []
    found: list[tuple[int, int]] = []
    for preposition in parse.children(noun, "prep"):
        inner = parse.child(preposition, "pobj")
        if inner is not None and preposition > noun:
            ends = (one for one in parse.conjuncts(inner) if nouns.is_name(one) or parse.tags[one] == "PRP")
            found.extend((preposition, one) for one in ends)
    return found[:_MOST_TIES]


def tied_claims(
    nouns: Nouns, preposition: int, subject: int, before: tuple[str | int, ...], *, negated: bool, transitive: bool
) -> list[Claim]:
    """The claims of one preposition: subject, what stands before it and the preposition, each of its objects.

    `transitive` says that `before` holds an object already, and so fewer common nouns are worth a claim.
    """
    parse, words = nouns.parse, nouns.words
    word, inner = parse.lower[preposition], parse.child(preposition, "pobj")
    nested = parse.child(preposition, "prep")
    if nested is not None and (word, parse.lower[nested]) == ("from", "to"):  # "switched from Spotify to Tidal"
        further = tied_claims(nouns, nested, subject, before, negated=negated, transitive=transitive)
        return further + ([Claim(subject, (*before, word), inner, JOINED, negated)] if inner is not None else [])
    if inner is None and nested is not None:  # "out of Clemson"
        word, inner = f"{word} {parse.lower[nested]}", parse.child(nested, "pobj")
    if (
        inner is not None and nouns.says_when_or_how(inner) and inner + 1 in parse.children(inner, "prep")
    ):  # "in charge of"
        word, inner = f"{word} {parse.lower[inner]} {parse.lower[inner + 1]}", parse.child(inner + 1, "pobj")
    if inner is None or words.listed(word, "small", "empty"):
        return []
    found: list[Claim] = []
    for one in parse.conjuncts(inner):
        if parse.tags[one] in {"WDT", "WP"}:
            antecedent = nouns.antecedent(one)
            if antecedent is not None:
                found.append(Claim(subject, (*before, word), antecedent, JOINED, negated))
            continue
        named = nouns.is_name(one)
        if not named and transitive and parse.tags[one] != "PRP" and not words.listed(word, "small", "kept"):
            continue
        ties = [] if named else named_ties(nouns, one)
        if not any(parse.lower[p] == "of" for p, _ in ties):
            found.append(Claim(subject, (*before, word), one, STATED if named else JOINED, negated))
        found.extend(Claim(subject, (*before, word, one, parse.lower[p]), name, JOINED, negated) for p, name in ties)
    return found
