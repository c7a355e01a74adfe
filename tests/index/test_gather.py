"""What the indexes need from the truth: all of it, and what a stretch of the journal touches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lpmm_core.index import gather
from lpmm_core.memory import Memory
from lpmm_core.store.journal import changes_since
from tests.fixtures.toy import document, entity, passage

Open = Callable[..., Memory]


def touched_by(memory: Memory, change: Callable[[], object]) -> gather.Touched:
    before = memory.stats().sequence
    change()
    with memory.snapshot() as view:
        return gather.touched(view.connection, changes_since(view.connection, before))


def row(memory: Memory, id: str) -> int:
    return memory._store.ids.decode(id)[1]


def test_a_passage_gives_two_for_a_fact_one_for_a_mention_and_its_title_apart(open_toy: Open) -> None:
    """LP-07, LP-08, LP-09."""
    memory = open_toy()
    memory.ingest([document("# Anna\nMira|knows|Anna\nMira|likes|Anna", "Mira|knows|Anna")])
    with memory.snapshot() as view:
        said = gather.contributions(view.connection)
    assert dict(zip(np.asarray(said.pair_keys).tolist(), np.asarray(said.amounts).tolist(), strict=True)) == {
        1: 4.0,
        2: 2.0,
    }
    mira, anna = row(memory, entity(memory, "Mira")), row(memory, entity(memory, "Anna"))
    assert sorted(np.asarray(said.mentions).tolist()) == sorted([mira, anna] * 2)
    assert np.asarray(said.titles).tolist() == [anna]


def test_what_some_passages_say_is_the_same_as_their_part_of_the_whole(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("# Anna\nMira|knows|Anna", "Mira|knows|Anna", "nothing at all")])
    with memory.snapshot() as view:
        whole = gather.by_passage(gather.contributions(view.connection), [1, 2, 3])
        some = gather.by_passage(gather.contributions(view.connection, [2, 3]), [2, 3])
    assert whole[3] is some[3] is None
    assert whole[2] is not None
    assert some[2] is not None
    assert np.array_equal(whole[2].mentions, some[2].mentions)
    assert np.array_equal(whole[2].amounts, some[2].amounts)


def test_a_renamed_entity_touches_the_passages_that_say_its_names(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Bob|met|Cleo")])
    found = touched_by(memory, lambda: memory.rename(entity(memory, "Mira"), "Mirabel"))
    assert row(memory, passage(memory, "Mira|")) in found.passages
    assert row(memory, passage(memory, "Bob|")) not in found.passages
    assert not found.models


def test_a_merger_touches_both_entities_and_an_edit_elsewhere_nothing_here(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Bob|met|Cleo", "Dora|met|Eve")])
    one, other = entity(memory, "Mira"), entity(memory, "Bob")
    found = touched_by(memory, lambda: memory.merge([one], other))
    assert {row(memory, one), row(memory, other)} <= found.entities
    assert found.passages == {1, 2}
    assert found.facts == {1, 2}


def test_a_deleted_source_touches_its_passages_their_facts_and_their_entities(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", name="one")])
    memory.ingest([document("Bob|met|Cleo", name="two")])
    found = touched_by(memory, lambda: memory.delete([memory.sources().items[0].id]))
    assert (found.passages, found.facts) == ({2}, {2})
    assert len(found.entities) == 2


def test_an_ingest_touches_what_it_brought_and_says_when_the_model_is_new(open_toy: Open) -> None:
    memory = open_toy()
    found = touched_by(memory, lambda: memory.ingest([document("Mira|knows|Anna")]))
    assert found.models
    assert (found.passages, found.facts) == ({1}, {1})
    found = touched_by(memory, lambda: memory.ingest([document("Mira|met|Bob", name="more")]))
    assert not found.models
    assert found.passages == {2}
    assert found.vectors


def test_an_entity_that_comes_into_sight_touches_the_passages_under_its_name(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("# Varna\nnothing is said here")])
    with memory.snapshot() as view:
        assert gather.titled(view.connection, [1]) == {1}
        assert gather.contributions(view.connection).title_keys.tolist() == []  # type: ignore[union-attr]
    memory.ingest([document("Mira|lives in|Varna", name="more")])
    with memory.snapshot() as view:
        assert np.asarray(gather.contributions(view.connection).title_keys).tolist() == [1]


def test_hidden_things_are_in_no_index(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Bob|met|Cleo")])
    memory.delete([entity(memory, "Anna"), passage(memory, "Bob|")])
    with memory.snapshot() as view:
        assert gather.visible(view.connection, "passages").tolist() == [1]
        assert gather.visible(view.connection, "facts").tolist() == []
        assert gather.visible(view.connection, "entities", [1, 2, 3, 4]).tolist() == [1]
        assert gather.passage_texts(view.connection)[1] == ["Mira|knows|Anna"]
        assert gather.fact_texts(view.connection) == ([], [])


def test_synonyms_of_some_entities_are_those_of_the_whole(open_toy: Open) -> None:
    """LP-10."""
    memory = open_toy()
    memory.ingest([document("Harbour Lane|lies in|Varna", "Harbour Lanes|lies in|Sofia", "Mira|knows|Anna")])
    one, other = (row(memory, entity(memory, name)) for name in ("Harbour Lane", "Harbour Lanes"))
    with memory.snapshot() as view:
        assert view.indexes.model is not None
        whole = gather.synonyms(view.connection, view.indexes.model.row)
        some = gather.synonyms_of(view.connection, view.indexes.model.row, [other])
    assert list(some) == [(min(one, other), max(one, other))]
    assert np.asarray(whole.left).tolist() == [min(one, other)]
    assert some[min(one, other), max(one, other)] > 0.8
