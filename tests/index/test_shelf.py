"""The indexes of a space: rebuilt equals updated whatever happened, readers are undisturbed, files may be lost, what is purged is gone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import LpmmError, StorageFull
from lpmm_core.index import shelf as shelf_module
from lpmm_core.index.shelf import Indexes, Shelf, build, differences
from lpmm_core.memory import Memory
from tests.fixtures.embedder import HashEmbedder
from tests.fixtures.histories import DOCUMENTS, MOVES, Move, assert_as_built_anew, play
from tests.fixtures.toy import document, entity, passage, picture, toy_memory, traces_of

Open = Callable[..., Memory]

HISTORIES = st.lists(
    st.tuples(st.sampled_from(MOVES), st.integers(0, 9), st.integers(0, 9), st.booleans()), min_size=3, max_size=14
)


# Without shrinking: a history takes a second, and a short one is soon found by hand.
@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(HISTORIES)
def test_indexes_that_were_updated_equal_indexes_built_anew_after_any_history(
    tmp_path_factory: pytest.TempPathFactory, history: list[Move]
) -> None:
    play(tmp_path_factory.mktemp("history"), history)


def test_what_was_saved_is_opened_again_and_brought_forward(open_toy: Open, tmp_path: Path) -> None:
    with toy_memory(tmp_path / "space") as memory:
        memory.ingest([document(*DOCUMENTS[0])])
        memory._shelf.save()
        memory.ingest([document(*DOCUMENTS[1], name="more")])
    built: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf_module, "build", lambda _, sequence, **__: built.append(sequence))
        with open_toy().snapshot() as view:
            found = view.indexes.words.search("bakery", 5)
    assert len(found.ids) == 1
    assert built == [], "opening what was saved must not build everything anew"
    with open_toy().snapshot() as view:
        assert_as_built_anew(view)


def test_a_name_keeps_as_many_synonyms_as_the_settings_say_also_when_others_were_saved(tmp_path: Path) -> None:
    near = document(*(f"Harbour Lane{'s' * i}|lies in|City{i}" for i in range(5)))

    def synonyms(memory: Memory) -> int:
        assert memory.check() == []
        return memory.stats().links["synonym"]

    with toy_memory(tmp_path / "space") as memory:
        memory.ingest([near])
        every = synonyms(memory)
        memory._shelf.save()
    with toy_memory(tmp_path / "space", ingest={"synonyms_per_name": 1}) as memory:
        assert 0 < synonyms(memory) < every
        memory._shelf.save()
    with toy_memory(tmp_path / "space", ingest={"synonyms_per_name": 0}) as memory:
        assert synonyms(memory) == 0
    with toy_memory(tmp_path / "space") as memory:
        assert synonyms(memory) == every


def test_closing_a_memory_for_the_first_time_leaves_its_indexes_behind(tmp_path: Path) -> None:
    with toy_memory(tmp_path / "space") as memory:
        memory.ingest([document(*DOCUMENTS[0])])
    assert [path.name[:5] for path in (tmp_path / "space" / "cache").iterdir()] == ["base-"]


def test_a_large_change_is_saved_once_and_then_is_no_longer_a_tail(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*(f"Person{i}|knows|Person{i + 1}" for i in range(320)))])
    with memory.snapshot() as view:
        before = view.indexes
    memory.ingest([document(*(f"Other{i}|met|Person{i}" for i in range(300)), name="many")])
    with memory.snapshot() as view:
        assert before.base < view.indexes.base == view.indexes.sequence
        assert view.indexes.tail == 0
        assert_as_built_anew(view)
    assert len(list((memory.path / "cache").iterdir())) == 1
    memory.ingest([document("Anna|met|Bob", name="one more")])
    with memory.snapshot() as view:
        assert view.indexes.base < view.indexes.sequence, "a small change is not worth saving"


def test_a_title_counts_as_soon_as_somebody_speaks_of_what_it_names(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("# Varna\nnothing is said here", "Bob|met|Cleo")])
    with memory.snapshot() as view:
        assert_as_built_anew(view)
    memory.ingest([document("Mira|lives in|Varna", name="more")])
    with memory.snapshot() as view:
        assert_as_built_anew(view)
    assert picture(memory).edges[frozenset((frozenset(["varna"]), "nothing is said here"))] == 3.0


def test_a_title_counts_for_as_long_as_a_pinned_fact_keeps_what_it_names(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("# Varna\nnothing is said here", "Bob|met|Cleo")])
    memory.ingest([document("Mira|lives in|Varna", name="more")])
    fact = memory.entity(entity(memory, "Mira")).facts[0].id
    memory.pin(fact)
    memory.delete(source := [memory.sources().items[0].id])
    memory.purge(source)
    edge = frozenset((frozenset(["varna"]), "nothing is said here"))
    assert picture(memory).edges[edge] == 3.0
    for pinned in (False, True):
        memory.pin(fact, pinned=pinned)
        with memory.snapshot() as view:
            assert_as_built_anew(view)
        assert (edge in picture(memory).edges) == pinned


def test_a_fact_of_entities_that_were_merged_has_no_words_and_no_weight_until_they_are_two_again(
    open_toy: Open,
) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|is sister of|Anna", "Mira|met|Cleo")])
    before = picture(memory)
    memory.merge([entity(memory, "Anna")], entity(memory, "Mira"))
    with memory.snapshot() as view:
        assert view.indexes.fact_words.ids().tolist() == [2]
        assert_as_built_anew(view)
    assert all(len(edge) == 2 for edge in picture(memory).edges)
    memory.undo()
    assert picture(memory) == before


@pytest.mark.parametrize("damage", ["cut", "gone", "empty manifest", "half gone"])
def test_a_damaged_base_is_built_anew_from_the_truth(tmp_path: Path, damage: str) -> None:
    with toy_memory(tmp_path / "space") as memory:
        for i, texts in enumerate(DOCUMENTS):
            memory.ingest([document(*texts, name=str(i))])
        memory._shelf.save()
        before = picture(memory)
    (base,) = (tmp_path / "space" / "cache").glob("base-*")
    files = sorted(path for path in base.rglob("*.npy"))
    match damage:
        case "cut":
            for path in files:
                path.write_bytes(path.read_bytes()[:-1])
        case "gone":
            shutil.rmtree(base)
        case "empty manifest":
            for path in base.rglob("manifest.json"):
                path.write_text("")
        case "half gone":
            shutil.rmtree(base / "facts")
    with toy_memory(tmp_path / "space") as memory:
        assert picture(memory) == before
        assert memory.check() == []


def test_a_base_of_another_course_of_events_is_not_taken_for_this_ones(tmp_path: Path) -> None:
    """Somebody puts an older copy of memory.db back by hand; the base on disk then lies in a future that never came."""
    with toy_memory(tmp_path / "space") as memory:
        memory.ingest([document(*DOCUMENTS[0])])
        memory.backup(tmp_path / "older")
        memory.ingest([document(*DOCUMENTS[1], name="lost")])
        memory._shelf.save()
    for path in (tmp_path / "space").glob("memory.db*"):
        path.unlink()
    shutil.copy(tmp_path / "older", tmp_path / "space" / "memory.db")
    with toy_memory(tmp_path / "space") as memory:
        memory.retrieve("mira", record=False)
        while True:  # until the sequence number of the lost base has been passed
            memory.ingest([document("Anna|knows|Varna", name=f"again {memory.stats().sequence}")])
            if memory.stats().sequence > 20:
                break
    with toy_memory(tmp_path / "space") as memory:
        assert memory.check() == []


def test_a_reader_keeps_its_moment_while_others_write(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*DOCUMENTS[0])])
    with memory.snapshot() as before:
        held = before.indexes.words.ids().tolist()
        edges = before.indexes.topology.edges()
        memory.ingest([document(*DOCUMENTS[1], name="more")])
        memory.delete([passage(memory, "Mira|knows|Anna")])
        with memory.snapshot() as after:
            assert after.indexes.sequence > before.indexes.sequence
        assert before.indexes.words.ids().tolist() == held
        assert all(np.array_equal(a, b) for a, b in zip(before.indexes.topology.edges(), edges, strict=True))
        rows = before.connection.execute("SELECT count(*) FROM visible_passages").fetchone()[0]
        assert rows == len(held)
        assert_as_built_anew(before)


def test_a_reader_that_was_slow_to_begin_does_not_throw_newer_indexes_away(
    open_toy: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its moment and its indexes are chosen together, so nobody has to go back in time, which would cost a whole build."""
    memory = open_toy()
    memory.ingest([document(*DOCUMENTS[0])])
    with memory.snapshot():
        pass
    built: list[int] = []
    began, go_on = threading.Event(), threading.Event()
    reading = memory._store.reading

    @contextmanager
    def slow() -> Iterator[Any]:
        with reading() as connection:
            connection.execute("SELECT count(*) FROM passages").fetchone()
            if threading.current_thread().name == "slow":
                began.set()
                go_on.wait(1)
            yield connection

    def look() -> None:
        with memory.snapshot():
            pass

    monkeypatch.setattr(memory._store, "reading", slow)
    monkeypatch.setattr(
        shelf_module,
        "build",
        lambda connection, sequence, **options: built.append(sequence) or build(connection, sequence, **options),
    )
    one = threading.Thread(target=look, name="slow")
    one.start()
    assert began.wait(5)
    with memory._store.operation("cli", "rename") as operation, operation.batch() as batch:
        batch.update("entities", 1, name="Someone")
    two = threading.Thread(target=look)
    two.start()
    two.join(0.3)
    go_on.set()
    one.join()
    two.join()
    assert built == []


