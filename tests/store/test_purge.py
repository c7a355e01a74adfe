"""Taking text out for good: nothing of it is to be found in any file of the space."""

from __future__ import annotations

import numpy as np
import pytest

from lpmm_core.base.errors import Busy, Conflict, LpmmError, UndoBlocked
from lpmm_core.base.records import Kind
from lpmm_core.store import checks, database, edits, evidence, jobs, models, purge, traces
from lpmm_core.store.evidence import Found
from tests.store.conftest import Opener
from tests.store.world import READER, World, reading

SECRET = "Zerlina confides Quixotico"
"""A passage whose every word stands nowhere else."""

WORDS = ("zerlina", "confides", "quixotico")


def take_out(world: World, *texts: str, scrub: bool = True) -> None:
    rows = [world.passage(text) for text in texts]
    with world.batch("ann", "purge") as batch:
        purge.purge_passages(batch, rows, secret=world.store.secret)
    if scrub:
        world.store.database.scrub()


def leftovers(world: World) -> set[tuple[str, str]]:
    """Return (file, word) for each word of the secret in each file of the space, in any of three encodings."""
    return {
        (file.name, word)
        for file in world.store.path.rglob("*")
        if file.is_file()
        for word in WORDS
        for form in (word, word.capitalize())
        if form.encode() in (data := file.read_bytes())
        or form.encode("utf-16-le") in data
        or form.encode().hex().encode() in data
    }


def sound(world: World) -> bool:
    with world.store.reading() as connection:
        return checks.check(connection) == []


def vectors_of(world: World) -> None:
    """Give every passage, name and fact a vector, and every pair of names a cosine."""
    with world.batch("system:embed", "embed") as batch:
        model = models.set_model(batch, "toy", probe=np.eye(2, dtype=np.float32), centre=np.zeros(2, np.float32))
        for kind, table in (("passage", "passages"), ("name", "names"), ("fact", "facts")):
            rows = [row[0] for row in batch.connection.execute(f"SELECT id FROM {table}")]
            evidence.add_vectors(batch, kind, rows, np.ones((len(rows), 2), np.float32), model=model)
        names = [row[0] for row in batch.connection.execute("SELECT id FROM names")]
        evidence.add_synonyms(batch, [(a, b, 0.9) for a in names for b in names], model=model)


def test_purged_text_is_found_in_no_file_of_the_space(world: World) -> None:
    world.ingest("Anna knows Bob")
    taken = world.ingest(SECRET, name="zerlina.txt")
    vectors_of(world)
    world.rename("Zerlina", "Zerlina Quixotico")
    world.edit(edits.retype, world.entity("Zerlina"), Kind.PERSON)
    world.merge("Quixotico", into="Zerlina", actor="ben")
    world.undo("ben")
    with world.batch("ann", "rename", "Zerlina to Anna") as batch:  # as the façade says it
        edits.rename(batch, world.entity("Zerlina"), "Zerlina Confides")
    passage = world.store.ids.encode("passages", world.passage(SECRET))
    evidence_id = world.store.ids.encode("occurrences", taken.occurrences[0])
    traces.keep(world.store, "ann", "who?", {"paragraphs": [{"id": passage, "text": SECRET}], "facts": []})
    traces.keep(
        world.store, "ann", "who?", {"paragraphs": [], "facts": [{"subject": "Zerlina", "evidence": [evidence_id]}]}
    )
    with world.store.database.writing() as connection:
        connection.execute("UPDATE jobs SET error = 'cannot read Zerlina' WHERE id = ?", (taken.job,))
        connection.execute(
            "UPDATE tasks SET error = 'cannot read Zerlina', state = 'failed' WHERE job = ?", (taken.job,)
        )
        connection.execute("INSERT INTO answers VALUES ('k', ?, 'm', ?)", (world.passage(SECRET), SECRET))
    (world.store.path / database.COPY_BEFORE.format("m0002")).write_text(SECRET)
    world.store.database.writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
    assert {file for file, _ in leftovers(world)} == {"memory.db", "memory.db-wal", "before-m0002.backup"}
    world.delete("sources", taken.source)
    take_out(world, SECRET)
    assert leftovers(world) == set()
    assert world.rows("SELECT * FROM uses") == []
    assert world.value("SELECT summary FROM operations WHERE id = 1") == "notes 1"
    assert world.graph().passages == {(None, "Anna knows Bob"): 1}
    assert sound(world)


def test_text_is_purged_only_when_it_is_out_of_sight(world: World) -> None:
    world.ingest(SECRET)
    with pytest.raises(LpmmError, match="delete it first"):
        take_out(world, SECRET)
    assert world.sees_fact(SECRET)


def test_a_purge_may_be_asked_for_again(world: World) -> None:
    world.ingest("Anna knows Bob")
    with world.batch("ann", "purge") as batch:
        purge.purge_passages(batch, [99], secret=world.store.secret)
    assert sound(world)


