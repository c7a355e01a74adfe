"""Which embedding model the vectors of a memory are by, and the means they are centred with.

The model is known by its name, its dimension and the vectors it gave to a fixed set of probe texts. Another model is refused, because
its vectors would be compared with the old ones as if they meant the same.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lpmm_core.base.records import Vectors
from lpmm_core.store.journal import Batch


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model as recorded: `probe` is (probes, dimension), `centre` (dimension,) the mean that names are centred with."""

    row: int
    name: str
    dimension: int
    probe: Vectors
    centre: Vectors


@dataclass(frozen=True, slots=True)
class Calibration:
    """Means (dimension,) that vectors are centred with at retrieval: of passages, of facts, of questions by language."""

    row: int
    passage: Vectors
    fact: Vectors
    question_zh: Vectors
    question_en: Vectors

    def question(self, language: str) -> Vectors:
        """Return the mean of questions in `language` ("zh", else the English one)."""
        return self.question_zh if language == "zh" else self.question_en


def current_model(connection: sqlite3.Connection) -> Model | None:
    """Return the model the memory's vectors are by, or None while there are none."""
    row = connection.execute("SELECT * FROM models WHERE current = 1 ORDER BY id DESC LIMIT 1").fetchone()
    if row is None:
        return None
    probe = np.frombuffer(row["probe"], np.float32).reshape(-1, row["dimension"])
    return Model(row["id"], row["name"], row["dimension"], probe, np.frombuffer(row["centre"], np.float32))


def set_model(batch: Batch, name: str, *, probe: Vectors, centre: Vectors) -> int:
    """Record the model that vectors are by from now on and return its row."""
    for row in batch.connection.execute("SELECT id FROM models WHERE current = 1").fetchall():
        batch.update("models", row["id"], current=0)
    data = [np.ascontiguousarray(part, np.float32).tobytes() for part in (probe, centre)]
    return batch.insert(
        "models", ("name", "dimension", "probe", "centre", "current"), [(name, probe.shape[1], *data, 1)]
    )[0]


def current_calibration(connection: sqlite3.Connection, model: int) -> Calibration | None:
    """Return the newest calibration for a model."""
    return _calibration(connection, model, "DESC")


def shipped_calibration(connection: sqlite3.Connection, model: int) -> Calibration | None:
    """Return the first calibration for a model: the means of generic texts that came with it."""
    return _calibration(connection, model, "ASC")


def _calibration(connection: sqlite3.Connection, model: int, order: str) -> Calibration | None:
    query = f"SELECT * FROM calibrations WHERE model = ? ORDER BY id {order} LIMIT 1"
    row = connection.execute(query, (model,)).fetchone()
    if row is None:
        return None
    passage, fact, zh, en = (
        np.frombuffer(row[c], np.float32) for c in ("passage", "fact", "question_zh", "question_en")
    )
    return Calibration(row["id"], passage, fact, zh, en)


def add_calibration(
    batch: Batch,
    model: int,
    reason: str,
    *,
    passage: Vectors,
    fact: Vectors,
    question_zh: Vectors,
    question_en: Vectors,
) -> int:
    """Record means to centre with; indexes built from now on use them."""
    data = [np.ascontiguousarray(mean, np.float32).tobytes() for mean in (passage, fact, question_zh, question_en)]
    columns = ("model", "reason", "passage", "fact", "question_zh", "question_en")
    return batch.insert("calibrations", columns, [(model, reason, *data)])[0]


def vectors(
    connection: sqlite3.Connection, kind: str, model: int, *, owners: list[int] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
    """Return (owners (n,), vectors (n, d) float16) of one kind, all or those of `owners`."""
    found_owners: list[int] = []
    found: list[bytes] = []
    for row in _vector_rows(connection, kind, model, owners):
        found_owners.append(row["owner"])
        found.append(row["data"])
    if not found:
        return np.zeros(0, np.int64), np.zeros((0, 0), np.float16)
    matrix = np.frombuffer(b"".join(found), "<f2").reshape(len(found), -1)
    return np.asarray(found_owners, np.int64), matrix


def _vector_rows(
    connection: sqlite3.Connection, kind: str, model: int, owners: list[int] | None
) -> Iterator[sqlite3.Row]:
    if owners is None:
        yield from connection.execute(
            "SELECT owner, data FROM vectors WHERE kind = ? AND model = ? ORDER BY owner", (kind, model)
        )
        return
    for start in range(0, len(owners), 500):
        part = owners[start : start + 500]
        slots = ",".join("?" * len(part))
        yield from connection.execute(
            f"SELECT owner, data FROM vectors WHERE owner IN ({slots}) AND kind = ? AND model = ? ORDER BY owner",
            (*part, kind, model),
        )
