"""The journal as a person reads it: who did what, when, and whether it still stands."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from lpmm_core.base.clock import from_text
from lpmm_core.store.ids import Ids


@dataclass(frozen=True, slots=True)
class Done:
    """One operation. `state` is done, undone, dropped (undone, no longer to be redone), inverse (an undo or redo) or final (a purge)."""

    id: str
    time: datetime
    actor: str
    kind: str
    summary: str
    state: str
    batches: int


def operations(connection: sqlite3.Connection, ids: Ids, *, limit: int, derived: bool = False) -> list[Done]:
    """Return the latest operations, newest first; those that are the memory's own work only when `derived`."""
    rows = connection.execute(
        """SELECT o.*, (SELECT count(*) FROM batches b WHERE b.operation = o.id) AS batches FROM operations o
        WHERE ? OR o.parent IS NULL ORDER BY o.id DESC LIMIT ?""",
        (derived, limit),
    )
    return [
        Done(
            ids.encode("operations", row["id"]),
            from_text(row["time"]),
            row["actor"],
            row["kind"],
            row["summary"],
            row["state"],
            row["batches"],
        )
        for row in rows
    ]
