"""The word lists the Chinese rules stand on, read once from `data/zh-*.txt`.

What belongs to the language and not to a rule (which nouns are kin, which verbs name, how a place name ends) is data: it can be read
and mended without reading code. A file is sections `[name]` of words separated by white space; a line that starts with `#` is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lpmm_core.base.records import Kind

_DATA = files("lpmm_core.extract").joinpath("data")
_SECTION = re.compile(r"\[([a-z-]+)\]\s*$")


def _sections(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words of each section of `data/<name>`, in order."""
    found: dict[str, list[str]] = {}
    words: list[str] = []
    for line in _DATA.joinpath(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if heading := _SECTION.match(line):
            words = found.setdefault(heading[1], [])
        else:
            words.extend(line.split())
    return {section: tuple(words) for section, words in found.items()}


@dataclass(frozen=True, slots=True)
class Endings:
    """A set of words asked for the longest one that ends a text."""

    words: frozenset[str]
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, words: tuple[str, ...]) -> Endings:
        """Make a set of `words`."""
        return cls(frozenset(words), tuple(sorted({len(word) for word in words}, reverse=True)))

    def __contains__(self, text: str) -> bool:
        return self.longest(text) != ""

    def longest(self, text: str) -> str:
        """Return the longest word that ends `text`, or the empty string."""
        for length in self.lengths:
            if text[-length:] in self.words and length <= len(text):
                return text[-length:]
        return ""


@dataclass(frozen=True, slots=True)
class Nouns:
    """`data/zh-nouns.txt`."""

    roles: Endings
    professions: Endings
    kinship: frozenset[str]
    female: Endings
    male: Endings
    persons: Endings
    person_endings: frozenset[str]
    titles: frozenset[str]
    attributes: frozenset[str]
    measures: frozenset[str]
    vague: frozenset[str]
    localizers: frozenset[str]
    body: frozenset[str]
    definite: Mapping[str, Kind]

    def is_role(self, text: str) -> bool:
        """Whether `text` ends with an office, a trade or a kinship: what a person can be."""
        return text in self.roles or text in self.kinship

    def is_person(self, text: str) -> bool:
        """Whether `text` says a person without a name."""
        return text in self.roles or text in self.kinship or text in self.persons

    def may_title(self, text: str) -> bool:
        """Whether `text` right before a person's name says what he is: 盐商 俞伯谦."""
        return self.is_person(text) or (len(text) > 1 and text[-1] in self.person_endings)

    def is_post(self, text: str) -> bool:
        """Whether `text` is a role in something: the 总统 of 法国, but a 物理学家 of nothing."""
        return text in self.kinship or (text in self.roles and text not in self.professions)


@dataclass(frozen=True, slots=True)
class NameParts:
    """`data/zh-names.txt`."""

    surnames: frozenset[str]
    places: Endings
    organisations: Endings
    events: Endings
    awards: Endings
    not_suffixed: frozenset[str]
    transliteration: frozenset[str]
    female_characters: frozenset[str]

    def kind_by_ending(self, name: str) -> Kind | None:
        """Return the kind that the end of `name` tells, None when it tells none."""
        if name in self.not_suffixed or len(name) < 2:
            return None
        endings = (
            (self.organisations.longest(name), Kind.ORGANISATION),
            (self.places.longest(name), Kind.PLACE),
            (self.events.longest(name), Kind.EVENT),
            (self.awards.longest(name), Kind.THING),
        )
        ending, kind = max(endings, key=lambda pair: len(pair[0]))
        return kind if ending and len(ending) < len(name) else None


