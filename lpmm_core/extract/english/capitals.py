"""Runs of capitalised words: names that no recogniser knows (MT-12).

A run goes on over small words ("of", "de", "van der") and hyphens when another capital follows, and over a short number behind a
proper noun. A word that is capitalised only because a sentence begins there opens no run, unless it is known from before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lpmm_core.extract.english.parse import NOUN_TAGS, Parse
from lpmm_core.extract.english.words import Words

_OPENING_QUOTES, _CLOSING_QUOTES = frozenset({'"', "“", "‘", "'"}), frozenset({'"', "”", "’", "'"})
_OPENERS = _OPENING_QUOTES | {"(", ":", "-", "•", "..."}
_NOMINAL = frozenset({"nsubj", "nsubjpass", "poss", "dobj", "pobj", "appos", "conj", "nmod"})
_TITLES = frozenset({"Mr.", "Mrs.", "Dr.", "St.", "Ms."})


@dataclass(frozen=True, slots=True)
class Run:
    """Words [first, last) are capitalised; `quoted` when they stand in quotes by themselves."""

    first: int
    last: int
    quoted: bool


def capital_runs(parse: Parse, words: Words, *, dated: set[int], met: Callable[[str], bool]) -> list[Run]:
    """The runs of one sentence, in order; none in a heading, where capitals mean nothing.

    `dated` words belong to dates, `met` tells whether a word is part of a name met before.
    """
    stop = words["small", "capital"]
    capital = [
        i not in dated and (_is_capital(parse, words, i) or (word[0].isupper() and met(parse.lower[i])))
        for i, word in enumerate(parse.words)
    ]
    if sum(capital) > 3 and not any(word[:1].islower() and len(word) > 3 for word in parse.words):
        return []
    runs: list[Run] = []
    i = 0
    while i < len(parse):
        if not capital[i] or (parse.lower[i] in stop and not proper_article(parse, i)):
            i += 1
            continue
        last = _run_end(parse, words, capital, i)
        quoted = parse.word(i - 1) in _OPENING_QUOTES and parse.word(last) in _CLOSING_QUOTES
        if quoted or met(parse.lower[i]) or last - i > 1 or not _only_opens_a_sentence(parse, words, i):
            runs.append(Run(i, last, quoted))
        i = last
    return runs


def proper_article(parse: Parse, word: int) -> bool:
    """Whether a capitalised article inside a sentence belongs to a name ("The Velvet Foxes")."""
    return (
        parse.words[word] in {"The", "A", "An"} and word > 0 and parse.words[word - 1] not in {".", ":", '"', "“", "-"}
    )


def _run_end(parse: Parse, words: Words, capital: list[bool], first: int) -> int:
    stop, last = words["small", "capital"], first + 1
    while last < len(parse):
        if capital[last] and parse.lower[last] not in {"the", "i"}:
            last += 1
        elif _hyphen(parse, last) and last + 1 < len(parse) and capital[last + 1]:
            last += 2
        elif (after := _over_bridge(parse, words, capital, last)) is not None:
            last = after + 1
        elif parse.words[last].isdigit() and len(parse.words[last]) < 4 and parse.tags[last - 1] == "NNP":
            last += 1
            break
        else:
            break
    while last > first + 1 and parse.lower[last - 1] in stop:
        last -= 1
    return last


def _hyphen(parse: Parse, word: int) -> bool:
    joined = parse.end_of(word - 1) == parse.starts[word] and parse.end_of(word) == parse.start_of(word + 1)
    return parse.words[word] in {"-", "–", "/"} and joined


def _over_bridge(parse: Parse, words: Words, capital: list[bool], last: int) -> int | None:
    """The capital word behind the small words at `last`, when they join it to the run."""
    after = last
    while after < len(parse) and after - last < 3:
        if not words.listed(parse.lower[after], "small", "connector") and not (
            parse.lower[after] == "the" and after > last
        ):
            break
        after += 1
    if (
        after == last
        or after >= len(parse)
        or not capital[after]
        or words.listed(parse.lower[after], "small", "capital")
    ):
        return None
    if parse.lower[last] == "of":  # a title or role is not what "of" completes ("President of France")
        if words.listed(parse.lower[last - 1], "people", "role", "kin", "social"):
            return None
        if parse.tags[last - 1] not in NOUN_TAGS or parse.tags[after] not in NOUN_TAGS:
            return None
    return after


def _is_capital(parse: Parse, words: Words, i: int) -> bool:
    word = parse.words[i]
    if not word[0].isupper() or word == "I":
        return False
    if word in _TITLES or parse.tags[i] in NOUN_TAGS or words.listed(parse.lower[i], "firstnames", "male", "female"):
        return True
    if i in parse.odd:
        return True
    if i == 0:
        return _is_odd_subject(parse, words, i)
    if parse.tags[i] in {"JJ", "FW", "ADD", "VBG", "CD"} or proper_article(parse, i):
        return True
    return parse.words[i - 1][0].isupper() and len(word) > 2


def _is_odd_subject(parse: Parse, words: Words, word: int) -> bool:
    """Whether a capitalised adjective or adverb is a bare subject: an unknown name ("Anjali is allergic to peanuts")."""
    odd = (
        parse.deps[word] in {"nsubj", "nsubjpass"}
        and parse.tags[word] in {"JJ", "RB", "FW", "UH"}
        and not parse.kids[word]
    )
    return (
        odd
        and not words.listed(parse.lower[word], "nouns", "light-adjective")
        and not words.listed(parse.lower[word], "small", "capital")
    )


def _only_opens_a_sentence(parse: Parse, words: Words, word: int) -> bool:
    """Whether a single capitalised word is capitalised only because a sentence or a quotation begins there."""
    tag = parse.tags[word]
    if word > 0 and parse.words[word - 1] not in _OPENERS:
        return tag in {"JJ", "VBG"}
    if words.listed(parse.lower[word], "firstnames", "female") or (word in parse.odd and parse.deps[word] in _NOMINAL):
        return False
    if tag in NOUN_TAGS | {"RB", "JJ", "UH"} and words.listed(parse.lower[word], "firstnames", "male"):
        return False
    if _is_odd_subject(parse, words, word):
        return False
    if words.listed(parse.lower[word], "nouns", "place", "event", "work", "thing", "ship", "building"):
        return True
    modifies = parse.deps[word] in {"compound", "amod"} and parse.words[parse.heads[word]][0].islower()
    return modifies or tag not in {"NNP", "NNPS"} or (parse.deps[word] == "ROOT" and word not in parse.odd)
