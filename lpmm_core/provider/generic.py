"""Means of generic texts: what all vectors of a model share, which says nothing about what texts mean.

All vectors of most models point nearly the same way: by multilingual-e5-small unrelated texts have a cosine near .85. Subtracting what
they share puts unrelated texts near .2 and paraphrases near .8. It must be known before the first text of a memory comes in, and must
not depend on what comes in first, so it is computed from generic texts of many kinds, in which Chinese and English count the same,
whatever the number of their texts. That of the local model is shipped (by `scripts/means.py`); that of any other model is computed when a
memory first uses it, and kept there beside the model's fingerprint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lpmm_core.base.records import Vectors
from lpmm_core.provider.embedding import EmbeddingKind

SENTENCES = Path(__file__).parent / "data" / "generic-sentences.txt"


def read_sentences(path: Path = SENTENCES) -> dict[str, list[str]]:
    """Return the texts under each heading, such as `passages zh`."""
    sections: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return sections


def generic_means(embed: Callable[[Sequence[str], EmbeddingKind], Vectors]) -> dict[str, Vectors]:
    """Return (d,) means by name: `passage`, `query` (of names), `question_zh`, `question_en`. It takes some 640 texts.

    Raises:
        ProviderError: the model did not answer.
    """
    sentences = read_sentences()

    def mean(kind: EmbeddingKind, *sections: str) -> Vectors:
        means = [embed(sentences[section], kind).mean(axis=0) for section in sections]
        joined: Vectors = np.mean(means, axis=0, dtype=np.float32)
        return joined

    return {
        "passage": mean("passage", "passages zh", "passages en"),
        "query": mean("query", "names zh", "names en"),
        "question_zh": mean("query", "questions zh"),
        "question_en": mean("query", "questions en"),
    }
