"""Operations, batches and the journal they leave."""

from __future__ import annotations

from datetime import datetime

import pytest

from lpmm_core.base.errors import Conflict, NotFound
from lpmm_core.store import edits
from lpmm_core.store.journal import Batch, changes_since, current_sequence, is_human
from tests.store.conftest import Opener
from tests.store.world import World, contents

TABLES = (
    "operations",
    "batches",
    "changes",
    "sources",
    "passages",
    "occurrences",
    "entities",
    "names",
    "facts",
    "jobs",
    "tasks",
)


class Crash(Exception):
    """Something that has nothing to do with the store."""


def sequence(world: World) -> int:
    with world.store.reading() as connection:
        return current_sequence(connection)


def everything(world: World) -> dict[str, list[tuple[object, ...]]]:
    with world.store.reading() as connection:
        return contents(connection, TABLES)


def crash(batch: Batch) -> None:
    batch.insert("entities", ("hand", "pinned", "version"), [(0, 0, 1)])
    raise Crash


def rename_and_crash(world: World) -> None:
    with world.batch() as batch:
        edits.rename(batch, world.entity("Anna"), "Anne")
        crash(batch)


def test_a_crash_inside_a_batch_leaves_nothing_of_it(world: World) -> None:
    world.ingest("Anna knows Bob")
    before = everything(world)
    with pytest.raises(Crash):
        rename_and_crash(world)
    assert everything(world) == before


def test_a_crash_in_a_later_batch_keeps_the_earlier_ones(world: World) -> None:
    world.ingest("Anna knows Bob")
    with world.store.operation("ann", "edit") as operation:
        with operation.batch() as batch:
            edits.rename(batch, world.entity("Bob"), "Bert")
        with pytest.raises(Crash), operation.batch() as batch:
            crash(batch)
    assert world.shown("Bob")[0] == "Bert"
    assert world.value("SELECT count(*) FROM batches WHERE operation = ?", operation.id) == 1


def test_an_operation_whose_first_batch_failed_may_go_on(world: World) -> None:
    with world.store.operation("ann", "edit") as operation:
        with pytest.raises(Crash), operation.batch() as batch:
            crash(batch)
        assert operation.id is None
        with operation.batch() as batch:
            batch.insert("entities", ("hand", "pinned", "version"), [(1, 0, 1)])
    assert [row["kind"] for row in world.rows("SELECT kind FROM operations")] == ["edit"]


def test_an_operation_of_no_batch_leaves_no_trace(world: World) -> None:
    with world.store.operation("ann", "edit"):
        pass
    assert world.rows("SELECT * FROM operations") == []


def test_each_batch_has_the_next_sequence_number(world: World) -> None:
    assert sequence(world) == 0
    with world.store.operation("ann", "edit") as operation:
        for number in (1, 2):
            with operation.batch() as batch:
                assert batch.sequence == number
    with pytest.raises(Crash), world.batch() as batch:
        crash(batch)
    with world.batch() as batch:
        assert batch.sequence == 3
    assert sequence(world) == 3


def test_an_operation_is_recorded_with_actor_kind_summary_parent_and_time(world: World) -> None:
    with world.batch("ann", "ingest", "notes") as batch:
        parent = batch.operation
    with world.store.operation("system:read", "read", parent=parent) as operation, operation.batch():
        pass
    first, second = world.rows("SELECT * FROM operations ORDER BY id")
    assert (first["actor"], first["kind"], first["summary"], first["parent"]) == ("ann", "ingest", "notes", None)
    assert (second["actor"], second["parent"]) == ("system:read", parent)
    assert datetime.fromisoformat(first["time"]) < datetime.fromisoformat(second["time"])


