"""Counted evidence: what is visible follows from what live sources say, and from what a person deleted or pinned."""

from __future__ import annotations

import pytest

from lpmm_core.store import read
from tests.store.world import World


def test_deleting_a_source_keeps_facts_that_another_source_supports(world: World) -> None:
    one = world.ingest("Anna knows Bob\nAnna:person", "Cara likes Dora")
    world.ingest("Anna knows Bob")
    world.delete("sources", one.source)
    assert world.sees_fact("Anna knows Bob")
    assert not world.sees_fact("Cara likes Dora")
    assert world.shown("Anna") == ("Anna", "thing")  # that she is a person, only the deleted source said


def test_an_entity_goes_with_its_last_evidence_and_comes_back_with_it(world: World) -> None:
    one, two = world.ingest("Anna knows Bob"), world.ingest("Anna likes Cara")
    world.delete("sources", one.source)
    assert (world.sees_entity("Anna"), world.sees_entity("Bob")) == (True, False)
    world.delete("sources", two.source)
    assert not world.sees_entity("Anna")
    world.undelete("sources", one.source)
    assert world.sees_entity("Anna")


def test_the_same_text_from_two_sources_is_one_passage_and_stays_while_one_of_them_does(world: World) -> None:
    one, two = world.ingest("Anna knows Bob"), world.ingest("Anna knows Bob")
    assert world.graph().passages == {(None, "Anna knows Bob"): 2}
    assert world.value("SELECT count(*) FROM passages") == 1
    world.delete("sources", one.source)
    assert world.graph().passages == {(None, "Anna knows Bob"): 1}
    assert world.sees_fact("Anna knows Bob")
    world.delete("sources", two.source)
    assert world.graph().passages == {}
    assert not world.sees_fact("Anna knows Bob")


