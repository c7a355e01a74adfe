"""Taking text in: what is new, known, refused, and what the report says about each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lpmm_core.base.errors import StorageFull
from lpmm_core.base.records import Document, Piece
from lpmm_core.ingest.report import FileState
from lpmm_core.memory import Memory, Upload
from tests.fixtures.toy import ToyExtractor, document, passage, passages, picture

Open = Callable[..., Memory]


def test_the_same_bytes_a_second_time_change_nothing_and_say_so(open_toy: Open, tmp_path: Path) -> None:
    """LP-01."""
    extractor = ToyExtractor()
    memory = open_toy(extractor=extractor)
    (tmp_path / "notes.txt").write_text("Mira|knows|Anna\n\nAnna|lives in|Varna\n")
    memory.ingest([tmp_path / "notes.txt"])
    before, read, sequence = picture(memory), list(extractor.read), memory.stats().sequence
    (tmp_path / "copy.txt").write_bytes((tmp_path / "notes.txt").read_bytes())
    report = memory.ingest([tmp_path / "copy.txt"])
    assert report.files[0].state is FileState.KNOWN
    assert report.files[0].reasons == ("the memory has these very bytes already, as notes.txt",)
    assert report.files[0].source == memory.sources().items[0].id
    assert (report.operation, report.job) == (None, None)
    assert report.counts.new == 0
    assert report.counts.known == report.counts.total > 0
    assert picture(memory) == before
    assert extractor.read == read
    assert memory.stats().sequence == sequence


def test_the_same_file_twice_in_one_call_is_taken_once(open_toy: Open) -> None:
    report = open_toy().ingest([Upload("a.txt", b"Mira|knows|Anna"), Upload("b.txt", b"Mira|knows|Anna")])
    assert [file.state for file in report.files] == [FileState.NEW, FileState.KNOWN]
    assert (report.counts.new, report.counts.known, report.counts.total) == (1, 1, 2)


def test_a_text_that_stands_twice_in_one_file_is_one_passage_and_two_occurrences(open_toy: Open) -> None:
    """LP-08: weights count distinct passages, not repetitions."""
    memory = open_toy()
    report = memory.ingest([document("Mira|knows|Anna", "好的", "好的", "Mira|knows|Anna")])
    assert (report.counts.new, report.counts.known, report.counts.total) == (2, 2, 4)
    stats = memory.stats()
    assert (stats.paragraphs, stats.occurrences) == (2, 4)
    once = open_toy("once")
    once.ingest([document("Mira|knows|Anna", "好的")])
    assert picture(memory) == picture(once)


def test_a_known_text_in_a_second_file_gains_an_occurrence_and_outlives_the_first(open_toy: Open) -> None:
    """LP-01: deleting one source keeps what another supports."""
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Anna|lives in|Varna", name="one")])
    report = memory.ingest([document("Mira|knows|Anna", "Pavel|met|Anna", name="two")])
    assert (report.counts.new, report.counts.known) == (1, 1)
    assert "1 of 2 passages were known already" in report.files[0].reasons
    one = next(source for source in memory.sources().items if source.name == "one")
    memory.delete([one.id])
    alone = open_toy("alone")
    alone.ingest([document("Mira|knows|Anna", "Pavel|met|Anna", name="two")])
    assert picture(memory) == picture(alone)
    assert memory.check() == []


DOCUMENTS = [
    document("Mira|knows|Anna", "# Varna\nAnna lives here with Mira.", name="one"),
    document("Anna|lives in|Varna", "Mira|knows|Anna", "Harbour Lane|lies in|Varna", name="two"),
    document("Harbour Lanes|lies in|Varna", "# Mira\nShe left Varna.", "Anna|!knows|Mira", name="three"),
]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_documents_one_by_one_in_any_order_give_the_graph_of_all_at_once(
    open_toy: Open, order: tuple[int, ...]
) -> None:
    """LP-01, LP-07 to LP-10: edge for edge and weight for weight, synonyms included."""
    at_once = open_toy("at once")
    at_once.ingest(DOCUMENTS)
    one_by_one = open_toy("one by one", ingest={"group": 1})
    for which in order:
        one_by_one.ingest([DOCUMENTS[which]])
    one, other = picture(at_once), picture(one_by_one)
    assert one.edges == other.edges
    assert one == other
    assert frozenset((frozenset(["harbour lane"]), frozenset(["harbour lanes"]))) in one.edges, "no synonym, no test"
    assert one.edges[frozenset((frozenset(["mira"]), frozenset(["anna"])))] == 4.0, "a fact and its denial, 2 each"


def test_adding_and_deleting_restores_the_graph(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest(DOCUMENTS[:2])
    before = picture(memory)
    memory.ingest([DOCUMENTS[2]])
    assert picture(memory) != before
    memory.delete([memory.sources().items[0].id])
    assert picture(memory) == before
    assert memory.check() == []


def test_a_file_that_cannot_be_read_costs_the_others_nothing(open_toy: Open, tmp_path: Path) -> None:
    memory = open_toy()
    report = memory.ingest(
        [Upload("empty.txt", b""), Upload("notes.txt", b"Mira|knows|Anna"), tmp_path / "missing.txt"]
    )
    assert [file.state for file in report.files] == [FileState.FAILED, FileState.NEW, FileState.FAILED]
    assert report.files[0].reasons
    assert report.files[2].reasons == ("missing.txt: does not exist",) or "missing.txt" in report.files[2].reasons[0]
    assert (report.counts.new, report.counts.failed, report.counts.total) == (1, 2, 3)
    assert [source.name for source in memory.sources().items] == ["notes.txt"]


def test_when_nothing_could_be_taken_nothing_was_done(open_toy: Open) -> None:
    memory = open_toy()
    report = memory.ingest([Upload("empty.txt", b" \n")])
    assert (report.operation, report.job) == (None, None)
    assert memory.history() == []
    assert memory.jobs() == []


def test_a_document_without_passages_is_refused_in_words(open_toy: Open) -> None:
    report = open_toy().ingest([Document("nothing.md", "0" * 64, "text/markdown", ())])
    assert report.files[0].state is FileState.FAILED
    assert report.files[0].reasons == ("nothing.md holds no text",)


def test_a_folder_stands_for_its_files_by_name_without_hidden_ones(open_toy: Open, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deeper").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / "b.txt").write_text("Bea|met|Ann")
    (folder / "a.txt").write_text("Ann|met|Bea")
    (folder / "deeper" / "c.txt").write_text("Cleo|met|Ann")
    (folder / ".hidden" / "d.txt").write_text("Dora|met|Ann")
    (folder / ".e.txt").write_text("Emil|met|Ann")
    memory = open_toy()
    report = memory.ingest([folder])
    assert [file.name for file in report.files] == ["a.txt", "b.txt", "c.txt"]


def test_all_files_of_one_call_are_one_operation_that_one_undo_takes_back(open_toy: Open) -> None:
    memory = open_toy()
    report = memory.ingest(
        [Upload(f"{name}.txt", f"{name}|met|Bob".encode()) for name in ("Ann", "Cleo", "Dora", "Eve")]
    )
    (done,) = memory.history()
    assert (done.id, done.kind, done.summary) == (report.operation, "ingest", "Ann.txt, Cleo.txt, Dora.txt …")
    memory.undo()
    assert memory.stats().paragraphs == 0
    memory.redo()
    assert memory.stats().paragraphs == 4
    assert memory.check() == []


def test_text_is_found_by_its_words_before_anything_was_read(open_toy: Open) -> None:
    """Durable and searchable before any model runs."""
    memory = open_toy()
    report = memory.ingest([document("The ferry leaves Varna at noon.", "青石镇的灯塔")], wait=False)
    result = memory.retrieve("when does the ferry leave", record=False)
    assert result.passages[0].text.startswith("The ferry")
    assert memory.retrieve("灯塔", record=False).passages[0].text == "青石镇的灯塔"
    assert memory.sources().items[0].states == {"waiting": 2}
    assert memory.job(report.job or "").state == "waiting"
    memory.run_jobs()
    assert memory.sources().items[0].states == {"ready": 2}


def test_a_deleted_text_is_revived_when_it_is_added_again(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", name="one")])
    before = picture(memory)
    memory.delete([memory.sources().items[0].id])
    report = memory.ingest([document("Mira|knows|Anna", name="one")])
    assert report.files[0].state is FileState.NEW
    assert picture(memory) == before


def test_a_passage_deleted_by_hand_comes_back_with_a_new_source_that_says_it(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Anna|met|Bob", name="one")])
    before = picture(memory)
    memory.delete([passage(memory, "Mira|knows|Anna")])
    assert picture(memory) != before
    memory.ingest([document("Mira|knows|Anna", name="two")])
    assert picture(memory) == before


def test_a_purged_text_is_refused_with_one_sentence_and_the_rest_of_its_file_is_taken(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", "Anna|met|Bob", name="one")])
    gone = passage(memory, "Mira|knows|Anna")
    memory.delete([gone])
    memory.purge([gone])
    report = memory.ingest([document("Mira|knows|Anna", name="again")])
    assert report.files[0].state is FileState.FAILED
    assert report.files[0].reasons == ("again holds only text that was purged from this memory and is not taken again",)
    report = memory.ingest([document("Mira|knows|Anna", "Cleo|met|Bob", name="more")])
    assert (report.counts.new, report.counts.skipped, report.counts.total) == (1, 1, 2)
    assert "1 passages were purged before and are not taken again" in report.files[0].reasons
    assert sorted(text for _, text in passages(memory)) == ["Anna|met|Bob", "Cleo|met|Bob"]


def test_a_full_disk_refuses_the_file_and_leaves_the_memory_as_it_was(
    open_toy: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = open_toy()
    memory.ingest([document("Mira|knows|Anna", name="one")])
    before = picture(memory)

    def full(*_: Any, **__: Any) -> None:
        raise StorageFull("the disk took no more")

    monkeypatch.setattr("lpmm_core.ingest.intake.jobs.add_tasks", full)
    report = memory.ingest([document("Anna|met|Bob", "Bob|met|Cleo", name="two")])
    assert report.files[0].reasons == ("the disk took no more",)
    assert report.counts.failed == report.counts.total == 2
    monkeypatch.undo()
    assert picture(memory) == before
    assert len(memory.jobs()) == 1
    assert memory.check() == []


def test_a_file_larger_than_the_setting_is_refused(open_toy: Open) -> None:
    report = open_toy(ingest={"largest_file": 100}).ingest([Upload("large.txt", b"Mira met Anna. " * 20)])
    assert report.files[0].state is FileState.FAILED
    assert "300" in report.files[0].reasons[0]


def test_an_encoding_given_by_the_user_wins_over_the_guess(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([Upload("gbk.txt", "林知夏|住在|青石镇".encode("gb18030"))], encoding="gb18030")
    assert [text for _, text in passages(memory)] == ["林知夏|住在|青石镇"]


def test_bytes_read_in_the_wrong_encoding_are_read_anew_when_the_right_one_is_said(open_toy: Open) -> None:
    memory = open_toy()
    text = "東京の夜は静かです。\n\n猫が好きです。"
    upload = Upload("jp.txt", text.encode("shift_jis"))
    wrong = memory.ingest([upload], encoding="gb18030").files[0].source
    report = memory.ingest([upload], encoding="shift_jis").files[0]
    assert report.state is FileState.NEW
    assert f"`lpmm delete {wrong}`" in report.reasons[-1]
    assert [source.id for source in memory.sources().items] == [report.source, wrong], "nothing is replaced silently"
    assert "猫が好きです。" in [text for _, text in passages(memory)]
    memory.delete([str(wrong)])
    assert [found for _, found in passages(memory)] == text.split("\n\n")
    for again in ("shift_jis", "cp932", None):
        assert memory.ingest([upload], encoding=again).files[0].state is FileState.KNOWN


@pytest.mark.parametrize(
    "hostile", ["\ud800 alone", "nul \x00 inside", "\u202e turned round", "<script>alert(1)</script>"]
)
def test_characters_that_trouble_other_programs_are_taken_in(open_toy: Open, hostile: str) -> None:
    memory = open_toy()
    data = json.dumps([{"text": f"{hostile} Mira met Anna."}]).encode()
    report = memory.ingest([Upload("messages.json", data)])
    assert report.files[0].state in (FileState.NEW, FileState.FAILED)
    assert report.files[0].state is FileState.NEW or report.files[0].reasons
    assert memory.retrieve("mira anna", record=False).to_json()
    assert memory.check() == []


def test_a_passage_without_a_single_letter_does_not_stop_the_others(open_toy: Open) -> None:
    memory = open_toy()
    text = ("…", "\x07\x00", "—— ——", "Mira|knows|Anna")
    report = memory.ingest([Document("odd", hashlib.sha256(b"odd").hexdigest(), "text/plain", tuple(map(Piece, text)))])
    assert (report.counts.new, report.counts.skipped, report.counts.total) == (3, 1, 4)
    assert memory.retrieve("mira", record=False).passages[0].text == "Mira|knows|Anna"
    assert "\x07\x00" not in {text for _, text in passages(memory)}, "what cannot be seen cannot be asked for"
    assert memory.stats().states == {"ready": 3}
    assert memory.check() == []


def test_an_error_that_is_no_refusal_is_not_hidden(open_toy: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a fault of ours")

    memory = open_toy()
    monkeypatch.setattr("lpmm_core.ingest.intake.texts.add_document", broken)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        memory.ingest([document("Mira|knows|Anna")])
    monkeypatch.undo()
    assert memory.stats().paragraphs == 0
