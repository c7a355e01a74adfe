"""Embeddings from any OpenAI-compatible endpoint.

What comes back is checked before anything is stored: one vector a text, all of one length, finite, none of them zero. The length is
learned from the answer and never configured, because a wrong number in the settings is found only when the index breaks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.records import Vectors
from lpmm_core.base.settings import Endpoint
from lpmm_core.provider.embedding import EmbeddingKind, Language, fingerprint, one_line
from lpmm_core.provider.generic import generic_means
from lpmm_core.provider.openai_client import EndpointClient, Usage


class OpenAIEmbedder:
    """An embedding model behind an endpoint. Threads may share it.

    Args:
        endpoint: where it is.
        batch_size: texts sent in one request; some endpoints take no more than ten.
        query_prefix: put before every query, for models that want it (`query: ` for those of the e5 family).
        passage_prefix: put before every passage.
        pause: waits so many seconds before a request is sent again.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        batch_size: int = 32,
        query_prefix: str = "",
        passage_prefix: str = "",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = endpoint.model
        self._client = EndpointClient(endpoint, pause=pause)
        self._batch_size = batch_size
        self._prefixes: dict[EmbeddingKind, str] = {"query": query_prefix, "passage": passage_prefix}
        self._lock = Lock()
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        """Length of a vector; asks the endpoint the first time.

        Raises:
            ProviderError: the endpoint did not answer usefully.
        """
        return self._dimension or self.probe().shape[1]

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._client.usage

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Vectors:
        """Return (n, d) unit vectors.

        Raises:
            ValueError: a text is empty or only white space.
            ProviderError: the endpoint did not answer usefully.
        """
        lines = [self._prefixes[kind] + one_line(text) for text in texts]
        if not lines:
            return np.empty((0, self.dimension), np.float32)
        batches = [lines[start : start + self._batch_size] for start in range(0, len(lines), self._batch_size)]
        if len(batches) == 1:
            return self._ask(batches[0])
        with ThreadPoolExecutor(min(len(batches), self._client.endpoint.concurrency)) as pool:
            return np.concatenate(list(pool.map(self._ask, batches)))

    def probe(self) -> Vectors:
        """Return the fingerprint, asked anew: what is behind an endpoint may change, and the means with it."""
        self.__dict__.pop("_means", None)
        return fingerprint(self.embed)

    def mean(self, kind: EmbeddingKind) -> Vectors | None:
        """Return the mean of generic names (`query`) or passages, computed the first time; raises as `embed`."""
        return self._means[kind]

    def question_prior(self, language: Language) -> Vectors | None:
        """Return the mean of generic questions, computed the first time; raises as `embed`."""
        return self._means[f"question_{language}"]

    @cached_property
    def _means(self) -> dict[str, Vectors]:
        return generic_means(self.embed)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _ask(self, lines: Sequence[str]) -> Vectors:
        answer = self._client.post(
            "/embeddings", {"model": self.name, "input": list(lines), "encoding_format": "float"}
        )
        vectors = self._read(answer.get("data"), count=len(lines))
        with self._lock:
            wanted = self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != wanted:
            raise self._error(f"vectors of {vectors.shape[1]} numbers after some of {wanted}")
        return vectors

    def _read(self, data: Any, *, count: int) -> Vectors:
        if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
            raise self._error("no list of vectors")
        if len(data) != count:
            raise self._error(f"{len(data)} vectors for {count} texts")
        if sorted(item.get("index", -1) for item in data) == list(range(count)):
            data = sorted(data, key=lambda item: int(item["index"]))
        try:
            vectors = np.array([item.get("embedding") for item in data], np.float32)
        except (TypeError, ValueError):
            raise self._error("vectors of different lengths, or with something else than numbers in them") from None
        if vectors.ndim != 2 or not vectors.size:
            raise self._error("no list of vectors")
        if not np.isfinite(vectors).all():
            raise self._error("numbers that are none")
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        if not lengths.all():
            raise self._error("a vector of zeros")
        units: Vectors = (vectors / lengths).astype(np.float32)
        return units

    def _error(self, what: str) -> ProviderError:
        return ProviderError(f"{self._client.endpoint.host} answered with {what} (model {self.name})", retryable=False)
