"""Runs multilingual-e5-small as the ONNX graph of `e5_graph`, about four times as fast as the C engine.

Each run takes texts of one length on one thread, and several runs go side by side. So nothing is padded, and a vector is the same,
bit for bit, whatever else is embedded with it and however many threads there are.
"""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from lpmm_core.base.records import Vectors
from lpmm_core.provider.e5_pieces import Pieces
from lpmm_core.provider.e5_weights import Weights
from lpmm_core.provider.embedding import EmbeddingKind, agree, fingerprint

GRAPH_VERSION = 1
"""Goes up with every change of the graph; part of the name of the file that keeps it."""

INPUT, OUTPUT = "embedded", "hidden"
FINGERPRINT = "fingerprint"
"""The entry of the graph's metadata that says what it should make of the probe texts: float32 numbers in base64."""

_RUN_PIECES = 128  # more make a run hardly cheaper by the piece, and keep a waiting question longer


class EngineRefused(Exception):
    """This engine cannot be used here. The message is the reason, without a full stop."""


@dataclass(frozen=True, slots=True)
class _Window:
    """Up to 510 pieces of a text, with begin and end: what the model reads at once."""

    number: int
    text: int
    pieces: list[int]


class OnnxEngine:
    """A loaded graph. Threads may share it.

    Args:
        model: the serialised graph.
        weights: the file it was built from, which still gives the words.
        threads: how many runs may go side by side.

    Raises:
        EngineRefused: onnxruntime is missing or refuses the graph, or it does not make of the probe texts what it should. So a damaged
            file, or a processor on which integer arithmetic goes another way, is noticed and never trusted.
    """

    def __init__(self, model: bytes, weights: Weights, *, threads: int) -> None:
        self._weights = weights
        self._threads = threads
        self._session = _session(model)
        self._pieces = Pieces(weights.vocabulary())
        self._room = weights.shape.positions - 2
        # Its own threads, not the callers': each thread of a process keeps the memory that its longest text needed.
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="embedding")
        self._check()

    def embed(self, lines: Sequence[str], kind: EmbeddingKind) -> Vectors:
        """Return (n, d) unit vectors of texts without line breaks.

        A text longer than the model reads at once is the average of its windows, each counted by its pieces, as in the C engine.
        """
        windows = self._windows([f"{kind}: {line}" for line in lines])
        runs = list(_runs(windows))
        means = np.empty((len(windows), self._weights.shape.width), np.float32)
        results = [self._run(runs[0])] if len(runs) == 1 else self._side_by_side(runs)
        for run, result in zip(runs, results, strict=True):
            means[[window.number for window in run]] = result
        vectors = np.zeros((len(lines), self._weights.shape.width), np.float32)
        for window in windows:
            vectors[window.text] += len(window.pieces[1:-1]) * means[window.number]
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def _windows(self, lines: Sequence[str]) -> list[_Window]:
        windows: list[_Window] = []
        for text, line in enumerate(lines):
            pieces = self._pieces.cut(line)
            for start in range(0, len(pieces), self._room):
                part = [self._pieces.begin, *pieces[start : start + self._room], self._pieces.end]
                windows.append(_Window(len(windows), text, part))
        return windows

    def _side_by_side(self, runs: Sequence[Sequence[_Window]]) -> list[Vectors]:
        """Keep every thread busy and one run waiting, no more: calls that come meanwhile get their turn soon."""
        results: list[Vectors] = []
        waiting: deque[Future[Vectors]] = deque()
        for run in runs:
            if len(waiting) > self._threads:
                results.append(waiting.popleft().result())
            waiting.append(self._pool.submit(self._run, run))
        results.extend(future.result() for future in waiting)
        return results

    def _run(self, windows: Sequence[_Window]) -> Vectors:
        embedded = self._weights.embed_pieces([window.pieces for window in windows])
        hidden: Vectors = self._session.run([OUTPUT], {INPUT: embedded})[0]
        means: Vectors = hidden.mean(axis=1)
        return means

    def _check(self) -> None:
        metadata = self._session.get_modelmeta().custom_metadata_map
        try:
            wanted = np.frombuffer(base64.b64decode(metadata[FINGERPRINT]), "<f4").reshape(
                -1, self._weights.shape.width
            )
        except (KeyError, ValueError) as error:
            raise EngineRefused(f"the graph does not say what it should compute: {error}") from error
        found = fingerprint(self.embed)
        if not agree(found, wanted):
            lowest = float(np.einsum("ij,ij->i", found, wanted).min())
            raise EngineRefused(f"the graph computes something else than the model does (lowest cosine {lowest:.3f})")


def _runs(windows: Sequence[_Window]) -> Iterator[list[_Window]]:
    """Put windows of one length together, as many as a run should take."""
    for length, same in groupby(
        sorted(windows, key=lambda window: len(window.pieces)), lambda window: len(window.pieces)
    ):
        group, size = list(same), max(1, _RUN_PIECES // length)
        yield from (group[start : start + size] for start in range(0, len(group), size))


def _session(model: bytes) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise EngineRefused("onnxruntime is not installed") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # sums come out the same on every machine
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    )  # it is built as it should run
    options.enable_cpu_mem_arena = options.enable_mem_pattern = (
        False  # they keep what the longest text needed, for ever
    )
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no base of their own
        raise EngineRefused(f"onnxruntime refuses the graph: {str(error).splitlines()[0]}") from error
