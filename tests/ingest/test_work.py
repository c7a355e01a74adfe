"""Working off jobs: leases, cancelling, taking over, and what an undo in between does."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lpmm_core.base.errors import Busy, Conflict, NotFound
from lpmm_core.base.processes import this_process
from lpmm_core.ingest import work
from lpmm_core.ingest.report import Progress
from lpmm_core.memory import Memory
from lpmm_core.store import jobs
from lpmm_core.store.jobs import JobState
from tests.fixtures.toy import ToyExtractor, document, picture, toy_memory

Open = Callable[..., Memory]

TEXTS = ("Mira|knows|Anna", "Anna|met|Bob", "Bob|met|Cleo", "Cleo|met|Dora", "Dora|met|Eve", "Eve|met|Mira")


def written(memory: Memory) -> str:
    """Take the texts in without reading them, and return the job."""
    return memory.ingest([document(*TEXTS)], wait=False).job or ""


def uninterrupted(open_toy: Open) -> Any:
    whole = open_toy("uninterrupted")
    whole.ingest([document(*TEXTS)])
    return picture(whole)


def expire(memory: Memory) -> None:
    """Let the lease of every job run out, as if its worker had died a while ago."""
    with memory._store.database.writing() as connection:
        connection.execute("UPDATE jobs SET lease = 1")


class Died(BaseException):
    """Stands for kill -9: nothing handles it."""


def die_after(memory: Memory, groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on the job until some groups are done, then vanish without giving the lease back."""
    seen: list[Progress] = []

    def watch(now: Progress) -> None:
        seen.append(now)
        if len(seen) == groups:
            raise Died

    with monkeypatch.context() as patch:
        patch.setattr(work.jobs, "release", lambda *_, **__: None)
        with pytest.raises(Died):
            memory.run_jobs(on_progress=watch)


def test_a_cancelled_job_keeps_what_it_did_and_goes_on_when_retried(open_toy: Open) -> None:
    extractor = ToyExtractor()
    memory = open_toy(extractor=extractor, ingest={"group": 2})
    job = written(memory)
    assert memory.run_job(job, on_progress=lambda now: memory.cancel(job) and None) is JobState.CANCELLED
    assert (memory.job(job).done, memory.job(job).total) == (2, 6)
    assert memory.sources().items[0].states == {"ready": 2, "waiting": 4}
    assert memory.check() == []
    with pytest.raises(Conflict, match="cancelled"):
        memory.run_job(job)
    assert memory.retry(job) == 4
    assert memory.run_job(job) is JobState.DONE
    assert extractor.read == list(TEXTS), "nothing is read twice"
    assert picture(memory) == uninterrupted(open_toy)


def test_a_waiting_job_is_cancelled_at_once(open_toy: Open) -> None:
    memory = open_toy()
    job = written(memory)
    assert memory.cancel(job) is JobState.CANCELLED
    assert memory.run_jobs() == 0
    with pytest.raises(Conflict):
        memory.cancel(job)


