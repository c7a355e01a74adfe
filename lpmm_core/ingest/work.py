"""Working off jobs. A worker holds a job's lease, takes its tasks group by group, and gives the lease back with the job's new state.

What a group needs (models) happens outside any transaction; its result and its tasks' states are written in one. Whoever takes over from a
dead worker therefore goes on exactly where it stopped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lpmm_core.base.errors import Busy, Conflict, LpmmError, NotFound, ProviderError
from lpmm_core.base.records import Extractor, Mention
from lpmm_core.base.settings import IngestSettings
from lpmm_core.index.encoder import Encoder
from lpmm_core.index.shelf import Shelf
from lpmm_core.ingest import calibration, embedding, reading
from lpmm_core.ingest.report import Progress
from lpmm_core.store import jobs
from lpmm_core.store.jobs import JobKind, JobState
from lpmm_core.store.store import Store

if TYPE_CHECKING:
    from lpmm_core.extract.llm import LLMExtractor


Group = tuple[list[tuple[str, Mention]], str | None, tuple[int, int, int] | None]
"""What `reading.Group` has, and (total, done, failed) of a job without tasks."""

LOOKING_SECONDS = 0.1
"""Between two looks at a job that another worker holds."""

SHORTEST_PAUSE, LONGEST_PAUSE = 30.0, 3600.0
"""Seconds before a job that a service outside failed is tried again."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker works with. Without an encoder nothing is embedded; without `llm` there is no second reading."""

    store: Store
    shelf: Shelf
    extractor: Extractor
    encoder: Encoder | None
    llm: LLMExtractor | None
    settings: IngestSettings


def run(work: Work, job: int, *, on_progress: Callable[[Progress], None] | None = None) -> JobState:
    """Work on a job until it is finished, cancelled or taken over, and return where it stands then.

    Raises:
        NotFound, Busy, Conflict: it cannot be claimed (see `store.jobs.claim`).
    """
    store, holder = work.store, jobs.new_holder()
    jobs.claim(store.database, job, holder)
    with store.reading() as connection:
        kind = jobs.kind_of(connection, job)
    error: str | None = None
    pause = 0.0
    try:
        with _kept_alive(store, job, holder):
            for names, failure, counts in _groups(work, job, holder, kind):
                error = failure or error
                if on_progress is not None:
                    with store.reading() as connection:
                        total, done, failed = counts or jobs.progress(connection, job)
                    on_progress(Progress(store.ids.encode("jobs", job), total, done, failed, names, kind))
                if not jobs.renew(store.database, job, holder):
                    break
    except reading.Interrupted:
        pass
    except LpmmError as refused:
        error = refused.message
        if isinstance(refused, ProviderError) and refused.retryable:
            pause = _pause(store, job)
    except BaseException:
        jobs.release(
            store.database, job, holder, finished=store.now(), error="the worker stopped; retry the job to go on"
        )
        raise
    state = jobs.release(store.database, job, holder, finished=store.now(), error=error, pause=pause)
    if kind is JobKind.EMBED and state is JobState.DONE:
        jobs.embedded(store.database)
    with work.shelf.view() as view:
        due = calibration.due(view)
        work.shelf.settle()
    if due and work.encoder is not None and state is JobState.DONE:
        with store.database.writing() as connection:
            calibrating = jobs.ensure(connection, JobKind.CALIBRATE, created=store.now())
        with suppress(Busy, Conflict):  # another worker was quicker
            run(work, calibrating)
    return state


def see_through(work: Work, job: int, *, on_progress: Callable[[Progress], None] | None = None) -> JobState:
    """Work on a job until it is finished or pauses, or look on while another worker does, and return where it stands then."""
    while True:
        looking_on = False
        try:
            run(work, job, on_progress=on_progress)
        except (Busy, Conflict):
            looking_on = True
        with work.store.reading() as connection:
            seen = embedding.counted(connection, jobs.one(connection, work.store.ids, job))
        if looking_on and on_progress is not None:
            on_progress(Progress(seen.id, seen.total, seen.done, seen.failed, kind=seen.kind))
        if seen.state not in jobs.OPEN or (seen.state is JobState.WAITING and seen.until is not None):
            return seen.state
        time.sleep(LOOKING_SECONDS)


def _pause(store: Store, job: int) -> float:
    """Wait for as long as the job has been at it by now: pauses double, and need no counting."""
    with store.reading() as connection:
        age = store.clock() - jobs.one(connection, store.ids, job).created
    return min(max(age.total_seconds(), SHORTEST_PAUSE), LONGEST_PAUSE)


def run_open(work: Work, *, on_progress: Callable[[Progress], None] | None = None) -> int:
    """Work off every job that waits or whose worker died, oldest first; return how many were taken."""
    taken = 0
    with work.store.reading() as connection:
        waiting = jobs.open_jobs(connection)
    for job in waiting:
        try:
            run(work, job, on_progress=on_progress)
            taken += 1
        except (Busy, Conflict, NotFound):
            continue  # another worker was quicker
    return taken


def _groups(work: Work, job: int, holder: str, kind: JobKind) -> Iterator[Group]:
    """Yield what each group of a job found and what failed in it."""
    if kind in (JobKind.EMBED, JobKind.CALIBRATE):
        if work.encoder is None:
            raise Conflict("no embedding model is configured, so nothing can be embedded")
        if kind is JobKind.CALIBRATE:
            calibration.calibrate(work.store, work.shelf, work.encoder)
        else:
            threshold = work.settings.synonym_threshold
            for total, done in embedding.embed_missing(work.store, work.shelf, work.encoder, threshold=threshold):
                yield [], None, (total, done, 0)
        return
    reader = reading.SecondReader if kind is JobKind.READ_AGAIN else reading.Reader
    read = reader(work.store, work.shelf, work.extractor, work.encoder, work.settings)
    if kind is JobKind.READ_WITH_LLM:
        if work.llm is None:
            raise Conflict("no language model is configured; put [llm] into config.toml and retry")
        read = reading.LLMReader(work.store, work.shelf, work.llm, work.encoder, work.settings)
    while True:
        with work.store.reading() as connection:
            tasks = jobs.waiting_tasks(connection, job, work.settings.group)
        if not tasks:
            return
        yield *read.group(job, holder, tasks), None


@contextmanager
def _kept_alive(store: Store, job: int, holder: str) -> Iterator[None]:
    """Renew the lease in the background while a slow group is being read."""
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(jobs.LEASE_SECONDS / 3):
            try:
                jobs.renew(store.database, job, holder)
            except LpmmError:
                return  # the next group meets the same error and reports it

    thread = threading.Thread(target=beat, name=f"lease-{job}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