def test_two_memories_of_one_space_see_each_others_writes(open_toy: Open) -> None:
    one, other = open_toy(), open_toy()
    one.ingest([document(*DOCUMENTS[0])])
    assert other.retrieve("mira knows anna", record=False).passages[0].text == "Mira|knows|Anna"
    other.rename(entity(other, "Mira"), "Mirabel")
    assert one.entity(entity(one, "mira")).entity.name == "Mirabel"
    other.delete([passage(other, "Mira|knows|Anna")])
    assert picture(one) == picture(other)
    assert one.check() == other.check() == []


WRITES_IN_ANOTHER_PROCESS = """
import sys
from pathlib import Path
from tests.fixtures.toy import document, entity, toy_memory
with toy_memory(Path(sys.argv[1])) as memory:
    assert memory.retrieve("mira", record=False).passages
    memory.ingest([document("Pavel|married|Mira", name="from outside")])
    memory.rename(entity(memory, "Anna"), "Annabel")
"""


def test_a_second_process_and_this_one_see_each_others_writes(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*DOCUMENTS[0])])
    with memory.snapshot() as before:
        subprocess.run([sys.executable, "-c", WRITES_IN_ANOTHER_PROCESS, str(memory.path)], check=True, timeout=120)
        assert len(before.indexes.words) == 2
    assert memory.retrieve("who married mira", record=False).passages[0].text == "Pavel|married|Mira"
    assert memory.entity(entity(memory, "anna")).entity.name == "Annabel"
    with memory.snapshot() as view:
        assert_as_built_anew(view)