def test_deleting_a_passage_takes_it_out_of_every_source(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.ingest("Anna knows Bob", "Cara likes Dora")
    world.delete("passages", world.passage("Anna knows Bob"))
    assert world.graph().entities.keys() == {frozenset({"cara"}), frozenset({"dora"})}


def test_evidence_counts_passages_and_not_how_often_they_are_said(world: World) -> None:
    for _ in range(3):
        world.ingest("Anna knows Bob")
    world.ingest("Anna likes Cara")
    assert world.graph().entities[frozenset({"anna"})][2] == 2


def test_a_title_makes_no_entity_visible_until_a_text_speaks_of_it(world: World) -> None:
    titled = world.ingest("# Anna Karenina (novel)\nsomebody wrote it")
    assert world.value("SELECT count(*) FROM mentions WHERE titular") == 2
    assert world.graph().entities == {}
    world.ingest("Anna Karenina:work")
    assert world.shown("Anna Karenina") == ("Anna Karenina", "work")
    assert ("somebody wrote it", frozenset({"anna karenina"}), True) in world.graph().mentions
    assert world.graph().entities[frozenset({"anna karenina"})][2] == 1
    world.delete("sources", titled.source)
    assert world.sees_entity("Anna Karenina")


def test_what_is_pinned_stays_without_evidence(world: World) -> None:
    taken = world.ingest("Anna knows Bob", "Cara likes Dora")
    world.pin("entities", world.entity("Anna"))
    world.delete("sources", taken.source)
    assert world.graph().entities.keys() == {frozenset({"anna"})}


def test_a_pinned_fact_stays_without_evidence_and_keeps_its_ends(world: World) -> None:
    taken = world.ingest("Anna knows Bob", "Cara likes Dora")
    world.pin("facts", fact := world.fact("Cara likes Dora"))
    world.delete("sources", taken.source)
    assert world.sees("facts", fact)
    assert world.graph().entities.keys() == {frozenset({"cara"}), frozenset({"dora"})}
    world.pin("facts", fact, pinned=False)
    assert (world.graph().facts, world.graph().entities) == ({}, {})


@pytest.mark.parametrize("end", ["Cara", "Dora"])
def test_a_pinned_fact_does_not_bring_back_an_end_that_a_person_deleted(world: World, end: str) -> None:
    taken = world.ingest("Cara likes Dora")
    world.pin("facts", fact := world.fact("Cara likes Dora"))
    world.delete("sources", taken.source)
    world.delete("entities", row := world.entity(end))
    assert not world.sees("facts", fact)
    assert len(world.graph().entities) == 1
    world.undelete("entities", row)
    world.delete("facts", fact)
    assert world.graph().entities == {}


def test_a_fact_whose_ends_become_one_is_out_of_sight_until_they_are_two_again(world: World) -> None:
    world.ingest("Anna knows Annie\nAnna likes Bob")
    world.pin("facts", world.fact("Anna knows Annie"))
    world.merge("Annie", into="Anna")
    assert world.graph().facts.keys() == {("anna", "likes", "bob", False)}
    world.undo()
    assert world.sees_fact("Anna knows Annie")
    world.redo()
    world.split("Anna", "Annie")
    assert world.sees_fact("Anna knows Annie")


def test_entities_kept_by_a_pinned_fact_stay_when_they_are_merged(world: World) -> None:
    taken = world.ingest("Anna knows Annie")
    world.pin("facts", world.fact("Anna knows Annie"))
    world.delete("sources", taken.source)
    world.merge("Annie", into="Anna")
    assert world.graph().entities.keys() == {frozenset({"anna", "annie"})}
    assert world.graph().facts == {}


def test_what_was_made_by_hand_needs_no_evidence(world: World) -> None:
    with world.batch() as batch:
        entity = batch.insert("entities", ("name", "hand", "pinned", "version"), [("Anna", 1, 0, 1)])[0]
        batch.insert("names", ("key", "entity", "version"), [("anna", entity, 1)])
    assert world.sees("entities", entity)
    world.delete("entities", entity)
    assert not world.sees("entities", entity)


def test_a_person_may_state_by_hand_what_a_text_states_too(world: World) -> None:
    taken = world.ingest("Anna knows Bob")
    ends = [world.value("SELECT id FROM names WHERE key = ?", key) for key in ("anna", "bob")]
    columns = ("lineage", "number", "subject", "predicate", "object", "negated", "confidence", "recorded_start")
    with world.batch("ann", "state") as batch:
        row = batch.insert(
            "facts",
            (*columns, "hand", "pinned", "version"),
            [(9, 1, ends[0], "knows", ends[1], 0, 1.0, batch.time, 1, 0, 1)],
        )[0]
    world.delete("sources", taken.source)
    assert world.sees("facts", row)
    assert not world.sees_fact("Anna knows Bob")


def test_a_deleted_record_is_out_of_sight_even_when_pinned_and_supported(world: World) -> None:
    world.ingest("Anna knows Bob")
    for table, row in (("facts", world.fact("Anna knows Bob")), ("entities", world.entity("Anna")), ("passages", 1)):
        world.pin(table, row)
        world.delete(table, row)
        assert not world.sees(table, row)
        world.undelete(table, row)
        assert world.sees(table, row)


@pytest.mark.parametrize("end", ["Anna", "Bob"])
def test_a_deleted_entity_takes_its_facts_out_of_sight_but_not_the_entity_at_their_other_end(
    world: World, end: str
) -> None:
    world.ingest("Anna knows Bob")
    world.delete("entities", world.entity(end))
    assert not world.sees_fact("Anna knows Bob")
    assert len(world.graph().entities) == 1


def test_a_deleted_entity_stays_deleted_when_it_is_met_again(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.delete("entities", world.entity("Anna"))
    world.ingest("Anna likes Cara")
    assert not world.sees_entity("Anna")


def test_a_fact_and_its_negation_are_two_facts(world: World) -> None:
    one = world.ingest("Anna knows Bob")
    world.ingest("Anna never knows Bob")
    assert world.graph().facts.keys() == {("anna", "knows", "bob", False), ("anna", "knows", "bob", True)}
    world.delete("sources", one.source)
    assert world.graph().facts.keys() == {("anna", "knows", "bob", True)}


def test_an_entity_shows_the_spelling_most_live_evidence_has_and_of_equals_the_first_by_code_point(
    world: World,
) -> None:
    taken = world.ingest("ANNA knows Bob", "ANNA likes Cara")
    world.ingest("anna visits Dora", "Anna meets Eve")
    assert world.shown("anna")[0] == "ANNA"
    world.delete("sources", taken.source)
    assert world.shown("anna")[0] == "Anna"


def test_a_kind_outweighs_any_number_of_mentions_as_a_mere_thing(world: World) -> None:
    names = [f"N{number}" for number in range(1500)]
    world.ingest("\n".join(["Anna:person", *(f"Anna:thing\nAnna knows {name}" for name in names)]))
    assert world.shown("Anna") == ("Anna", "person")


def test_how_a_title_is_spelt_says_nothing_of_how_an_entity_is_shown(world: World) -> None:
    world.ingest("# ANNA\none", "# ANNA\ntwo", "Anna knows Bob")
    assert world.shown("Anna") == ("Anna", "thing")


def test_of_several_kinds_the_most_said_is_shown(world: World) -> None:
    world.ingest("Anna:work", "Anna:place", "Anna:place\nAnna knows Bob")
    assert world.shown("Anna")[1] == "place"


def test_the_evidence_a_fact_shows_is_live(world: World) -> None:
    one, two = world.ingest("Anna knows Bob"), world.ingest("Cara:place", "Anna knows Bob")
    row = world.fact("Anna knows Bob")
    encode = world.store.ids.encode
    with world.store.reading() as connection:
        assert read.facts(connection, world.store.ids, [row])[0].evidence == (
            encode("occurrences", one.occurrences[0]),
            encode("occurrences", two.occurrences[1]),
        )
    world.delete("sources", one.source)
    with world.store.reading() as connection:
        assert read.facts(connection, world.store.ids, [row])[0].evidence == (
            encode("occurrences", two.occurrences[1]),
        )


def test_the_counts_are_of_what_is_visible(world: World) -> None:
    world.ingest("Anna knows Bob", "Anna likes Cara\nCara likes Dora")
    gone = world.ingest("Anna knows Bob", "Eve:person")
    world.merge("Dora", into="Cara")
    with world.store.reading() as connection:
        assert read.counts(connection) == {
            "paragraphs": 3,
            "occurrences": 4,
            "entities": 4,
            "facts": 2,
            "sources": 2,
            "mention": 5,
            "alias_of": 1,
        }
    world.delete("sources", gone.source)
    world.delete("entities", world.entity("Bob"))
    with world.store.reading() as connection:
        assert read.counts(connection) == {
            "paragraphs": 2,
            "occurrences": 2,
            "entities": 2,
            "facts": 1,
            "sources": 1,
            "mention": 3,
            "alias_of": 1,
        }
