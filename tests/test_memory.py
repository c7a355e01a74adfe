"""The façade: every verb by ids, actors apart, threads together, and the real models on the sample texts."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from lpmm_core import Memory as PublicMemory
from lpmm_core.base.errors import (
    Conflict,
    InvalidInput,
    LpmmError,
    NotFound,
    NothingToUndo,
    SettingsError,
    UndoBlocked,
)
from lpmm_core.base.settings import Settings
from lpmm_core.ingest.report import FileState
from lpmm_core.memory import Memory, Upload, restore, verify
from lpmm_core.spaces import samples_directory
from tests.fixtures.toy import document, entity, passage, picture, toy_memory

Open = Callable[..., Memory]

TEXTS = ("Mira|knows|Anna", "Anna|lives in|Varna", "Harbour Lane|lies in|Varna")


@pytest.fixture
def town(open_toy: Open) -> Memory:
    memory = open_toy("town")
    memory.ingest([document(*TEXTS, name="town")])
    return memory


# --- opening ---


def test_a_space_is_a_name_under_the_installation_or_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for space, place in (("mine", "data/spaces/mine"), ("./here", "here"), (str(tmp_path / "there"), "there")):
        with PublicMemory.open(space) as memory:
            assert memory.path.resolve() == tmp_path / place
            assert (tmp_path / place / "memory.db").is_file()
    with pytest.raises(SettingsError):
        PublicMemory.open("..")


def test_a_config_with_an_unknown_key_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text("[retrieve]\ntop_q = 3\n")
    with pytest.raises(SettingsError, match=r"retrieve\.top_q"):
        PublicMemory.open("mine")


def test_the_example_of_the_contract_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    notes = tmp_path / "notes.txt"
    notes.write_text("爱莉希雅|住在|往世乐土")
    with toy_memory(tmp_path / "my-space") as memory:
        assert memory.ingest([str(notes)]).files[0].state is FileState.NEW
        result = memory.retrieve("谁住在往世乐土？", top_k=5)
        assert result.passages[0].text == "爱莉希雅|住在|往世乐土"
        assert memory.ingest_text("Mira|knows|Anna", name="pasted").files[0].name == "pasted"


def test_closing_twice_is_no_error_and_afterwards_every_verb_refuses(open_toy: Open) -> None:
    memory = open_toy()
    memory.close()
    memory.close()
    for verb in (memory.stats, memory.sources, memory.undo, lambda: memory.retrieve("x"), memory.check):
        with pytest.raises(LpmmError, match="closed"):
            verb()


# --- editing ---


def test_a_renamed_entity_keeps_its_id_and_its_old_name_as_alias(town: Memory) -> None:
    """LP-25."""
    id = entity(town, "Mira")
    town.rename(id, "Mirabel")
    shown = town.entity(id).entity
    assert (shown.name, shown.aliases, shown.hand) == ("Mirabel", ("mira",), True)
    assert town.retrieve("who knows anna", record=False).facts[0].fact.subject == "Mirabel"
    town.ingest([document("Mira|met|Bob", name="later")])
    assert town.entity(id).entity.passages == 2, "what is said later under the old name is about the same"


def test_renaming_onto_another_entity_offers_a_merger(town: Memory) -> None:
    with pytest.raises(Conflict, match="Anna is another entity; merge the two instead"):
        town.rename(entity(town, "Mira"), "Anna")


def test_a_merger_keeps_the_name_of_the_last_and_can_be_split_and_undone(town: Memory) -> None:
    """LP-25."""
    before = picture(town)
    mira, harbour = entity(town, "Mira"), entity(town, "Harbour Lane")
    town.merge([mira], harbour)
    assert town.entity(mira).entity.id == harbour
    assert town.entity(harbour).entity.name == "Harbour Lane"
    assert town.entity(harbour).entity.passages == 2
    (new,) = town.split(harbour, ["mira"]).made
    assert town.entity(new).entity.name == "Mira"
    assert picture(town) == before
    town.undo()
    town.undo()
    assert picture(town) == before
    town.redo()
    assert town.entity(mira).entity.id == harbour
    assert town.check() == []


def test_a_record_changed_meanwhile_is_not_overwritten(town: Memory) -> None:
    id = entity(town, "Mira")
    seen = town.entity(id).entity.version
    town.rename(id, "Mirabel", actor="somebody else")
    with pytest.raises(Conflict, match="changed meanwhile"):
        town.rename(id, "Mirela", version=seen)
    with pytest.raises(Conflict, match="changed meanwhile"):
        town.retype(id, "place", version=seen)
    town.rename(id, "Mirela", version=town.entity(id).entity.version)


def test_an_unknown_kind_is_refused_with_the_ones_there_are(town: Memory) -> None:
    town.retype(entity(town, "Varna"), "place")
    assert town.entity(entity(town, "Varna")).entity.kind == "place"
    with pytest.raises(InvalidInput, match="person, place, organisation"):
        town.retype(entity(town, "Varna"), "planet")


def test_a_preview_says_what_a_deletion_does_and_changes_nothing(town: Memory) -> None:
    town.ingest([document("Mira|knows|Anna", "Pell|met|Mira", name="more")])
    before = town.stats()
    source = next(source.id for source in town.sources().items if source.name == "town")
    told = town.deletion([source])
    assert town.stats() == before
    town.delete([source])
    after = town.stats()
    assert told.to_json()["removes"] == {
        "passages": before.paragraphs - after.paragraphs,
        "facts": before.facts - after.facts,
        "entities": before.entities - after.entities,
    }
    assert told.kept_passages == 1


def test_many_records_go_and_return_in_one_operation(town: Memory) -> None:
    before = picture(town)
    gone = [passage(town, "Mira|"), entity(town, "Varna")]
    town.delete(gone)
    assert [done.kind for done in town.history()] == ["delete", "ingest"]
    assert picture(town).passages == {(None, "Anna|lives in|Varna"), (None, "Harbour Lane|lies in|Varna")}
    town.undelete(gone)
    assert picture(town) == before
    town.undo()
    town.undo()
    assert picture(town) == before
    with pytest.raises(InvalidInput, match="say what to delete"):
        town.delete([])


def test_when_one_of_many_cannot_be_deleted_none_is(town: Memory) -> None:
    before = picture(town)
    once = passage(town, "Mira|")
    with pytest.raises(NotFound):
        town.delete([once, once])
    assert picture(town) == before


def test_only_what_is_deleted_can_be_purged(town: Memory) -> None:
    id = passage(town, "Mira|")
    with pytest.raises(LpmmError, match="delete it first"):
        town.purge([id])
    with pytest.raises(InvalidInput):
        town.purge([entity(town, "Mira")])
    town.delete([id])
    town.purge([id])
    with pytest.raises(NotFound):
        town.undelete([id])
    assert town.check() == []


def test_a_pinned_entity_stays_in_sight_when_its_evidence_goes(town: Memory) -> None:
    id = entity(town, "Mira")
    town.pin(id)
    town.delete([passage(town, "Mira|")])
    assert entity(town, "Mira") == id
    town.pin(id, pinned=False)
    assert not town.suggestions("Mira")


def test_actors_have_stacks_of_their_own_and_do_not_undo_each_other(town: Memory) -> None:
    """One's edit on top of the other's stands in the way, and is named."""
    id = entity(town, "Mira")
    town.rename(id, "Ada", actor="ann")
    town.rename(id, "Bea", actor="bob")
    with pytest.raises(UndoBlocked, match="bob has since done 'rename Ada → Bea'"):
        town.undo(actor="ann")
    assert town.undo(actor="bob").summary == "Ada → Bea"
    assert town.undo(actor="ann").summary == "Mira → Ada"
    assert town.entity(id).entity.name == "Mira"
    with pytest.raises(NothingToUndo):
        town.undo(actor="ann")


def test_undo_survives_a_restart_and_a_new_edit_ends_redo(tmp_path: Path) -> None:
    with toy_memory(tmp_path / "space") as memory:
        memory.ingest([document(*TEXTS)])
        memory.rename(entity(memory, "Mira"), "Mirabel")
    with toy_memory(tmp_path / "space") as memory:
        assert memory.undo().kind == "rename"
    with toy_memory(tmp_path / "space") as memory:
        assert memory.redo().kind == "rename"
        memory.undo()
        memory.rename(entity(memory, "Mira"), "Mirela")
        with pytest.raises(NothingToUndo):
            memory.redo()


# --- looking ---


def test_sources_and_passages_come_in_pages(open_toy: Open) -> None:
    memory = open_toy()
    for i in range(5):
        memory.ingest([document(*(f"Name{i}{j}|met|Bob" for j in range(4)), name=f"file {i}")])
    page = memory.sources(offset=1, limit=2)
    assert ([source.name for source in page.items], page.total, page.offset) == (["file 3", "file 2"], 5, 1)
    inside = memory.passages_of(page.items[0].id, offset=1, limit=2)
    assert [entry.passage.text for entry in inside.items] == ["Name31|met|Bob", "Name32|met|Bob"]
    assert (inside.total, inside.offset) == (4, 1)
    memory.delete([page.items[0].id])
    assert memory.sources().total == 4
    assert [source.name for source in memory.sources(deleted=True).items] == ["file 3"]


def test_a_fact_leads_to_its_evidence_and_that_to_its_text(town: Memory) -> None:
    fact = town.entity(entity(town, "Mira")).facts[0]
    (occurrence,) = town.occurrences(town.fact(fact.id).evidence)
    assert town.passage(occurrence.passage).passage.text == "Mira|knows|Anna"
    assert town.source(occurrence.source).name == "town"
    spans = town.passage(occurrence.passage).spans
    assert [("Mira|knows|Anna"[span.start : span.end], span.entity) for span in spans] == [
        ("Mira", entity(town, "Mira")),
        ("Anna", entity(town, "Anna")),
    ]


@pytest.mark.parametrize("typed", ["", "%", "_", "\\", "\x00", "a" * 5000, "'"])
def test_odd_characters_suggest_nothing_they_should_not(town: Memory, typed: str) -> None:
    assert town.suggestions(typed) == []


def test_suggestions_begin_with_what_was_typed_before_they_hold_it(town: Memory) -> None:
    assert [found.name for found in town.suggestions("a")] == ["Anna", "Varna", "Mira", "Harbour Lane"]
    town.ingest([document("Nahar|met|Anna", "Nahar|met|Mira", name="more")])
    assert [found.name for found in town.suggestions("ha")] == ["Harbour Lane", "Nahar"], "though more speak of Nahar"
    assert [found.name for found in town.suggestions("lane")] == ["Harbour Lane"]
    assert len(town.suggestions("a", 2)) == 2


def test_history_names_the_memorys_own_work_only_when_asked(town: Memory) -> None:
    assert [(done.actor, done.kind) for done in town.history()] == [("cli", "ingest")]
    assert [done.actor for done in town.history(derived=True)] == ["system:read", "cli"]
    sequence, changes = town.changes_since(0)
    assert sequence == town.stats().sequence
    assert changes[0].sequence == 1
    assert town.changes_since(sequence) == (sequence, [])


def test_a_fact_is_traced_to_its_versions_its_evidence_and_who_brought_it(town: Memory) -> None:
    fact = town.entity(entity(town, "Mira")).facts[0]
    town.ingest([document("Mira|knows|Anna", name="letter")], actor="ann")
    town.pin(fact.id)
    found = town.trace(fact.id)
    assert found["fact"] == fact.id
    (version,) = found["versions"]
    assert (version["number"], version["subject"], version["object"]) == (1, "Mira", "Anna")
    assert version["recorded"][1] is None
    assert [(e["text"], e["source"]["name"], e["readers"]) for e in found["evidence"]] == [
        ("Mira|knows|Anna", "town", ["toy/1"]),
        ("Mira|knows|Anna", "letter", ["toy/1"]),
    ]
    assert [(done["actor"], done["kind"]) for done in found["operations"]] == [
        ("cli", "ingest"),
        ("system:read", "read"),
        ("ann", "ingest"),
        ("system:read", "read"),
        ("cli", "pin"),
    ]
    town.undo(actor="ann")
    after = town.trace(fact.id)
    assert ([e["source"]["name"] for e in after["evidence"]], after["withdrawn"]) == (["town"], 1)
    assert json.loads(json.dumps(after)) == after, "all of it is JSON"


def test_a_passage_and_a_message_are_traced_to_where_they_stand_and_what_was_read_from_them(town: Memory) -> None:
    id = passage(town, "Mira|")
    town.ingest([document("Mira|knows|Anna", "Pell|met|Bob", name="letter")])
    found = town.trace(id)
    assert (found["passage"], found["text"], found["state"]) == (id, "Mira|knows|Anna", "visible")
    assert [(o["source"]["name"], o["position"], o["state"]) for o in found["occurrences"]] == [
        ("town", 1, "ready"),
        ("letter", 1, "ready"),
    ]
    assert [name["name"] for name in found["names"]] == ["Mira", "Anna"]
    assert [(f["subject"], f["predicate"], f["object"]) for f in found["facts"]] == [("Mira", "knows", "Anna")]
    assert [done["kind"] for done in found["operations"]] == ["ingest", "read", "ingest", "read"]
    message = found["occurrences"][1]["message"]
    one = town.trace(message)
    assert (one["message"], one["passage"], len(one["occurrences"])) == (message, id, 1)
    town.delete([id])
    assert town.trace(id)["state"] == "deleted"
    assert town.trace(id)["operations"][-1]["kind"] == "delete"
    with pytest.raises(InvalidInput, match="no retrieval, fact, passage or message"):
        town.trace(entity(town, "Varna"))


def test_an_edit_tells_its_operation_and_what_it_changed(town: Memory) -> None:
    id = entity(town, "Mira")
    done = town.rename(id, "Mirabel")
    assert done.operation == town.history()[0].id
    assert ("entity", id, "update") in {(change.kind, change.id, change.action) for change in done.changes}
    back = town.undo()
    assert back.operation == town.history()[0].id
    assert (back.kind, back.summary) == ("rename", "Mira → Mirabel")
    assert ("entity", id, "update") in {(change.kind, change.id, change.action) for change in back.changes}


# --- health ---


def test_damage_to_the_truth_is_found_and_named(town: Memory) -> None:
    assert town.check() == []
    with sqlite3.connect(town.path / "memory.db") as connection:
        connection.execute("UPDATE passages SET text = 'Mira|knows|nobody' WHERE id = 1")
    assert any("a text is not what was taken in (1 times)" in problem for problem in town.check())


def test_indexes_that_differ_from_the_truth_are_found_and_mended_by_a_rebuild(town: Memory) -> None:
    with town.snapshot():
        pass
    with sqlite3.connect(town.path / "memory.db") as connection:
        connection.execute(
            "UPDATE passages SET deleted = '2026-01-01' WHERE id = 1"
        )  # no journal row, so nobody follows
    problems = town.check()
    assert problems
    assert all("lpmm rebuild" in problem for problem in problems)
    town.rebuild()
    assert town.check() == []


def test_a_backup_taken_while_others_write_becomes_a_whole_memory(town: Memory, tmp_path: Path) -> None:
    stop = threading.Event()
    failures: list[BaseException] = []

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            try:
                town.ingest([document(f"Writer{number}|met|Bob", name=f"w{number}")])
            except BaseException as error:
                failures.append(error)
                return

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(3):
            town.backup(tmp_path / "copy")
            verify(tmp_path / "copy")
    finally:
        stop.set()
        thread.join()
    assert failures == []
    restore(tmp_path / "copy", str(tmp_path / "restored"))
    with toy_memory(tmp_path / "restored") as memory:
        assert memory.check() == []
        assert set(picture(memory).passages) >= {(None, text) for text in TEXTS}
        assert memory.retrieve("who knows anna", record=False).route == "graph"
    with pytest.raises(Conflict, match="exists already"):
        restore(tmp_path / "copy", str(tmp_path / "restored"))
    (tmp_path / "rubbish").write_text("not a database, but long enough to look at")
    with pytest.raises(InvalidInput):
        verify(tmp_path / "rubbish")


def test_threads_share_a_memory(town: Memory) -> None:
    """Readers, writers and editors at once: nobody fails, and in the end all is well."""
    failures: list[BaseException] = []

    def keep(what: Callable[[int], object]) -> threading.Thread:
        def run() -> None:
            try:
                for number in range(6):
                    what(number)
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    threads = [
        keep(lambda n: town.ingest([document(f"Ada{n}|met|Bob", name=f"a{n}")])),
        keep(lambda n: town.ingest([document(f"Cleo{n}|met|Bob", name=f"c{n}")])),
        keep(lambda n: town.rename(entity(town, "Varna"), f"Varna {n}")),
        keep(lambda n: town.retrieve("who knows anna")),
        keep(lambda n: town.subgraph(passages=True)),
        keep(lambda n: town.stats()),
    ]
    for thread in threads:
        thread.join()
    assert failures == []
    assert town.check() == []
    assert town.stats().sources == 13
    assert town.entity(entity(town, "bob")).entity.passages == 12


# --- the real models ---


@pytest.mark.models
def test_the_sample_texts_are_read_whole_and_all_is_well(sample: Memory) -> None:
    """LP-29: local models, Chinese and English, end to end."""
    stats = sample.stats()
    assert stats.states == {"ready": stats.occurrences}
    assert stats.sources == 10
    assert stats.paragraphs > 60
    assert stats.facts > 100
    assert stats.links["synonym"] > 0
    assert sample.check() == []


@pytest.mark.models
@pytest.mark.parametrize("language", ["zh", "en"])
def test_questions_about_the_sample_find_their_evidence(sample: Memory, language: str) -> None:
    """A floor, not a benchmark: most passages that hold an answer are among the first five."""
    asked = json.loads((samples_directory() / "questions.json").read_text("utf-8"))[language]
    found = wanted = 0
    for one in asked:
        result = sample.retrieve(one["question"], top_k=5, record=False)
        assert result.trace.language == language
        assert result.trace.warnings == ()
        places = {f"{p.source_name}#{p.position}" for p in result.passages}
        found += len(places & set(one["evidence"]))
        wanted += len(one["evidence"])
    assert found / wanted >= 0.6, f"{found} of {wanted}"


@pytest.mark.models
def test_the_sample_suggests_questions_that_it_answers(sample: Memory) -> None:
    asked = sample.questions(3)
    assert len(asked) == 3
    for question in asked:
        result = sample.retrieve(question, record=False)
        assert result.route == "graph"
        assert result.passages[0].why


@pytest.mark.models
def test_reading_the_same_text_again_gives_the_same_graph(tmp_path: Path) -> None:
    """Deterministic, whatever stands beside it: one file at a time and small groups change nothing."""
    settings = Settings.model_validate({"embedding": {"provider": "none"}})
    small = Settings.model_validate({"embedding": {"provider": "none"}, "ingest": {"group": 3}})
    files = sorted((samples_directory() / "en").iterdir())[:2] + sorted((samples_directory() / "zh").iterdir())[:2]
    with (
        PublicMemory.open(tmp_path / "one", settings=settings) as one,
        PublicMemory.open(tmp_path / "two", settings=small) as two,
    ):
        one.ingest(files)
        for file in reversed(files):
            two.ingest([Upload(file.name, file.read_bytes())])
        assert picture(one) == picture(two)
