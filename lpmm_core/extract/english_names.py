"""The names in an English sentence: what spaCy's recogniser found, put right by capitals, patterns and what is known already.

The recogniser knows common names and misses invented ones, cuts "Lake Orvel" to "Orvel", takes a list for one name and keeps no count
of the passage. So its entities are cut at commas and stripped of titles (MT-14), a run of capitals that holds one of them widens it, and
other runs are names too. Where spans overlap a pattern wins, then the document's own terms and the passage's title, then the longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from lpmm_core.base.records import Kind, Mention
from lpmm_core.extract.english_capitals import capital_runs, proper_article
from lpmm_core.extract.english_kinds import NOT_NAMING, Name, guess_kind, with_kind
from lpmm_core.extract.english_parse import Parse
from lpmm_core.extract.english_words import Words

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
_ONE_PIECE = frozenset({"DATE", "MONEY", "WORK_OF_ART", "LAW"})


def find_names(
    parse: Parse,
    words: Words,
    *,
    patterns: Sequence[Mention] = (),
    terms: Sequence[tuple[str, Kind | None]] = (),
    met: Callable[[str], bool] = lambda part: False,
) -> list[Name]:
    """The names of one sentence, in order and apart.

    `patterns` are its regular expressions' mentions, offsets in the sentence; `terms` names that are known from the document or from
    the passage's title, looked for word by word; `met` tells whether a word is part of a name met before in the passage, which makes a
    name of a word that is capitalised only because its sentence begins with it.
    """
    fixed = [_of_pattern(parse, mention) for mention in patterns]
    recognised = [name for entity in _pieces(parse, words) if (name := _recognised(parse, words, *entity)) is not None]
    recognised.extend(_after_kin(parse, words, list(recognised)))
    known = [*_known(parse, terms, recognised), *_quoted_titles(parse, words)]
    chosen = _apart(fixed, known, _with_capitals(parse, words, recognised, met))
    return [with_kind(parse, words, name) for name in _with_suffixes(parse, words, chosen)]


# --- what the recogniser found ------------------------------------------------------------------------------------------------


def _pieces(parse: Parse, words: Words) -> Iterator[tuple[int, int, str]]:
    """The recogniser's entities, cut where it took several for one name ("National Car Rental, Alamo Rent")."""
    for first, last, label in parse.entities:
        start = first
        for i in range(first + 1, last):
            if i > start and label not in _ONE_PIECE and _falls_apart(parse, words, start, i, last, label):
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
        if parse.tags[last - 1] == "POS" and last - 1 > first and parse.deps[last - 2] != "poss":
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
    stripped = _untitled(parse, words, first, last)
    if stripped is None or (
        kind is Kind.PERSON and any(parse.tags[i] in {"VBZ", "VBD", "MD"} for i in range(first, last))
    ):
        return None
    first, kind = stripped[0], stripped[1] or kind
    initials = kind is Kind.ORGANISATION and len(parse.words[first]) > 2 and parse.words[first].isupper()  # "WHO"
    if last - first == 1 and not initials and _no_name(parse, words, first):
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


def _no_name(parse: Parse, words: Words, word: int) -> bool:
    return len(parse.words[word].rstrip(".")) == 1 or words.listed(parse.lower[word], "small", "capital")


def _untitled(parse: Parse, words: Words, first: int, last: int) -> tuple[int, Kind | None] | None:
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


# --- what it missed -----------------------------------------------------------------------------------------------------------


def _of_pattern(parse: Parse, mention: Mention) -> Name:
    inside = [i for i in range(len(parse)) if parse.starts[i] < mention.end and parse.end_of(i) > mention.start]
    return Name(inside[0], inside[-1] + 1, mention.name, mention.kind, 1.0)


def _known(parse: Parse, terms: Iterable[tuple[str, Kind | None]], recognised: Sequence[Name]) -> Iterator[Name]:
    first_at = {start: i for i, start in enumerate(parse.starts)}
    last_at = {parse.end_of(i): i + 1 for i in range(len(parse))}
    within = [(term[0].lower() + term[1:], kind) for term, kind in terms if " " in term and term[0].isupper()]
    for term, kind in (*terms, *within):  # a title of several words may begin small within a sentence
        place = parse.text.find(term)
        while place >= 0:
            first, last = first_at.get(place), last_at.get(place + len(term))
            if first is not None and last is not None:
                seen = next((name.kind for name in recognised if (name.first, name.last) == (first, last)), None)
                shown_kind = kind or seen or Kind.THING
                yield Name(first, last, term, shown_kind, 0.9 if kind else 0.8, sure=kind is not None)
            place = parse.text.find(term, place + len(term))


def _after_kin(parse: Parse, words: Words, recognised: Sequence[Name]) -> Iterator[Name]:
    """Names in small letters, as in chats, where the tagger and the word before agree: "my cousin jake"."""
    taken = {i for name in recognised for i in range(name.first, name.last)}
    for i in range(1, len(parse)):
        kin = words.listed(parse.lower[i - 1], "people", "kin", "social")
        if kin and i not in taken and parse.tags[i] == "NNP" and parse.words[i].isalpha() and parse.words[i].islower():
            yield Name(i, i + 1, parse.words[i], Kind.PERSON, 0.7)


