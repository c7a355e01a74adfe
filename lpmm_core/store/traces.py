"""The side log: what was asked and what came back. Use is not an edit, so none of this is journalled, and losing it loses no memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from lpmm_core.base.errors import Busy, NotFound, StorageFull
from lpmm_core.store.ids import Ids
from lpmm_core.store.store import Store

RETURNED = "returned"
"""Manner of a weak use: the passage was given as evidence."""


def keep(store: Store, actor: str, question: str, result: Mapping[str, Any]) -> str | None:
    """Keep a result and note its passages as used; return the trace's id, or None when the log cannot be written now."""
    rows = [store.ids.row(passage["id"], "passages") for passage in result["paragraphs"]]
    try:
        with store.database.writing() as connection:
            trace = connection.execute(
                "INSERT INTO traces (time, actor, question, trace) VALUES (?, ?, ?, ?)",
                (store.now(), actor, question, json.dumps(result, ensure_ascii=False)),
            ).lastrowid
            connection.executemany(
                "INSERT INTO uses (time, passage, manner, trace) VALUES (?, ?, ?, ?)",
                ((store.now(), row, RETURNED, trace) for row in rows),
            )
    except (Busy, StorageFull):
        return None
    assert trace is not None
    return store.ids.encode("traces", trace)


def load(connection: sqlite3.Connection, ids: Ids, retrieval: str) -> Mapping[str, Any]:
    """Return a kept result; raises NotFound."""
    row = connection.execute("SELECT trace FROM traces WHERE id = ?", (ids.row(retrieval, "traces"),)).fetchone()
    if row is None:
        raise NotFound(f"there is no retrieval {retrieval!r} in this memory")
    found: Mapping[str, Any] = {**json.loads(row["trace"]), "retrieval": retrieval}
    return found
