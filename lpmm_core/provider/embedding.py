"""What the engine asks of an embedding model, and how two models are told apart.

A memory's vectors are worth nothing to another model, and a model's name says little: endpoints rename models, servers change
their weights, and two engines of one model differ in their last digits. So a model is known by what it does to a dozen fixed
texts, its *fingerprint*. Two fingerprints agree when every text comes out within a cosine of .99.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

import numpy as np

from lpmm_core.base.records import Vectors

EmbeddingKind = Literal["query", "passage"]
"""What a text is for: names and questions are queries, what is to be found is a passage."""

Language = Literal["zh", "en"]

AGREEMENT = 0.99
"""Cosine above which two vectors of one text come from the same model."""

QUERY_PROBES = (
    "谁保管着灯塔的钥匙？",
    "When did the ferry stop running?",
    "林知夏",
    "Harbour Lane bakery",
    "苹果和梨哪个更甜",
    "how to reset the water meter",
)
PASSAGE_PROBES = (
    "老钟表匠把店铺搬到了河对岸，只带走了一只不会走的挂钟。",
    "The night train from Varna arrived forty minutes late because of snow on the pass.",
    "会议改到周四下午三点，请各组提前提交预算表。",
    "Copper expands by about seventeen millionths of its length for every degree.",
    "陈默 任职于 青石图书馆",
    "mira bought two jars of plum jam at the market",
)


class Embedder(Protocol):
    """Turns texts into unit vectors. Threads may share one."""

    @property
    def name(self) -> str:
        """The model's name, the same for every engine that runs it."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector.

        Raises:
            ProviderError: it is learned from an endpoint, which did not answer.
        """
        ...

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Vectors:
        """Return (n, d) unit vectors, one row a text; a text's vector does not depend on the others beside it.

        Raises:
            ValueError: a text is empty or only white space.
            ProviderError: the model did not answer, or not with vectors.
        """
        ...

    def probe(self) -> Vectors:
        """Return the fingerprint: (12, d) vectors of the probe texts."""
        ...

    def mean(self, kind: EmbeddingKind) -> Vectors | None:
        """Return (d,) the mean vector of generic texts (names for `query`), shipped or computed once; None if there is none."""
        ...

    def question_prior(self, language: Language) -> Vectors | None:
        """Return (d,) the mean vector of generic questions, shipped or computed once; None if there is none."""
        ...


def fingerprint(embed: Callable[[Sequence[str], EmbeddingKind], Vectors]) -> Vectors:
    """Return what `embed` makes of the probe texts, queries first."""
    return np.concatenate([embed(QUERY_PROBES, "query"), embed(PASSAGE_PROBES, "passage")])


def agree(one: Vectors, other: Vectors) -> bool:
    """Tell whether two fingerprints, (n, d) unit vectors each, come from the same model."""
    return one.shape == other.shape and bool((np.einsum("ij,ij->i", one, other) >= AGREEMENT).all())


def one_line(text: str) -> str:
    """Return `text` as models read it: line breaks and control characters are spaces, halves of surrogate pairs are `?`.

    A NUL would end the text for an engine written in C, and a lone surrogate cannot be sent to anybody.

    Raises:
        ValueError: nothing is left.
    """
    line = _BREAKS.sub(" ", text).strip()
    if not line:
        raise ValueError("an empty text has no vector")
    return line if line.isascii() else line.encode("utf-8", "replace").decode("utf-8")


_BREAKS = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]+")
