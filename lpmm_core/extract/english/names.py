"""The names in an English sentence: what spaCy's recogniser found, put right by capitals, patterns and what is known already.

The recogniser knows common names and misses invented ones, cuts "Lake Orvel" to "Orvel", takes a list for one name and keeps no count
of the passage. So its entities are cut at commas and stripped of titles (MT-14), a run of capitals that holds one of them widens it, and
other runs are names too. Where spans overlap a pattern wins, then the document's own terms and the passage's title, then the longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from lpmm_core.base.records import Kind, Mention
from lpmm_core.extract.english.capitals import capital_runs
from lpmm_core.extract.english.kinds import NOT_NAMING, Name, guess_kind, with_kind
from lpmm_core.extract.english.parse import NOUN_TAGS, Parse
from lpmm_core.extract.english.recognised import no_name, recognised_names, shown, untitled
from lpmm_core.extract.english.words import Words, singular

_NUMERAL = frozenset("IVX")


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
    recognised = recognised_names(parse, words)
    recognised.extend(_after_kin(parse, words, list(recognised)))
    known = [*_known(parse, terms, recognised), *_quoted_titles(parse), *_titles_between_commas(parse)]
    chosen = _apart(fixed, known, _with_capitals(parse, words, recognised, met))
    return [with_kind(parse, words, name) for name in _with_suffixes(parse, words, chosen)]


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
                sure = kind not in {None, Kind.ORGANISATION}  # a term of unknown kind is kept as an organisation
                shown_kind = kind if kind is not None and sure else seen or kind or Kind.THING
                yield Name(first, last, term, shown_kind, 0.9 if kind else 0.8, sure=sure or seen is not None)
            place = parse.text.find(term, place + len(term))


def _after_kin(parse: Parse, words: Words, recognised: Sequence[Name]) -> Iterator[Name]:
    """Names in small letters, as in chats, where the tagger and the word before agree: "my cousin jake"."""
    taken = {i for name in recognised for i in range(name.first, name.last)}
    for i in range(1, len(parse)):
        kin = words.listed(parse.lower[i - 1], "people", "kin", "social")
        if kin and i not in taken and parse.tags[i] == "NNP" and parse.words[i].isalpha() and parse.words[i].islower():
            yield Name(i, i + 1, parse.words[i], Kind.PERSON, 0.7)


def _quoted_titles(parse: Parse) -> Iterator[Name]:
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


def _titles_between_commas(parse: Parse) -> Iterator[Name]:
    """Works that stand behind their noun between commas, article and all: "A novel, The Ford in Flood, won"."""
    for comma, word in enumerate(parse.words[1:], 1):
        if word != "," or parse.word(comma + 1) not in {"The", "A", "An"} or parse.tags[comma - 1] not in NOUN_TAGS:
            continue
        last = next((i for i in range(comma + 1, len(parse)) if parse.words[i] in {",", ".", ";", ")"}), len(parse))
        inside = parse.words[comma + 1 : last]
        if 2 < len(inside) < 8 and inside[-1][0].isupper() and all(w[0].isupper() or len(w) < 4 for w in inside):
            yield Name(comma + 1, last, shown(parse, comma + 1, last), Kind.WORK, 0.7, sure=False)


def _with_capitals(parse: Parse, words: Words, recognised: list[Name], met: Callable[[str], bool]) -> list[Name]:
    """The recognised names, widened by the capital runs around them, and the runs that nobody recognised."""
    result = [name for name in recognised if name.kind in NOT_NAMING]
    dated = {i for name in result for i in range(name.first, name.last)}
    left = [name for name in recognised if name.kind not in NOT_NAMING]
    for run in capital_runs(parse, words, dated=dated, met=met):
        inside = [name for name in left if name.first < run.last and name.last > run.first]
        within = all(run.first <= name.first and name.last <= run.last for name in inside)
        wider = any(name.first <= run.first and run.last <= name.last for name in inside)
        stripped = untitled(parse, words, run.first, run.last)
        if (
            wider
            or not within
            or stripped is None
            or (len(inside) > 1 and not _are_one(parse, words, run.first, stripped[0], inside))
        ):
            continue
        start, kind = stripped
        if run.last - start == 1 and no_name(parse, words, start):
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


def _are_one(parse: Parse, words: Words, start: int, first: int, inside: list[Name]) -> bool:
    """Whether recognised names in one run are one name: "Department of Agriculture", "Ferdinand of Morava".

    The run begins at `start` and its name, behind the titles, at `first`.
    """
    opening = inside[0]
    between = range(first, inside[-1].last)
    if all(name.kind is Kind.PERSON for name in inside) and all(parse.words[i][0].isupper() for i in between):
        return opening.first == first and len(between) < 9  # "Francis Michael" "Durango Magalona"
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
    numeral = len(opening) == 2 and set(parse.words[opening.last - 1]) <= _NUMERAL
    noble = any(words.listed(parse.lower[i], "people", "noble") for i in range(start, first))
    single = person and (len(opening) == 1 or numeral or noble) and len(inside) == 2  # "Philip V of Morava"
    return single or words.listed(
        singular(parse.lower[opening.last - 1]), "nouns", "organisation", "place", "event", "thing", "work"
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