def test_the_journal_says_what_was_inserted_and_updated_since_a_sequence_number(world: World) -> None:
    taken = world.ingest("Anna knows Bob", "Cara:place")
    before = sequence(world)
    world.delete("sources", taken.source)
    with world.store.reading() as connection:
        everything_since_birth, since = changes_since(connection, 0), changes_since(connection, before)
    inserted = {
        (change.kept, change.first, change.last) for change in everything_since_birth if change.action == "insert"
    }
    assert ("passages", 1, 2) in inserted
    assert ("names", 1, 3) in inserted
    assert [change.sequence for change in everything_since_birth] == sorted(c.sequence for c in everything_since_birth)
    assert [(c.sequence, c.kept, c.action, c.first, c.last) for c in since] == [
        (before + 1, "sources", "update", taken.source, taken.source)
    ]
    assert since[0].before == '{"deleted": null}'


def test_another_program_at_the_same_memory_reads_the_same_journal(open_store: Opener) -> None:
    one, other = World(open_store()), World(open_store())
    one.ingest("Anna knows Bob")
    seen = sequence(other)
    one.rename("Anna", "Anne")
    with other.store.reading() as connection:
        assert {change.kept for change in changes_since(connection, seen)} >= {"entities", "names"}
    assert other.shown("Anna")[0] == "Anne"
    assert other.store.secret == one.store.secret


def test_an_update_that_changes_nothing_is_not_noted_and_keeps_the_version(world: World) -> None:
    world.ingest("Anna:person")
    row = world.entity("Anna")
    with world.batch() as batch:
        batch.update("entities", row, pinned=1)
    noted, version = world.value("SELECT count(*) FROM changes"), world.value("SELECT version FROM entities")
    with world.batch() as batch:
        batch.update("entities", row, pinned=1)
    assert world.value("SELECT count(*) FROM changes") == noted
    assert world.value("SELECT version FROM entities") == version == 2


def test_updating_a_row_that_does_not_exist_is_refused(world: World) -> None:
    for change in (Batch.update, Batch.touch):
        with pytest.raises(NotFound, match="row 7 of entities"), world.batch() as batch:
            change(batch, "entities", 7, pinned=1)


def test_row_numbers_are_never_used_twice(world: World) -> None:
    with world.batch() as batch:
        first = batch.insert("entities", ("hand", "pinned", "version"), [(0, 0, 1)] * 3)
        batch.purge("entities", first)
    with world.batch() as batch:
        assert batch.insert("entities", ("hand", "pinned", "version"), [(0, 0, 1)])[0] == first[-1] + 1
    with world.store.reading() as connection:
        assert [(c.action, c.first) for c in changes_since(connection, 0) if c.action == "purge"] == [
            ("purge", row) for row in first
        ]


def test_inserting_nothing_gives_an_empty_range_and_no_note(world: World) -> None:
    with world.batch() as batch:
        assert len(batch.insert("entities", ("hand", "pinned", "version"), [])) == 0
    assert world.rows("SELECT * FROM changes") == []


def test_a_version_that_is_no_longer_the_present_one_is_a_conflict_that_names_both(world: World) -> None:
    world.ingest("Anna:person")
    row = world.entity("Anna")
    world.rename("Anna", "Anne")
    now = world.value("SELECT version FROM entities WHERE id = ?", row)
    with pytest.raises(Conflict) as refused, world.batch() as batch:
        batch.expect("entities", row, 1)
    assert refused.value.details == {"now": now, "expected": 1}
    with world.batch() as batch:
        batch.expect("entities", row, now)
        batch.expect("entities", row, None)


def test_an_operation_that_was_undone_while_at_work_cannot_go_on(world: World) -> None:
    with world.store.operation("ann", "ingest", summary="notes") as operation:
        with operation.batch() as batch:
            batch.insert("entities", ("hand", "pinned", "version"), [(1, 0, 1)])
        world.undo()
        with pytest.raises(Conflict, match="undone"), operation.batch():
            pass
        world.redo()  # what came now would be no part of what the next undo turns round
        with pytest.raises(Conflict, match="undone"), operation.batch():
            pass
        world.undo()
        with world.batch():  # now it cannot be redone any more
            pass
        with pytest.raises(Conflict, match="undone"), operation.batch():
            pass


def test_the_program_s_own_actors_are_told_from_people() -> None:
    assert is_human("cli")
    assert not is_human("system:read")