def _quoted_titles(parse: Parse, words: Words) -> Iterator[Name]:
    """Works in quotation marks, every longer word of them a capital: "Harry Potter and the Philosopher's Stone"."""
    opened: int | None = None
    for i, word in enumerate(parse.words):
        if word not in {'"', "“", "”"}:
            continue
        if opened is None or word == "“":
            opened = i
            continue
        inside = range(opened + 1, i)
        opened = None
        capitals = all(
            parse.words[k][0].isupper() or len(parse.words[k]) < 4 or parse.words[k].isdigit() for k in inside
        )
        closed = len(inside) > 0 and parse.words[inside[-1]] not in {",", ".", "?", "!"}
        if 1 < len(inside) < 10 and closed and capitals and parse.words[inside[0]][0].isupper():
            yield Name(inside[0], inside[-1] + 1, shown(parse, inside[0], inside[-1] + 1), Kind.WORK, 0.8)


def _with_capitals(parse: Parse, words: Words, recognised: list[Name], met: Callable[[str], bool]) -> list[Name]:
    """The recognised names, widened by the capital runs around them, and the runs that nobody recognised."""
    result = [name for name in recognised if name.kind in NOT_NAMING]
    dated = {i for name in result for i in range(name.first, name.last)}
    left = [name for name in recognised if name.kind not in NOT_NAMING]
    for run in capital_runs(parse, words, dated=dated, met=met):
        inside = [name for name in left if name.first < run.last and name.last > run.first]
        within = all(run.first <= name.first and name.last <= run.last for name in inside)
        wider = any(name.first <= run.first and run.last <= name.last for name in inside)
        stripped = _untitled(parse, words, run.first, run.last)
        if (
            wider
            or not within
            or stripped is None
            or (len(inside) > 1 and not _are_one(parse, words, run.first, inside))
        ):
            continue
        start, kind = stripped
        if run.last - start == 1 and _no_name(parse, words, start):
            continue
        text = shown(parse, start, run.last)
        if inside:
            left = [name for name in left if name not in inside]
            whole = inside[0]
            own = whole.kind if whole.first == start or whole.kind is not Kind.PLACE else Kind.ORGANISATION
            result.append(Name(start, run.last, text, kind or guess_kind(text, words) or own, 0.85))
        elif run.quoted:
            result.append(Name(start, run.last, text, Kind.WORK, 0.7))
        else:
            default, confidence = kind or Kind.ORGANISATION, 0.9 if kind else 0.7
            result.append(Name(start, run.last, text, default, confidence, sure=kind is not None))
    return result + left


def _are_one(parse: Parse, words: Words, first: int, inside: list[Name]) -> bool:
    """Whether recognised names in one run are one name: "Department of Agriculture", "Ferdinand of Morava"."""
    opening = inside[0]
    if all(name.kind is Kind.PERSON for name in inside) and opening.first == first:
        gaps = range(first, inside[-1].last)
        return len(gaps) < 6 and all(parse.words[i][0].isupper() for i in gaps)  # "Francis Michael" "Durango Magalona"
    if (
        len(inside) == 2
        and opening.kind is Kind.ORGANISATION
        and inside[1].kind is Kind.PLACE
        and opening.last == inside[1].first
    ):
        return opening.first == first  # "BBC Worldwide" "India"
    if opening.first != first or parse.word(opening.last).casefold() != "of":
        return False
    person = opening.kind is Kind.PERSON or words.listed(parse.lower[first], "firstnames", "male", "female")
    single = person and len(opening) == 1 and len(inside) == 2  # "Ferdinand of Morava"
    return single or words.listed(
        parse.lower[opening.last - 1], "nouns", "organisation", "place", "event", "thing", "work"
    )


# --- putting together ---------------------------------------------------------------------------------------------------------


def _apart(fixed: list[Name], known: list[Name], found: list[Name]) -> list[Name]:
    """Names that do not overlap: patterns first, then known terms, then the others; the longer first.

    A known term inside a longer name is part of that name ("Apple" in "Apple Music Festival"), a date inside a longer term part of that
    term ("November 2008 Carolinas tornado outbreak").
    """
    free = [
        term
        for term in known
        if not any(
            name.first <= term.first and term.last <= name.last and len(name) > len(term) and name.kind is not Kind.WORK
            for name in found
        )
    ]
    titles = [term for term in free if len(term) > 2]
    fixed = [
        name
        for name in fixed
        if name.kind is not Kind.DATE or not any(t.first <= name.first and name.last <= t.last for t in titles)
    ]
    taken: set[int] = set()
    chosen: list[Name] = []
    for tier in (fixed, free, found):
        for name in sorted(tier, key=lambda name: (-len(name), name.first)):
            if taken.isdisjoint(range(name.first, name.last)):
                taken.update(range(name.first, name.last))
                chosen.append(name)
    return sorted(chosen, key=lambda name: name.first)


def _with_suffixes(parse: Parse, words: Words, names: list[Name]) -> list[Name]:
    """Names with the suffix behind them taken in: a company's ", Inc." is not shown, a person's ", Jr." is."""
    result: list[Name] = []
    for name in names:
        word = parse.lower[name.first].rstrip(".")
        junior, company = word in {"jr", "sr"}, words.listed(word, "nouns", "suffix")
        if len(name) > 1 or not (junior or company):
            result.append(name)
        elif result and (
            result[-1].last == name.first or (parse.word(result[-1].last) == "," and result[-1].last == name.first - 1)
        ):
            before = result.pop()
            if junior:
                result.append(replace(before, last=name.last, text=shown(parse, before.first, name.last)))
            else:
                result.append(replace(before, last=name.last, kind=Kind.ORGANISATION, confidence=0.9, sure=True))
    return result


def shown(parse: Parse, first: int, last: int) -> str:
    """Words [first, last) as a name is shown, without the punctuation around them and the sentence's own full stop."""
    text = " ".join(parse.slice(first, last).split())
    if last == len(parse) and text.endswith(".") and not _ABBREVIATED.search(text):
        text = text[:-1]
    return _PUNCTUATED.sub("", text) or text
