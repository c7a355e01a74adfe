"""Writing OpenIE JSON."""

import errno
import hashlib
import io
import json

import pytest

from lpmm_core.base.errors import StorageFull
from lpmm_core.exchange.openie import OpenieDocument, Written, save_openie, write_openie
from lpmm_core.ingest.documents import read_document
from tests.fixtures.toy import toy_memory

DOCUMENTS = [
    OpenieDocument("爱莉希雅送了一枚徽章。\n", ["爱莉希雅", "徽章", "往世乐土"], [("爱莉希雅", "送了", "徽章")]),
    OpenieDocument("Nothing \"here\".", [], []),
]  # fmt: skip


def written(documents) -> str:
    stream = io.StringIO()
    write_openie(stream, documents)
    return stream.getvalue()


def test_a_document_has_the_keys_of_lpmm():
    """LP-04."""
    first, second = json.loads(written(DOCUMENTS))["docs"]
    assert first == {
        "idx": hashlib.sha256("爱莉希雅送了一枚徽章。\n".encode()).hexdigest(),
        "passage": "爱莉希雅送了一枚徽章。\n",
        "extracted_entities": ["爱莉希雅", "徽章", "往世乐土"],
        "extracted_triples": [["爱莉希雅", "送了", "徽章"]],
    }
    assert second["passage"] == 'Nothing "here".'


def test_averages_are_counted_anew():
    """4, 2 and 2 characters make 2.6667."""
    content = json.loads(written([("一段。", ["爱莉希雅", "徽章", "芽衣"], [])]))
    assert content["avg_ent_chars"] == 2.6667
    assert content["avg_ent_words"] == 1.0
    assert json.loads(written([("a", ["Demon Dice", "game"], [])]))["avg_ent_words"] == 1.5


def test_chinese_is_not_escaped():
    assert "爱莉希雅" in written(DOCUMENTS)


def test_an_empty_memory_gives_a_sound_file():
    assert json.loads(written([])) == {"docs": [], "avg_ent_chars": 0.0, "avg_ent_words": 0.0}
    assert read_document(written([]).encode(), "a.json").pieces == ()


def test_what_is_written_is_read_again():
    """LP-04: export and import meet."""
    document = read_document(written(DOCUMENTS).encode(), "a-openie.json")
    assert [piece.text for piece in document.pieces] == [d.passage for d in DOCUMENTS]
    again = [
        (
            piece.text,
            [mention.name for mention in piece.extraction.mentions],
            [(triple.subject, triple.predicate, triple.object) for triple in piece.extraction.triples],
        )
        for piece in document.pieces
    ]
    assert written(again) == written(DOCUMENTS)


def test_what_is_denied_is_no_triple_to_another_program_and_comes_back_denied():
    denied = OpenieDocument("沈墨没有离开青石岛。", ["沈墨", "青石岛"], [], [("沈墨", "离开", "青石岛")])
    (record,) = json.loads(written([denied]))["docs"]
    assert record["extracted_triples"] == []
    assert record["denied_triples"] == [["沈墨", "离开", "青石岛"]]
    (piece,) = read_document(written([denied]).encode(), "a-openie.json").pieces
    assert [(t.subject, t.predicate, t.object, t.negated) for t in piece.extraction.triples] == [
        ("沈墨", "离开", "青石岛", True)
    ]


def test_an_exported_memory_taken_in_elsewhere_exports_the_same_and_denies_the_same(tmp_path):
    first, again = tmp_path / "first.json", tmp_path / "again.json"
    with toy_memory(tmp_path / "here") as here:
        here.ingest_text("Anna|!knows|Bob\n\nAnna|knows|Cara\n\nDora|knows|Bob\nDora|!knows|Bob")
        here.export(first)
        stats = here.stats().facts
    with toy_memory(tmp_path / "there") as there:
        there.ingest([first])
        there.export(again)
        assert there.stats().facts == stats == 4
        assert [f.fact.negated for f in there.retrieve("Anna Bob").facts if f.fact.subject == "Anna"][:1] == [True]
    assert again.read_bytes() == first.read_bytes()


def test_documents_are_written_as_they_come():
    stream = io.StringIO()

    def documents():
        yield "甲", ["甲"], []
        assert '"甲"' in stream.getvalue(), "the first is written before the second is asked for"
        yield "乙", ["乙"], []

    assert write_openie(stream, documents()) == Written(2, 2, 0, 1.0, 1.0)


def test_control_characters_and_half_pairs_are_not_written():
    content = written([("甲\x00\ud83d乙", ["甲\x07"], [("甲", "\x0b是", "乙")])])
    (record,) = json.loads(content)["docs"]
    assert record["passage"] == "甲乙"
    assert record["idx"] == hashlib.sha256("甲乙".encode()).hexdigest()
    assert content.encode("utf-8")


def test_a_file_appears_complete_or_not_at_all(tmp_path):
    path = tmp_path / "知识-openie.json"
    assert save_openie(path, DOCUMENTS).documents == 2
    before = path.read_bytes()

    def failing():
        yield DOCUMENTS[0]
        raise RuntimeError("the memory went away")

    with pytest.raises(RuntimeError):
        save_openie(path, failing())
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path):
    path = tmp_path / "a.json"

    def full():
        yield DOCUMENTS[0]
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(StorageFull, match="disk is full"):
        save_openie(path, full())
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_utf8_with_plain_newlines(tmp_path):
    path = tmp_path / "a.json"
    save_openie(path, DOCUMENTS)
    assert b"\r" not in path.read_bytes()
    assert "爱莉希雅".encode() in path.read_bytes()
