"""The names that spaCy's recogniser found, each as a name: cut at commas, without articles, titles and punctuation (MT-14).

The recogniser takes "National Car Rental, Alamo Rent" for one name, "engineer Anna Lee" for the engineer's, and "three years" for a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lpmm_core.base.records import Kind
from lpmm_core.extract.english.capitals import proper_article
from lpmm_core.extract.english.kinds import NOT_NAMING, Name, guess_kind
from lpmm_core.extract.english.parse import Parse
from lpmm_core.extract.english.words import Words

_KINDS = {
    "PERSON": Kind.PERSON,
    "GPE": Kind.PLACE,
    "LOC": Kind.PLACE,
    "FAC": Kind.PLACE,
    "ORG": Kind.ORGANISATION,
    "NORP": Kind.ORGANISATION,
    "EVENT": Kind.EVENT,
    "WORK_OF_ART": Kind.WORK,
    "LAW": Kind.WORK,
    "PRODUCT": Kind.THING,
    "LANGUAGE": Kind.THING,
    "DATE": Kind.DATE,
    "MONEY": Kind.MONEY,
}
_DATE_NAME = re.compile(
    r"\b(?:1\d{3}|20\d{2})\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\bcentur|\d0s\b"
)
_SPAN_OF_TIME = re.compile(
    r"\b(?:old|ago|years?|months?|weeks?|days?|last|next|this|every|each|hours?|semester|season)\b"
)
_CURRENCY = re.compile(r"[$€£¥₹]|\b(?:dollars?|euros?|pounds?|yen|yuan|cents?|francs?|rupees?|USD|EUR|GBP)\b")
_ABBREVIATED = re.compile(r"(?:\b(?:Inc|Ltd|Jr|Sr|Co|Corp|Bros|St|Ave)|\.[A-Za-z]|\b[A-Z][a-z]{0,2} [A-Z])\.$")
_PUNCTUATED = re.compile(r"^[^\w@$€£¥]+|[^\w.)!?%$€£¥+]+$")
_LEADING_TAGS = frozenset({"DT", "PRP$", "POS", "IN", ",", "``", "''"})
_TRAILING_TAGS = frozenset({"POS", ",", ".", ":", "''", "``", "-RRB-", "IN", "CC"})
_QUOTED = frozenset({"WORK_OF_ART", "LAW", "EVENT"})
_ONE_PIECE = frozenset({"DATE", "MONEY", "WORK_OF_ART", "LAW"})


def recognised_names(parse: Parse, words: Words) -> list[Name]:
    """The recogniser's names of one sentence, in order."""
    return [name for entity in _pieces(parse, words) if (name := _recognised(parse, words, *entity)) is not None]


def _pieces(parse: Parse, words: Words) -> Iterator[tuple[int, int, str]]:
    """The recogniser's entities, cut where it took several for one name ("National Car Rental, Alamo Rent")."""
    for first, last, label in parse.entities:
        start = first
        for i in range(first + 1, last):
            loose = label in _QUOTED and parse.words[i] == "," and parse.word(first - 1) not in {'"', "“", "``"}
            if i > start and (label not in _ONE_PIECE or loose) and _falls_apart(parse, words, start, i, last, label):
                yield start, i, label
                start = i + 1
        if start < last:
            yield start, last, label


def _falls_apart(parse: Parse, words: Words, start: int, i: int, last: int, label: str) -> bool:
    """Whether an entity ends at word `i`: a comma, an "and" between whole names, the place of a company."""
    word, before, several = parse.lower[i], parse.lower[i - 1], i - start > 1
    trade = words.listed(before, "nouns", "trade", "suffix")
    if word in {",", "("}:
        return True
    if word == "and":
        whole = several and last - i > 2 and "of" not in parse.lower[start:i]
        return label in {"PERSON", "GPE"} or (whole and (trade or words.listed(before, "nouns", "organisation")))
    if label != "ORG":
        return False
    return (word == "at" and parse.word(i + 1)[:1].isupper()) or (word == "of" and several and trade)


