"""What reading adds."""

from __future__ import annotations

import numpy as np
import pytest

from lpmm_core.base.records import Extraction, Kind, Mention, Triple
from lpmm_core.store import evidence, models
from lpmm_core.store.evidence import Found, Statement
from tests.store.world import READER, World, contents, reading

READ = ("names", "entities", "facts", "mentions", "evidence")


def read_tables(world: World) -> dict[str, list[tuple[object, ...]]]:
    with world.store.reading() as connection:
        return contents(connection, READ)


def found(world: World, extraction: Extraction, *, times: int = 1) -> None:
    """Write a reading of a passage of no words."""
    taken = world.write("...")
    with world.batch("system:read", "read") as batch:
        evidence.add_found(batch, [Found(taken.occurrences[0], None, extraction, READER)] * times)


def test_a_reading_that_an_occurrence_has_already_is_not_written_twice(world: World) -> None:
    taken = world.ingest("Anna:person\nAnna knows Bob")
    before = read_tables(world)
    world.read(taken)
    assert read_tables(world) == before
    world.read(taken, reader="another/1")
    assert len(read_tables(world)["evidence"]) == 2


def test_a_reading_given_twice_at_once_is_written_once(world: World) -> None:
    found(world, reading("Anna:person\nAnna knows Bob"), times=2)
    assert {table: len(rows) for table, rows in read_tables(world).items()} == {
        "names": 2,
        "entities": 2,
        "facts": 1,
        "mentions": 2,
        "evidence": 1,
    }


def test_the_ends_of_a_triple_are_mentioned_even_when_no_mention_says_so(world: World) -> None:
    triples = Triple("ANNA", "knows", "Bob"), Triple("Bob", "likes", "Anna")
    found(world, Extraction((Mention("Anna", Kind.PERSON, 0, 4),), triples))
    rows = world.rows(
        "SELECT n.key, m.spelling, m.kind, m.start FROM mentions m JOIN names n ON n.id = m.name ORDER BY m.id"
    )
    assert [tuple(row) for row in rows] == [("anna", "Anna", "person", 0), ("bob", "Bob", "thing", None)]


def test_what_is_no_statement_between_two_names_is_left_out(world: World) -> None:
    triples = [("Anna", "is", "anna"), ("她", "knows", "Bob"), ("Anna", "“”", "Bob"), ("Anna", "knows", "——")]
    extraction = Extraction((Mention("他", Kind.PERSON, 0, 1),), tuple(Triple(*triple) for triple in triples))
    assert evidence.statements(extraction) == []
    found(world, extraction)
    assert read_tables(world) == {table: [] for table in READ}


def test_a_statement_made_twice_in_a_passage_is_evidence_once(world: World) -> None:
    found(world, Extraction(triples=(Triple("Anna", "knows", "Bob", 0, 5), Triple("ANNA", "knows", "bob", 6, 9, 0.5))))
    assert [(row["start"], row["stop"]) for row in world.rows("SELECT * FROM evidence")] == [(0, 5)]


def test_the_keys_a_reading_needs_are_those_of_its_mentions_ends_and_title() -> None:
    given = Found(
        1, "Cara (poet)", Extraction((Mention("Dora", Kind.PERSON, 0, 4),), (Triple("Anna", "knows", "Bob"),)), READER
    )
    assert evidence.keys_of(given) == ["dora", "anna", "bob", "cara", "cara (poet)"]


def test_a_fact_is_embedded_by_its_keys() -> None:
    assert Statement("anna", "knows", "bob").text == "anna knows bob"


# --- vectors and synonyms ---


def with_model(world: World) -> int:
    world.ingest("Anna knows Bob")
    with world.batch("system:embed", "embed") as batch:
        return models.set_model(batch, "toy", probe=np.eye(2, 3, dtype=np.float32), centre=np.zeros(3, np.float32))


