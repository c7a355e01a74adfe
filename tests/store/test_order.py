"""Whatever the order, whatever comes twice: the same texts make the same memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import InvalidInput
from lpmm_core.store import checks, purge, texts
from lpmm_core.store.store import Store
from tests.store.conftest import scratch
from tests.store.world import World, document

NAMES = ("Anna", "anna", "ANNA", "Bob", "Ｂob", "Cara", "往世乐土")
KINDS = ("person", "place", "thing")

lines = st.one_of(
    st.builds("{}:{}".format, st.sampled_from(NAMES), st.sampled_from(KINDS)),
    st.builds(
        "{} {} {}".format,
        st.sampled_from(NAMES),
        st.sampled_from(("knows", "likes", "never knows")),
        st.sampled_from(NAMES),
    ),
)
passages = st.builds(
    lambda title, body: "\n".join(([f"# {title}"] if title else []) + body),
    st.sampled_from((None, None, "Anna", "Bob (poet)")),
    st.lists(lines, min_size=1, max_size=3),
)
documents = st.lists(passages, min_size=1, max_size=3)
libraries = st.lists(documents, min_size=1, max_size=4)

bounded = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@contextmanager
def memory() -> Iterator[World]:
    with scratch() as directory:
        store = Store(directory / "space")
        try:
            yield World(store)
            with store.reading() as connection:
                assert checks.check(connection) == []
        finally:
            store.close()


@bounded
@given(library=libraries, data=st.data())
def test_the_order_of_documents_and_how_they_are_read_makes_no_difference(
    library: list[list[str]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(library))
    with memory() as one, memory() as other:
        for document_ in library:
            one.ingest(*document_)
        taken = [other.write(*document_) for document_ in shuffled]
        other.read(*data.draw(st.permutations(taken)))
        assert other.graph() == one.graph()


@bounded
@given(library=libraries)
def test_documents_one_by_one_make_the_memory_that_one_document_of_all_makes(library: list[list[str]]) -> None:
    with memory() as one, memory() as other:
        for document_ in library:
            one.ingest(*document_)
        other.ingest(*(passage for document_ in library for passage in document_))
        assert other.graph() == one.graph()


@bounded
@given(library=libraries, again=st.integers(0, 3))
def test_taking_in_a_text_again_changes_nothing(library: list[list[str]], again: int) -> None:
    with memory() as world:
        taken = [
            world.write_document(document(*passages_, name=f"{number}")) for number, passages_ in enumerate(library)
        ]
        world.read(*taken)
        before = world.graph()
        number = again % len(library)
        with world.store.reading() as connection:
            assert texts.same_bytes(connection, document(*library[number], name=f"{number}").digest) is not None
        world.read(taken[number])
        assert world.graph() == before
        for document_ in library:
            world.ingest(*document_)
        assert world.graph().counted_once() == before.counted_once()


@bounded
@given(library=libraries, extra=documents, by_undo=st.booleans())
def test_adding_a_document_and_taking_it_away_restores_the_memory(
    library: list[list[str]], extra: list[str], by_undo: bool
) -> None:
    with memory() as world:
        for document_ in library:
            world.ingest(*document_)
        before = world.graph()
        taken = world.ingest(*extra, actor="ben")
        after = world.graph()
        if by_undo:
            world.undo("ben")
        else:
            world.delete("sources", taken.source)
        assert world.graph() == before
        if by_undo:
            world.redo("ben")
        else:
            world.undelete("sources", taken.source)
        assert world.graph() == after


@bounded
@given(library=libraries, extra=documents)
def test_adding_a_document_and_purging_it_leaves_the_rows_of_the_others_alone(
    library: list[list[str]], extra: list[str]
) -> None:
    with memory() as world:
        for document_ in library:
            world.ingest(*document_)
        before = (
            world.graph(),
            {row["key"] for row in world.rows("SELECT key FROM names")},
            world.value("SELECT count(*) FROM facts"),
        )
        taken = world.ingest(*extra)
        world.delete("sources", taken.source)
        with world.store.reading() as connection:
            rows = purge.purgeable(connection, [("sources", taken.source)])
        with world.batch("ann", "purge") as batch:
            purge.purge_passages(batch, rows, secret=world.store.secret)
        after = (
            world.graph(),
            {row["key"] for row in world.rows("SELECT key FROM names")},
            world.value("SELECT count(*) FROM facts"),
        )
        assert after == before


@bounded
@given(library=libraries, first=st.sampled_from(NAMES), into=st.sampled_from(NAMES))
def test_a_merge_counts_for_what_came_before_it_and_for_what_comes_after(
    library: list[list[str]], first: str, into: str
) -> None:
    with memory() as early, memory() as late:
        start = "Anna knows Bob\nCara knows 往世乐土"
        for world in (early, late):
            world.ingest(start)
        try:
            early.merge(first, into=into)
        except InvalidInput:
            return
        for document_ in library:
            early.ingest(*document_)
            late.ingest(*document_)
        # What the whole shows is said at the merge; the rest is the same.
        late.merge(first, into=into)
        assert late.graph().entities.keys() == early.graph().entities.keys()
        assert late.graph().facts.keys() == early.graph().facts.keys()
        assert late.graph().mentions == early.graph().mentions
