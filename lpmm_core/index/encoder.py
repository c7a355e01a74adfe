"""The embedding model as this memory uses it: checked against the vectors it has, and centred.

A memory remembers which model its vectors are by. The first use in a process asks the model for the probe texts again; when the answers
differ, everything that needs vectors is refused with one sentence, and re-embedding is offered. Questions are centred by the recorded
calibration, so that a question and a passage meet in the same space.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lpmm_core.base.errors import ModelMismatch, ProviderError
from lpmm_core.base.records import Vectors
from lpmm_core.provider.embedding import Embedder, EmbeddingKind, agree
from lpmm_core.store import models
from lpmm_core.store.journal import Batch
from lpmm_core.store.models import Calibration, Model
from lpmm_core.store.store import Store

REMEMBERED = 512
"""Questions whose vectors are kept in memory."""


def unit(vectors: Vectors) -> Vectors:
    """Return vectors scaled to length 1, row by row; a zero row stays zero."""
    scaled: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32(1e-9))
    return scaled


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """A model's fingerprint (probes, d), and its means (d,) of generic names, passages and questions."""

    probe: Vectors
    names: Vectors
    passages: Vectors
    question_zh: Vectors
    question_en: Vectors


class Encoder:
    """One memory's use of one embedding model. Threads may share it."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._lock = threading.Lock()
        self._agreed: int | None = None
        self._measured: _Measured | None = None
        self._questions: OrderedDict[str, Vectors] = OrderedDict()

    def check(self, model: Model) -> None:
        """Make sure that the model at hand is the recorded one.

        Raises:
            ModelMismatch: it is another; the message names both.
        """
        with self._lock:
            if self._agreed == model.row:
                return
            probe = self._embedder.probe()
            if probe.shape[1] != model.dimension or not agree(probe, model.probe):
                raise ModelMismatch(
                    f"this memory's vectors are by {model.name} ({model.dimension} numbers), the configured model "
                    f"{self._embedder.name} ({probe.shape[1]} numbers) gives others; run `lpmm reembed` or configure the old model"
                )
            self._agreed = model.row

    def adopt(self, batch: Batch) -> Model:
        """Return the recorded model, recording the one at hand, with its means, when the memory has none yet; raises as `check`."""
        model = models.current_model(batch.connection)
        if model is not None:
            self.check(model)
            return model
        return self.record(batch)

    def measure(self) -> None:
        """Ask the model for what a memory records of it: its fingerprint and its means of generic texts.

        Done before a model is recorded, because an endpoint may take its time, and a transaction has none.

        Raises:
            ProviderError: the model did not answer.
        """
        probe = self._embedder.probe()
        nothing = np.zeros(probe.shape[1], np.float32)
        found = [self._embedder.mean("query"), self._embedder.mean("passage")]
        found += [self._embedder.question_prior("zh"), self._embedder.question_prior("en")]
        names, passages, zh, en = (nothing if mean is None else mean for mean in found)
        with self._lock:
            self._measured = _Measured(probe, names, passages, zh, en)

    def record(self, batch: Batch) -> Model:
        """Make the model at hand the memory's model, with its means of generic texts, as they were last measured."""
        if self._measured is None:
            self.measure()
        measured = self._measured
        assert measured is not None
        row = models.set_model(batch, self._embedder.name, probe=measured.probe, centre=measured.names)
        models.add_calibration(
            batch,
            row,
            "as shipped",
            passage=measured.passages,
            fact=measured.passages,
            question_zh=measured.question_zh,
            question_en=measured.question_en,
        )
        with self._lock:
            self._agreed = row
        return Model(row, self._embedder.name, measured.probe.shape[1], measured.probe, measured.names)

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Vectors:
        """Return raw unit vectors (n, d), as they are stored.

        Raises:
            ProviderError: the model failed, or gave a vector that is none: it would be near to everything, or to nothing, for ever.
        """
        vectors = self._embedder.embed(texts, kind)
        if not np.isfinite(vectors).all() or not vectors.any(axis=-1).all():
            raise ProviderError(f"{self._embedder.name} gave a vector that is zero or not finite", retryable=False)
        return vectors

    def question(self, text: str, language: str, calibration: Calibration) -> Vectors:
        """Return the (d,) unit vector of a question, centred by the mean of questions in its language."""
        row: Vectors = self.questions([text], language, calibration)[0]
        return row

    def questions(self, texts: Sequence[str], language: str, calibration: Calibration) -> Vectors:
        """Return (n, d) unit vectors of questions, centred; those asked before are remembered."""
        with self._lock:
            known = {text: self._questions[text] for text in texts if text in self._questions}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known |= dict(zip(missing, self.embed(missing, "query"), strict=True))
        with self._lock:
            self._questions.update(known)
            while len(self._questions) > REMEMBERED:
                self._questions.popitem(last=False)
        return unit(np.stack([known[text] for text in texts]) - calibration.question(language))
