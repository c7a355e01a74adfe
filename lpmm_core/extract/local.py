"""Local extraction: both languages, without any model from outside (MT-10).

A passage is cut into the turns of its speakers and these into sentences; each sentence goes to the half that reads its language, and a
sentence in another script yields patterns only. What comes back is put together under one rule for names: a pattern wins over every
other reading of the same characters, then the longer mention; names are cleaned once, what is no name is dropped with its triples, and
so are triples from a name to itself. The same reading gives the same extraction whatever is read beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from lpmm_core.base.records import Extraction, Kind, Lexicon, Mention, Reading, Triple
from lpmm_core.extract.merging import merge_mentions, merge_triples
from lpmm_core.extract.patterns import find_patterns
from lpmm_core.extract.sentences import Language, Turn, split_sentences, split_turns

_AT_ONCE = 64
_MOST_TERMS = 2000
_READ: tuple[Language, ...] = ("en", "zh")


class LanguageReader(Protocol):
    """One half of local extraction: reads the sentences of one language."""

    def discover(self, texts: Sequence[str]) -> tuple[tuple[str, Kind], ...]:
        """The terms of one document that must not be cut apart."""
        ...

    def read(self, passages: Sequence[tuple[Reading, Sequence[tuple[int, int]]]]) -> list[Extraction]:
        """Read the sentences at the given spans of each passage; offsets are characters of the passage's text."""
        ...


class LocalExtractor:
    """Implements `base.records.Extractor` with the two language halves; models load at the first text of their language.

    Args:
        chinese: the reader of Chinese sentences; ours when left out.
        english: the reader of English sentences; ours when left out.
    """

    def __init__(self, *, chinese: LanguageReader | None = None, english: LanguageReader | None = None) -> None:
        self._given = {"zh": chinese, "en": english}
        self._readers: dict[Language, LanguageReader] = {}

    @property
    def name(self) -> str:
        """Name and version of these rules, part of every cache key."""
        return "local/2"

    def discover(self, texts: Sequence[str]) -> Lexicon:
        """The terms of one document, sorted; a term that both halves found is the Chinese half's if it holds a Chinese character."""
        by_language: dict[Language, list[str]] = {}
        for text in texts:
            for language in sorted({sentence.language for sentence in split_sentences(text)}):
                by_language.setdefault(language, []).append(text)
        terms: dict[str, Kind] = {}
        for language in _READ:
            if language in by_language:
                terms.update(self._reader(language).discover(by_language[language]))
        return Lexicon(tuple(sorted(terms.items())[:_MOST_TERMS]))

    def extract(self, readings: Sequence[Reading]) -> list[Extraction]:
        """Read each passage; one extraction a reading, in order."""
        found: list[Extraction] = []
        for start in range(0, len(readings), _AT_ONCE):
            found.extend(self._extract(readings[start : start + _AT_ONCE]))
        return found

    def _extract(self, readings: Sequence[Reading]) -> list[Extraction]:
        work: dict[Language, list[tuple[int, Reading, list[tuple[int, int]]]]] = {}
        mentions: list[list[Mention]] = [[] for _ in readings]
        triples: list[list[Triple]] = [[] for _ in readings]
        patterns: list[list[Mention]] = [[] for _ in readings]
        for number, reading in enumerate(readings):
            for turn in split_turns(reading.text):
                patterns[number] += _patterns_of(reading.text, turn)
                spoken = reading if turn.speaker is None else replace(reading, speaker=turn.speaker)
                spans: dict[Language, list[tuple[int, int]]] = {}
                for sentence in split_sentences(reading.text, turn.start, turn.end):
                    spans.setdefault(sentence.language, []).append((sentence.start, sentence.end))
                for language, sentences in spans.items():
                    work.setdefault(language, []).append((number, spoken, sentences))
        for language in _READ:
            jobs = work.get(language, [])
            read = self._reader(language).read([(reading, spans) for _, reading, spans in jobs]) if jobs else []
            for (number, _, _), extraction in zip(jobs, read, strict=True):
                mentions[number] += extraction.mentions
                triples[number] += extraction.triples
        return [
            Extraction(tuple(merge_mentions(fixed, found)), tuple(merge_triples(stated)))
            for fixed, found, stated in zip(patterns, mentions, triples, strict=True)
        ]

    def _reader(self, language: Language) -> LanguageReader:
        if language not in self._readers:
            self._readers[language] = self._given.get(language) or _our_reader(language)
        return self._readers[language]


def _our_reader(language: Language) -> LanguageReader:
    if language == "zh":
        from lpmm_core.extract.chinese import ChineseReader

        return ChineseReader()
    from lpmm_core.extract.english import EnglishReader

    return EnglishReader()


def _patterns_of(text: str, turn: Turn) -> list[Mention]:
    """The patterns of what one speaker says, a mark's own characters left out."""
    said = find_patterns(text[turn.start : turn.end])
    return [replace(mention, start=mention.start + turn.start, end=mention.end + turn.start) for mention in said]
