"""The Chinese half of local extraction: from passages to mentions and triples, and from a document to its terms.

What must stay whole is fixed beforehand (`spans`, with terms from `terms`), LAC cuts and tags (`words`), and each passage is read from
front to back by itself (`passage`), so its extraction does not depend on what is read at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lpmm_core.base.records import Extraction, Kind, Lexicon, Reading
from lpmm_core.extract.chinese.lists import vocabulary
from lpmm_core.extract.chinese.passage import PassageReader, Sentence
from lpmm_core.extract.chinese.recutting import Recutter, title_span
from lpmm_core.extract.chinese.repairs import Mender
from lpmm_core.extract.chinese.spans import TermFinder, forced_spans, lexicon_terms
from lpmm_core.extract.chinese.terms import TermReader
from lpmm_core.extract.chinese.words import Segmenter, Span, Word
from lpmm_core.extract.patterns import find_patterns

LONGEST_PIECE = 400


class ChineseReader:
    """Reads Chinese sentences. Loads its model at first use; may be shared by threads."""

    def __init__(self) -> None:
        self._vocabulary = vocabulary()
        self._segmenter = Segmenter()
        self._recutter = Recutter(self._vocabulary)
        self._mender = Mender(self._vocabulary)
        self._passages = PassageReader(self._vocabulary)
        self._terms = TermReader(self._vocabulary, self._segmenter)

    def discover(self, texts: Sequence[str]) -> tuple[tuple[str, Kind], ...]:
        """Return the terms of one document that must not be cut apart, with their kinds, sorted."""
        return self._terms.discover(texts)

    def read(self, passages: Sequence[tuple[Reading, Sequence[tuple[int, int]]]]) -> list[Extraction]:
        """Read the Chinese sentences of each passage, given as [start, end) of its text; offsets in the result are of that text."""
        finders: dict[Lexicon, TermFinder] = {}
        texts: list[str] = []
        forced: list[list[Span]] = []
        pieces: list[list[tuple[int, int]]] = []
        for reading, spans in passages:
            if reading.lexicon not in finders:
                finders[reading.lexicon] = lexicon_terms(reading.lexicon, self._vocabulary)
            known = find_patterns(reading.text)
            pieces.append([piece for span in spans for piece in _pieces(reading.text, *span)])
            for start, end in pieces[-1]:
                text = reading.text[start:end]
                texts.append(text)
                forced.append(forced_spans(text, finders[reading.lexicon], self._vocabulary, known, start))
        starts = [start for own in pieces for start, _ in own]
        words = self._segmenter.segment(texts, forced, starts)
        titles = [title_span(reading.title, self._segmenter, self._vocabulary) for reading, _ in passages]
        self._read_again(texts, words, forced, starts, [len(own) for own in pieces], titles)
        mended = map(self._mender.mended, words)
        return [
            self._passages.read(reading, [Sentence(start, end, next(mended)) for start, end in own], title)
            for (reading, _), own, title in zip(passages, pieces, titles, strict=True)
        ]

    def _read_again(
        self,
        texts: Sequence[str],
        words: list[list[Word]],
        forced: Sequence[Sequence[Span]],
        starts: Sequence[int],
        lengths: Sequence[int],
        titles: Sequence[tuple[str, Kind] | None],
    ) -> None:
        """Cut the sentences anew in which a name of their passage was cut."""
        again: dict[int, list[Span]] = {}
        first = 0
        for length, title in zip(lengths, titles, strict=True):
            last = first + length
            spans = self._recutter.spans(texts[first:last], words[first:last], forced[first:last], title)
            again |= {first + number: own for number, own in spans.items()}
            first = last
        numbers = list(again)
        anew = self._segmenter.segment(
            [texts[number] for number in numbers],
            [again[number] for number in numbers],
            [starts[number] for number in numbers],
        )
        for number, own in zip(numbers, anew, strict=True):
            words[number] = own


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut an endless sentence at a comma, or anywhere when it has none, so that no text is slow."""
    while end - start > LONGEST_PIECE:
        cut = max(text.rfind(mark, start + LONGEST_PIECE // 2, start + LONGEST_PIECE) for mark in "，,、； ") + 1
        if cut <= start:
            cut = start + LONGEST_PIECE
        yield start, cut
        start = cut
    if start < end:
        yield start, end
