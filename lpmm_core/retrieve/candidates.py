"""Candidates: which passages and facts come into question at all, and how near each is.

Nearness is a number by which candidates of one kind are compared: the cosine of centred vectors, or BM25 where there are no vectors.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lpmm_core.base.records import Vectors
from lpmm_core.base.settings import RetrieveSettings
from lpmm_core.index.segments import Hits
from lpmm_core.index.shelf import Indexes
from lpmm_core.index.tokens import is_one_word

ONE_WORD_WEIGHT = 2.0
"""Weight of words beside meaning for a question of a single word, which is looked up rather than understood."""

Scores = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Rows, best first, and how near each is."""

    rows: Rows = field(default_factory=lambda: np.zeros(0, np.int64))
    scores: Scores = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.rows)

    def top(self, k: int) -> Ranked:
        """Return the first k."""
        return Ranked(self.rows[:k], self.scores[:k])

    def as_dict(self) -> dict[int, float]:
        """Map rows to scores."""
        return dict(zip(self.rows.tolist(), self.scores.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What came into question. `dense` ones are empty without vectors."""

    dense: Ranked
    lexical: Ranked
    facts: Ranked
    fact_words: Ranked


def find(indexes: Indexes, question: str, vector: Vectors | None, settings: RetrieveSettings) -> Candidates:
    """Find candidates by meaning (when there is a vector of the question) and by words."""
    limit = settings.candidates
    lexical = indexes.words.search(question, limit, k1=settings.bm25_k1, b=settings.bm25_b)
    fact_words = indexes.fact_words.search(question, limit, k1=settings.bm25_k1, b=settings.bm25_b)
    dense = facts = Ranked()
    if vector is not None and indexes.passages is not None and indexes.facts is not None:
        dense = ranked(indexes.passages.search(vector, limit))
        if len(indexes.passages) < len(indexes.words):
            dense = with_waiting(dense, ranked(lexical), indexes.passages.ids())
        facts = ranked(indexes.facts.search(vector, limit))
    return Candidates(dense, ranked(lexical), facts, ranked(fact_words))


def with_waiting(dense: Ranked, lexical: Ranked, embedded: Rows) -> Ranked:
    """Add to the nearest passages those that wait for their vector, as near as their words match beside the best match."""
    waiting = ~np.isin(lexical.rows, embedded)
    if not len(dense) or not waiting.any():
        return dense
    stand_in = float(dense.scores[0]) * lexical.scores[waiting] / float(lexical.scores[0])
    return best(np.concatenate([dense.rows, lexical.rows[waiting]]), np.concatenate([dense.scores, stand_in]))


def near(question: str, dense: Ranked, lexical: Ranked, settings: RetrieveSettings) -> Ranked:
    """Rank passages by meaning and words together: a nearness of 0..1 and the share of the best match of words, weighed."""
    weight = ONE_WORD_WEIGHT if is_one_word(question) else settings.lexical_weight
    total = dict(zip(dense.rows.tolist(), minmax(dense.scores).tolist(), strict=True))
    shares = weight * lexical.scores / max(float(lexical.scores.max(initial=0.0)), 1e-12)
    for row, share in zip(lexical.rows.tolist(), shares.tolist(), strict=True):
        total[row] = total.get(row, 0.0) + share
    return best(np.fromiter(total, np.int64, len(total)), np.fromiter(total.values(), np.float64, len(total)))


def ranked(hits: Hits) -> Ranked:
    """Take what an index found."""
    return Ranked(hits.ids, hits.scores.astype(np.float64))


def minmax(scores: Scores) -> Scores:
    """Scale to 0..1; of equal scores (or of one) each is 1."""
    if not len(scores):
        return scores
    low, high = float(scores.min()), float(scores.max())
    return np.ones_like(scores) if high <= low else (scores - low) / (high - low)


def best(rows: Rows, scores: Scores) -> Ranked:
    """Order rows by score, ties by row."""
    order = np.lexsort((rows, -scores))
    return Ranked(rows[order], scores[order])
