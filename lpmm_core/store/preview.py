"""What a deletion would do, found out by doing it in a transaction that is then given up: nothing is guessed, nothing stays."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lpmm_core.store import edits
from lpmm_core.store.journal import Batch
from lpmm_core.store.read import in_parts
from lpmm_core.store.store import Store


@dataclass(frozen=True, slots=True)
class Deletion:
    """How many records would go out of sight, and how many that are touched stay because something else supports them."""

    passages: int
    facts: int
    entities: int
    kept_passages: int
    kept_facts: int
    kept_entities: int

    def to_json(self) -> dict[str, Any]:
        """Return the counts under two heads."""
        counts = asdict(self)
        return {
            "removes": {name: counts[name] for name in ("passages", "facts", "entities")},
            "keeps": {name: counts[f"kept_{name}"] for name in ("passages", "facts", "entities")},
        }

    def sentence(self) -> str:
        """Say it in one sentence."""
        kept = self.kept_passages + self.kept_facts + self.kept_entities
        return (
            f"{self.passages} passages, {self.facts} facts, {self.entities} entities; "
            f"{kept} records stay because something else supports them"
        )


class _GiveUp(Exception):
    """Ends the trial transaction."""


def deletion(store: Store, records: Sequence[tuple[str, int]]) -> Deletion:
    """Return what deleting these records (table, row) would do; raises as `edits.delete` does."""
    found: dict[str, int] = {}
    try:
        with store.operation("system:preview", "preview") as operation, operation.batch() as batch:
            found = _tried(batch, records)
            raise _GiveUp
    except _GiveUp:
        return Deletion(**found)


def _tried(batch: Batch, records: Sequence[tuple[str, int]]) -> dict[str, int]:
    touched = _touched(batch.connection, records)
    before = {table: _visible(batch.connection, table, rows) for table, rows in touched.items()}
    for table, row in records:
        edits.delete(batch, table, row)
    found: dict[str, int] = {}
    for table, rows in before.items():
        after = _visible(batch.connection, table, rows)
        found[table] = len(rows - after)
        found[f"kept_{table}"] = len(after)
    return found


def _touched(connection: sqlite3.Connection, records: Sequence[tuple[str, int]]) -> dict[str, set[int]]:
    rows: dict[str, set[int]] = {"passages": set(), "facts": set(), "entities": set()}
    for table, row in records:
        if table == "sources":
            rows["passages"].update(
                _set(connection.execute("SELECT passage FROM occurrences WHERE source = ?", (row,)).fetchall())
            )
        else:
            rows[table].add(row)
    names = in_parts(connection, "SELECT id FROM names WHERE entity IN ({slots})", rows["entities"])
    for end in ("subject", "object"):
        rows["facts"].update(
            _set(in_parts(connection, f"SELECT id FROM facts WHERE {end} IN ({{slots}})", _set(names)))
        )
    query = (
        "SELECT DISTINCT v.fact FROM occurrences o JOIN evidence v ON v.occurrence = o.id WHERE o.passage IN ({slots})"
    )
    rows["facts"].update(_set(in_parts(connection, query, rows["passages"])))
    query = """SELECT n.entity FROM facts f JOIN names n ON n.id IN (f.subject, f.object)
        WHERE f.id IN ({slots}) AND (f.hand OR f.pinned)"""
    rows["entities"].update(_set(in_parts(connection, query, rows["facts"])))
    query = """SELECT DISTINCT n.entity FROM occurrences o JOIN mentions m ON m.occurrence = o.id JOIN names n ON n.id = m.name
        WHERE o.passage IN ({slots})"""
    rows["entities"].update(_set(in_parts(connection, query, rows["passages"])))
    return rows


def _visible(connection: sqlite3.Connection, table: str, rows: set[int]) -> set[int]:
    return _set(in_parts(connection, f"SELECT id FROM visible_{table} WHERE id IN ({{slots}})", rows))


def _set(rows: Sequence[sqlite3.Row]) -> set[int]:
    return {row[0] for row in rows}
