"""Taking back and doing again: each person's own latest, never over what others have built since."""

from __future__ import annotations

import pytest

from lpmm_core.base.errors import Conflict, InvalidInput, NothingToUndo, UndoBlocked
from lpmm_core.base.records import Kind
from lpmm_core.store import checks, edits, jobs, purge
from lpmm_core.store.jobs import Job, JobState
from tests.store.conftest import Opener
from tests.store.world import Taken, World


def job(world: World, taken: Taken) -> Job:
    with world.store.reading() as connection:
        return jobs.one(connection, world.store.ids, taken.job)


def test_undo_takes_back_ones_own_latest_edit_and_redo_does_it_again(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.rename("Bob", "Bert", actor="ben")
    done = world.undo("ann")
    assert (done.kind, world.shown("Anna")[0], world.shown("Bob")[0]) == ("rename", "Anna", "Bert")
    again = world.redo("ann")
    assert (again.kind, again.summary) == (done.kind, done.summary)
    assert again.inverse > done.inverse
    assert (world.shown("Anna")[0], world.shown("Bob")[0]) == ("Anne", "Bert")


def test_several_edits_are_taken_back_newest_first_and_done_again_oldest_first(world: World) -> None:
    world.ingest("Anna knows Bob")
    names = ["Anna", "Anne", "Annie", "Ann"]
    for name in names[1:]:
        world.rename("Anna", name)
    back = [(world.undo(), world.shown("Anna")[0])[1] for _ in range(3)]
    again = [(world.redo(), world.shown("Anna")[0])[1] for _ in range(3)]
    assert back == names[2::-1]
    assert again == names[1:]


def test_with_nothing_to_undo_or_redo_it_is_said_and_nothing_is_written(world: World) -> None:
    with pytest.raises(NothingToUndo, match="ann has nothing to undo"):
        world.undo()
    world.ingest("Anna knows Bob", actor="ben")
    with pytest.raises(NothingToUndo):
        world.undo()
    with pytest.raises(NothingToUndo, match="ben has nothing to redo"):
        world.redo("ben")
    assert world.value("SELECT count(*) FROM operations WHERE kind IN ('undo', 'redo')") == 0


def test_undo_and_redo_survive_closing_and_opening(open_store: Opener) -> None:
    world = World(open_store())
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.store.close()
    world = World(open_store())
    world.undo()
    world.store.close()
    world = World(open_store())
    world.redo()
    assert world.shown("Anna")[0] == "Anne"


def test_an_edit_that_another_built_upon_is_not_undone_and_the_blockers_are_named(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.edit(edits.retype, world.entity("Anna"), Kind.PLACE, actor="ben")
    with pytest.raises(UndoBlocked, match="ben has since done 'retype' on the same record; undo that first") as refused:
        world.undo("ann")
    (blocker,) = refused.value.details["blockers"]
    encode = world.store.ids.encode
    assert {name: blocker[name] for name in ("id", "actor", "kind", "records")} == {
        "id": encode("operations", world.latest("ben")),
        "actor": "ben",
        "kind": "retype",
        "records": [encode("entities", world.entity("Anna"))],
    }
    assert world.shown("Anna") == ("Anne", "place")
    world.undo("ben")
    world.undo("ann")
    assert world.shown("Anna") == ("Anna", "thing")


def test_an_edit_of_another_record_does_not_stand_in_the_way(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.rename("Bob", "Bert", actor="ben")
    world.undo("ann")
    assert (world.shown("Anna")[0], world.shown("Bob")[0]) == ("Anna", "Bert")


def test_an_earlier_operation_of_ones_own_is_undone_by_name_when_the_latest_is_blocked(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Bob", "Bert")
    earlier = world.latest()
    world.rename("Anna", "Anne")
    world.edit(edits.retype, world.entity("Anna"), Kind.PLACE, actor="ben")
    with pytest.raises(UndoBlocked):
        world.undo()
    world.undo(named=earlier)
    assert (world.shown("Anna")[0], world.shown("Bob")[0]) == ("Anne", "Bob")
    world.redo()
    assert world.shown("Bob")[0] == "Bert"


def test_an_operation_is_not_undone_by_name_while_a_later_one_of_ones_own_stands_upon_it(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    earlier = world.latest()
    world.rename("Anna", "Annie")
    with pytest.raises(UndoBlocked, match="ann has since done 'rename'"):
        world.undo(named=earlier)
    assert world.shown("Anna")[0] == "Annie"


def test_what_another_did_or_what_does_not_stand_is_not_undone_by_name(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne", actor="ben")
    with pytest.raises(InvalidInput, match="what you did yourself"):
        world.undo("ann", named=world.latest("ben"))
    with pytest.raises(Conflict, match="is done, not undone"):
        world.redo("ben", named=world.latest("ben"))
    world.undo("ben", named=(named := world.latest("ben")))
    with pytest.raises(Conflict, match="is undone, not done"):
        world.undo("ben", named=named)


def test_redo_does_again_what_was_undone_last_even_when_it_was_done_later(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    earlier = world.latest()
    world.rename("Bob", "Bert")
    world.undo(named=earlier)
    world.undo()
    world.redo()
    assert (world.shown("Anna")[0], world.shown("Bob")[0]) == ("Anna", "Bert")
    world.redo()
    assert world.shown("Anna")[0] == "Anne"


def test_a_new_edit_clears_what_could_be_redone_but_only_ones_own(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.rename("Bob", "Bert", actor="ben")
    world.undo("ann")
    world.undo("ben")
    world.rename("Anna", "Annie")
    with pytest.raises(NothingToUndo):
        world.redo("ann")
    world.redo("ben")
    assert (world.shown("Anna")[0], world.shown("Bob")[0]) == ("Annie", "Bert")


def test_a_redo_is_refused_when_another_changed_the_record_since(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.undo("ann")
    world.edit(edits.retype, world.entity("Anna"), Kind.PLACE, actor="ben")
    with pytest.raises(UndoBlocked):
        world.redo("ann")
    world.undo("ben")
    world.redo("ann")
    assert world.shown("Anna") == ("Anne", "thing")


def test_a_redo_is_refused_when_what_it_stood_upon_was_taken_back_since(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne", actor="ann")
    world.rename("Anna", "Annie", actor="ben")
    world.undo("ben")
    world.undo("ann")
    with pytest.raises(UndoBlocked, match="taken back 'rename' on the same record; redo that first"):
        world.redo("ben")
    world.redo("ann")
    world.redo("ben")
    assert world.shown("Anna")[0] == "Annie"


def test_merging_the_other_way_round_stands_in_the_way_of_redoing_a_merge(world: World) -> None:
    world.ingest("Anna knows Bob")
    for name in (
        "Anna",
        "Bob",
    ):  # what both show is said by hand, so that merging changes no column of the one that stays
        world.rename(name, name, actor="cleo")
        world.edit(edits.retype, world.entity(name), Kind.PERSON, actor="cleo")
    world.merge("Anna", into="Bob", actor="ann")
    world.undo("ann")
    world.merge("Bob", into="Anna", actor="ben")
    with pytest.raises(UndoBlocked):
        world.redo("ann")
    with world.store.reading() as connection:
        assert checks.check(connection) == []


def test_a_rename_that_took_a_name_is_not_undone_once_the_entity_it_was_taken_from_is_merged_away(world: World) -> None:
    hidden = world.ingest("Dora:person", "Dee:person")
    world.ingest("Anna knows Bob", "Dee likes Bob")
    world.merge("Dora", into="Dee", actor="cleo")
    world.delete("sources", hidden.source, actor="cleo")
    world.delete("sources", 2, actor="cleo")  # nothing speaks of Dora and Dee now
    world.undo("cleo")
    world.delete("entities", dee := world.entity("Dee"), actor="cleo")
    world.rename("Anna", "Dora", actor="ann")
    world.undelete("entities", dee, actor="cleo")
    world.merge("Dee", into="Bob", actor="ben")
    with pytest.raises(UndoBlocked):
        world.undo("ann")
    world.undo("ben")
    world.undo("cleo")
    world.undo("ann")
    assert world.entity("Dora") == dee


def test_undoing_an_ingest_withdraws_what_it_alone_said(world: World) -> None:
    world.ingest("Anna knows Bob")
    before = world.graph()
    world.ingest("Cara likes Dora", "Anna knows Bob", actor="ben")
    after = world.graph()
    assert world.undo("ben").kind == "ingest"
    assert world.graph() == before
    world.redo("ben")
    assert world.graph() == after


def test_undoing_an_ingest_is_not_refused_and_later_edits_by_hand_stay(world: World) -> None:
    taken = world.ingest("Anna knows Bob", "Cara:place")
    world.ingest("Anna:person", actor="ben")
    world.rename("Anna", "Anne", actor="ben")
    world.delete("passages", world.passage("Cara:place"), actor="ben")
    world.delete("sources", taken.source, actor="ben")
    world.undo("ann")
    assert world.shown("Anna")[0] == "Anne"
    assert world.graph().passages == {(None, "Anna:person"): 1}


def test_undoing_an_ingest_that_has_not_been_read_yet_keeps_it_out_of_sight_when_it_is_read_later(world: World) -> None:
    taken = world.write("Anna knows Bob")
    world.undo()
    world.read(taken)
    assert world.graph().entities == {}
    world.redo()
    assert world.sees_fact("Anna knows Bob")


def test_undoing_an_ingest_stops_its_jobs_and_the_redo_lets_them_go_on(world: World) -> None:
    taken = world.write("Anna knows Bob")
    world.undo()
    assert job(world, taken).state is JobState.CANCELLED
    with pytest.raises(Conflict, match="cancelled"):
        jobs.claim(world.store.database, taken.job, "worker")
    with pytest.raises(Conflict, match="was undone, so there is nothing to do"):
        jobs.retry(world.store.database, taken.job)
    world.redo()
    assert job(world, taken).state is JobState.WAITING
    jobs.claim(world.store.database, taken.job, "worker")


def test_undoing_an_ingest_stops_its_worker_at_its_next_beat(world: World) -> None:
    taken, database = world.write("Anna knows Bob"), world.store.database
    jobs.claim(database, taken.job, "worker")
    world.undo()
    assert not jobs.renew(database, taken.job, "worker")
    assert jobs.release(database, taken.job, "worker", finished=world.store.now()) is JobState.CANCELLED
    world.redo()
    assert job(world, taken).state is JobState.WAITING


def test_who_takes_over_from_a_worker_that_died_before_it_saw_the_undo_finds_nothing_to_do(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, database = world.write("Anna knows Bob"), world.store.database
    jobs.claim(database, taken.job, "worker")
    world.undo()
    monkeypatch.setattr("lpmm_core.store.jobs.is_gone", lambda _: True)
    jobs.claim(database, taken.job, "another")
    with world.store.reading() as connection:
        assert jobs.waiting_tasks(connection, taken.job, 10) == []
    assert jobs.release(database, taken.job, "another", finished=world.store.now()) is JobState.CANCELLED


def test_a_redo_that_comes_before_the_worker_has_noticed_lets_it_go_on(world: World) -> None:
    taken, database = world.write("Anna knows Bob"), world.store.database
    jobs.claim(database, taken.job, "worker")
    world.undo()
    world.redo()
    assert jobs.renew(database, taken.job, "worker")


def test_a_job_that_a_person_cancelled_is_not_begun_again_by_a_redo(world: World) -> None:
    taken = world.write("Anna knows Bob")
    jobs.cancel(world.store.database, taken.job, finished=world.store.now())
    world.undo()
    world.redo()
    assert job(world, taken).state is JobState.CANCELLED


def test_undoing_an_edit_leaves_the_jobs_of_others_alone(world: World) -> None:
    world.ingest("Anna knows Bob")
    taken = world.write("Cara likes Dora", actor="ben")
    world.rename("Anna", "Anne")
    world.undo()
    assert job(world, taken).state is JobState.WAITING


def test_undoing_an_ingest_deletes_again_the_passage_that_it_revived(world: World) -> None:
    world.ingest("one", "two", "three", "Anna knows Bob")
    world.delete("passages", row := world.passage("Anna knows Bob"))
    world.ingest("Anna knows Bob", actor="ben")
    assert world.sees("passages", row)
    world.undo("ben")
    assert not world.sees("passages", row)
    world.redo("ben")
    assert world.sees("passages", row)


def test_undoing_an_ingest_leaves_the_passage_it_revived_to_those_who_said_it_since(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.delete("passages", row := world.passage("Anna knows Bob"))
    world.ingest("Anna knows Bob", actor="ben")
    world.ingest("Anna knows Bob", actor="cleo")
    world.undo("ben")
    assert world.sees("passages", row)
    assert world.sees_fact("Anna knows Bob")
    world.redo("ben")
    world.undo("ben")
    assert world.sees("passages", row)


def test_undoing_an_ingest_leaves_a_passage_it_revived_as_another_has_left_it_since(world: World) -> None:
    world.ingest("Anna knows Bob", actor="cleo")
    world.delete("passages", row := world.passage("Anna knows Bob"), actor="cleo")
    world.ingest("Anna knows Bob", actor="ben")
    world.pin("passages", row, actor="ann")
    world.undo("ben")
    assert world.sees("passages", row)
    world.undo("ann")
    assert world.sees("passages", row)


def test_what_the_program_does_itself_stands_in_nobodys_way(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    with world.batch("system:sweep", "sweep") as batch:
        batch.update("entities", world.entity("Anna"), pinned=1)
    world.undo("ann")
    assert world.shown("Anna")[0] == "Anna"
    assert world.value("SELECT pinned FROM entities WHERE id = ?", world.entity("Anna")) == 1


def test_the_reading_of_a_text_is_nothing_that_a_person_undoes(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.undo()
    with pytest.raises(NothingToUndo):
        world.undo()


def test_a_purge_is_passed_over_by_undo_and_clears_what_could_be_redone(world: World) -> None:
    world.ingest("Anna knows Bob", actor="ben")
    world.ingest("Cara likes Dora")
    world.rename("Anna", "Anne")
    world.undo()
    world.delete("passages", row := world.passage("Cara likes Dora"), actor="ben")
    with world.batch("ann", "purge") as batch:
        purge.purge_passages(batch, [row], secret=world.store.secret)
    with pytest.raises(NothingToUndo):
        world.redo()
    assert world.undo().kind == "ingest"  # of a text that is gone: nothing is left to withdraw
    with pytest.raises(NothingToUndo):
        world.undo()
    with world.store.reading() as connection:
        assert checks.check(connection) == []
    assert world.graph().passages == {(None, "Anna knows Bob"): 1}


def test_renaming_then_taking_in_the_old_name_then_splitting_then_undoing(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.ingest("Anna likes Cara", "anne visits Cara")
    assert world.entity("Anna") == world.entity("Anne")
    assert world.graph().entities[frozenset({"anna", "anne"})] == ("Anne", "thing", 3)
    new = world.split("Anne", "Anna")
    assert world.entity("Anna") == new
    assert world.graph().entities[frozenset({"anna"})] == ("Anna", "thing", 2)
    assert world.graph().entities[frozenset({"anne"})] == ("Anne", "thing", 1)
    world.undo()
    assert world.graph().entities[frozenset({"anna", "anne"})] == ("Anne", "thing", 3)
    assert world.undo().kind == "ingest"
    assert world.undo().kind == "rename"
    assert world.graph().entities.keys() == {frozenset({"anna"}), frozenset({"bob"})}


def test_a_record_made_by_hand_goes_with_the_undo_and_comes_back_with_the_redo(world: World) -> None:
    world.ingest("Anna knows Bob")
    ends = [world.value("SELECT id FROM names WHERE key = ?", key) for key in ("bob", "anna")]
    columns = (
        "lineage",
        "number",
        "subject",
        "predicate",
        "object",
        "negated",
        "confidence",
        "recorded_start",
        "hand",
        "pinned",
        "version",
    )
    with world.batch("ann", "state") as batch:
        row = batch.insert("facts", columns, [(99, 1, ends[0], "likes", ends[1], 0, 1.0, batch.time, 1, 0, 1)])[0]
    assert world.sees("facts", row)
    world.undo()
    assert not world.sees("facts", row)
    world.redo()
    assert world.sees("facts", row)
