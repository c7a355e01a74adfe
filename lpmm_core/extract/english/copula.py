"""Claims of "is" and "becomes": what something is, whose, of what and where.

Curie was a physicist                 (Curie, was a, physicist)
Paris is the capital of France        (Paris, is the capital of, France)
Its mayor is Sue Whitfield            (Sue Whitfield, is mayor of, ..): the name comes first
Its headquarters are on Leith Street  (.., headquarters are on, Leith Street)
Anna is allergic to peanuts           (Anna, is allergic to, peanuts)
There is a museum in the town         (museum, is in, town)
"""

from __future__ import annotations

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.claims import STATED, Claim
from lpmm_core.extract.english.nouns import Nouns
from lpmm_core.extract.english.parse import NOUN_TAGS
from lpmm_core.extract.english.ties import named_ties, tied_claims

_ARTICLES = frozenset({"a", "an", "the"})
_WHERE = frozenset({"in", "at", "on", "near", "under", "between"})


class Copula:
    """Reads the clauses of one sentence whose verb says what something is."""

    def __init__(self, nouns: Nouns) -> None:
        self._nouns = nouns
        self._parse = nouns.parse

    def claims(self, verb: int, subject: int, predicate: str, *, negated: bool) -> list[Claim]:
        """The claims of `verb` about `subject`."""
        parse, nouns = self._parse, self._nouns
        found: list[Claim] = []
        adjective, attribute = parse.child(verb, "acomp"), parse.child(verb, "attr")
        for one in parse.conjuncts(adjective) if adjective is not None else []:
            for preposition in parse.children(one, "prep"):
                before = (f"{predicate} {parse.lower[one]}",)
                found += tied_claims(nouns, preposition, subject, before, negated=negated, transitive=False)
        for one in parse.conjuncts(attribute) if attribute is not None else []:
            found += self._attribute(attribute or one, one, subject, predicate, negated=negated)
        for preposition in parse.children(verb, "prep"):
            inner = parse.child(preposition, "pobj")
            if inner is None:
                continue
            if attribute is not None and attribute not in nouns.name_at and nouns.is_name(inner):
                before_name = (predicate, attribute)
                found += tied_claims(nouns, preposition, subject, before_name, negated=negated, transitive=True)
            elif attribute is None and adjective is None and parse.tags[inner] != "PRP":  # not "I'm here for you"
                found += self._place(preposition, subject, predicate, negated=negated)
        return found

    def existence(self, verb: int, predicate: str, *, negated: bool) -> list[Claim]:
        """The claims of "there is"."""
        parse = self._parse
        thing = parse.child(verb, "attr", "dobj", "nsubj")
        if thing is None:
            return []
        return [
            claim
            for preposition in (*parse.children(thing, "prep"), *parse.children(verb, "prep"))
            if parse.lower[preposition] in _WHERE
            for one in parse.conjuncts(thing, 4)
            for claim in tied_claims(self._nouns, preposition, one, (predicate,), negated=negated, transitive=False)
        ]

    # --- inside -----------------------------------------------------------------------------------------------------------------

    def _place(self, preposition: int, subject: int, predicate: str, *, negated: bool) -> list[Claim]:
        """Where the subject is; what belongs to something else gives its owner a claim ("its headquarters are on")."""
        owner = self._nouns.owner(subject)
        thing = self._parse.lower[subject]
        before: tuple[str | int, ...] = (predicate,)
        if (
            owner is not None
            and self._parse.tags[owner] == "PRP$"
            and not self._nouns.words.listed(thing, "people", "kin", "social")
        ):
            subject, before = owner, (subject, predicate)
        return tied_claims(self._nouns, preposition, subject, before, negated=negated, transitive=False)

    def _attribute(self, whole: int, one: int, subject: int, predicate: str, *, negated: bool) -> list[Claim]:
        """What the subject is said to be: `one` of the attributes joined under `whole`."""
        parse, nouns, attribute = self._parse, self._nouns, one
        part = nouns.parts.get(one)
        one = part if part is not None and part in nouns.name_at else one  # "is the city of Thompson"
        if one in nouns.name_at and nouns.named_kind(one) is not Kind.DATE:
            turned = self._turned(subject, one, predicate, negated=negated)
            of = " one of" if attribute != one and parse.lower[attribute] == "one" else ""
            return turned or [Claim(subject, (f"{predicate}{of}",), one, STATED, negated)]
        if not parse.is_noun(one) and part is None:
            return []
        owner = nouns.owner(one)
        if owner is not None:
            return [Claim(subject, (predicate, one, "of"), owner, STATED, negated, type_word=one)]
        article = self._article(whole, one)
        lead = f"{predicate} {article}" if article else predicate
        if part is not None and parse.lower[attribute] == "one" and parse.child(part, "det") is not None:
            one, lead = part, f"{predicate} one of the"
        ties = self._ties(whole, one)
        if ties:
            return [Claim(subject, (lead, one, *tie), end, STATED, negated, type_word=one) for tie, end in ties]
        return [Claim(subject, (lead,), one, STATED, negated, kind_of=True, type_word=one)]

    def _article(self, whole: int, one: int) -> str | None:
        """The article of an attribute; one joined by "and" shares the first's ("an actor, director and writer")."""
        parse = self._parse
        own, shared = (
            next((parse.lower[k] for k in parse.children(noun, "det") if parse.lower[k] in _ARTICLES), None)
            for noun in (one, whole)
        )
        if own is not None or shared is None or shared == "the":
            return own or shared
        return "an" if (self._nouns.phrase(one) or "b")[0].casefold() in "aeiou" else "a"

    def _ties(self, whole: int, one: int) -> list[tuple[tuple[str | int, ...], int]]:
        """(what ties it, name) behind an attribute; "capital and largest city of France" shares those of the last."""
        parse, nouns = self._parse, self._nouns
        later = [c for c in parse.conjuncts(whole) if c > one and parse.child(c, "det") is None]
        for noun in (one, *later):
            found: list[tuple[tuple[str | int, ...], int]] = []
            told = parse.child(noun, "relcl", "acl")
            for preposition in parse.children(noun, "prep"):
                inner = parse.child(preposition, "pobj")
                if told is not None and told < preposition:
                    break  # "a player who swam in Rome and in Paris"
                if inner is None or not nouns.words.listed(parse.lower[preposition], "small", "attribute"):
                    continue
                by = parse.lower[preposition]
                ends = [end for end in parse.conjuncts(inner) if nouns.is_name(end)]
                found += [((by,), end) for end in ends if nouns.named_kind(end) is not Kind.DATE]
                further = named_ties(nouns, inner) if not ends else []  # "a waterfall on the upper reaches of the Tarn"
                found += [((by, inner, parse.lower[p]), end) for p, end in further]
            if found:
                return found[:4]
        return []

    def _turned(self, subject: int, named: int, predicate: str, *, negated: bool) -> list[Claim]:
        """The claim of a common noun that is said to be a name, the name first."""
        parse, nouns = self._parse, self._nouns
        if subject in nouns.name_at or parse.tags[subject] not in NOUN_TAGS:
            return []
        owner = nouns.owner(subject)
        if owner is not None and parse.lower[subject] == "name":  # "the boy's name was Tam"
            if nouns.common(owner):
                return [Claim(named, ("is a",), owner, STATED, negated, kind_of=True, type_word=owner)]
            return [Claim(owner, ("is named",), named, STATED, negated)]
        if owner is not None:
            return [Claim(named, (predicate, subject, "of"), owner, STATED, negated, type_word=subject)]
        ties = [
            Claim(named, (predicate, subject, parse.lower[p]), end, STATED, negated, type_word=subject)
            for p, end in named_ties(nouns, subject)
        ]
        if ties or parse.child(subject, "det") is None:
            return ties
        return [Claim(named, (f"{predicate} the",), subject, STATED, negated, kind_of=True, type_word=subject)]
