"""The embedding model as a memory uses it: checked once, centred, remembered."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lpmm_core.base.errors import ModelMismatch, ProviderError
from lpmm_core.base.records import Vectors
from lpmm_core.index.encoder import REMEMBERED, Encoder, unit
from lpmm_core.memory import Memory
from lpmm_core.provider.embedding import EmbeddingKind
from lpmm_core.store.models import Calibration
from tests.fixtures.embedder import HashEmbedder
from tests.fixtures.toy import FlakyEmbedder, document

Open = Callable[..., Memory]


class Shifted(FlakyEmbedder):
    """Ships means, as the local model does."""

    def mean(self, kind: EmbeddingKind) -> Vectors | None:
        return np.full(self.dimension, 0.05 if kind == "passage" else 0.02, np.float32)

    def question_prior(self, language: str) -> Vectors | None:
        return np.full(self.dimension, 0.03 if language == "zh" else 0.01, np.float32)


def test_scaling_leaves_a_zero_row_alone() -> None:
    np.testing.assert_allclose(unit(np.array([[3, 4], [0, 0]], np.float32)), [[0.6, 0.8], [0, 0]], atol=1e-6)


def test_a_question_is_centred_by_the_mean_of_its_language_and_is_a_unit_vector(open_toy: Open) -> None:
    embedder = Shifted()
    memory = open_toy(embedder=embedder)
    memory.ingest([document("Mira|knows|Anna")])
    encoder = memory._asker.encoder
    assert encoder is not None
    with memory.snapshot() as view:
        calibration = view.indexes.calibration
    assert calibration is not None
    raw = embedder.embed(["who"], "query")[0]
    for language, mean in (("zh", 0.03), ("en", 0.01)):
        vector = encoder.question("who", language, calibration)
        np.testing.assert_allclose(vector, unit(raw - np.float32(mean)), atol=1e-6)
    assert calibration.passage[0] == pytest.approx(0.05)


def test_a_question_asked_before_is_not_embedded_again(open_toy: Open) -> None:
    embedder = FlakyEmbedder()
    memory = open_toy(embedder=embedder)
    memory.ingest([document("Mira|knows|Anna")])
    memory.retrieve("who knows", record=False)
    embedder.texts.clear()
    memory.retrieve("who knows", record=False)
    assert embedder.texts == []


def test_only_so_many_questions_are_remembered(open_toy: Open) -> None:
    memory = open_toy()
    encoder = Encoder(memory._store, HashEmbedder())
    zero = np.zeros(HashEmbedder.dimension, np.float32)
    calibration = Calibration(1, zero, zero, zero, zero)
    encoder.questions([f"question {i}" for i in range(REMEMBERED + 50)], "en", calibration)
    assert len(encoder._questions) == REMEMBERED


def test_the_model_is_asked_for_its_probe_once(open_toy: Open) -> None:
    probed: list[int] = []

    class Counting(HashEmbedder):
        def probe(self) -> Vectors:
            probed.append(1)
            return super().probe()

    open_toy().ingest([document("Mira|knows|Anna")])
    memory = open_toy(embedder=Counting())
    for question in ("who", "what", "where"):
        memory.retrieve(question, record=False)
    memory.ingest([document("Anna|met|Bob", name="more")])
    assert sum(probed) == 1


def test_a_memory_that_another_process_embedded_anew_is_checked_again(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna")])
    assert memory.retrieve("who knows anna", record=False).trace.warnings == ()
    other = open_toy(embedder=HashEmbedder("other-64"))
    other.run_job(other.reembed())
    result = memory.retrieve("who knows anna", record=False)
    assert "other-64" in result.trace.warnings[0]
    encoder = memory._asker.encoder
    assert encoder is not None
    with memory.snapshot() as view:
        model = view.indexes.model
    assert model is not None
    with pytest.raises(ModelMismatch):
        encoder.check(model)


def test_a_vector_that_is_none_is_an_error_of_the_model(open_toy: Open) -> None:
    class Broken(HashEmbedder):
        def embed(self, texts: object, kind: object) -> Vectors:  # type: ignore[override]
            return np.full((1, self.dimension), np.nan, np.float32)

    with pytest.raises(ProviderError, match="hash-64 gave a vector that is zero or not finite"):
        Encoder(open_toy()._store, Broken()).embed(["text"], "passage")
