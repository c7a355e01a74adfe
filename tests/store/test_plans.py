"""Queries that are asked often find their rows by an index: what they cost must not grow with the memory."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from lpmm_core.store import edits, entries, evidence, history, jobs, journal, purge, read, texts, undo
from lpmm_core.store.ids import Ids
from tests.store.model import refusal
from tests.store.world import World

Query = Callable[[sqlite3.Connection, Ids], Any]

QUERIES: dict[str, Query] = {
    "visible passages among a few": lambda c, _: c.execute(
        "SELECT id FROM visible_passages WHERE id IN (1, 2)"
    ).fetchall(),
    "visible entities among a few": lambda c, _: c.execute(
        "SELECT id FROM visible_entities WHERE id IN (1, 2)"
    ).fetchall(),
    "visible facts among a few": lambda c, _: c.execute("SELECT id FROM visible_facts WHERE id IN (1, 2)").fetchall(),
    "live occurrences of a passage": lambda c, _: c.execute(
        "SELECT id FROM live_occurrences WHERE passage = 1"
    ).fetchall(),
    "passages": lambda c, ids: read.passages(c, ids, [1, 2]),
    "entities": lambda c, ids: read.entities(c, ids, [1, 2]),
    "facts": lambda c, ids: read.facts(c, ids, [1, 2]),
    "facts of an entity": lambda c, _: read.facts_of_entity(c, 1, 10),
    "occurrences by id": lambda c, ids: read.occurrences(c, ids, column="id", values=[1]),
    "occurrences by passage": lambda c, ids: read.occurrences(c, ids, column="passage", values=[1]),
    "occurrences by source": lambda c, ids: read.occurrences(c, ids, column="source", values=[1]),
    "sources": lambda c, ids: read.sources(c, ids, [1]),
    "passages of a source": lambda c, _: read.passage_rows(c, 1, offset=0, limit=5),
    "an entity's entry": lambda c, ids: entries.entity_entry(c, ids, ids.encode("entities", 1)),
    "a passage's entry": lambda c, ids: entries.passage_entry(c, ids, ids.encode("passages", 1)),
    "known names": lambda c, _: evidence.known_names(c, ["anna", "bob"]),
    "a known fact": lambda c, _: evidence.known_fact(c, 1, "knows", 2, False),
    "vectors held": lambda c, _: evidence.vectors_held(c, "name", [1, 2], model=1),
    "the same bytes": lambda c, _: texts.same_bytes(c, "digest"),
    "what changed since": lambda c, _: journal.changes_since(c, 1),
    "the present sequence number": lambda c, _: journal.current_sequence(c),
    "the latest operations": lambda c, ids: history.operations(c, ids, limit=5, derived=True),
    "jobs": lambda c, ids: jobs.listed(c, ids, limit=5),
    "jobs to take": lambda c, _: jobs.open_jobs(c),
    "waiting tasks": lambda c, _: jobs.waiting_tasks(c, 1, 5),
}

WALKED_IN_ORDER = {"the latest operations": {"o"}, "jobs": {"jobs"}, "the present sequence number": {"batches"}}
"""Tables read from their end until a limit is reached."""

WALKED = {"a purge": {"traces", "merged"}}
"""A purge is rare and must look into every trace; `merged` is what it found itself."""

ASIDE = re.compile(r"SCAN (\d+ |CONSTANT|\(|\w*subquery)")
"""Steps over what a step before found."""


def scans(connection: sqlite3.Connection, statements: list[str]) -> set[str]:
    """Return the tables that some statement reads from beginning to end."""
    found: set[str] = set()
    for statement in statements:
        for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall():
            detail = row["detail"]
            # So does a search that names no index (for the last row that fits), or one made for this query alone.
            walks = detail.startswith("SCAN ") or re.fullmatch(r"SEARCH \w+", detail) or "AUTOMATIC" in detail
            if walks and not ASIDE.match(detail):
                found.add(detail.split()[1])
    return found


def traced(connection: sqlite3.Connection, ask: Callable[[], Any]) -> list[str]:
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    ask()
    connection.set_trace_callback(None)
    return [s for s in statements if s.lstrip().upper().startswith(("SELECT", "WITH", "UPDATE", "DELETE"))]


@pytest.fixture
def filled(world: World) -> World:
    world.ingest("Anna knows Bob\nAnna:person", "# Cara\nBob likes Cara")
    world.merge("Cara", into="Bob")
    world.write("not read yet")
    return world


@pytest.mark.parametrize("name", QUERIES)
def test_no_table_is_read_from_beginning_to_end_for(filled: World, name: str) -> None:
    with filled.store.reading() as connection:
        statements = traced(connection, lambda: QUERIES[name](connection, filled.store.ids))
        assert statements
        assert scans(connection, statements) <= WALKED_IN_ORDER.get(name, set())


def take_out(world: World, passage: int) -> None:
    with world.batch("ann", "purge") as batch:
        purge.purge_passages(batch, [passage], secret=world.store.secret)


EDITS: dict[str, Callable[[World], Any]] = {
    "rename": lambda world: world.rename("Anna", "Anne"),
    "merge": lambda world: world.merge("Anna", into="Bob"),
    "split": lambda world: world.split("Bob", "Cara"),
    "delete": lambda world: world.delete("sources", 1),
    "ingest": lambda world: world.ingest("Dora knows Bob", "Anna knows Bob\nAnna:person"),
    "a purge": lambda world: (world.delete("passages", 2), take_out(world, 2)),
    "undo of an edit": lambda world: (world.rename("Anna", "Anne"), undo.undo(world.store.journal, "ann")),
    "undo of an ingest": lambda world: undo.undo(world.store.journal, "ann"),
    "a refused undo": lambda world: (
        world.rename("Anna", "Anne"),
        world.edit(edits.delete, "entities", world.entity("Anna"), actor="ben"),
        refusal(undo.undo, world.store.journal, "ann"),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_nothing_is_read_from_beginning_to_end_in_the_course_of(filled: World, name: str) -> None:
    writer = filled.store.database.writer
    statements = traced(writer, lambda: EDITS[name](filled))
    assert scans(writer, [s for s in statements if "sqlite_sequence" not in s]) <= WALKED.get(name, set())


def test_a_scan_is_seen_where_there_is_one(filled: World) -> None:
    with filled.store.reading() as connection:
        assert scans(connection, ["SELECT * FROM mentions WHERE spelling = 'Anna'"]) == {"mentions"}