@pytest.mark.parametrize("bad", [[0, 0, 0], [np.nan, 0, 1], [np.inf, 0, 0]])
def test_a_vector_that_is_zero_or_not_finite_is_refused_with_all_of_its_batch(world: World, bad: list[float]) -> None:
    model = with_model(world)
    with pytest.raises(ValueError, match="zero or not finite"), world.batch() as batch:
        evidence.add_vectors(batch, "name", [1, 2], np.array([[1, 0, 0], bad], np.float32), model=model)
    assert world.rows("SELECT * FROM vectors") == []


def test_a_vector_is_kept_once_for_each_owner_as_half_floats(world: World) -> None:
    model = with_model(world)
    first = np.array([[0.6, 0.8, 0], [0, 0.1, -1]], np.float32)
    with world.batch() as batch:
        evidence.add_vectors(batch, "name", [2, 1], first, model=model)
        evidence.add_vectors(batch, "name", [1, 2], first * 0.5, model=model)
        evidence.add_vectors(batch, "fact", [1], first[:1], model=model)
        evidence.add_vectors(batch, "passage", [], np.zeros((0, 3), np.float32), model=model)
    with world.store.reading() as connection:
        assert evidence.vectors_held(connection, "name", [1, 2, 3], model=model) == {1, 2}
        assert evidence.vectors_held(connection, "name", [2, 3], model=model) == {2}
        assert evidence.vectors_held(connection, "fact", [2], model=model) == set()
        assert evidence.vectors_held(connection, "name", [2], model=model + 1) == set()
        owners, vectors = models.vectors(connection, "name", model)
        chosen, _ = models.vectors(connection, "name", model, owners=[2, 9])
        nothing, empty = models.vectors(connection, "passage", model)
    assert owners.tolist() == [1, 2]
    assert chosen.tolist() == [2]
    assert vectors.dtype == np.float16
    np.testing.assert_array_equal(vectors, first[::-1].astype(np.float16))
    assert (len(nothing), len(empty)) == (0, 0)


def test_a_pair_of_synonyms_is_kept_once_whichever_name_comes_first(world: World) -> None:
    model = with_model(world)
    world.ingest("Cara:person")
    with world.batch() as batch:
        evidence.add_synonyms(batch, [(2, 1, 0.9), (1, 2, 0.9), (1, 1, 1.0)], model=model)
        evidence.add_synonyms(batch, [(1, 2, 0.5), (3, 2, 0.8), (1, 3, 0.7)], model=model)
    assert [(row["a"], row["b"], row["cosine"]) for row in world.rows("SELECT * FROM synonyms")] == [
        (1, 2, 0.9),
        (1, 3, 0.7),
        (2, 3, 0.8),
    ]


# --- models ---


def test_the_model_recorded_last_is_the_present_one(world: World) -> None:
    with world.store.reading() as connection:
        assert models.current_model(connection) is None
    first = with_model(world)
    probe = np.arange(8, dtype=np.float32).reshape(2, 4)
    with world.batch() as batch:
        second = models.set_model(batch, "other", probe=probe, centre=np.ones(4, np.float32))
    with world.store.reading() as connection:
        model = models.current_model(connection)
    assert model is not None
    assert (model.row, model.name, model.dimension) == (second, "other", 4)
    assert second != first
    np.testing.assert_array_equal(model.probe, probe)
    np.testing.assert_array_equal(model.centre, np.ones(4))


def test_the_newest_calibration_of_a_model_is_the_one_to_centre_with(world: World) -> None:
    model = with_model(world)
    with world.store.reading() as connection:
        assert models.current_calibration(connection, model) is None
    for number in (1.0, 2.0):
        passage, fact, zh, en = (np.full(3, number * k, np.float32) for k in (1, 10, 100, 1000))
        with world.batch() as batch:
            models.add_calibration(batch, model, "test", passage=passage, fact=fact, question_zh=zh, question_en=en)
    with world.store.reading() as connection:
        calibration = models.current_calibration(connection, model)
        assert models.current_calibration(connection, model + 1) is None
    assert calibration is not None
    assert [
        v[0] for v in (calibration.passage, calibration.fact, calibration.question("zh"), calibration.question("en"))
    ] == [
        2,
        20,
        200,
        2000,
    ]
