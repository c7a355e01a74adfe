"""Jobs: leases, takeover, cancelling, retrying."""

from __future__ import annotations

import time

import pytest

from lpmm_core.base.errors import Busy, Conflict, NotFound
from lpmm_core.store import jobs, read
from lpmm_core.store.jobs import Job, JobKind, JobState
from tests.store.world import Taken, World

LATER = "2026-02-03T04:05:06.000000Z"


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds added to the time that leases are measured by; a test appends to it."""
    seconds: list[float] = []
    real = time.time
    monkeypatch.setattr(jobs.time, "time", lambda: real() + sum(seconds))
    return seconds


@pytest.fixture
def taken(world: World) -> Taken:
    return world.write("Anna knows Bob", "Cara:person", "Dora:person")


def look(world: World, job: int) -> Job:
    with world.store.reading() as connection:
        return jobs.one(connection, world.store.ids, job)


def waiting(world: World, job: int, limit: int = 10) -> list[int]:
    with world.store.reading() as connection:
        return [task.row for task in jobs.waiting_tasks(connection, job, limit)]


def to_take(world: World) -> list[int]:
    with world.store.reading() as connection:
        return jobs.open_jobs(connection)


def settle(world: World, tasks: list[int], state: str, error: str | None = None) -> None:
    with world.batch("system:read", "read") as batch:
        jobs.settle(batch.connection, tasks, state, error)


def claim(world: World, job: int, holder: str = "one") -> None:
    jobs.claim(world.store.database, job, holder)


def release(world: World, job: int, holder: str = "one", error: str | None = None) -> JobState:
    return jobs.release(world.store.database, job, holder, finished=LATER, error=error)


def test_a_job_waits_is_worked_on_and_is_done(world: World, taken: Taken) -> None:
    assert (look(world, taken.job).state, to_take(world)) == (JobState.WAITING, [taken.job])
    claim(world, taken.job)
    assert (look(world, taken.job).state, to_take(world)) == (JobState.RUNNING, [])
    assert waiting(world, taken.job, 2) == waiting(world, taken.job)[:2]
    settle(world, waiting(world, taken.job), "done")
    assert release(world, taken.job) is JobState.DONE
    job = look(world, taken.job)
    assert (job.total, job.done, job.failed, job.error) == (3, 3, 0, None)
    assert job.sources == (world.store.ids.encode("sources", taken.source),)
    assert job.operation == world.store.ids.encode("operations", taken.operation)
    assert job.finished is not None
    assert to_take(world) == []


def test_a_job_that_someone_is_at_is_refused_to_a_second_worker(world: World, taken: Taken) -> None:
    claim(world, taken.job, "one")
    with pytest.raises(Busy, match="another worker"):
        claim(world, taken.job, "two")
    claim(world, taken.job, "one")


def test_a_renewed_lease_is_not_taken_over(world: World, taken: Taken, passing: list[float]) -> None:
    claim(world, taken.job, "one")
    for _ in range(3):
        passing.append(jobs.LEASE_SECONDS * 0.9)
        assert jobs.renew(world.store.database, taken.job, "one")
    with pytest.raises(Busy):
        claim(world, taken.job, "two")


def test_only_the_worker_that_holds_a_lease_renews_it(world: World, taken: Taken, passing: list[float]) -> None:
    claim(world, taken.job, "one")
    passing.append(jobs.LEASE_SECONDS * 0.9)
    assert not jobs.renew(world.store.database, taken.job, "two")
    passing.append(jobs.LEASE_SECONDS * 0.2)
    claim(world, taken.job, "two")


def test_the_job_of_a_dead_worker_is_taken_over_where_it_stopped(
    world: World, taken: Taken, passing: list[float]
) -> None:
    claim(world, taken.job, "one")
    first, *rest = waiting(world, taken.job)
    settle(world, [first], "done")
    passing.append(jobs.LEASE_SECONDS + 1)
    assert to_take(world) == [taken.job]
    claim(world, taken.job, "two")
    assert waiting(world, taken.job) == rest
    with world.store.reading() as connection:
        assert [jobs.holds(connection, taken.job, holder) for holder in ("one", "two")] == [False, True]
    assert not jobs.renew(world.store.database, taken.job, "one")
    assert release(world, taken.job, "one") is JobState.RUNNING  # what the late worker says changes nothing
    settle(world, rest, "done")
    assert release(world, taken.job, "two") is JobState.DONE


def test_cancelling_a_waiting_job_ends_it_at_once(world: World, taken: Taken) -> None:
    assert jobs.cancel(world.store.database, taken.job, finished=LATER) is JobState.CANCELLED
    with pytest.raises(Conflict, match="cancelled; retry it"):
        claim(world, taken.job)
    with pytest.raises(Conflict, match="cancelled already"):
        jobs.cancel(world.store.database, taken.job, finished=LATER)


def test_cancelling_a_running_job_tells_its_worker_to_stop(world: World, taken: Taken) -> None:
    claim(world, taken.job)
    assert jobs.cancel(world.store.database, taken.job, finished=LATER) is JobState.RUNNING
    assert look(world, taken.job).cancelling
    assert not jobs.renew(world.store.database, taken.job, "one")
    assert waiting(world, taken.job) == []
    assert release(world, taken.job) is JobState.CANCELLED
    assert jobs.retry(world.store.database, taken.job) == 3
    assert len(waiting(world, taken.job)) == 3


def test_cancelling_the_job_of_a_dead_worker_ends_it_at_once(world: World, taken: Taken, passing: list[float]) -> None:
    claim(world, taken.job)
    passing.append(jobs.LEASE_SECONDS + 1)
    assert jobs.cancel(world.store.database, taken.job, finished=LATER) is JobState.CANCELLED
    assert not jobs.renew(world.store.database, taken.job, "one")


def test_a_retry_puts_back_what_failed_and_nothing_else(world: World, taken: Taken) -> None:
    claim(world, taken.job)
    good, bad, other = waiting(world, taken.job)
    settle(world, [good, other], "done")
    settle(world, [bad], "failed", "the model said no")
    assert release(world, taken.job) is JobState.FAILED
    with world.store.reading() as connection:
        states = read.states(connection)
        source = read.sources(connection, world.store.ids, [taken.source])[0]
        occurrences = read.occurrences(connection, world.store.ids, column="source", values=[taken.source])
    assert states == {"ready": 2, "failed": 1} == source.states
    assert source.failures == ("the model said no",)
    assert [o.error for o in occurrences] == [None, "the model said no", None]
    assert jobs.retry(world.store.database, taken.job) == 1
    assert waiting(world, taken.job) == [bad]
    claim(world, taken.job, "two")
    with world.store.reading() as connection:
        assert jobs.waiting_tasks(connection, taken.job, 5)[0].attempts == 1
    settle(world, [bad], "done")
    assert release(world, taken.job, "two") is JobState.DONE
    with pytest.raises(Conflict, match="nothing of this job failed"):
        jobs.retry(world.store.database, taken.job)


def test_a_retry_of_a_cancelled_job_goes_on_with_what_was_not_reached(world: World, taken: Taken) -> None:
    claim(world, taken.job)
    settle(world, waiting(world, taken.job)[:1], "done")
    jobs.cancel(world.store.database, taken.job, finished=LATER)
    release(world, taken.job)
    assert jobs.retry(world.store.database, taken.job) == 2
    claim(world, taken.job)
    assert jobs.renew(world.store.database, taken.job, "one")


def test_a_job_that_is_still_open_is_not_retried(world: World, taken: Taken) -> None:
    with pytest.raises(Conflict, match="nothing to retry yet"):
        jobs.retry(world.store.database, taken.job)


def test_a_job_whose_work_failed_as_a_whole_can_be_retried(world: World, taken: Taken) -> None:
    claim(world, taken.job)
    settle(world, waiting(world, taken.job), "done")
    assert release(world, taken.job, error="embedding failed") is JobState.FAILED
    assert look(world, taken.job).error == "embedding failed"
    assert jobs.retry(world.store.database, taken.job) == 0
    claim(world, taken.job)
    assert release(world, taken.job) is JobState.DONE
    assert look(world, taken.job).error is None


@pytest.mark.parametrize("state", ["done", "failed"])
def test_a_finished_job_that_gets_more_to_do_waits_again(world: World, taken: Taken, state: str) -> None:
    other = world.write("Eve:person").job
    for job in (other, taken.job):
        claim(world, job)
        settle(world, waiting(world, job), state)
        assert release(world, job) == state
    with world.batch() as batch:
        jobs.add_tasks(batch.connection, taken.job, taken.occurrences[:1])
    job = look(world, taken.job)
    assert (job.state, job.finished, job.total) == (JobState.WAITING, None, 4)
    assert look(world, other).state == state
    claim(world, taken.job)


def test_what_is_added_while_a_worker_finishes_is_not_left_behind(world: World, taken: Taken) -> None:
    claim(world, taken.job)
    settle(world, waiting(world, taken.job), "failed", "no")
    with world.batch() as batch:
        jobs.add_tasks(batch.connection, taken.job, taken.occurrences[:1])
    assert release(world, taken.job) is JobState.WAITING
    assert to_take(world) == [taken.job]


def test_a_text_counts_as_ready_once_any_reading_of_it_is_done(world: World, taken: Taken) -> None:
    settle(world, waiting(world, taken.job), "done")
    with world.batch() as batch:
        again = jobs.add(batch.connection, JobKind.READ_WITH_LLM, operation=None, created=batch.time)
        jobs.add_tasks(batch.connection, again, taken.occurrences)
    settle(world, waiting(world, again), "failed", "no")
    with world.store.reading() as connection:
        assert read.states(connection) == {"ready": 3}


def test_a_job_that_already_waits_is_not_added_a_second_time(world: World) -> None:
    with world.batch() as batch:
        first = jobs.ensure(batch.connection, JobKind.EMBED, created=batch.time)
        assert jobs.ensure(batch.connection, JobKind.EMBED, created=batch.time) == first
    claim(world, first)
    with world.batch() as batch:
        assert jobs.ensure(batch.connection, JobKind.EMBED, created=batch.time) != first


def test_what_the_language_model_was_asked_is_added_up(world: World, taken: Taken) -> None:
    for _ in range(2):
        with world.batch() as batch:
            jobs.add_tokens(batch.connection, taken.job, 10, 3)
    assert (look(world, taken.job).prompt_tokens, look(world, taken.job).completion_tokens) == (20, 6)


def test_a_reason_that_many_passages_failed_for_is_told_once(world: World, taken: Taken) -> None:
    first, *rest = waiting(world, taken.job)
    settle(world, [first], "failed", "too long")
    settle(world, rest, "failed", "the model said no")
    with world.store.reading() as connection:
        (source,) = read.sources(connection, world.store.ids, [taken.source])
        assert jobs.kind_of(connection, taken.job) is JobKind.READ
        assert jobs.operation_of(connection, taken.job) == taken.operation
        assert jobs.progress(connection, taken.job) == (3, 0, 3)
    assert source.failures == ("too long", "the model said no")


def test_jobs_are_listed_newest_first(world: World) -> None:
    rows = [world.write(f"text {number}").job for number in range(3)]
    with world.store.reading() as connection:
        listed = jobs.listed(connection, world.store.ids, limit=2)
    assert [job.id for job in listed] == [world.store.ids.encode("jobs", row) for row in rows[:0:-1]]


def test_a_job_that_does_not_exist_is_unknown_on_every_path(world: World) -> None:
    database = world.store.database
    with pytest.raises(NotFound):
        claim(world, 9)
    with pytest.raises(NotFound):
        jobs.cancel(database, 9, finished=LATER)
    with pytest.raises(NotFound):
        jobs.retry(database, 9)
    with pytest.raises(NotFound):
        look(world, 9)
    with world.store.reading() as connection, pytest.raises(NotFound):
        jobs.kind_of(connection, 9)
    assert not jobs.renew(database, 9, "one")
    assert release(world, 9) is JobState.CANCELLED


def test_a_result_and_its_task_are_written_together_or_not_at_all(world: World, taken: Taken) -> None:
    claim(world, taken.job)

    def settle_and_crash() -> None:
        with world.batch("system:read", "read") as batch:
            jobs.settle(batch.connection, waiting(world, taken.job), "done")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        settle_and_crash()
    assert len(waiting(world, taken.job)) == 3
