"""What people do to entities and records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lpmm_core.base.errors import Conflict, InvalidInput, NotFound
from lpmm_core.base.records import Kind
from lpmm_core.store import checks, edits, read
from lpmm_core.store.journal import Batch
from tests.store.world import World


def aliases(world: World, name: str) -> tuple[str, ...]:
    with world.store.reading() as connection:
        return read.entities(connection, world.store.ids, [world.entity(name)])[0].aliases


def sound(world: World) -> bool:
    with world.store.reading() as connection:
        return checks.check(connection) == []


# --- rename and retype ---


def test_a_rename_shows_the_new_name_and_keeps_the_old_one_as_an_alias(world: World) -> None:
    world.ingest("Anna knows Bob")
    row = world.entity("Anna")
    world.rename("Anna", " “Anne  Smith” ")
    assert world.entity("anne smith") == world.entity("anna") == row
    assert world.shown("Anna")[0] == "Anne Smith"
    assert aliases(world, "Anna") == ("anna",)
    assert world.sees_fact("Anna knows Bob")


def test_a_rename_may_change_nothing_but_the_spelling(world: World) -> None:
    world.ingest("anna knows Bob")
    world.rename("anna", "ANNA")
    assert world.shown("anna")[0] == "ANNA"
    assert aliases(world, "anna") == ()


def test_renaming_onto_the_name_of_another_entity_is_a_conflict_that_says_which(world: World) -> None:
    world.ingest("Anna knows Bob")
    before = world.graph()
    with pytest.raises(Conflict, match="Bob is another entity; merge the two instead") as refused:
        world.rename("Anna", "BOB")
    assert refused.value.details == {"other": world.store.ids.encode("entities", world.entity("Bob"))}
    assert world.graph() == before


def test_a_name_that_nothing_visible_has_is_free_to_be_taken(world: World) -> None:
    gone = world.ingest("Anna knows Bob")
    world.ingest("Cara likes Dora")
    world.delete("sources", gone.source)
    world.rename("Cara", "Anna")
    world.undelete("sources", gone.source)
    assert world.entity("Anna") == world.entity("Cara")
    assert world.graph().facts[("anna", "knows", "bob", False)][0] == "Anna"
    assert sound(world)


def test_an_entity_whose_only_name_was_taken_becomes_part_of_the_one_that_took_it(world: World) -> None:
    world.ingest("Anna knows Bob", "Cara likes Dora")
    world.pin("entities", old := world.entity("Anna"))
    world.delete("entities", old)
    world.rename("Cara", "Anna")
    world.undelete("entities", old)
    assert not world.sees("entities", old)
    assert sound(world)
    world.undo()
    world.undo()
    assert world.entity("Anna") == old


@pytest.mark.parametrize("name", ["", " ", "他", "It", "——", "x" * 201])
def test_what_is_no_name_cannot_be_given(world: World, name: str) -> None:
    world.ingest("Anna knows Bob")
    with pytest.raises(InvalidInput, match="cannot be a name"):
        world.rename("Anna", name)


def test_an_entity_that_an_undone_split_left_without_a_name_is_not_there(world: World) -> None:
    world.ingest("Anna knows Bob", "Annie knows Bob")
    world.merge("Annie", into="Anna")
    new = world.split("Anna", "Annie")
    world.undo()
    with pytest.raises(NotFound):
        world.pin("entities", new)
    world.redo()
    world.pin("entities", new)
    assert sound(world)


def test_a_kind_said_by_hand_counts_more_than_any_evidence(world: World) -> None:
    world.ingest("Anna:person", "Anna:person\nAnna:person")
    world.edit(edits.retype, world.entity("Anna"), Kind.WORK)
    assert world.shown("Anna") == ("Anna", "work")


# --- merge and split ---


def test_a_merge_unites_names_and_evidence_under_the_name_and_kind_of_the_one_that_stays(world: World) -> None:
    world.ingest("Anna:person\nAnna knows Bob", "Annie:place\nAnnie knows Bob", "Annie:place")
    world.merge("Annie", into="Anna")
    assert world.entity("Annie") == world.entity("Anna")
    assert world.graph().entities[frozenset({"anna", "annie"})] == ("Anna", "person", 3)
    assert sound(world)


def test_the_entity_merged_into_may_stand_among_those_merged(world: World) -> None:
    world.ingest("Anna knows Bob", "Annie likes Cara")
    world.merge("Anna", "Annie", "Anna", into="Anna")
    assert world.graph().entities[frozenset({"anna", "annie"})] == ("Anna", "thing", 2)


def test_merging_an_entity_with_itself_alone_is_refused(world: World) -> None:
    world.ingest("Anna knows Bob")
    with pytest.raises(InvalidInput, match="two entities"):
        world.merge("Anna", into="Anna")


def test_the_id_of_an_entity_that_was_merged_away_stands_for_the_one_it_became_part_of(world: World) -> None:
    world.ingest("Anna knows Bob", "Annie likes Cara")
    old, new = world.entity("Annie"), world.entity("Anna")
    world.merge("Annie", into="Anna")
    with world.store.reading() as connection:
        assert read.standing(connection, old) == new
    world.edit(edits.rename, old, "Anne")
    world.edit(edits.retype, old, Kind.PERSON)
    assert world.shown("Anna") == ("Anne", "person")
    with pytest.raises(InvalidInput):
        world.edit(edits.merge, [new], old)
    world.edit(edits.merge, [world.entity("Cara")], old)
    assert world.entity("Cara") == new
    split = world.edit(edits.split, old, ["cara"])
    assert world.entity("Cara") == split
    world.pin("entities", old)
    assert world.value("SELECT pinned FROM entities WHERE id = ?", new) == 1
    world.delete("entities", old)
    assert not world.sees_entity("Anna")
    assert sound(world)


def test_what_was_merged_from_a_pinned_entity_stays_pinned(world: World) -> None:
    taken = world.ingest("Anna knows Bob")
    world.pin("entities", world.entity("Bob"))
    world.merge("Bob", into="Anna")
    world.delete("sources", taken.source)
    assert world.sees_entity("Anna")


def test_what_was_merged_from_an_entity_made_by_hand_stays_without_evidence(world: World) -> None:
    taken = world.ingest("Anna knows Bob")
    with world.batch() as batch:
        made = batch.insert("entities", ("name", "hand", "pinned", "version"), [("Cara", 1, 0, 1)])[0]
        batch.insert("names", ("key", "entity", "version"), [("cara", made, 1)])
    world.merge("Cara", into="Anna")
    world.delete("sources", taken.source)
    assert world.sees_entity("Anna")


def test_facts_of_a_merged_entity_that_arrive_later_belong_to_the_whole(world: World) -> None:
    world.ingest("Anna knows Bob", "Annie likes Cara")
    world.merge("Annie", into="Anna")
    world.ingest("Annie visits Dora")
    with world.store.reading() as connection:
        rows = read.facts_of_entity(connection, world.entity("Anna"), 10)
    assert set(rows) == {world.fact(line) for line in ("Anna knows Bob", "Annie likes Cara", "Annie visits Dora")}


def test_a_split_gives_names_and_what_was_said_under_them_an_entity_of_their_own(world: World) -> None:
    world.ingest("Anna knows Bob", "Annie:place\nAnnie likes Cara")
    world.merge("Annie", into="Anna")
    new = world.split("Anna", "ANNIE", "nobody")
    assert world.entity("Annie") == new
    assert world.graph().entities[frozenset({"annie"})] == ("Annie", "place", 1)
    assert world.graph().facts[("annie", "likes", "cara", False)][0] == "Annie"
    assert sound(world)


def test_a_name_said_by_hand_leaves_with_the_names_that_leave(world: World) -> None:
    world.ingest("Anna knows Bob", "anne likes Cara")
    world.merge("anne", into="Anna")
    world.rename("Anna", "ANNE")
    world.split("Anna", "anne")
    assert world.shown("anne")[0] == "ANNE"
    assert world.shown("Anna")[0] == "Anna"


@pytest.mark.parametrize("names", [(), ("Cara",), ("Anna", "Annie")])
def test_a_split_of_no_name_or_of_every_name_is_refused_and_says_which_there_are(
    world: World, names: tuple[str, ...]
) -> None:
    world.ingest("Anna knows Bob", "Annie likes Cara")
    world.merge("Annie", into="Anna")
    with pytest.raises(InvalidInput, match="it has anna, annie"):
        world.split("Anna", *names)


# --- delete, undelete, pin ---


def test_deleting_what_is_not_there_or_deleted_already_is_refused(world: World) -> None:
    taken = world.ingest("Anna knows Bob")
    rows = {"sources": taken.source, "passages": 1, "entities": world.entity("Anna"), "facts": 1}
    for table, row in rows.items():
        with pytest.raises(NotFound):
            world.undelete(table, row)
        world.delete(table, row)
        with pytest.raises(NotFound):
            world.delete(table, row)
        with pytest.raises(NotFound):
            world.delete(table, 99)
        with pytest.raises(NotFound):
            world.undelete(table, 99)
        world.undelete(table, row)


def test_only_what_stands_for_itself_is_deleted_or_pinned(world: World) -> None:
    taken = world.ingest("Anna knows Bob")
    for change in (edits.delete, edits.undelete):
        with pytest.raises(InvalidInput, match="mentions cannot"):
            world.edit(change, "mentions", 1)
    with pytest.raises(InvalidInput, match="can be pinned"):
        world.pin("sources", taken.source)
    with pytest.raises(NotFound):
        world.pin("passages", 99)


def test_unpinning_takes_back_what_pinning_did(world: World) -> None:
    taken = world.ingest("Anna knows Bob")
    world.pin("facts", fact := world.fact("Anna knows Bob"))
    world.delete("sources", taken.source)
    assert world.sees("facts", fact)
    world.pin("facts", fact, pinned=False)
    assert not world.sees("facts", fact)


# --- versions ---

VERBS: dict[str, Callable[[Batch, World, int], Any]] = {
    "rename": lambda batch, world, version: edits.rename(batch, world.entity("Anna"), "Anne", version=version),
    "retype": lambda batch, world, version: edits.retype(batch, world.entity("Anna"), Kind.WORK, version=version),
    "merge": lambda batch, world, version: edits.merge(
        batch, [world.entity("Bob")], world.entity("Anna"), version=version
    ),
    "split": lambda batch, world, version: edits.split(batch, world.entity("Anna"), ["Annie"], version=version),
    "delete": lambda batch, world, version: edits.delete(batch, "entities", world.entity("Anna"), version=version),
    "pin": lambda batch, world, version: edits.pin(
        batch, "entities", world.entity("Anna"), pinned=True, version=version
    ),
}


@pytest.mark.parametrize("verb", VERBS)
def test_an_edit_of_a_version_that_is_past_is_a_conflict_and_one_of_the_present_version_is_not(
    world: World, verb: str
) -> None:
    world.ingest("Anna knows Bob", "Annie likes Cara")
    seen = world.value("SELECT version FROM entities WHERE id = ?", world.entity("Anna"))
    world.merge("Annie", into="Anna", actor="ben")
    now = world.value("SELECT version FROM entities WHERE id = ?", world.entity("Anna"))
    before = world.graph()
    with pytest.raises(Conflict) as refused, world.batch() as batch:
        VERBS[verb](batch, world, seen)
    assert refused.value.details == {"now": now, "expected": seen}
    assert world.graph() == before
    with world.batch() as batch:
        VERBS[verb](batch, world, now)


def test_undeleting_a_version_that_is_past_is_a_conflict(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.delete("facts", 1)
    with pytest.raises(Conflict):
        world.edit(edits.undelete, "facts", 1, version=1)
    world.edit(edits.undelete, "facts", 1, version=2)


def test_an_entity_s_version_grows_when_names_come_or_leave(world: World) -> None:
    world.ingest("Anna knows Bob", "Annie likes Cara")
    row = world.entity("Anna")
    seen = [1]
    for step in (
        lambda: world.merge("Annie", into="Anna"),
        lambda: world.split("Anna", "Annie"),
        world.undo,
        world.redo,
    ):
        step()
        seen.append(world.value("SELECT version FROM entities WHERE id = ?", row))
    assert seen == sorted(set(seen))
