"""Ids on the command line: found by a name, shown by each edit's line, and listed with the sources."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Lpmm


@pytest.fixture
def notes(lpmm: Lpmm) -> str:
    path = lpmm.file("notes.txt", "Mira|knows|Anna", "Anna|lives in|Varna", "Annabel|knows|Mira")
    lpmm.done("ingest", path)
    return path


def found(lpmm: Lpmm, name: str) -> str:
    (entry,) = [entry for entry in lpmm.done("find", name, "--json").json() if entry["name"] == name]
    return str(entry["id"])


def test_find_lists_entities_whose_name_begins_with_or_holds_what_was_typed(lpmm: Lpmm, notes: str) -> None:
    listed = lpmm.done("find", "anna", "--json").json()
    assert [(e["name"], e["kind"], e["passages"], e["aliases"]) for e in listed] == [
        ("Anna", "person", 2, []),
        ("Annabel", "person", 1, []),
    ]
    assert lpmm.done("find", "anna").out.splitlines()[0] == f"{listed[0]['id']}  person        2 passages  Anna"
    lpmm.done("rename", listed[0]["id"], "Hanna")
    assert [e["aliases"] for e in lpmm.done("find", "anna", "--json").json() if e["name"] == "Hanna"] == [["anna"]]
    assert "also anna" in lpmm.done("find", "Hanna").out
    assert lpmm.done("find", "nobody").out == "nothing has such a name\n"


def test_sources_are_listed_with_what_their_passages_have_come_to(lpmm: Lpmm, notes: str) -> None:
    lpmm.done("ingest", lpmm.file("more.txt", "Dora|knows|Mira"), "--no-wait")
    more, first = lpmm.done("sources", "--json").json()
    assert (first["name"], first["passages"], first["states"]) == ("notes.txt", 3, {"ready": 3})
    assert lpmm.done("sources").out == (
        f"{more['id']}     1 passages  waiting 1  more.txt\n{first['id']}     3 passages  ready 3  notes.txt\n"
    )
    assert lpmm.done("delete", first["id"]).out.startswith("deleted: ")
    assert [source["name"] for source in lpmm.done("sources", "--deleted", "--json").json()] == ["notes.txt"]
    assert lpmm.done("undelete", first["id"]).out == "took out of the recycle bin: notes.txt\n"


def test_ingest_prints_the_id_of_each_source(lpmm: Lpmm, notes: str) -> None:
    (source,) = lpmm.done("sources", "--json").json()
    assert lpmm.done("ingest", notes).out.splitlines()[0] == f"known   notes.txt  {source['id']}"


def test_each_edit_says_in_a_line_what_was_done_and_history_from_and_into_what(lpmm: Lpmm, notes: str) -> None:
    mira, anna, varna = (found(lpmm, name) for name in ("Mira", "Anna", "Varna"))
    assert lpmm.done("rename", mira, "Mirabel").out == "renamed Mira to Mirabel\n"
    assert "rename    Mira → Mirabel" in lpmm.done("history").out
    assert lpmm.done("merge", anna, varna, mira).out == "merged Anna, Varna into Mirabel\n"
    assert "merge     Anna, Varna → Mirabel" in lpmm.done("history").out
    assert lpmm.done("undo").out == "undone: merge Anna, Varna → Mirabel\n"
    assert lpmm.done("pin", varna).out == "pinned Varna\n"
    assert lpmm.done("unpin", varna).out == "no longer pinned: Varna\n"
    lpmm.done("delete", varna)
    assert lpmm.done("undelete", varna).out == "took out of the recycle bin: Varna\n"


def test_spaces_say_what_became_of_them(lpmm: Lpmm) -> None:
    made = lpmm.home / "data" / "spaces" / "one"
    assert lpmm.done("spaces", "create", "one").out == f"made one at {made}\n"
    assert lpmm.done("spaces", "rename", "one", "two").out == "renamed one to two\n"
    assert lpmm.done("spaces", "delete", "two", "--yes").out == "deleted two\n"