def test_what_another_passage_supports_stays_when_one_is_purged(world: World) -> None:
    world.ingest("Anna knows Bob", "Bob likes Cara")
    world.ingest("Anna knows Bob\nDora:person")
    vectors_of(world)
    with world.batch("system:embed", "embed") as batch:
        evidence.add_vectors(batch, "passage", [3], np.ones((1, 2), np.float32), model=1)
    before, vectors = world.graph(), world.rows("SELECT * FROM vectors WHERE model = 1")
    gone = world.ingest("Anna knows Bob\nBob likes Eve")
    vectors_of(world)
    world.delete("sources", gone.source)
    take_out(world, "Anna knows Bob\nBob likes Eve", scrub=False)
    assert world.graph() == before
    assert {row["key"] for row in world.rows("SELECT key FROM names")} == {"anna", "bob", "cara", "dora"}
    assert world.value("SELECT count(*) FROM facts") == 2
    assert [tuple(row) for row in world.rows("SELECT * FROM vectors WHERE model = 1")] == [
        tuple(row) for row in vectors
    ]
    assert sound(world)


def test_the_same_text_in_a_source_that_stays_protects_it(world: World) -> None:
    one = world.ingest("Anna knows Bob")
    world.ingest("Anna knows Bob")
    world.delete("sources", one.source)
    with world.store.reading() as connection:
        assert purge.purgeable(connection, [("sources", one.source)]) == []
    with pytest.raises(LpmmError):
        take_out(world, "Anna knows Bob")


def test_what_a_person_pinned_or_made_stays_when_its_evidence_is_purged(world: World) -> None:
    world.ingest("Anna knows Bob", "Cara:person")
    world.pin("facts", world.fact("Anna knows Bob"))
    world.pin("entities", world.entity("Cara"))
    world.delete("passages", 1)
    world.delete("passages", 2)
    take_out(world, "Anna knows Bob", "Cara:person", scrub=False)
    assert world.sees_fact("Anna knows Bob")
    assert world.sees_entity("Cara")
    assert sound(world)


def test_what_was_pinned_and_then_deleted_goes_with_the_text(world: World) -> None:
    taken = world.ingest(SECRET)
    world.pin("facts", fact := world.fact(SECRET))
    world.pin("entities", entity := world.entity("Zerlina"))
    world.delete("facts", fact)
    world.delete("entities", entity)
    world.delete("sources", taken.source)
    take_out(world, SECRET)
    assert leftovers(world) == set()


def test_a_merger_is_undone_as_far_as_a_purge_has_left_names(world: World) -> None:
    world.ingest(SECRET, "Zara likes Cara", "Anna likes Cara", "Dora sees Eve")
    world.merge("Zerlina", "Zara", into="Anna", actor="ben")
    world.split("Anna", "Zerlina", "Zara", actor="ben")
    world.merge("Zara", into="Dora")
    world.delete("passages", world.passage(SECRET), actor="ben")
    take_out(world, SECRET)
    assert leftovers(world) == set()
    assert world.undo().kind == "merge"
    assert world.entity("Zara") not in (world.entity("Dora"), world.entity("Anna"))
    assert sound(world)


def test_a_name_stays_where_it_is_when_the_entity_it_was_taken_from_was_purged(world: World) -> None:
    world.ingest("Anna knows Bob")
    hidden = world.ingest("Dora:person", SECRET)
    world.merge("Dora", into="Zerlina", actor="ben")
    world.delete("sources", hidden.source, actor="ben")
    world.rename("Anna", "Dora")  # takes the name from what nothing speaks of now
    world.delete("passages", world.passage(SECRET), actor="ben")
    take_out(world, SECRET)
    assert world.undo().kind == "rename"
    assert world.shown("Dora")[0] == "Anna"
    assert sound(world)


def test_an_undo_that_a_purge_stands_in_the_way_of_is_not_promised_for_later(world: World) -> None:
    world.ingest(SECRET, "Anna likes Cara")
    world.merge("Anna", into="Zerlina", actor="ben")
    world.merge("Zerlina", into="Cara", actor="ben")
    world.delete("passages", world.passage(SECRET))
    take_out(world, SECRET)
    with pytest.raises(UndoBlocked, match="ann has since done 'purge' on the same record, which is for good"):
        world.undo("ben")


def test_a_source_goes_with_the_last_of_its_text(world: World) -> None:
    taken = world.ingest("Anna knows Bob", "Cara:person")
    for text in ("Anna knows Bob", "Cara:person"):
        assert world.value("SELECT count(*) FROM sources") == 1
        world.delete("passages", world.passage(text))
        take_out(world, text, scrub=False)
    assert world.rows("SELECT * FROM sources WHERE id = ?", taken.source) == []
    assert sound(world)


def test_of_a_merged_entity_the_names_that_only_purged_text_had_go(world: World) -> None:
    world.ingest("Anna knows Bob")
    gone = world.ingest("Zerlina:person", "Quixotico:person")
    world.merge("Quixotico", into="Zerlina")
    world.merge("Zerlina", into="Anna")
    for name in ("Zerlina", "Anna"):
        world.rename("Anna", name)
    world.delete("sources", gone.source)
    take_out(world, "Zerlina:person", "Quixotico:person")
    assert leftovers(world) == set()
    assert world.graph().entities[frozenset({"anna"})] == ("Anna", "thing", 1)
    assert sound(world)


