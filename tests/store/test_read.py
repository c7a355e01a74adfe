"""Rows turned into the nouns."""

from __future__ import annotations

import pytest

from lpmm_core.base.errors import NotFound
from lpmm_core.base.records import Kind, Passage
from lpmm_core.store import checks, edits, entries, history, preview, read, traces
from tests.store.world import World


def test_records_come_in_the_order_asked_for_and_unknown_rows_are_left_out(world: World) -> None:
    world.ingest("Anna knows Bob", "# Cara\nCara likes Dora")
    ids = world.store.ids
    with world.store.reading() as connection:
        passages = read.passages(connection, ids, [2, 9, 1])
        entities = read.entities(connection, ids, [2, 99, 1])
        facts = read.facts(connection, ids, [2, 99, 1])
        sources = read.sources(connection, ids, [99, 1])
    assert passages == [
        Passage(ids.encode("passages", 2), "Cara likes Dora", "Cara"),
        Passage(ids.encode("passages", 1), "Anna knows Bob"),
    ]
    assert [e.name for e in entities] == ["Bob", "Anna"]
    assert [(f.subject, f.predicate, f.object) for f in facts] == [("Cara", "likes", "Dora"), ("Anna", "knows", "Bob")]
    assert [(s.name, s.passages, s.states) for s in sources] == [("notes 1", 2, {"ready": 2})]


def test_more_rows_than_a_query_takes_are_read_in_parts(world: World) -> None:
    lines = [f"N{number} follows N{number + 1}" for number in range(1200)]
    world.ingest("\n".join(lines))
    with world.store.reading() as connection:
        assert len(read.facts(connection, world.store.ids, range(1, 1300))) == 1200
        assert len(read.entities(connection, world.store.ids, range(1, 1300))) == 1201


def test_an_entity_lists_its_other_names_and_whether_a_hand_was_at_it(world: World) -> None:
    world.ingest("Ａnna knows Bob", "Annie likes Cara")
    with world.store.reading() as connection:
        before = read.entities(connection, world.store.ids, [world.entity("Anna")])[0]
    assert (before.name, before.aliases, before.passages, before.hand, before.version) == ("Ａnna", (), 1, False, 1)
    world.merge("Annie", into="Anna")
    world.pin("entities", world.entity("Anna"))
    with world.store.reading() as connection:
        after = read.entities(connection, world.store.ids, [world.entity("Anna")])[0]
    assert (after.name, after.aliases, after.passages, after.hand, after.pinned) == ("Ａnna", ("annie",), 2, True, True)


