"""What a text tells before it is parsed: the names its document repeats, what its title names, sentences as the parser likes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lpmm_core.base.records import Kind, Reading
from lpmm_core.extract.english.kinds import guess_kind
from lpmm_core.extract.english.words import Words, singular

_LONGEST_TITLE = 120
_SHORTEST_CLAUSE = 4
_SEMICOLON = re.compile(r"; +")
_ENCLOSED = re.compile(r"[\"“(\[][^\"”)\]]*;")
_SEVERAL = re.compile(r"\b[A-Z][\w'’-]*(?:[ ](?:of (?:the )?|de |von |van )?[A-Z][\w'’-]*){1,4}")
_SINGLE = re.compile(r"(?:^|[\s(])[a-z][\w'’-]*,? ([A-Z][a-zé]{3,})(?![\w-]|\s+[A-Z])")
_ALONE = re.compile(r"(?:\b([A-Z][\w'’.-]*)\s+)?\b([A-Z][\w-]{2,})(?![\w-]|\s+[A-Z])")
_PLACED = re.compile(r"\b(?:in|at|from|near|to|of) $")
_SMALL = re.compile(r"\b[a-z]{3,}\b")
_DEMONYM = re.compile(r"(?:ish|ese|ian|ean|ans?|ic)$")


def document_terms(texts: Sequence[str], words: Words) -> tuple[tuple[str, Kind], ...]:
    """Capital sequences that a document repeats, whole or by their last word, and single capitals that it writes in no other way."""
    several: Counter[str] = Counter()
    single: Counter[str] = Counter()
    placed: Counter[str] = Counter()
    for text in texts:
        several.update({name for found in _SEVERAL.findall(text) if " " in (name := _trimmed(found, words))})
        for found in _SINGLE.finditer(text):
            single[found[1]] += 1
            placed[found[1]] += bool(_PLACED.search(text, 0, found.start(1)))
    alone = {word for text in texts for word in _words_alone(text, words)} if several else set()
    small = {word for text in texts for word in _SMALL.findall(text)} if several or single else set()
    terms = {
        term: guess_kind(term, words) or Kind.ORGANISATION
        for term, times in several.items()
        if (times > 1 or _is_shortened(term, alone, words)) and not _opens_small(term, small, words)
    }
    for term, times in single.items():
        if times > 2 and term.lower() not in small and not _is_word(term.lower(), words):
            terms[term] = Kind.PLACE if 2 * placed[term] > times else Kind.ORGANISATION
    return tuple(sorted(terms.items()))


def _trimmed(run: str, words: Words) -> str:
    """A run of capitals without the small word, title or participle that it begins with: "Then Velmont", "Named Lark"."""
    opening, _, rest = run.removesuffix("'s").removesuffix("’s").partition(" ")
    first = opening.casefold()
    participle = first.endswith(("ed", "ing")) and not words.listed(first, "firstnames", "male", "female")
    dropped = participle or words.listed(first, "small", "capital") or words.listed(first, "people", "title")
    return _trimmed(rest, words) if dropped and rest[:1].isupper() else f"{opening} {rest}".strip()


def _words_alone(text: str, words: Words) -> Iterator[str]:
    """Capitals with no capital beside them but a title's ("Mr Penn")."""
    for found in _ALONE.finditer(text):
        if found[1] is None or words.listed(found[1].rstrip(".").casefold(), "people", "title"):
            yield found[2]


def _opens_small(term: str, small: set[str], words: Words) -> bool:
    """Whether a term begins with a word that the document writes small, or with the title of an office ("Duke of Kell")."""
    first = term.partition(" ")[0].lower()
    return first in small or (" of " in term and words.listed(first, "people", "title", "role"))


def _is_shortened(term: str, alone: set[str], words: Words) -> bool:
    """Whether the document calls a person, named in full once, by the family name elsewhere."""
    parts = term.split()
    return (
        len(parts) < 4
        and all(part[0].isupper() for part in parts)
        and parts[-1] in alone
        and guess_kind(term, words) in {None, Kind.PERSON}
    )


def _is_word(word: str, words: Words) -> bool:
    """Whether a single capital is no name by itself: a listed word, a title, a nation's adjective, a month."""
    listed = words.listed(word, "small", "capital") or words.listed(word, "people", "title", "role", "kin")
    return listed or words.listed(singular(word), "nouns", *_HEADS) or _DEMONYM.search(word) is not None


_HEADS = ("organisation", "place", "event", "work", "thing", "building", "ship", "vague", "span")


def subject_of(reading: Reading, words: Words) -> str | None:
    """The passage's title as the name of what it is about: "Hunt Valley, Maryland" is Hunt Valley where the text calls it so.

    A heading ("Towns", "Land and water") that the text does not repeat names nothing.
    """
    title = " ".join(reading.title.split()) if reading.title else ""
    if not title or len(title) > _LONGEST_TITLE or _is_heading(title, reading.text, words):
        return None
    head, comma, rest = title.partition(", ")
    qualified = head in reading.text or words.listed(rest.rsplit(", ", 1)[-1].casefold(), "places", "place")
    return head if comma and rest[:1].isupper() and title not in reading.text and qualified else title


def _is_heading(title: str, text: str, words: Words) -> bool:
    if title.casefold() in text.casefold() or "(" in title:
        return False
    first, *others = title.split()
    if not others:
        return words.listed(singular(first.casefold()), "nouns", *_HEADS)
    return not any(word[0].isupper() or word[0].isdigit() for word in others)


def clauses_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans between the semicolons of a sentence, which stand by themselves; not of a list and not inside brackets or quotes."""
    sentence = text[start:end]
    cuts = [] if _ENCLOSED.search(sentence) else [start + found.end() for found in _SEMICOLON.finditer(sentence)]
    spans = list(zip([start, *cuts], [*cuts, end], strict=True))
    if any(len(text[first:last].split()) < _SHORTEST_CLAUSE for first, last in spans):
        return iter([(start, end)])
    return iter(spans)


def evened(sentence: str) -> str:
    """`sentence` as the parser expects it: "I" a capital, brackets and quotes next to what they hold, no character moved further.

    Tokenised corpora and careless typing give `Oro( 2 June 1904)` and `produced" We All Fall Down"`.
    """
    sentence = re.sub(r"[\ud800-\udfff]", "?", sentence)  # half a character, which no tokeniser takes
    text = re.sub(r"\bi\b(?=['’ ])", "I", re.sub(r"\s", " ", sentence))
    text = re.sub(r"(?<=\w)\( ", " (", text)
    if text.count('"') % 2 == 0:
        characters = list(text)
        for opening in [i for i, c in enumerate(text) if c == '"'][::2]:
            if opening and text[opening - 1].isalnum() and text[opening + 1 : opening + 2] == " ":
                characters[opening], characters[opening + 1] = " ", '"'
        text = "".join(characters)
    return text