@dataclass(frozen=True, slots=True)
class Verbs:
    """`data/zh-verbs.txt`."""

    copulas: frozenset[str]
    becoming: frozenset[str]
    naming: frozenset[str]
    auxiliaries: frozenset[str]
    negations: frozenset[str]
    saying: frozenset[str]
    wishing: frozenset[str]
    modals: frozenset[str]
    quoting: frozenset[str]
    pivots: frozenset[str]
    causing: frozenset[str]
    measuring: frozenset[str]
    whole: frozenset[str]
    living: frozenset[str]
    appointing: frozenset[str]
    giving: frozenset[str]
    creating: frozenset[str]
    dating: frozenset[str]
    reciprocal: frozenset[str]
    light: frozenset[str]
    locative: frozenset[str]
    existential: frozenset[str]
    directional: frozenset[str]
    empty: frozenset[str]
    attributive: frozenset[str]
    single: frozenset[str]
    personal: frozenset[str]
    telling: frozenset[str]
    receiving: frozenset[str]

    @property
    def known(self) -> frozenset[str]:
        """Every verb of two characters and more that a list holds."""
        return _known(self)


@dataclass(frozen=True, slots=True)
class FunctionWords:
    """`data/zh-function.txt`."""

    pronouns: frozenset[str]
    first_person: frozenset[str]
    second_person: frozenset[str]
    plural_pronouns: frozenset[str]
    determiners: frozenset[str]
    definite_determiners: frozenset[str]
    place_prepositions: frozenset[str]
    from_prepositions: frozenset[str]
    with_prepositions: frozenset[str]
    toward_prepositions: frozenset[str]
    object_prepositions: frozenset[str]
    passive_prepositions: frozenset[str]
    setting_prepositions: frozenset[str]
    clause_prepositions: frozenset[str]
    hypotheticals: frozenset[str]
    adverbial_nouns: frozenset[str]
    conjunctions: frozenset[str]
    aspects: frozenset[str]
    greetings: frozenset[str]
    when_words: frozenset[str]
    periods: frozenset[str]
    joined_prepositions: frozenset[str]
    state_complements: frozenset[str]
    place_complements: frozenset[str]
    particles: frozenset[str]
    plain_adjectives: frozenset[str]
    kept_adjectives: frozenset[str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything the rules know about words."""

    nouns: Nouns
    names: NameParts
    verbs: Verbs
    function: FunctionWords
    terms: tuple[tuple[str, Kind], ...]


@cache
def _known(verbs: Verbs) -> frozenset[str]:
    words = frozenset[str]().union(*(getattr(verbs, key) for key in Verbs.__slots__))
    return frozenset(word for word in words if len(word) > 1)


@cache
def vocabulary() -> Vocabulary:
    """Return the lists, read once a process."""
    noun = _sections("zh-nouns.txt")
    name = _sections("zh-names.txt")
    verb = _sections("zh-verbs.txt")
    function = _sections("zh-function.txt")
    return Vocabulary(
        nouns=Nouns(
            roles=Endings.of(noun["roles"]),
            professions=Endings.of(noun["professions"]),
            kinship=frozenset(noun["kinship"]),
            female=Endings.of(noun["female"]),
            male=Endings.of(noun["male"]),
            persons=Endings.of(noun["persons"]),
            person_endings=frozenset(noun["person-endings"]),
            titles=frozenset(noun["titles"]),
            attributes=frozenset(noun["attributes"]),
            measures=frozenset(noun["measures"]),
            vague=frozenset(noun["vague"]),
            localizers=frozenset(noun["localizers"]),
            body=frozenset(noun["body"]),
            definite={word: Kind(kind) for word, kind in (pair.split("=") for pair in noun["definite"])},
        ),
        names=NameParts(
            surnames=frozenset(name["surnames"]),
            places=Endings.of(name["place-suffixes"]),
            organisations=Endings.of(name["organisation-suffixes"]),
            events=Endings.of(name["event-suffixes"]),
            awards=Endings.of(name["award-suffixes"]),
            not_suffixed=frozenset(name["not-suffixed"]),
            transliteration=frozenset(name["transliteration"]),
            female_characters=frozenset(name["female-characters"]),
        ),
        verbs=Verbs(**{key: frozenset(verb[key]) for key in Verbs.__slots__}),
        function=FunctionWords(**{key: frozenset(function[key.replace("_", "-")]) for key in FunctionWords.__slots__}),
        terms=_terms(),
    )


def _terms() -> tuple[tuple[str, Kind], ...]:
    lines = _DATA.joinpath("zh-terms.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return tuple((term, Kind(kind)) for term, kind in pairs)
