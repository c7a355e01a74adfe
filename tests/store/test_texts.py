"""Text coming in: once per content, durable before it is read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from threading import Barrier

import pytest

from lpmm_core.base.errors import InvalidInput
from lpmm_core.base.records import Document, Extraction, Kind, Mention, Piece, Triple
from lpmm_core.store import purge, read, texts
from tests.store.conftest import Opener
from tests.store.world import World, document


def test_a_known_passage_only_gains_an_occurrence(world: World) -> None:
    world.write("Anna knows Bob")
    with world.batch() as batch:
        added = texts.add_document(batch, document("Cara", "Anna knows Bob", "Cara"), secret=world.store.secret)
    assert (added.new, added.known, added.refused, len(added.occurrences)) == (1, 2, 0, 3)
    assert world.graph().passages == {(None, "Anna knows Bob"): 2, (None, "Cara"): 2}


def test_text_is_there_before_it_is_read(world: World) -> None:
    taken = world.write("Anna knows Bob")
    assert world.graph().passages == {(None, "Anna knows Bob"): 1}
    with world.store.reading() as connection:
        (occurrence,) = read.occurrences(connection, world.store.ids, column="id", values=taken.occurrences)
    assert occurrence.state == "waiting"


def test_the_same_bytes_are_known_by_the_source_that_brought_them_while_it_is_there(world: World) -> None:
    given = document("Anna knows Bob", name="notes.txt")
    taken = world.write_document(given)
    with world.store.reading() as connection:
        assert texts.same_bytes(connection, given.digest) == (taken.source, "notes.txt")
        assert texts.same_bytes(connection, "another digest") is None
    world.delete("sources", taken.source)
    with world.store.reading() as connection:
        assert texts.same_bytes(connection, given.digest) is None


def test_the_same_bytes_are_refused_in_the_transaction_that_would_write_them_and_leave_no_operation(
    world: World,
) -> None:
    given = document("Anna knows Bob", name="notes.txt")
    taken = world.write_document(given)
    with pytest.raises(texts.SameBytes, match=r"has these very bytes already, as notes\.txt") as refused:
        world.write_document(given, actor="ben")
    assert refused.value.details == {"source": world.store.ids.encode("sources", taken.source)}
    assert world.value("SELECT count(*) FROM operations") == 1


def test_of_two_programs_that_take_in_the_same_bytes_at_once_one_finds_them_known(open_store: Opener) -> None:
    worlds = World(open_store()), World(open_store())
    together = Barrier(len(worlds))

    def take_all(world: World) -> int:
        known = 0
        for number in range(10):
            together.wait()
            try:
                world.write_document(document("Anna knows Bob", name=f"notes {number}"))
            except texts.SameBytes:
                known += 1
        return known

    with ThreadPoolExecutor() as threads:
        assert sum(threads.map(take_all, worlds)) == 10
    assert worlds[0].value("SELECT count(*) FROM sources") == 10


def test_a_deleted_source_can_be_taken_in_again(world: World) -> None:
    given = document("Anna knows Bob")
    world.read(first := world.write_document(given))
    before = world.graph()
    world.delete("sources", first.source)
    world.read(world.write_document(given))
    assert world.graph() == before


def test_a_deleted_passage_is_revived_by_a_source_that_brings_it_again(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.delete("passages", row := world.passage("Anna knows Bob"))
    world.ingest("Anna knows Bob")
    assert world.sees("passages", row)
    assert world.sees_fact("Anna knows Bob")


def test_a_document_without_text_is_refused(world: World) -> None:
    with pytest.raises(InvalidInput, match=r"empty\.txt holds no text"):
        world.write_document(Document("empty.txt", "0", "text/plain", ()))


def test_purged_text_is_refused_with_one_sentence_and_left_out_of_a_document_that_has_more(world: World) -> None:
    world.ingest("Anna knows Bob")
    world.delete("passages", row := world.passage("Anna knows Bob"))
    with world.batch("ann", "purge") as batch:
        purge.purge_passages(batch, [row], secret=world.store.secret)
    with pytest.raises(
        InvalidInput, match=r"^again\.txt holds only text that was purged from this memory and is not taken again$"
    ):
        world.write("Anna knows Bob", name="again.txt")
    with world.batch() as batch:
        added = texts.add_document(batch, document("Cara", "Anna knows Bob"), secret=world.store.secret)
    assert (added.new, added.refused) == (1, 1)
    assert world.graph().passages == {(None, "Cara"): 1}


def test_a_title_is_not_taken_for_the_first_line_of_a_text(world: World) -> None:
    world.write("# Paris\nis nice", "Paris\nis nice")
    assert world.graph().passages == {("Paris", "is nice"): 1, (None, "Paris\nis nice"): 1}
    assert texts.content("is nice", "Paris") == texts.content("Paris\nis nice", None) == "Paris\nis nice"


def test_one_text_under_two_titles_is_two_passages(world: World) -> None:
    world.write("# Paris\nis nice", "# Rome\nis nice", "is nice", "# Paris\nis nice")
    assert world.graph().passages == {("Paris", "is nice"): 2, ("Rome", "is nice"): 1, (None, "is nice"): 1}


def test_an_occurrence_keeps_who_said_it_when_and_where_it_stands(world: World) -> None:
    said_at = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
    pieces = (Piece("hello"), Piece("hello", speaker="Anna", said_at=said_at), Piece("goodbye"))
    taken = world.write_document(replace(document("x", name="chat"), pieces=pieces))
    with world.store.reading() as connection:
        first, second, third = read.occurrences(connection, world.store.ids, column="source", values=[taken.source])
    assert (second.speaker, second.said_at, second.source_name) == ("Anna", said_at, "chat")
    assert (first.speaker, first.said_at) == (None, None)
    assert [o.position for o in (first, second, third)] == [1, 2, 3]
    assert first.passage == second.passage != third.passage


def test_what_came_read_with_a_file_is_kept_until_it_is_taken_up(world: World) -> None:
    given = Extraction((Mention("往世乐土", Kind.PLACE, 0, 4, 0.5),), (Triple("A", "b", "C", 1, 2, 0.25, True),))
    taken = world.write_document(replace(document("x"), pieces=(Piece("x", extraction=given), Piece("y"))))
    kept = [
        row["given"] for row in world.rows("SELECT given FROM occurrences WHERE source = ? ORDER BY id", taken.source)
    ]
    assert [texts.unpack(text) for text in kept] == [given, None]


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        (None, []),
        ("", []),
        ("Paris", ["paris"]),
        ("Paris (Texas)", ["paris", "paris (texas)"]),
        ("巴黎（德州）", ["巴黎", "巴黎(德州)"]),
        ("(What's the Story) Morning Glory?", ["(what's the story) morning glory?"]),
        ("……", []),
        ("It", []),
        ("It (film)", ["it (film)"]),
    ],
)
def test_a_title_stands_for_names(title: str | None, keys: list[str]) -> None:
    assert texts.title_keys(title) == keys