def test_a_job_whose_worker_died_is_taken_over_where_it_stopped(
    open_toy: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    extractor = ToyExtractor()
    memory = open_toy(extractor=extractor, ingest={"group": 2})
    job = written(memory)
    die_after(memory, 2, monkeypatch)
    assert (memory.job(job).state, memory.job(job).done) == (JobState.RUNNING, 4)
    assert memory.check() == []
    other = open_toy(extractor=ToyExtractor(), ingest={"group": 2})
    with pytest.raises(Busy, match="another worker"):
        other.run_job(job)
    assert other.run_jobs() == 0
    expire(memory)
    assert other.run_jobs() == 1
    assert memory.job(job).state is JobState.DONE
    assert extractor.read == list(TEXTS[:4])
    assert picture(memory) == uninterrupted(open_toy)


def test_a_job_whose_process_was_killed_is_taken_over_at_once(tmp_path: Path, open_toy: Open) -> None:
    memory = open_toy(ingest={"group": 2})
    job = written(memory)
    code = """if True:
        import os, signal, sys
        from pathlib import Path
        from tests.fixtures.toy import toy_memory
        memory = toy_memory(Path(sys.argv[1]), ingest={"group": 2})
        memory.run_jobs(on_progress=lambda now: os.kill(os.getpid(), signal.SIGKILL))
    """
    killed = subprocess.run([sys.executable, "-c", code, str(memory.path)], check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    assert (memory.job(job).state, memory.job(job).done) == (JobState.RUNNING, 2)
    assert memory.run_jobs() == 1
    assert memory.job(job).state is JobState.DONE
    assert picture(memory) == uninterrupted(open_toy)


def test_a_job_whose_process_was_killed_is_cancelled_at_once(open_toy: Open) -> None:
    memory = open_toy()
    job = written(memory)
    machine, number, started = this_process().split(":")
    with memory._store.database.writing() as connection:
        dead = f"{machine}:{number}:{int(started) + 1} x"
        connection.execute("UPDATE jobs SET state = 'running', holder = ?, lease = ?", (dead, time.time() + 30))
    assert memory.cancel(job) is JobState.CANCELLED


def test_a_worker_that_lost_its_job_writes_nothing_more(open_toy: Open) -> None:
    """It was so slow that its lease ran out, and another worker did the work meanwhile."""
    slow, quick = ToyExtractor(), ToyExtractor()
    memory, other = open_toy(extractor=slow), open_toy(extractor=quick)
    job = written(memory)

    def overtaken() -> None:
        slow.before = lambda: None
        expire(memory)
        assert other.run_job(job) is JobState.DONE

    slow.before = overtaken
    memory.run_job(job)
    assert memory.job(job).state is JobState.DONE
    with memory.snapshot() as view:
        readings = view.connection.execute("SELECT count(*) FROM evidence").fetchone()[0]
    assert readings == len(TEXTS), "every passage was written once"
    assert picture(memory) == uninterrupted(open_toy)


def test_of_two_workers_at_one_job_one_is_refused(open_toy: Open) -> None:
    started, go_on = threading.Event(), threading.Event()
    slow = ToyExtractor()

    def wait() -> None:
        started.set()
        assert go_on.wait(20)

    slow.before = wait
    memory, other = open_toy(extractor=slow), open_toy()
    job = written(memory)
    thread = threading.Thread(target=memory.run_job, args=(job,))
    thread.start()
    assert started.wait(20)
    with pytest.raises(Busy):
        other.run_job(job)
    go_on.set()
    thread.join()
    assert memory.job(job).state is JobState.DONE


def test_ingest_waits_for_a_job_that_another_worker_took(open_toy: Open) -> None:
    """A page's worker may be quicker than the one who ingests; that is no error, and waiting means waiting."""
    slow = ToyExtractor()
    memory, worker = open_toy(), open_toy(extractor=slow)
    taken = threading.Event()

    def take() -> None:
        while not worker.run_jobs():
            time.sleep(0.005)

    original = work.see_through

    def late(*args: Any, **options: Any) -> Any:
        assert taken.wait(20)
        return original(*args, **options)

    def begin() -> None:
        taken.set()
        time.sleep(0.3)

    slow.before = begin
    thread = threading.Thread(target=take)
    thread.start()
    told: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "see_through", late)
        report = memory.ingest([document(*TEXTS)], on_progress=lambda now: told.append(now.done))
    assert memory.job(report.job or "").state is JobState.DONE
    assert memory.sources().items[0].states == {"ready": 6}
    assert told
    assert told[-1] == 6
    thread.join()


def test_an_undo_while_the_job_waits_stops_it_and_after_a_redo_it_brings_all(open_toy: Open) -> None:
    memory = open_toy()
    job = written(memory)
    memory.undo()
    assert memory.run_jobs() == 0
    assert memory.job(job).state is JobState.CANCELLED
    assert memory.stats().paragraphs == memory.stats().entities == memory.stats().facts == 0
    assert memory.check() == []
    memory.redo()
    assert memory.run_jobs() == 1
    assert picture(memory) == uninterrupted(open_toy)
    assert memory.check() == []


def test_an_undo_while_the_job_runs_withdraws_what_comes_later_too(open_toy: Open) -> None:
    memory = open_toy(ingest={"group": 2})
    undone: list[object] = []

    def undo(now: Progress) -> None:
        if not undone:
            undone.append(memory.undo())

    memory.run_job(written(memory), on_progress=undo)
    assert memory.stats().paragraphs == memory.stats().entities == 0
    memory.redo()
    memory.run_jobs()
    assert picture(memory) == uninterrupted(open_toy)


def test_a_passage_purged_while_its_job_waits_is_not_read(open_toy: Open) -> None:
    extractor = ToyExtractor()
    memory = open_toy(extractor=extractor)
    job = written(memory)
    source = memory.sources().items[0].id
    memory.delete([source])
    memory.purge([source])
    assert memory.run_job(job) is JobState.DONE
    assert extractor.read == []
    assert memory.check() == []


def test_interrupting_by_hand_gives_the_job_back(open_toy: Open) -> None:
    memory = open_toy(ingest={"group": 2})
    job = written(memory)

    def stop(now: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.run_job(job, on_progress=stop)
    assert (memory.job(job).state, memory.job(job).done) == (JobState.FAILED, 2)
    assert memory.retry(job) == 4
    assert memory.run_job(job) is JobState.DONE
    assert picture(memory) == uninterrupted(open_toy)


def test_the_lease_is_renewed_while_a_slow_group_is_read(open_toy: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LEASE_SECONDS", 0.6)
    memory, other = open_toy(extractor=ToyExtractor(pause=0.4), ingest={"group": 6}), open_toy()
    job = written(memory)
    thread = threading.Thread(target=memory.run_job, args=(job,))
    thread.start()
    while memory.job(job).state is not JobState.RUNNING:
        time.sleep(0.01)
    time.sleep(1.2)  # twice the lease; the one group takes 2.4 s
    assert other.run_jobs() == 0
    thread.join()
    assert memory.job(job).state is JobState.DONE


def test_a_job_of_another_space_is_unknown(open_toy: Open) -> None:
    job, other = written(open_toy("one")), open_toy("two")
    written(other)
    with pytest.raises(NotFound):
        other.run_job(job)
    assert other.sources().items[0].states == {"waiting": 6}


def test_a_finished_job_has_nothing_to_retry(open_toy: Open) -> None:
    memory = open_toy()
    job = written(memory)
    memory.run_jobs()
    with pytest.raises(Conflict, match="nothing of this job failed"):
        memory.retry(job)


def test_jobs_wait_across_a_restart(tmp_path: Any, open_toy: Open) -> None:
    with toy_memory(tmp_path / "restart") as memory:
        job = written(memory)
    with toy_memory(tmp_path / "restart") as memory:
        assert memory.run_jobs() == 1
        assert memory.job(job).state is JobState.DONE
        assert picture(memory) == uninterrupted(open_toy)