def test_the_name_a_merged_entity_shows_goes_when_only_purged_text_had_it(world: World) -> None:
    gone = world.ingest("Zerlina:person")
    world.ingest("Anna knows Bob")
    world.merge("Anna", into="Zerlina")
    world.delete("sources", gone.source)
    take_out(world, "Zerlina:person")
    assert leftovers(world) == set()
    assert world.shown("Anna") == ("Anna", "person")
    assert sound(world)


def test_a_trace_goes_when_it_holds_the_text_and_only_then(world: World) -> None:
    world.ingest("往世乐土 在 “远方”", "Anna knows Bob")
    for text in ("往世乐土 在 “远方”", "Anna knows Bob"):
        traces.keep(world.store, "ann", "who?", {"paragraphs": [], "quoted": f"it says: {text}"})
    world.delete("passages", 1)
    take_out(world, "往世乐土 在 “远方”", scrub=False)
    assert [row["id"] for row in world.rows("SELECT id FROM traces")] == [2]


def test_a_tombstone_says_nothing_of_the_text_it_keeps_out(world: World, open_store: Opener) -> None:
    stones = []
    for one in (world, World(open_store("other"))):
        one.ingest("Anna knows Bob")
        one.delete("passages", 1)
        take_out(one, "Anna knows Bob", scrub=False)
        stones.append(one.value("SELECT digest FROM tombstones"))
    assert stones[0] != stones[1]


def test_a_reader_of_the_time_before_is_told_of_and_the_next_scrub_clears_what_it_held(world: World) -> None:
    world.ingest(SECRET)
    world.delete("passages", 1)
    world.store.database.writer.execute("PRAGMA busy_timeout = 50")
    with world.store.reading():
        with pytest.raises(Busy, match="still being read"):
            take_out(world, SECRET)
        assert leftovers(world)
    world.store.database.scrub()
    assert leftovers(world) == set()


def test_a_scrubbed_memory_goes_on_as_before_in_a_smaller_file(world: World) -> None:
    world.ingest("Anna knows Bob")
    before = world.graph()
    file = world.store.path / "memory.db"
    world.delete("sources", world.ingest(large := "word " * 50_000).source)
    world.store.database.scrub()
    size = file.stat().st_size
    take_out(world, large)
    assert file.stat().st_size < size - 200_000
    assert world.graph() == before
    world.ingest("Cara likes Dora")
    assert sound(world)


def test_the_sources_that_can_be_purged_are_named_by_the_passages_no_other_holds(world: World) -> None:
    one = world.ingest("Anna knows Bob", "Cara:person")
    world.ingest("Cara:person")
    world.delete("sources", one.source)
    with world.store.reading() as connection:
        assert purge.purgeable(connection, [("sources", one.source)]) == [1]
        assert purge.purgeable(connection, [("passages", 2), ("sources", one.source), ("passages", 1)]) == [2, 1]
        with pytest.raises(LpmmError, match="only sources and passages"):
            purge.purgeable(connection, [("entities", 1)])


def test_an_open_job_of_purged_text_has_nothing_left_to_do(world: World) -> None:
    taken = world.write("Anna knows Bob")
    world.delete("passages", 1)
    take_out(world, "Anna knows Bob", scrub=False)
    with world.store.reading() as connection:
        assert jobs.waiting_tasks(connection, taken.job, 10) == []


def test_what_was_being_read_when_it_was_purged_does_not_come_back(world: World) -> None:
    world.ingest("Anna knows Bob")
    vectors_of(world)
    taken = world.write(SECRET, "Anna likes Bob")
    late = [
        Found(row, None, reading(text), READER)
        for row, text in zip(taken.occurrences, (SECRET, "Anna likes Bob"), strict=True)
    ]
    row = world.passage(SECRET)
    world.delete("passages", row)
    take_out(world, SECRET, scrub=False)
    with world.batch("system:read", "read") as batch:
        evidence.add_found(batch, late)
        evidence.add_vectors(batch, "passage", [row, row + 1], np.ones((2, 2), np.float32), model=1)
        evidence.add_synonyms(batch, [(1, 99, 0.9)], model=1)
    world.store.database.scrub()
    assert leftovers(world) == set()
    assert world.sees_fact("Anna likes Bob")
    assert world.value("SELECT count(*) FROM vectors WHERE kind = 'passage'") == 2
    assert sound(world)


def test_a_deletion_whose_text_was_purged_is_not_undone_in_name_only(world: World) -> None:
    world.ingest("Anna knows Bob", "Carl knows Dora")
    world.rename("Carl", "Karl")
    world.delete("passages", 1)
    take_out(world, "Anna knows Bob")
    undone = world.undo("ann")
    assert (undone.kind, world.shown("Carl")[0]) == ("rename", "Carl")


def test_a_source_that_stands_is_not_purged_silently(world: World) -> None:
    one = world.ingest("Anna knows Bob")
    with pytest.raises(Conflict, match="delete the source first"), world.store.reading() as connection:
        purge.purgeable(connection, [("sources", one.source)])
