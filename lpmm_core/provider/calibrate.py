"""Computes the mean vectors that are shipped with multilingual-e5-small: `python -m lpmm_core.provider.calibrate`.

All vectors of this model point nearly the same way: unrelated texts have a cosine near .85. What they share says nothing about what
they mean, and subtracting it puts unrelated texts near .2 and paraphrases near .8. What is shared must be known before the first
text of a memory comes in, and must not depend on what comes in first, so it is computed here from generic texts of many kinds.

Chinese and English count the same, whatever the number of their texts. The C engine computes, since it defines the model.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lpmm_core.base.records import Vectors
from lpmm_core.provider.e5 import MEANS
from lpmm_core.provider.e5_native import NativeEngine
from lpmm_core.provider.embedding import EmbeddingKind, fingerprint

SENTENCES = MEANS.with_name("generic-sentences.txt")


def read_sentences(path: Path = SENTENCES) -> dict[str, list[str]]:
    """Return the texts under each heading, such as `passages zh`."""
    sections: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return sections


def compute() -> dict[str, Vectors]:
    """Return the (d,) means by name, and the fingerprint of the model that they are of."""
    engine, sentences = NativeEngine(), read_sentences()

    def mean(kind: EmbeddingKind, *sections: str) -> Vectors:
        means = [engine.embed(sentences[section], kind).mean(axis=0) for section in sections]
        joined: Vectors = np.mean(means, axis=0, dtype=np.float32)
        return joined

    return {
        "passage": mean("passage", "passages zh", "passages en"),
        "query": mean("query", "names zh", "names en"),
        "question_zh": mean("query", "questions zh"),
        "question_en": mean("query", "questions en"),
        "fingerprint": fingerprint(engine.embed),
    }


def main() -> None:
    """Write the file that is shipped."""
    means = compute()
    with MEANS.open("wb") as file:
        np.savez(file, **means)  # type: ignore[arg-type]
    print(f"{MEANS}: {', '.join(f'{name} {value.shape}' for name, value in means.items())}")


if __name__ == "__main__":
    main()
