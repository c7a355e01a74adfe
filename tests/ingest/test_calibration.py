"""Calibration: means taken from what a memory holds, recorded, the same however the indexes came about, and undone by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lpmm_core.base.errors import Conflict, InvalidInput
from lpmm_core.base.records import Document, Piece, Vectors
from lpmm_core.ingest import calibration
from lpmm_core.ingest.calibration import PRIOR, shrunk
from lpmm_core.memory import Memory
from lpmm_core.provider.embedding import EmbeddingKind, Language
from lpmm_core.store.jobs import JobKind, JobState
from lpmm_core.store.models import Calibration
from tests.fixtures.toy import FlakyEmbedder, document, picture

Open = Callable[..., Memory]

TEXTS = ("Mira|knows|Anna", "Anna|lives in|Varna", "Harbour Lane|lies in|Varna", "陈默|住在|青石镇")


class Shipped(FlakyEmbedder):
    """Ships means that are not zero."""

    def mean(self, kind: EmbeddingKind) -> Vectors | None:
        return np.full(self.dimension, 0.02, np.float32)

    def question_prior(self, language: Language) -> Vectors | None:
        return np.full(self.dimension, 0.03 if language == "zh" else 0.01, np.float32)


def of(memory: Memory) -> Calibration:
    with memory.snapshot() as view:
        assert view.indexes.calibration is not None
        return view.indexes.calibration


def reasons(memory: Memory) -> list[str]:
    with memory.snapshot() as view:
        return [row["reason"] for row in view.connection.execute("SELECT reason FROM calibrations ORDER BY id")]


def run(memory: Memory) -> None:
    assert memory.finish_job(memory.calibrate()) is JobState.DONE


def same(one: Calibration, other: Calibration) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("passage", "fact", "question_zh", "question_en")
    )


@pytest.fixture
def memory(open_toy: Open) -> Memory:
    found = open_toy(embedder=Shipped())
    found.ingest([document(*TEXTS)])
    return found


def test_the_means_are_of_the_visible_passages_and_facts(memory: Memory) -> None:
    memory.ingest([document("Nobody|sees|Nothing", name="gone")])
    memory.undo()
    embedder = Shipped()
    assert of(memory).passage[0] == pytest.approx(0.02)
    run(memory)
    assert np.allclose(of(memory).passage, embedder.embed(TEXTS, "passage").mean(axis=0), atol=1e-3)
    stated = ["mira knows anna", "anna lives in varna", "harbour lane lies in varna", "陈默 住在 青石镇"]
    assert np.allclose(of(memory).fact, embedder.embed(stated, "passage").mean(axis=0), atol=1e-3)


def test_the_mean_of_questions_grows_from_the_generic_one_by_own_and_by_asked_questions(memory: Memory) -> None:
    memory.retrieve("where does Anna live")
    memory.retrieve("where does Anna live")
    memory.retrieve("a question that leaves no trace", record=False)
    assert of(memory).question_en[0] == pytest.approx(0.01), "asking changes nothing before the next calibration"
    with memory.snapshot() as view:
        asked = calibration.own_questions(view)
    assert asked == ["What knows Anna?", "What lives in Varna?", "What lies in Varna?", "陈默住在什么？"]
    own = asked[:3]
    run(memory)
    embedder = Shipped()
    prior = shrunk(np.full(64, 0.01, np.float32), embedder.embed(own, "query"))
    wanted = shrunk(prior, embedder.embed(["where does Anna live"], "query"))
    assert np.allclose(of(memory).question_en, wanted, atol=1e-6)
    assert not np.allclose(of(memory).question_zh, 0.03), "questions made of facts come in both languages"


def test_own_questions_are_of_facts_from_all_over_the_memory_and_of_who_takes_part(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*(f"Name{i}|met|Bob{i}" for i in range(900)), name="long")])
    said = (Piece("Anna|sings|Songs", speaker="Mira"), Piece("Bob|met|Eve", speaker="陈默"))
    memory.ingest([Document("chat", "c" * 64, "chat", said)])
    with memory.snapshot() as view:
        asked = calibration.own_questions(view)
    assert len(asked) == calibration.OWN_FACTS + 2
    assert (asked[0], asked[calibration.OWN_FACTS - 1]) == ("What met Bob0?", "What met Eve?")
    assert asked[-2:] == ["What did Mira say?", "陈默说了什么？"]


def test_a_prior_counts_as_many_questions() -> None:
    ones, zeros = np.ones((PRIOR, 4), np.float32), np.zeros(4, np.float32)
    assert np.allclose(shrunk(zeros, ones), 0.5)
    assert np.allclose(shrunk(ones[0], ones), 1)


def test_calibrating_again_gives_the_same_to_the_last_digit(memory: Memory) -> None:
    run(memory)
    first = of(memory)
    run(memory)
    assert same(first, of(memory))
    assert of(memory).row != first.row
    assert reasons(memory) == ["as shipped", "on command", "on command"]


def test_after_a_calibration_indexes_built_anew_equal_those_that_were_kept(memory: Memory, open_toy: Open) -> None:
    run(memory)
    memory.ingest([document("Mira|met|Bob", name="later")])
    assert memory.check() == []
    kept = memory.retrieve("where does Anna live", record=False)
    before = picture(memory)
    memory.rebuild()
    again = memory.retrieve("where does Anna live", record=False)
    assert [(p.id, p.score) for p in again.passages] == [(p.id, p.score) for p in kept.passages]
    assert picture(memory) == before
    memory.close()
    reopened = open_toy(embedder=Shipped())
    found = reopened.retrieve("where does Anna live", record=False)
    assert [(p.id, p.score) for p in found.passages] == [(p.id, p.score) for p in kept.passages]


def test_a_calibration_is_taken_back_and_done_again_by_name_only(memory: Memory) -> None:
    shipped = of(memory)
    run(memory)
    taken = of(memory)
    done = next(done for done in memory.history(derived=True) if done.kind == "calibrate")
    assert (done.actor, done.summary, done.state) == ("system:calibrate", "on command", "done")
    assert memory.undo(done.id).kind == "calibrate"
    assert same(of(memory), shipped)
    assert memory.check() == []
    with pytest.raises(Conflict, match="is undone, not done"):
        memory.undo(done.id)
    assert memory.redo(done.id).kind == "calibrate"
    assert same(of(memory), taken)
    assert memory.undo().kind == "ingest", "it never was on a person's stack"


def test_only_the_latest_calibration_and_nothing_of_another_person_is_undone_by_name(memory: Memory) -> None:
    run(memory)
    run(memory)
    latest, earlier, *_ = [done.id for done in memory.history(derived=True) if done.kind == "calibrate"]
    with pytest.raises(Conflict, match="a later calibration stands"):
        memory.undo(earlier)
    memory.undo(latest)
    ingest = next(done.id for done in memory.history() if done.kind == "ingest")
    with pytest.raises(InvalidInput, match="what can be named"):
        memory.undo(ingest, actor="somebody else")


def test_a_memory_that_grows_is_calibrated_once_at_each_number_of_passages(
    open_toy: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "AT", (4, 8))
    memory = open_toy(embedder=Shipped(), ingest={"group": 2})
    for number in range(10):
        memory.ingest([document(f"Name{number}|met|Bob", name=f"n{number}")])
    assert reasons(memory) == ["as shipped", "at 4 passages", "at 8 passages"]
    assert [job.kind for job in memory.jobs()].count(JobKind.CALIBRATE) == 2
    assert {job.state for job in memory.jobs()} == {JobState.DONE}
    run(memory)
    assert reasons(memory)[-1] == "on command"


def test_a_memory_that_is_large_at_once_is_calibrated_once(open_toy: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "AT", (2, 4))
    memory = open_toy(embedder=Shipped())
    memory.ingest([document(*TEXTS)])
    assert reasons(memory) == ["as shipped", "at 4 passages"]
    memory.ingest([document("Mira|met|Bob", name="later")])
    assert len(reasons(memory)) == 2


def test_a_memory_without_vectors_has_nothing_to_calibrate(open_toy: Open) -> None:
    empty = open_toy("empty")
    job = empty.calibrate()
    assert empty.finish_job(job) is JobState.FAILED
    assert "nothing is embedded yet" in (empty.job(job).error or "")
    wordless = open_toy("wordless", embedding={"provider": "none"})
    with pytest.raises(InvalidInput, match="no embedding model"):
        wordless.calibrate()


def test_a_calibration_whose_model_is_away_waits_and_changes_nothing(memory: Memory) -> None:
    embedder = memory._asker.encoder._embedder  # type: ignore[union-attr]
    embedder.works = False  # type: ignore[attr-defined]
    job = memory.calibrate()
    assert memory.finish_job(job) is JobState.WAITING
    assert reasons(memory) == ["as shipped"]
