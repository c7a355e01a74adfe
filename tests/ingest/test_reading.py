"""Reading passages: by the local extractor, as given by a file, by a language model; and what fails is kept apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lpmm_core.base.clock import ManualClock
from lpmm_core.base.errors import ProviderError
from lpmm_core.base.records import Extraction, Reading
from lpmm_core.memory import Memory
from lpmm_core.store.jobs import Job, JobKind, JobState
from tests.fixtures.toy import (
    FlakyEmbedder,
    ScriptedChat,
    ToyExtractor,
    document,
    entity,
    given,
    passage,
    picture,
    read_toy,
)

Open = Callable[..., Memory]


def job_of(memory: Memory, kind: JobKind) -> Job:
    return next(job for job in memory.jobs() if job.kind is kind)


# --- failures of the local reader ---


def test_a_passage_that_cannot_be_read_is_kept_apart_and_retried_alone(open_toy: Open) -> None:
    extractor = ToyExtractor()
    extractor.refuses = {"Anna|met|Bob"}
    memory = open_toy(extractor=extractor)
    report = memory.ingest([document("Mira|knows|Anna", "Anna|met|Bob", "Bob|met|Cleo")])
    job = memory.job(report.job or "")
    assert (job.state, job.total, job.done, job.failed) == (JobState.FAILED, 3, 2, 1)
    assert "cannot read" in (job.error or "")
    source = memory.sources().items[0]
    assert source.states == {"ready": 2, "failed": 1}
    assert source.failures == ("cannot read 'Anna|met|Bob'",)
    occurrence = memory.passage(passage(memory, "Anna|met|Bob")).occurrences[0]
    assert (occurrence.state, occurrence.error) == ("failed", "cannot read 'Anna|met|Bob'")
    assert memory.retrieve("anna met bob", record=False).passages[0].text == "Anna|met|Bob", (
        "its text is found all the same"
    )

    extractor.refuses, extractor.read = set(), []
    assert memory.retry(job.id) == 1
    assert memory.run_job(job.id) is JobState.DONE
    assert extractor.read == ["Anna|met|Bob"]
    assert memory.sources().items[0].states == {"ready": 3}
    whole = open_toy("whole")
    whole.ingest([document("Mira|knows|Anna", "Anna|met|Bob", "Bob|met|Cleo")])
    assert picture(memory) == picture(whole)


def test_a_fault_of_the_reader_itself_is_a_failure_of_that_passage_and_stops_nothing(open_toy: Open) -> None:
    class Faulty(ToyExtractor):
        def extract(self, readings: Any) -> list[Extraction]:
            if any("Bob" in reading.text for reading in readings):
                raise IndexError("pop from empty list")
            return super().extract(readings)

    memory = open_toy(extractor=Faulty())
    memory.ingest([document("Mira|knows|Anna", "Anna|met|Bob")])
    assert memory.sources().items[0].states == {"ready": 1, "failed": 1}
    assert memory.sources().items[0].failures == ("this passage could not be read (IndexError: pop from empty list)",)


def test_the_title_the_speaker_and_the_time_reach_the_reader(open_toy: Open) -> None:
    seen: list[Reading] = []

    class Watching(ToyExtractor):
        def extract(self, readings: Any) -> list[Extraction]:
            seen.extend(readings)
            return super().extract(readings)

    open_toy(extractor=Watching()).ingest([document("# Varna\nAnna lives here.")])
    assert [(reading.title, reading.text) for reading in seen] == [("Varna", "Anna lives here.")]


def test_under_a_path_of_headings_the_reader_is_told_the_nearest_and_the_words_of_all_are_found(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([document("# Lives › Ida\nAnna|knows|Ida", "# Lives › Ida\nborn in Kell")])
    with memory.snapshot() as view:
        under = view.connection.execute("SELECT DISTINCT spelling FROM mentions WHERE titular").fetchall()
    assert [row["spelling"] for row in under] == ["Ida"]
    assert memory.retrieve("lives", route="lexical", record=False).passages[0].title == "Lives › Ida"


# --- when only the embedding fails ---


def test_without_an_embedding_the_text_is_found_by_words_and_a_job_is_left(open_toy: Open) -> None:
    """ME-14, ME-07: a failed embedding never fails the ingest, and is never kept as a vector."""
    embedder = FlakyEmbedder()
    embedder.works = False
    memory = open_toy(embedder=embedder)
    report = memory.ingest([document("Mira|knows|Anna", "Anna|lives in|Varna")])
    job = memory.job(report.job or "")
    assert job.done == 2
    assert (job.state, job.error) == (JobState.DONE, None), "all of it was read"
    error = job_of(memory, JobKind.EMBED).error
    assert error is not None
    assert error.startswith("embedding failed: the embedding service is away;")
    assert memory.sources().items[0].states == {"ready": 2}
    assert memory.stats().facts == 2
    result = memory.retrieve("who knows anna", record=False)
    assert result.passages[0].text == "Mira|knows|Anna"
    assert result.route == "lexical"
    assert "vectors" in result.trace.reason
    with memory.snapshot() as view:
        assert view.connection.execute("SELECT count(*) FROM vectors").fetchone()[0] == 0
    assert job_of(memory, JobKind.EMBED).state is JobState.WAITING

    embedder.works = True
    memory.run_jobs()
    assert job_of(memory, JobKind.EMBED).state is JobState.DONE
    assert memory.retrieve("who knows anna", record=False).route == "graph"
    whole = open_toy("whole")
    whole.ingest([document("Mira|knows|Anna", "Anna|lives in|Varna")])
    assert picture(memory) == picture(whole)
    assert memory.check() == []


def test_many_groups_without_vectors_leave_one_job_and_it_finds_all_synonyms(open_toy: Open) -> None:
    embedder = FlakyEmbedder()
    memory = open_toy(embedder=embedder, ingest={"group": 1})
    memory.ingest([document("Harbour Lane|lies in|Varna", name="before")])
    embedder.works = False
    memory.ingest([document("Harbour Lanes|lies in|Sofia", "Harbour Lanee|lies in|Burgas", name="after")])
    assert [job.kind for job in memory.jobs()].count(JobKind.EMBED) == 1
    embedder.works = True
    memory.run_jobs()
    whole = open_toy("whole")
    whole.ingest([document("Harbour Lane|lies in|Varna", name="before")])
    whole.ingest([document("Harbour Lanes|lies in|Sofia", "Harbour Lanee|lies in|Burgas", name="after")])
    assert picture(memory) == picture(whole)


def test_an_embedding_service_that_stays_away_is_asked_again_after_growing_pauses(open_toy: Open) -> None:
    """ME-07: nobody needs to do anything for it."""
    clock = ManualClock(datetime.now(UTC))
    embedder = FlakyEmbedder()
    embedder.works = False
    memory = open_toy(embedder=embedder, clock=clock)
    memory.ingest([document("Mira|knows|Anna")])
    pauses = []
    for age in (0, 300, 36000):
        clock.moment = job_of(memory, JobKind.EMBED).created + timedelta(seconds=age)
        assert memory.run_jobs() == 1
        job = job_of(memory, JobKind.EMBED)
        assert (job.state, job.error) == (JobState.WAITING, "the embedding service is away")
        assert job.until is not None
        pauses.append(round((job.until - datetime.now(UTC)).total_seconds(), -1))
        assert memory.run_jobs() == 0, "it is not asked before that"
        pass_time(memory)
    assert pauses == [30, 300, 3600]
    embedder.works = True
    assert memory.run_jobs() == 1
    assert job_of(memory, JobKind.EMBED).state is JobState.DONE
    assert memory.retrieve("mira", record=False).trace.warnings == ()


def test_an_embedding_that_waits_can_be_run_by_hand_and_says_when_it_fails_again(open_toy: Open) -> None:
    embedder = FlakyEmbedder()
    embedder.works = False
    memory = open_toy(embedder=embedder)
    memory.ingest([document("Mira|knows|Anna")])
    memory.run_jobs()
    id = job_of(memory, JobKind.EMBED).id
    assert memory.finish_job(id) is JobState.WAITING, "it is tried once and then left to wait"
    embedder.works = True
    assert memory.finish_job(id) is JobState.DONE


def test_an_embedding_that_was_refused_for_good_waits_for_a_person(open_toy: Open) -> None:
    embedder = FlakyEmbedder()
    embedder.works = False
    embedder.passes = False
    memory = open_toy(embedder=embedder)
    memory.ingest([document("Mira|knows|Anna")])
    memory.run_jobs()
    job = job_of(memory, JobKind.EMBED)
    assert job.state is JobState.FAILED
    embedder.works = True
    memory.retry(job.id)
    assert memory.run_job(job.id) is JobState.DONE


def pass_time(memory: Memory) -> None:
    """Let every lease and every pause run out."""
    with memory._store.database.writing() as connection:
        connection.execute("UPDATE jobs SET lease = 1")


# --- extractions that came with a file ---


def test_an_extraction_that_came_with_a_file_stands_in_place_of_our_own(open_toy: Open) -> None:
    """LP-04."""
    extractor = ToyExtractor()
    memory = open_toy(extractor=extractor)
    text = "爱莉希雅把旧的徽章交给了芽衣。"
    memory.ingest(
        [
            given(
                text,
                ("爱莉希雅", "交给", "芽衣"),
                ("爱莉希雅", "有", "旧的徽章"),
                names=["爱莉希雅", "芽衣", "旧的徽章"],
            )
        ]
    )
    assert extractor.read == []
    shown = picture(memory)
    assert shown.facts == {
        ("爱莉希雅", "交给", "芽衣", False): frozenset([text]),
        ("爱莉希雅", "有", "旧的徽章", False): frozenset([text]),
    }
    assert memory.passage(passage(memory, text)).facts[0].evidence


def test_pronouns_and_marks_that_a_file_brings_as_names_are_no_entities(open_toy: Open) -> None:
    memory = open_toy()
    memory.ingest([given("它 在 桌上。", ("它", "在", "桌上"), ("：", "是", "桌上"), names=["它", "[", "桌上"])])
    assert {node["name"] for _, node in memory.to_networkx().nodes(data=True) if node["type"] == "entity"} == {"桌上"}
    assert memory.stats().facts == 0


# --- a language model ---


def answer(user: str) -> str:
    """Answer as a model that reads the toy language; facts it states get the predicate `really …`."""
    text = user.split("\n", 1)[1].split("\n</", 1)[0]
    found = read_toy(text)
    if "The names:" in user or "名称：" in user:
        return json.dumps({"triples": [[t.subject, f"really {t.predicate}", t.object] for t in found.triples]})
    return json.dumps({"names": [{"name": m.name, "kind": "person"} for m in found.mentions]})


LLM = {"base_url": "http://127.0.0.1:9/v1", "model": "scripted", "filter": False}


def test_a_language_model_reads_after_the_local_reader_and_adds_to_it(open_toy: Open) -> None:
    """LP-02, LP-03: its turn is a job of its own, and the local extraction stands."""
    chat = ScriptedChat(answer)
    memory = open_toy(chat=chat, llm=LLM)
    memory.ingest([document("Mira|knows|Anna", "Anna|met|Bob")], wait=False)
    assert [job.kind for job in memory.jobs()] == [JobKind.READ_WITH_LLM, JobKind.READ]
    memory.run_job(memory.jobs()[1].id)
    assert chat.asked == [], "the model is never asked in the hot path"
    assert memory.retrieve("who knows anna", record=False).passages[0].text == "Mira|knows|Anna"
    memory.run_jobs()
    assert set(picture(memory).facts) == {
        ("mira", "knows", "anna", False),
        ("mira", "really knows", "anna", False),
        ("anna", "met", "bob", False),
        ("anna", "really met", "bob", False),
    }


def test_tokens_are_counted_on_the_job(open_toy: Open) -> None:
    chat = ScriptedChat(answer, tokens=(100, 7))
    memory = open_toy(chat=chat, llm=LLM)
    memory.ingest([document("Mira|knows|Anna", "Anna|met|Bob")])
    job = job_of(memory, JobKind.READ_WITH_LLM)
    assert (job.prompt_tokens, job.completion_tokens) == (100 * len(chat.asked), 7 * len(chat.asked))
    assert job_of(memory, JobKind.READ).prompt_tokens == 0


def test_a_passage_the_model_fails_on_waits_for_a_retry_that_asks_for_it_alone(open_toy: Open) -> None:
    down = True

    def sometimes(user: str) -> str | ProviderError:
        return ProviderError("the model is busy") if down and "Bob" in user else answer(user)

    chat = ScriptedChat(sometimes)
    memory = open_toy(chat=chat, llm=LLM)
    memory.ingest([document("Mira|knows|Anna", "Anna|met|Bob", "Mira|met|Cleo")])
    job = job_of(memory, JobKind.READ_WITH_LLM)
    assert (job.state, job.done, job.failed, job.error) == (JobState.FAILED, 2, 1, "the model is busy")
    assert memory.sources().items[0].states == {"ready": 3}, "the local reading stands"
    down = False
    chat.asked.clear()
    assert memory.retry(job.id) == 1
    assert memory.run_job(job.id) is JobState.DONE
    assert chat.asked
    assert all("Bob" in user for user in chat.asked)
    assert ("anna", "really met", "bob", False) in picture(memory).facts


def test_nothing_is_asked_twice(open_toy: Open) -> None:
    chat = ScriptedChat(answer)
    memory = open_toy(chat=chat, llm=LLM)
    memory.ingest([document("Mira|knows|Anna", name="one")])
    asked = len(chat.asked)
    memory.ingest([document("Mira|knows|Anna", name="two")])
    assert len(chat.asked) == asked
    one = next(source for source in memory.sources().items if source.name == "one")
    memory.delete([one.id])
    assert ("mira", "really knows", "anna", False) in picture(memory).facts, (
        "the kept answer is evidence in both sources"
    )


def test_another_model_is_asked_again(open_toy: Open) -> None:
    chat, other = ScriptedChat(answer), ScriptedChat(answer)
    other.name = "another"
    open_toy(chat=chat, llm=LLM).ingest([document("Mira|knows|Anna", name="one")])
    open_toy(chat=other, llm=LLM).ingest([document("Mira|knows|Anna", name="two")])
    assert len(other.asked) == len(chat.asked) > 0


def test_what_came_read_with_a_file_is_not_read_by_the_model(open_toy: Open) -> None:
    chat = ScriptedChat(answer)
    memory = open_toy(chat=chat, llm=LLM)
    memory.ingest([given("Mira|knows|Anna", ("Mira", "likes", "Anna"), names=["Mira", "Anna"])])
    assert chat.asked == []
    assert job_of(memory, JobKind.READ_WITH_LLM).state is JobState.DONE
    assert set(picture(memory).facts) == {("mira", "likes", "anna", False)}


def test_an_answer_that_is_rubbish_leaves_the_local_reading(open_toy: Open) -> None:
    memory = open_toy(chat=ScriptedChat(lambda user: "I am sorry, I cannot do that."), llm=LLM)
    memory.ingest([document("Mira|knows|Anna")])
    job = job_of(memory, JobKind.READ_WITH_LLM)
    assert (job.state, job.failed) == (JobState.FAILED, 1)
    assert set(picture(memory).facts) == {("mira", "knows", "anna", False)}
    with memory.snapshot() as view:
        assert view.connection.execute("SELECT count(*) FROM answers").fetchone()[0] == 0, "a failure is never kept"


def test_a_name_the_model_made_up_is_no_evidence(open_toy: Open) -> None:
    def inventing(user: str) -> str:
        return json.dumps([["Mira", "owns", "Atlantis"]]) if "The names:" in user else '["Mira", "Atlantis"]'

    memory = open_toy(chat=ScriptedChat(inventing), llm=LLM)
    memory.ingest([document("Mira|knows|Anna")])
    assert not memory.suggestions("atlantis")


def test_without_a_configured_model_its_job_says_what_to_do(open_toy: Open) -> None:
    memory = open_toy(chat=ScriptedChat(answer), llm=LLM)
    memory.ingest([document("Mira|knows|Anna")], wait=False)
    job = job_of(memory, JobKind.READ_WITH_LLM)
    plain = open_toy()
    assert plain.run_job(job.id) is JobState.FAILED
    assert "[llm]" in (plain.job(job.id).error or "")


def test_names_found_are_told_while_reading(open_toy: Open) -> None:
    told: list[tuple[int, int, list[str]]] = []
    memory = open_toy(ingest={"group": 2})
    memory.ingest(
        [document("Mira|knows|Anna", "Anna|met|Bob", "Bob|met|Cleo")],
        on_progress=lambda now: told.append((now.done, now.total, [mention.name for _, mention in now.names])),
    )
    assert told == [(2, 3, ["Mira", "Anna", "Anna", "Bob"]), (3, 3, ["Bob", "Cleo"])]
    assert memory.entity(entity(memory, "Bob")).entity.passages == 2


@pytest.mark.parametrize("text", ["Mira|knows|Mira", "Mira|  |Anna", "它|knows|Anna"])
def test_what_cannot_be_a_fact_is_none(open_toy: Open, text: str) -> None:
    memory = open_toy()
    memory.ingest([document(text)])
    assert memory.stats().facts == 0
    assert memory.check() == []
