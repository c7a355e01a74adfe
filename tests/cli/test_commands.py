"""The contract of the command line: JSON shapes, exit codes, refusals in one line, spaces by name and by directory."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from lpmm_core.base.errors import ProviderError
from lpmm_core.cli.text import ROUTES
from lpmm_core.retrieve.result import Route
from lpmm_core.spaces import DEMO_QUESTION
from tests.cli.conftest import Lpmm
from tests.fixtures.toy import FlakyEmbedder, entity, passage

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"


@pytest.fixture
def notes(lpmm: Lpmm) -> str:
    return lpmm.file("notes.txt", "Mira|knows|Anna", "Anna|lives in|Varna", "陈默|住在|青石镇")


# --- text in ---


def test_ingest_prints_the_report_of_the_contract(lpmm: Lpmm, notes: str) -> None:
    ran = lpmm.done("ingest", notes, "--json")
    report = ran.json()
    assert list(report) == ["operation", "job", "files", "counts"]
    (file,) = report["files"]
    assert (file["name"], file["state"]) == ("notes.txt", "new")
    assert isinstance(file["reasons"], list)
    counts = report["counts"]
    assert set(counts) == {"new", "merged", "known", "skipped", "conflicting", "failed", "total"}
    assert counts["new"] == counts["total"] == 3
    assert sum(value for name, value in counts.items() if name != "total") == counts["total"]
    assert ran.err == "", "one document, and nothing else"
    again = lpmm.done("ingest", notes, "--json").json()
    assert (again["operation"], again["job"]) == (None, None)
    assert (again["files"][0]["state"], again["counts"]["known"], again["counts"]["new"]) == ("known", 3, 0)
    assert "notes.txt" in again["files"][0]["reasons"][0]


def test_ingest_says_what_became_of_each_file_and_how_far_it_is_in_plain_lines(lpmm: Lpmm, notes: str) -> None:
    ran = lpmm.done("ingest", notes)
    assert ran.out.splitlines()[-1] == "3 new passages, 0 known, 0 failed"
    assert ran.out.startswith("new     notes.txt")
    assert ran.err.splitlines()[1:] == ["read 3 of 3 passages"], "off a terminal there is no bar"


def test_ingest_with_one_bad_file_goes_on_and_with_only_bad_files_is_refused(lpmm: Lpmm, notes: str) -> None:
    bad = lpmm.file("empty.txt")
    some = lpmm.done("ingest", notes, bad)
    assert "failed  empty.txt" in some.out
    assert some.err.splitlines()[-1] == "lpmm: 1 of 2 files was not taken in: empty.txt is empty"
    again = lpmm.done("ingest", notes, bad, "--json")
    assert again.json()["counts"]["failed"] == 1
    assert len(again.err.splitlines()) == 1, "what the memory has already went through"
    ran = lpmm("ingest", bad)
    assert ran.code == 1
    assert ran.err == "lpmm: nothing was taken in: empty.txt is empty\n"
    ran = lpmm("ingest", bad, "--json")
    assert ran.code == 1
    assert ran.json()["files"][0]["state"] == "failed"
    (lpmm.home / "hollow").mkdir()
    assert lpmm("ingest", str(lpmm.home / "hollow")).err == "lpmm: nothing was taken in: there is no file\n"


def test_ingest_with_a_file_that_is_not_there_takes_the_others(lpmm: Lpmm, notes: str) -> None:
    ran = lpmm.done("ingest", notes, "missing.txt")
    assert "failed  missing.txt" in ran.out
    assert ran.err.splitlines()[-1] == "lpmm: 1 of 2 files was not taken in: missing.txt does not exist"
    ran = lpmm("ingest", "missing.txt")
    assert (ran.code, ran.err.splitlines()[-1]) == (1, "lpmm: nothing was taken in: missing.txt does not exist")


def test_ingest_of_a_folder_leaves_out_the_memory_itself_and_what_holds_no_text(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("stats")
    (lpmm.home / "cache" / "models").mkdir(parents=True)
    (lpmm.home / "cache" / "models" / "about.txt").write_text("Eve|knows|Dora")
    (lpmm.home / ".hidden").write_text("Eve|knows|Dora")
    (lpmm.home / "picture").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    (lpmm.home / "thing.bin").write_bytes(bytes(range(256)) * 4)
    ran = lpmm.done("ingest", ".", "--json")
    assert [(file["name"], file["state"]) for file in ran.json()["files"]] == [
        ("notes.txt", "new"),
        (lpmm.home.name, "skipped"),
    ]
    assert ran.json()["files"][1]["reasons"] == [
        "left out: the memory's own files; 2 files that hold no text (picture, thing.bin)"
    ]
    assert ran.err == "", "nobody asked for these files"
    assert lpmm("ingest", "thing.bin").code == 1, "but a file that is named is answered for"


def test_a_new_memory_is_announced_once_with_its_place(lpmm: Lpmm, notes: str) -> None:
    place = lpmm.home / "data" / "spaces" / "default"
    assert lpmm.done("ingest", notes).err.startswith(f"a new memory begins at {place}\n")
    assert "begins" not in lpmm.done("stats").err
    assert lpmm.done("ingest", notes, "--space", "./own/").err.startswith(f"a new memory begins at {lpmm.home / 'own'}")


def test_ingest_without_waiting_leaves_the_work_to_jobs(lpmm: Lpmm, notes: str) -> None:
    report = lpmm.done("ingest", notes, "--no-wait", "--json").json()
    assert lpmm.done("stats", "--json").json()["states"] == {"waiting": 3}
    found = lpmm.done("jobs", "--json").json()
    assert [(job["id"], job["kind"], job["state"], job["total"]) for job in found] == [
        (report["job"], "read", "waiting", 3)
    ]
    assert re.fullmatch(TIME, found[0]["created"])
    assert lpmm.done("jobs", "run").out == "1 jobs worked off\n"
    assert lpmm.done("stats", "--json").json()["states"] == {"ready": 3}
    assert f"{report['job']}  read      done      3/3, 0 failed" in lpmm.done("jobs").out


def test_jobs_are_cancelled_retried_and_run_by_id_in_any_space(lpmm: Lpmm, notes: str) -> None:
    job = lpmm.done("ingest", notes, "--no-wait", "--json", "--space", "other").json()["job"]
    assert lpmm.done("jobs", "--space", "other", "cancel", job).out == "cancelled\n"
    assert "cancelled" in lpmm.refused("jobs", "run", job, "--space", "other")
    ran = lpmm.done("jobs", "retry", job, "--space", "other")
    assert ran.out == "3 passages to go\ndone\n"
    assert "no job" in lpmm.refused("jobs", "run", job)


def test_a_job_that_failed_is_refused_with_its_reason(lpmm: Lpmm, notes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    job = lpmm.done("ingest", notes, "--no-wait", "--json").json()["job"]

    def away(*_: object) -> None:
        raise ProviderError("the reader is away")

    monkeypatch.setattr("tests.fixtures.toy.ToyExtractor.extract", away)
    ran = lpmm("jobs", "run", job)
    assert (ran.code, ran.out) == (1, "failed\n")
    assert ran.err.splitlines()[-1] == "lpmm: the reader is away"


# --- answers out ---


def test_retrieve_prints_the_result_of_the_contract(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    ran = lpmm.done("retrieve", "who knows Anna", "--top-k", "2", "--json")
    found = ran.json()
    assert list(found) == ["retrieval", "question", "route", "paragraphs", "facts", "trace"]
    assert ran.err == ""
    assert (found["question"], found["route"], len(found["paragraphs"])) == ("who knows Anna", "graph", 2)
    first = found["paragraphs"][0]
    assert first["text"] == "Mira|knows|Anna"
    assert first["source"]["name"] == "notes.txt"
    assert all(isinstance(sentence, str) for sentence in first["why"])
    fact = found["facts"][0]
    assert (fact["subject"], fact["predicate"], fact["object"]) == ("Mira", "knows", "Anna")
    assert re.fullmatch(TIME, fact["recorded"][0])
    assert fact["recorded"][1] is None
    assert lpmm.done("trace", found["retrieval"], "--json").json() == found


def test_retrieve_tells_a_person_route_score_place_and_reasons(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    out = lpmm.done("retrieve", "陈默住在哪里").out
    assert out.startswith("graph: 从 ")
    assert re.search(
        r"1\. \[\d\.\d\d\] notes\.txt · 3\n   陈默\|住在\|青石镇\n   - 这里说到“陈默 — 住在 — 青石镇”。", out
    )
    assert "* 陈默 — 住在 — 青石镇 [" in out


def test_retrieve_without_record_has_no_retrieval(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    assert lpmm.done("retrieve", "Anna", "--no-record", "--json").json()["retrieval"] is None
    with lpmm.memory().snapshot() as view:
        assert view.connection.execute("SELECT count(*) FROM traces").fetchone()[0] == 0


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_can_be_asked_for(lpmm: Lpmm, notes: str, route: str) -> None:
    lpmm.done("ingest", notes)
    found = lpmm.done("retrieve", "Mira knows Anna", "--route", route, "--json").json()
    assert found["route"] == ("graph" if route == "auto" else route)


def test_the_routes_of_the_command_line_are_those_there_are() -> None:
    assert tuple(Route) == ROUTES


def test_asking_an_empty_memory_is_no_error(lpmm: Lpmm) -> None:
    assert lpmm.done("retrieve", "anything", "--json").json()["paragraphs"] == []
    assert "The memory is still empty." in lpmm.done("retrieve", "anything").out


def test_the_demo_fills_the_sample_answers_and_leaves_the_users_space_alone(lpmm: Lpmm) -> None:
    first = lpmm.done("demo")
    assert f"a new memory begins at {lpmm.home}" in first.err
    assert first.out.startswith(f"? {DEMO_QUESTION}\n")
    assert "1. [" in first.out
    found = lpmm.done("demo", "--json")
    assert len(found.json()["paragraphs"]) == 3
    assert found.err == ""
    assert lpmm.done("spaces").out == "sample\n"


# --- counts and health ---


def test_stats_prints_the_counts_of_the_contract(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    found = lpmm.done("stats", "--json").json()
    assert set(found) == {"paragraphs", "occurrences", "entities", "facts", "links", "sources", "states", "sequence"}
    assert set(found["links"]) == {
        "mention",
        "synonym",
        "alias_of",
        "mentions_topic",
        "supports",
        "same_topic",
        "temporal_next",
        "speaker_related",
    }
    assert (found["paragraphs"], found["facts"], found["entities"], found["sources"]) == (3, 3, 5, 1)
    assert re.search(r"^facts +3$", lpmm.done("stats").out, re.MULTILINE)


def test_check_says_that_all_is_well_or_what_is_not(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    assert lpmm.done("check").out == "all is well\n"
    assert lpmm.done("check", "--json").json() == {"problems": []}
    assert lpmm.done("rebuild").out == "the indexes were built anew\n"
    with lpmm.memory()._store.database.writing() as connection:
        connection.execute("UPDATE passages SET deleted = '2026-01-01' WHERE id = 1")
    ran = lpmm("check", "--json")
    assert ran.code == 1
    assert ran.json()["problems"]
    assert len(ran.err.splitlines()) == 1
    assert lpmm.done("check", "--repair").out == "all is well\n"


def test_vectors_that_are_missing_are_made_by_check_repair(
    lpmm: Lpmm, notes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = FlakyEmbedder()
    embedder.works = False
    monkeypatch.setattr("lpmm_core.memory.open_embedder", lambda *_: embedder)
    told = lpmm.done("ingest", notes).err
    assert "embedding failed" in told
    assert re.search(r"`lpmm jobs run \S+` goes on later", told)
    (read,) = [job for job in lpmm.done("jobs", "--json").json() if job["kind"] == "read"]
    assert (read["state"], read["error"]) == ("done", None), "nothing failed to be read"
    assert "3 passages, 5 names and 3 facts have no vector" in lpmm.refused("check")
    assert "have no vector" in lpmm("check", "--repair").err
    (waits,) = [job for job in lpmm.done("jobs", "--json").json() if job["kind"] == "embed"]
    assert (waits["state"], waits["error"]) == ("waiting", "the embedding service is away")
    assert re.fullmatch(TIME, waits["until"])
    ran = lpmm.done("jobs", "run")
    assert ran.out == "0 jobs worked off\n"
    assert re.fullmatch(rf"! {waits['id']} is tried again at \d\d:\d\d:\d\d: the embedding service is away\n", ran.err)
    embedder.works = True
    assert lpmm.done("check", "--repair").out == "all is well\n"


def test_the_hint_after_a_failed_embedding_works_and_then_nothing_says_failed(
    lpmm: Lpmm, notes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = FlakyEmbedder()
    embedder.works = False
    monkeypatch.setattr("lpmm_core.memory.open_embedder", lambda *_: embedder)
    hint = re.search(r"`lpmm (jobs run \S+)`", lpmm.done("ingest", notes).err)
    assert hint
    assert "embedding service is away" in lpmm(*hint[1].split()).err
    (waiting,) = [job for job in lpmm.done("jobs", "--json").json() if job["kind"] == "embed"]
    assert (waiting["done"], waiting["total"]) == (0, 11)
    embedder.works = True
    ran = lpmm.done(*hint[1].split())
    assert ran.out == "done\n"
    assert ran.err.splitlines()[-1] == "embedded 11 of 11 texts"
    listed = lpmm.done("jobs").out
    assert "failed " not in listed.replace("0 failed", "")
    assert "0/0" not in listed
    assert [(job["state"], job["error"]) for job in lpmm.done("jobs", "--json").json()] == [("done", None)] * 2


def test_an_embedding_refused_for_good_is_retried_and_later_ones_settle_it(
    lpmm: Lpmm, notes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = FlakyEmbedder()
    embedder.works = embedder.passes = False
    monkeypatch.setattr("lpmm_core.memory.open_embedder", lambda *_: embedder)
    lpmm.done("ingest", notes)
    lpmm.done("jobs", "run")
    (failed,) = [job["id"] for job in lpmm.done("jobs", "--json").json() if job["state"] == "failed"]
    ran = lpmm("jobs", "retry", failed)
    assert (ran.code, ran.out) == (1, "11 texts to embed\nfailed\n")
    embedder.works = True
    assert lpmm.done("check", "--repair").out == "all is well\n"
    assert {job["state"] for job in lpmm.done("jobs", "--json").json()} == {"done"}
    assert lpmm.done("reembed").err.splitlines()[-1] == "embedded 11 of 11 texts"


def test_a_job_that_another_worker_holds_is_named_with_its_lease(lpmm: Lpmm, notes: str) -> None:
    job = lpmm.done("ingest", notes, "--no-wait", "--json").json()["job"]
    with lpmm.memory() as memory, memory._store.database.writing() as connection:
        connection.execute("UPDATE jobs SET state = 'running', holder = 'elsewhere', lease = ?", (time.time() + 20,))
    ran = lpmm.done("jobs", "run")
    assert ran.out == "0 jobs worked off\n"
    assert re.fullmatch(rf"! {job} is another worker's until \d\d:\d\d:\d\d\n", ran.err)


def test_a_backup_is_restored_into_a_new_space_only(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    target = str(lpmm.home / "copies" / "today.backup")
    assert lpmm.done("backup", target, "--verify").out == f"{target} is sound\n"
    assert (
        lpmm.refused("backup", target)
        == f"lpmm: {target} exists already; name another file, or replace it with --force"
    )
    assert lpmm.done("backup", target, "--force").out == f"{target} is written\n"
    lpmm.done("restore", target, "second")
    assert lpmm.done("stats", "--space", "second", "--json").json()["facts"] == 3
    assert "exists already" in lpmm.refused("restore", target, "second")
    assert "not a" in lpmm.refused("restore", notes, "third")
    assert lpmm.done("spaces", "--json").json() == ["default", "second"]


def test_reembed_says_how_it_ended(lpmm: Lpmm, notes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lpmm.done("ingest", notes)
    assert lpmm.done("reembed").out == "embedding everything anew: done\n"
    monkeypatch.setattr("lpmm_core.memory.open_embedder", lambda *_: None)
    assert "no embedding model" in lpmm.refused("reembed")


def test_calibrating_is_done_on_command_and_undone_by_name(lpmm: Lpmm, notes: str) -> None:
    assert "nothing is embedded yet" in lpmm("calibrate").err
    lpmm.done("ingest", notes)
    assert lpmm.done("calibrate").out == "calibrating: done\n"
    done = next(d for d in lpmm.done("history", "--all", "--json").json() if d["kind"] == "calibrate")
    assert (done["actor"], done["summary"]) == ("system:calibrate", "on command")
    assert lpmm.done("undo", done["id"]).out == "undone: calibrate on command\n"
    assert lpmm.done("redo", done["id"], "--json").json()["kind"] == "calibrate"
    read = next(d["id"] for d in lpmm.done("history", "--all", "--json").json() if d["kind"] == "read")
    assert "what can be named" in lpmm.refused("undo", read)


def test_a_passage_is_read_again_by_its_id(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    with lpmm.memory() as memory:
        first = passage(memory, "Mira|")
    assert lpmm.done("reextract", first).out == "reading again: done\n"
    assert "no passage" in lpmm.refused("reextract", "nonsense")


# --- editing ---


def test_edits_are_done_undone_and_shown_in_the_history(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    with lpmm.memory() as memory:
        mira, anna = entity(memory, "Mira"), entity(memory, "Anna")
        first = passage(memory, "Mira|")
    lpmm.done("rename", mira, "Mirabel")
    lpmm.done("merge", anna, mira)
    new = lpmm.done("split", mira, "anna").out.strip()
    assert lpmm.done("undo").out == "undone: split Mirabel → anna\n"
    assert lpmm.done("redo").out == "done again: split Mirabel → anna\n"
    assert new != mira
    lpmm.done("pin", mira)
    lpmm.done("unpin", mira)
    assert lpmm.done("delete", first, "--dry-run").out.startswith("would delete: 1 passages, 1 facts, ")
    assert lpmm.done("delete", first, "--dry-run", "--json").json()["removes"]["passages"] == 1
    assert lpmm.done("delete", first).out.startswith("deleted: 1 passages")
    lpmm.done("undelete", first)
    lpmm.done("delete", first)
    lpmm.done("purge", first)
    assert "not in the recycle bin" in lpmm.refused("undelete", first)
    history = lpmm.done("history", "--json").json()
    assert [done["kind"] for done in history] == [
        "purge",
        "delete",
        "undelete",
        "delete",
        "unpin",
        "pin",
        "redo",
        "undo",
        "split",
        "merge",
        "rename",
        "ingest",
    ]
    assert re.fullmatch(TIME, history[0]["time"])
    assert {done["actor"] for done in history} == {"cli"}
    assert len(lpmm.done("history", "--limit", "3").out.splitlines()) == 3
    assert any("system:read" in line for line in lpmm.done("history", "--all").out.splitlines())


def test_every_edit_prints_one_document_with_its_operation_and_its_changes(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    with lpmm.memory() as memory:
        mira, anna, varna = (entity(memory, name) for name in ("Mira", "Anna", "Varna"))
        first = passage(memory, "Mira|")
    for command in (
        ["rename", mira, "Mirabel"],
        ["merge", anna, mira],
        ["split", mira, "anna"],
        ["undo"],
        ["redo"],
        ["pin", varna],
        ["unpin", varna],
        ["delete", first],
        ["undelete", first],
        ["delete", first],
        ["purge", first],
    ):
        ran = lpmm.done(*command, "--json")
        told = ran.json()
        assert list(told)[:4] == ["operation", "kind", "summary", "changes"]
        assert told["operation"] == lpmm.done("history", "--limit", "1", "--json").json()[0]["id"]
        assert told["changes"], command
        assert all(set(change) == {"kind", "id", "action"} for change in told["changes"])
        assert ran.err == ""
    again = lpmm("delete", varna, "--dry-run", "--json").json()
    assert (again["operation"], again["changes"]) == (None, [])
    assert again["removes"]["entities"] == 1


def test_a_trace_is_read_by_a_person_too(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", notes)
    with lpmm.memory() as memory:
        first = passage(memory, "Mira|")
        fact = memory.passage(first).facts[0].id
    assert lpmm.done("trace", fact, "--json").json()["fact"] == fact
    out = lpmm.done("trace", fact).out
    assert out.startswith("fact 1: Mira — knows — Anna\n")
    assert "notes.txt · 1" in out
    assert re.search(r"^\d{4}-.* cli +ingest +notes\.txt$", out, re.MULTILINE)
    out = lpmm.done("trace", first).out
    assert out.startswith("passage (visible): Mira|knows|Anna\n")
    assert "stands in notes.txt · 1 (ready)" in out
    assert "names: Mira, Anna" in out


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["undo"], "cli has nothing to undo"),
        (["redo"], "cli has nothing to redo"),
        (["rename", "e" + "a" * 13, "Bob"], "there is no entity"),
        (["delete", "nonsense"], "there is no record 'nonsense'"),
        (["trace", "nonsense"], "there is no record 'nonsense'"),
        (["jobs", "cancel", "nonsense"], "there is no job 'nonsense'"),
        (["stats", "--space", ".."], "cannot be the name of a space"),
        (["stats", "--space", ""], "cannot be the name of a space"),
        (["spaces", "create", "../x"], "a name is printable text of at most 200 bytes without / and"),
        (["spaces", "create", "a\nb"], "'a\\nb' cannot be the name of a space"),
        (["spaces", "create", "CON"], "no device of Windows"),
        (["spaces", "rename", "one", "two"], "there is no space 'one'"),
        (["spaces", "archive", "one"], "there is no space 'one'"),
        (["spaces", "delete", "one", "--yes"], "there is no space 'one'"),
    ],
)
def test_a_refusal_is_one_line_on_stderr_and_exit_1(lpmm: Lpmm, command: list[str], sentence: str) -> None:
    assert sentence in lpmm.refused(*command)


@pytest.mark.parametrize(
    "command",
    [
        ["nonsense"],
        ["ingest"],
        ["retrieve"],
        ["retrieve", "x", "--top-k", "0"],
        ["retrieve", "x", "--top-k", "101"],
        ["retrieve", "x", "--route", "magic"],
        ["stats", "--nonsense"],
        ["restore", "missing", "new"],
        ["history", "--limit", "0"],
    ],
)
def test_wrong_usage_is_exit_2_and_prints_nothing_on_stdout(lpmm: Lpmm, command: list[str]) -> None:
    ran = lpmm(*command)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: lpmm")


def test_what_the_system_refuses_is_one_line_too(lpmm: Lpmm, notes: str) -> None:
    assert "notes.txt" in lpmm.refused("stats", "--space", "./notes.txt")
    lpmm.done("ingest", notes)
    assert lpmm.refused("export", "notes.txt/inside.json")


def test_a_faulty_config_is_refused_by_key(lpmm: Lpmm) -> None:
    (lpmm.home / "config.toml").write_text('[embedding]\nprovider = "magic"\n')
    assert "config.toml: embedding.provider" in lpmm.refused("stats")
    (lpmm.home / "config.toml").write_text("[embedding\n")
    assert "not valid TOML" in lpmm.refused("stats")


# --- spaces ---


def test_a_space_is_given_by_name_by_directory_or_left_out(lpmm: Lpmm, notes: str, tmp_path: Path) -> None:
    lpmm.done("ingest", notes)
    lpmm.done("ingest", notes, "--space", "work")
    lpmm.done("ingest", notes, "--space", "./elsewhere")
    lpmm.done("ingest", notes, "--space", str(tmp_path / "far" / "away"))
    for place in ("data/spaces/default", "data/spaces/work", "elsewhere", "far/away"):
        assert (tmp_path / place / "memory.db").is_file()
    assert lpmm.done("spaces", "--json").json() == ["default", "work"]
    with lpmm.memory("work") as memory:
        assert memory.stats().facts == 3


def test_the_installation_is_the_current_folder_when_nothing_is_said(
    lpmm: Lpmm, notes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.delenv("LPMM_HOME")
    lpmm.done("ingest", notes)
    assert (tmp_path / "here" / "data" / "spaces" / "default" / "memory.db").is_file()


def test_spaces_are_made_renamed_put_aside_and_deleted(lpmm: Lpmm) -> None:
    assert lpmm.done("spaces").out == "there are no spaces yet\n"
    lpmm.done("spaces", "create", "知识")
    assert "already" in lpmm.refused("spaces", "create", "知识")
    lpmm.done("spaces", "rename", "知识", "old")
    assert "now at " in lpmm.done("spaces", "archive", "old").out
    lpmm.done("spaces", "create", "gone")
    refused = lpmm("spaces", "delete", "gone", answer="n\n")
    assert refused.code == 1
    assert lpmm.done("spaces").out == "gone\n"
    lpmm.done("spaces", "delete", "gone", "--yes")
    assert lpmm.done("spaces", "--json").json() == []


def test_exchange_goes_out_and_in_again(lpmm: Lpmm, notes: str) -> None:
    """LP-04, LP-26."""
    lpmm.done("ingest", notes)
    lpmm.done("export", "graph.json")
    assert len(json.loads((lpmm.home / "graph.json").read_text("utf-8"))["docs"]) == 3
    report = lpmm.done("import", "graph.json", "--space", "copy", "--json").json()
    assert report["counts"]["new"] == 3
    assert lpmm.done("stats", "--space", "copy", "--json").json()["facts"] == 3


@pytest.mark.parametrize("space", ["nosuch", "./no/such"])
def test_a_slip_in_the_name_of_a_space_makes_none(lpmm: Lpmm, space: str) -> None:
    assert "there is no space" in lpmm.refused("retrieve", "who?", "--space", space)
    assert "there is no space" in lpmm.refused("stats", "--space", space)
    assert lpmm.done("spaces", "--json").json() == []
    assert not (lpmm.home / space).exists()


def test_a_model_that_cannot_be_reached_is_told_after_the_ingest(lpmm: Lpmm, notes: str) -> None:
    dead = '[llm]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "x"\napi_key = "k"\nretries = 0\n'
    (lpmm.home / "config.toml").write_text(dead, "utf-8")
    ran = lpmm.done("ingest", notes, "--json")
    assert ran.json()["counts"]["failed"] == 0, "the local reading stands"
    (line,) = ran.err.splitlines()
    assert "127.0.0.1:9" in line
    assert "lpmm jobs retry" in line


def test_a_file_that_holds_no_passage_counts_as_failed(lpmm: Lpmm, notes: str) -> None:
    (lpmm.home / "empty.json").write_text('{"docs": []}', "utf-8")
    report = lpmm.done("ingest", notes, "empty.json", "--json").json()
    assert [file["state"] for file in report["files"]] == ["new", "failed"]
    assert report["counts"]["failed"] == 1