def test_the_ends_of_a_fact_show_what_their_entities_show_now(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    with world.store.reading() as connection:
        (fact,) = read.facts(connection, world.store.ids, [1])
        assert (fact.subject, fact.subject_id) == ("Anne", world.store.ids.encode("entities", world.entity("Anna")))


def test_a_chain_of_merges_leads_to_the_entity_that_stands(world: World) -> None:
    world.ingest("Anna knows Bob\nCara knows Dora")
    first, last = world.entity("Anna"), world.entity("Dora")
    for name, into in (("Anna", "Bob"), ("Bob", "Cara"), ("Cara", "Dora")):
        world.merge(name, into=into)
    with world.store.reading() as connection:
        assert read.standing(connection, first) == last
        with pytest.raises(NotFound):
            read.standing(connection, 99)
    world.delete("entities", last)
    with world.store.reading() as connection, pytest.raises(NotFound):
        read.standing(connection, first)


def test_the_facts_of_an_entity_come_with_the_best_supported_first_by_what_is_live(world: World) -> None:
    gone = world.ingest("Anna knows Bob\none", "Anna knows Bob\ntwo", "Anna knows Bob\nthree")
    world.ingest("Anna knows Bob\nfour", "Cara likes Anna", "Cara likes Anna\ntwo", "Anna visits Dora")
    for _ in range(3):  # said again is no better supported
        world.ingest("Anna visits Dora")

    def facts() -> list[int]:
        with world.store.reading() as connection:
            return read.facts_of_entity(connection, world.entity("Anna"), 2)

    assert facts() == [world.fact("Anna knows Bob"), world.fact("Cara likes Anna")]
    world.delete("sources", gone.source)
    assert facts() == [world.fact("Cara likes Anna"), world.fact("Anna knows Bob")]
    with world.batch() as batch:
        batch.update(
            "facts", world.fact("Cara likes Anna"), recorded_end=batch.time
        )  # what is closed comes after what is open
    assert facts() == [world.fact("Anna knows Bob"), world.fact("Anna visits Dora")]


def test_a_source_that_was_withdrawn_has_no_passages(world: World) -> None:
    world.ingest("Anna knows Bob")
    taken = world.ingest("Anna knows Bob", "Cara likes Dora")
    world.undo()
    with world.store.reading() as connection:
        (source,) = read.sources(connection, world.store.ids, [taken.source])
    assert (source.passages, source.states, source.deleted) == (0, {}, True)


def test_sources_and_passages_come_a_stretch_at_a_time(world: World) -> None:
    taken = [world.ingest(f"text {number}a", f"text {number}b") for number in range(3)]
    world.delete("sources", taken[1].source)
    with world.store.reading() as connection:
        assert read.source_rows(connection, offset=0, limit=1, deleted=False) == ([taken[2].source], 2)
        assert read.source_rows(connection, offset=1, limit=5, deleted=False) == ([taken[0].source], 2)
        assert read.source_rows(connection, offset=0, limit=5, deleted=True) == ([taken[1].source], 1)
        assert read.passage_rows(connection, taken[2].source, offset=1, limit=5) == ([world.passage("text 2b")], 2)
        assert read.passage_rows(connection, taken[1].source, offset=0, limit=5) == ([], 0)


# --- entries, suggestions, history, side log, preview ---


def test_a_passage_is_opened_with_its_names_marked_and_its_facts(world: World) -> None:
    world.ingest("Anna:person\nAnna Lee:person\nAnna knows Bob")
    ids = world.store.ids
    with world.store.reading() as connection:
        entry = entries.passage_entry(connection, ids, ids.encode("passages", 1))
    assert [(span.start, span.end, span.kind) for span in entry.spans] == [(0, 8, Kind.PERSON)]  # the longer of two
    assert [fact.predicate for fact in entry.facts] == ["knows"]
    assert len(entry.occurrences) == 1
    world.delete("entities", world.entity("Anna"))
    with world.store.reading() as connection:
        entry = entries.passage_entry(connection, ids, ids.encode("passages", 1))
    assert [(span.start, span.end) for span in entry.spans] == [(0, 8)]
    assert entry.facts == ()
    world.delete("passages", 1)
    with world.store.reading() as connection, pytest.raises(NotFound):
        entries.passage_entry(connection, ids, ids.encode("passages", 1))


def test_an_entity_is_opened_by_any_id_it_ever_had(world: World) -> None:
    world.ingest("Anna knows Bob", "Annie likes Cara", "# Anna\nof a title alone")
    old = world.store.ids.encode("entities", world.entity("Annie"))
    world.merge("Annie", into="Anna")
    with world.store.reading() as connection:
        entry = entries.entity_entry(connection, world.store.ids, old)
    assert entry.entity.name == "Anna"
    assert {fact.predicate for fact in entry.facts} == {"knows", "likes"}
    assert [passage.text for passage, _ in entry.passages] == ["Anna knows Bob", "Annie likes Cara"]


def test_names_are_suggested_by_their_beginning_first_and_only_of_what_is_visible(world: World) -> None:
    world.ingest("Ann knows Bob", "Anna likes Bob", "Anna knows Bob", "Joanna likes Bob", "100% follows _x")
    gone = world.ingest("Annika likes Dora")
    world.delete("sources", gone.source)

    def suggested(text: str) -> list[str]:
        with world.store.reading() as connection:
            return [entity.name for entity in entries.suggestions(connection, world.store.ids, text, 5)]

    assert suggested("ann") == ["Anna", "Ann", "Joanna"]
    assert suggested("%") == ["100%"]
    assert suggested("_") == ["_x"]
    assert suggested(" ") == []


def test_the_history_says_what_stands_and_what_was_taken_back(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.rename("Anna", "Anne")
    world.undo()
    world.delete("facts", 1, actor="ben")
    with world.store.reading() as connection:
        done = history.operations(connection, world.store.ids, limit=10)
    assert [(one.actor, one.kind, one.state) for one in done if one.kind != "read"] == [
        ("ben", "delete", "done"),
        ("ann", "undo", "inverse"),
        ("ann", "rename", "undone"),
        ("ann", "ingest", "done"),
    ]


def test_what_was_asked_is_kept_beside_the_journal(world: World) -> None:
    world.ingest("Anna knows Bob")
    before = world.value("SELECT max(sequence) FROM batches")
    result = {
        "paragraphs": [{"id": world.store.ids.encode("passages", 1), "text": "Anna knows Bob"}],
        "question": "往世乐土?",
    }
    kept = traces.keep(world.store, "ann", "往世乐土?", result)
    assert kept is not None
    with world.store.reading() as connection:
        assert traces.load(connection, world.store.ids, kept) == {**result, "retrieval": kept}
        with pytest.raises(NotFound):
            traces.load(connection, world.store.ids, world.store.ids.encode("traces", 99))
    assert [row["passage"] for row in world.rows("SELECT passage FROM uses")] == [1]
    assert world.value("SELECT max(sequence) FROM batches") == before


def test_a_deletion_is_told_beforehand_and_nothing_of_the_trial_stays(world: World) -> None:
    taken = world.ingest("Anna knows Bob", "Cara likes Anna")
    world.ingest("Anna knows Bob")
    before, changes = world.graph(), world.value("SELECT count(*) FROM changes")
    told = preview.deletion(world.store, [("sources", taken.source)])
    assert (told.passages, told.facts, told.entities) == (1, 1, 1)
    assert (told.kept_passages, told.kept_facts, told.kept_entities) == (1, 1, 2)
    assert world.graph() == before
    assert world.value("SELECT count(*) FROM changes") == changes
    world.delete("sources", taken.source)
    after = world.graph()
    assert len(before.passages) - len(after.passages) == told.passages
    assert len(before.facts) - len(after.facts) == told.facts
    assert len(before.entities) - len(after.entities) == told.entities


def test_the_deletion_of_an_entity_takes_its_facts_and_of_a_passage_its_own(world: World) -> None:
    world.ingest("Anna knows Bob", "Cara likes Anna\nCara likes Bob")
    for records in ([("entities", world.entity("Anna"))], [("passages", 2)], [("facts", 1), ("passages", 2)]):
        before = world.graph()
        told = preview.deletion(world.store, records)
        for record in records:
            world.delete(*record)
        after = world.graph()
        assert told.passages == len(before.passages) - len(after.passages)
        assert told.facts == len(before.facts) - len(after.facts) > 0
        assert told.entities == len(before.entities) - len(after.entities)
        for _ in records:
            world.undo()


def test_the_deletion_of_a_pinned_fact_takes_the_entities_that_it_alone_keeps(world: World) -> None:
    taken = world.ingest("Anna knows Bob")
    world.pin("facts", 1)
    world.delete("sources", taken.source)
    told = preview.deletion(world.store, [("facts", 1)])
    assert (told.facts, told.entities) == (1, 2)


def test_what_is_stated_is_told_passage_by_passage_as_entities_show_now(world: World) -> None:
    world.ingest("# Anna\nBob:person\nAnna knows Bob", "Anna knows Bob\nCara likes Bob")
    gone = world.ingest("Dora likes Bob")
    world.delete("sources", gone.source)
    world.delete("entities", world.entity("Cara"))
    world.rename("Bob", "Bert")
    with world.store.reading() as connection:
        assert list(entries.stated(connection)) == [
            ("Anna\nBob:person\nAnna knows Bob", ["Bert", "Anna"], [("Anna", "knows", "Bert")], []),
            ("Anna knows Bob\nCara likes Bob", ["Anna", "Bert"], [("Anna", "knows", "Bert")], []),
        ]


def test_reading_leaves_the_truth_as_it_is(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.edit(edits.retype, world.entity("Anna"), Kind.PERSON)
    with world.store.reading() as connection:
        assert checks.check(connection) == []