# --- purging ---


def test_what_was_purged_is_in_no_file_of_the_space_even_when_another_memory_still_had_it(tmp_path: Path) -> None:
    space = tmp_path / "space"
    with ExitStack() as stack:
        memory, other = (stack.enter_context(toy_memory(space)) for _ in range(2))
        memory.ingest([document("Zanzibarius|hides|Quackenbush")])
        memory.ingest([document(*DOCUMENTS[0], name="more")])
        assert other.retrieve("zanzibarius", record=False).passages
        assert {path.parent.name for path in traces_of(space, "Zanzibarius")} >= {"space", "words", "fact-words"}
        secret = passage(memory, "Zanzibarius")
        memory.delete([secret])
        memory.purge([secret])
        assert traces_of(space, "Zanzibarius", "Quackenbush") == []
    assert traces_of(space, "Zanzibarius", "Quackenbush") == []


def test_indexes_that_were_being_saved_during_a_purge_are_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = tmp_path / "space"
    with toy_memory(space) as memory, toy_memory(space) as other:
        memory.ingest([document("Zanzibarius|hides|Quackenbush", "Mira|knows|Anna")])
        secret = passage(memory, "Zanzibarius")
        memory.delete([secret])
        memory.undelete([secret])  # so that there is something new to save
        write = Shelf._write

        def slow(self: Shelf, indexes: Indexes, target: Path) -> None:
            """All is ready to be moved into place; then somebody else purges, clears the directory, and only now it is moved."""
            monkeypatch.undo()
            memory.delete([secret])
            memory.purge([secret])
            write(self, indexes, target)

        monkeypatch.setattr(Shelf, "_write", slow)
        other._shelf.save()
        assert traces_of(space, "Zanzibarius", "Quackenbush") == []


def test_a_purge_takes_synonyms_and_vectors_out_of_every_open_memory(open_toy: Open) -> None:
    one, other = open_toy(), open_toy()
    one.ingest([document("Harbour Lane|lies in|Varna")])
    one.ingest([document("Harbour Lanes|lies in|Varna", name="more")])
    with other.snapshot() as view:
        assert_as_built_anew(view)
    other.ingest([document("Anna|knows|Mira", name="other")])  # it has all names in its memory now
    gone = passage(one, "Harbour Lanes")
    one.delete([gone])
    one.purge([gone])
    other.ingest([document("Harbour Lan|lies in|Varna", name="alike")])
    for memory in (one, other):
        with memory.snapshot() as view:
            assert_as_built_anew(view)