def _recognised(parse: Parse, words: Words, first: int, last: int, label: str) -> Name | None:
    """One entity as a name without articles, titles and punctuation; None when it is no name."""
    while first < last and parse.tags[first] in _LEADING_TAGS and not proper_article(parse, first):
        first += 1
    while last > first and (parse.tags[last - 1] in _TRAILING_TAGS or parse.lower[last - 1] in {"'s", "-"}):
        owns = parse.deps[last - 2] == "poss" or parse.word(last) in {'"', "“"}
        if parse.tags[last - 1] == "POS" and last - 1 > first and not owns:
            break  # "at Luigi's"
        last -= 1
    kind = _KINDS.get(label)
    if kind is None or first >= last:
        return None
    if kind in NOT_NAMING:
        named = _is_date(parse, first, last) if kind is Kind.DATE else _is_money(parse.slice(first, last))
        return Name(first, last, shown(parse, first, last), kind, 0.85) if named else None
    if not any(word[:1].isupper() or "@" in word for word in parse.words[first:last]):
        return None
    article = parse.child(last - 1, "det")
    if label == "NORP" and (
        _adjectival(parse, last - 1) or (article is not None and parse.lower[article] in {"a", "an"})
    ):
        return None
    if kind is Kind.PERSON or guess_kind(parse.slice(first, last), words) is None:
        while first < last - 2 and parse.tags[first] == "JJ":  # "Danish MD Lasse Hessel"
            first += 1
    stripped = untitled(parse, words, first, last)
    if stripped is None or (
        kind is Kind.PERSON and any(parse.tags[i] in {"VBZ", "VBD", "MD"} for i in range(first, last))
    ):
        return None
    first, kind = stripped[0], stripped[1] or kind
    initials = kind is Kind.ORGANISATION and len(parse.words[first]) > 2 and parse.words[first].isupper()  # "WHO"
    if last - first == 1 and not initials and no_name(parse, words, first):
        return None
    sure = kind in {Kind.PERSON, Kind.PLACE} or last - first > 1
    return Name(first, last, shown(parse, first, last), kind, 0.85, sure=sure)


def _is_date(parse: Parse, first: int, last: int) -> bool:
    text = parse.slice(first, last)
    return bool(_DATE_NAME.search(text)) and not _SPAN_OF_TIME.search(text) and parse.tags[last - 1] not in {"JJ", "RB"}


def _is_money(text: str) -> bool:
    return any(c.isdigit() for c in text) and bool(_CURRENCY.search(text))


def _adjectival(parse: Parse, head: int) -> bool:
    """Whether a people's name is an adjective ("Swedish chemist") and not a name ("the Nazis", "learning Portuguese")."""
    modifies = parse.deps[head] in {"amod", "compound", "nmod", "conj"} and parse.tags[head] not in {"NNPS", "NNS"}
    return modifies or parse.tags[head] in {"JJ", "JJS"}


def no_name(parse: Parse, words: Words, word: int) -> bool:
    """Whether a single word is no name: a letter, or a small word that is written with a capital."""
    return len(parse.words[word].rstrip(".")) == 1 or words.listed(parse.lower[word], "small", "capital")


def untitled(parse: Parse, words: Words, first: int, last: int) -> tuple[int, Kind | None] | None:
    """Where a name begins behind its titles and roles, and PERSON when there was one; None when nothing is left."""
    start = first
    while start < last - 1 and parse.lower[start + 1] not in {"of", "for"}:
        word, following = parse.lower[start].rstrip("."), parse.lower[start + 1].rstrip(".")
        adjective = parse.tags[start] == "JJ" or words.listed(word, "people", "epithet")
        old = adjective and start + 2 < last and words.listed(following, "people", "title")
        role = words.listed(word, "people", "role") and (start == 0 or parse.words[start][0].islower())
        if not (old or role or words.listed(word, "people", "title")):
            break
        start += 1
    only = parse.lower[last - 1].rstrip(".") if last - start == 1 else ""
    if start == first:
        return None if words.listed(only, "people", "title", "role", "kin") else (first, None)
    if words.listed(parse.lower[last - 1], "nouns", "place", "organisation", "event", "thing"):
        return first, None  # "King's College", "Queen Street" and "Prince Edward Island" keep their first word
    if words.listed(only, "small", "capital") or words.listed(only, "people", "title", "role"):
        return None
    return start, Kind.PERSON


def shown(parse: Parse, first: int, last: int) -> str:
    """Words [first, last) as a name is shown, without the punctuation around them and the sentence's own full stop."""
    text = " ".join(parse.slice(first, last).split())
    if last == len(parse) and text.endswith(".") and not _ABBREVIATED.search(text):
        text = text[:-1]
    return _PUNCTUATED.sub("", text) or text
