"""Vectors by one model: another is refused until everything was embedded anew by it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lpmm_core.base.errors import InvalidInput
from lpmm_core.memory import Memory
from lpmm_core.store.jobs import JobKind, JobState
from tests.fixtures.embedder import HashEmbedder
from tests.fixtures.toy import FlakyEmbedder, document, entity, picture

Open = Callable[..., Memory]

TEXTS = ("Mira|knows|Anna", "Harbour Lane|lies in|Varna", "Harbour Lanes|lies in|Sofia")


def vectors(memory: Memory) -> dict[tuple[str, int], list[str]]:
    """Map what has vectors to the names of the models they are by."""
    found: dict[tuple[str, int], list[str]] = {}
    with memory.snapshot() as view:
        for row in view.connection.execute(
            "SELECT v.kind, v.owner, m.name FROM vectors v JOIN models m ON m.id = v.model"
        ):
            found.setdefault((row["kind"], row["owner"]), []).append(row["name"])
    return found


def test_every_passage_name_and_fact_gets_one_vector(open_toy: Open) -> None:
    """LP-05."""
    memory = open_toy()
    memory.ingest([document(*TEXTS)])
    found = vectors(memory)
    assert {kind: sum(k == kind for k, _ in found) for kind in ("passage", "name", "fact")} == {
        "passage": 3,
        "name": 6,
        "fact": 3,
    }
    assert all(by == ["hash-64"] for by in found.values())


def test_what_is_embedded_already_is_not_embedded_again(open_toy: Open) -> None:
    embedder = FlakyEmbedder()
    memory = open_toy(embedder=embedder)
    memory.ingest([document(*TEXTS, name="one")])
    embedder.texts.clear()
    memory.ingest([document(*TEXTS, "Mira|met|Varna", name="two")])
    assert embedder.texts == ["Mira|met|Varna", "mira met varna"]


def test_another_model_is_refused_with_one_sentence_and_questions_go_by_words(open_toy: Open) -> None:
    open_toy().ingest([document(*TEXTS)])
    other = open_toy(embedder=HashEmbedder("other-64"))
    result = other.retrieve("where is harbour lane", record=False)
    assert result.route == "lexical"
    assert result.passages[0].text.startswith("Harbour Lane")
    (warning,) = result.trace.warnings
    assert "hash-64" in warning
    assert "other-64" in warning
    assert "lpmm reembed" in warning
    before = vectors(other)
    other.ingest([document("Anna|met|Bob", name="more")])
    job = next(job for job in other.jobs() if job.kind is JobKind.EMBED)
    assert "other-64" in (job.error or "")
    assert vectors(other) == before, "vectors of two models are never mixed"
    assert other.stats().facts == 4
    assert other.check() == [
        "1 passages, 1 names and 1 facts have no vector and are found by their words alone; `lpmm check --repair` embeds them"
    ]


def test_a_model_of_another_dimension_is_refused_as_well(open_toy: Open) -> None:
    class Wide(HashEmbedder):
        dimension = 96

    open_toy().ingest([document(*TEXTS)])
    memory = open_toy(embedder=Wide("wide"))
    result = memory.retrieve("harbour", record=False)
    assert "96 numbers" in result.trace.warnings[0]
    memory.run_job(memory.reembed())
    assert memory.retrieve("harbour", record=False).trace.warnings == ()
    assert memory.check() == []


def test_the_same_model_under_another_name_is_the_same_model(open_toy: Open) -> None:
    class Renamed(HashEmbedder):
        def __init__(self) -> None:
            super().__init__("hash-64")

        @property
        def shown(self) -> str:
            return "elsewhere/hash-64"

    open_toy().ingest([document(*TEXTS)])
    assert open_toy(embedder=Renamed()).retrieve("harbour", record=False).trace.warnings == ()


def test_reembedding_gives_everything_a_vector_by_the_new_model(open_toy: Open) -> None:
    """LP-05: what comes out equals a memory that was made with the new model."""
    open_toy().ingest([document(*TEXTS)])
    memory = open_toy(embedder=HashEmbedder("other-64"))
    job = memory.reembed()
    # Until then, words.
    assert memory.retrieve("harbour lane", record=False).passages
    assert memory.run_job(job) is JobState.DONE
    assert memory.retrieve("where is harbour lane", record=False).route == "graph"
    assert memory.check() == []
    fresh = open_toy("fresh", embedder=HashEmbedder("other-64"))
    fresh.ingest([document(*TEXTS)])
    assert picture(memory) == picture(fresh)
    old = open_toy(embedder=HashEmbedder())
    assert "lpmm reembed" in old.retrieve("harbour lane", record=False).trace.warnings[0]


def test_without_a_model_nothing_is_embedded_and_reembedding_is_refused(open_toy: Open) -> None:
    memory = open_toy(embedding={"provider": "none"})
    report = memory.ingest([document(*TEXTS)])
    assert memory.job(report.job or "").state is JobState.DONE
    assert vectors(memory) == {}
    with pytest.raises(InvalidInput, match="no embedding model"):
        memory.reembed()


def test_a_memory_begun_without_a_model_is_embedded_when_one_is_configured(open_toy: Open) -> None:
    open_toy(embedding={"provider": "none"}).ingest([document(*TEXTS)])
    memory = open_toy()
    memory.run_job(memory.reembed())
    fresh = open_toy("fresh")
    fresh.ingest([document(*TEXTS)])
    assert picture(memory) == picture(fresh)
    assert memory.retrieve("where is harbour lane", record=False).route == "graph"


def test_what_lacks_a_vector_is_named_by_a_check_and_queued_by_a_repair(open_toy: Open) -> None:
    embedder = FlakyEmbedder()
    embedder.works = False
    memory = open_toy(embedder=embedder)
    memory.ingest([document(*TEXTS)])
    memory.ingest([document("Anna|met|Bob", name="unread")], wait=False)
    (problem,) = memory.check()
    assert problem.startswith("3 passages, 6 names and 3 facts have no vector"), "what waits to be read is not missing"
    for job in memory.jobs():
        if job.kind is JobKind.EMBED:
            memory.cancel(job.id)
    queued = memory.repair()
    assert queued is not None
    assert memory.job(queued).kind is JobKind.EMBED
    assert memory.repair() == queued, "once is enough"
    embedder.works = True
    memory.run_jobs()
    assert memory.check() == []
    assert memory.repair() is None


def test_a_name_that_only_a_person_gave_needs_no_vector_until_a_text_has_it(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document(*TEXTS)])
    memory.rename(entity(memory, "Mira"), "Mirabel")
    assert memory.check() == []
    memory.ingest([document("Mirabel|met|Bob", name="later")])
    assert memory.check() == []


def test_a_memory_that_wants_no_vectors_lacks_none(open_toy: Open) -> None:
    memory = open_toy(embedding={"provider": "none"})
    memory.ingest([document(*TEXTS)])
    assert memory.check() == []


def test_a_zero_vector_is_never_kept(open_toy: Open) -> None:
    class Zero(HashEmbedder):
        def embed(self, texts: object, kind: object) -> object:  # type: ignore[override]
            good = super().embed(texts, kind)  # type: ignore[arg-type]
            return np.zeros_like(good)

    memory = open_toy(embedder=Zero())
    memory.ingest([document("Mira|knows|Anna")])
    assert vectors(memory) == {}
    assert memory.retrieve("mira", record=False).passages[0].text == "Mira|knows|Anna"