def test_indexes_can_be_thrown_away_at_any_time(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*DOCUMENTS[2])])
    before = picture(memory)
    shutil.rmtree(memory.path / "cache", ignore_errors=True)
    memory.rebuild()
    assert picture(memory) == before
    assert list((memory.path / "cache").glob("base-*"))


def test_a_full_disk_costs_the_indexes_on_disk_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Any, *_: Any) -> None:
        raise StorageFull("no room")

    memory = toy_memory(tmp_path / "space")
    memory.ingest([document(*DOCUMENTS[0])], wait=False)
    monkeypatch.setattr("lpmm_core.index.lexical.LexicalIndex.save", full)
    memory.run_jobs()
    memory.close()
    monkeypatch.undo()
    with toy_memory(tmp_path / "space") as memory:
        assert memory.check() == []
        assert memory.jobs()[0].state == "done"


# --- what updating costs ---


def test_finding_synonyms_reads_each_stored_name_once(open_toy: Open) -> None:
    """Reading all names again for every group would make ingest quadratic."""
    memory = open_toy(ingest={"group": 2})
    added: list[int] = []
    index_type = shelf_module.VectorIndex
    with_changes = index_type.with_changes

    def counting(self: Any, *, add: Any = None, **more: Any) -> Any:
        if add is not None and self.dimension == HashEmbedder.dimension:
            added.append(len(add[0]))
        return with_changes(self, add=add, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_type, "with_changes", counting)
        memory.ingest([document(*(f"Person{i}|knows|Other{i}" for i in range(40)))])
    names = 80
    assert sum(added) <= 3 * names, f"{sum(added)} vectors were taken up for {names} names"


def test_a_synonym_is_found_across_groups_and_after_reopening(open_toy: Open) -> None:
    open_toy().ingest([document("Harbour Lane|lies in|Varna")])
    memory = open_toy(ingest={"group": 1})
    memory.ingest([document("Harbour Lanes|lies in|Sofia", "Harbour Lanee|lies in|Burgas", name="more")])
    edges = picture(memory).edges
    for one, other in (("harbour lane", "harbour lanes"), ("harbour lane", "harbour lanee")):
        assert frozenset((frozenset([one]), frozenset([other]))) in edges


def test_a_failed_batch_leaves_no_trace_in_the_index_of_names(open_toy: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = open_toy()
    monkeypatch.setattr(
        "lpmm_core.ingest.embedding.evidence.add_synonyms", lambda *_, **__: (_ for _ in ()).throw(LpmmError("no"))
    )
    memory.ingest([document("Harbour Lane|lies in|Varna")])
    assert memory.jobs()[0].state == "failed"
    monkeypatch.undo()
    # The very same row numbers are given again, to other names.
    memory.ingest([document("Anna|knows|Mira", name="more")])
    memory.ingest([document("Harbour Lanes|lies in|Sofia", name="alike")])
    memory.retry(memory.jobs()[-1].id)
    memory.run_jobs()
    assert memory.check() == []
    fresh = open_toy("fresh")
    for text, name in (
        ("Anna|knows|Mira", "more"),
        ("Harbour Lanes|lies in|Sofia", "alike"),
        ("Harbour Lane|lies in|Varna", "notes"),
    ):
        fresh.ingest([document(text, name=name)])
    assert picture(memory) == picture(fresh)


def test_an_empty_memory_has_empty_indexes_and_saves_none(tmp_path: Path) -> None:
    with toy_memory(tmp_path / "space") as memory:
        assert memory.stats().paragraphs == 0
        assert memory.check() == []
    assert not (tmp_path / "space" / "cache").exists()


def test_differences_are_said_in_sentences(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*DOCUMENTS[0])])
    with memory.snapshot() as view:
        fresh = build(view.connection, view.indexes.sequence)
        empty = Indexes(view.indexes.sequence, *(_empty(view.indexes)))
    said = differences(empty, fresh)
    assert len(said) == 5
    assert all("lpmm rebuild" in sentence for sentence in said)


def _empty(indexes: Indexes) -> tuple[Any, Any, Any]:
    topology = type(indexes.topology).build()
    words = type(indexes.words).build([], [])
    return words, words, topology
