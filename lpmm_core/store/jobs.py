"""Work that waits: jobs with leases, and their tasks.

A job is work that follows from an operation (reading its passages, say); a task is one occurrence of it. Whoever works on a job holds a
lease and renews it; when a worker dies another may take over, at once when it is seen to be dead, else when its lease has run out. A task
is marked done in the very transaction that writes its result, so a job that is taken over goes on exactly where it stopped. The lease of a
job that waits is the pause before it is tried again. Jobs are bookkeeping, not memory: they are not journalled.
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from lpmm_core.base.clock import from_text
from lpmm_core.base.errors import Busy, Conflict, NotFound
from lpmm_core.base.processes import is_gone, this_process
from lpmm_core.store.database import Database
from lpmm_core.store.ids import Ids

LEASE_SECONDS = 30.0


class JobKind(StrEnum):
    """What a job does."""

    READ = "read"
    READ_WITH_LLM = "read-llm"
    EMBED = "embed"
    CALIBRATE = "calibrate"
    READ_AGAIN = "read-again"


class JobState(StrEnum):
    """Where a job stands; a job whose tasks failed is `failed` and can be retried for those alone."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN = (JobState.WAITING, JobState.RUNNING)

BY_PERSON, BY_UNDO = 1, 2
"""Values of `cancel`: who stopped a job. What an undo stopped goes on with its redo."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job and the counts of its tasks; `operation` and `sources` are ids of what it works on."""

    id: str
    kind: JobKind
    state: JobState
    operation: str | None
    sources: tuple[str, ...]
    total: int
    done: int
    failed: int
    error: str | None
    prompt_tokens: int
    completion_tokens: int
    created: datetime
    finished: datetime | None
    cancelling: bool
    until: datetime | None = None
    """Until when no other worker takes it: one holds it, or it pauses before another try. None when it may be taken now."""


@dataclass(frozen=True, slots=True)
class Task:
    """One occurrence to be read."""

    row: int
    occurrence: int
    attempts: int


def add(connection: sqlite3.Connection, kind: JobKind, *, operation: int | None, created: str) -> int:
    """Add a job inside an open transaction and return its row number."""
    job = connection.execute(
        """INSERT INTO jobs (operation, kind, state, created, lease, cancel, prompt_tokens, completion_tokens)
        VALUES (?, ?, 'waiting', ?, 0, 0, 0, 0)""",
        (operation, kind, created),
    ).lastrowid
    assert job is not None
    return job


def ensure(connection: sqlite3.Connection, kind: JobKind, *, created: str, error: str | None = None) -> int:
    """Return the job of this kind that waits already, or add one; `error` says what made it necessary."""
    row = connection.execute("SELECT id FROM jobs WHERE kind = ? AND state = 'waiting'", (kind,)).fetchone()
    job: int = row["id"] if row else add(connection, kind, operation=None, created=created)
    if error is not None:
        connection.execute("UPDATE jobs SET error = ? WHERE id = ?", (error, job))
    return job


def embedded(database: Database) -> None:
    """Settle the jobs that failed for want of vectors alone, now that nothing lacks one."""
    with database.writing() as connection:
        connection.execute(
            """UPDATE jobs SET state = 'done', error = NULL WHERE state = 'failed' AND kind <> 'calibrate'
            AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.job = jobs.id AND t.state <> 'done')"""
        )


def add_tasks(connection: sqlite3.Connection, job: int, occurrences: Iterable[int]) -> None:
    """Give a job more to do, inside the transaction that writes the occurrences; a job that had finished waits again."""
    connection.executemany(
        "INSERT INTO tasks (job, occurrence, state, attempts) VALUES (?, ?, 'waiting', 0)",
        ((job, row) for row in occurrences),
    )
    connection.execute(
        "UPDATE jobs SET state = 'waiting', finished = NULL WHERE id = ? AND state IN ('done', 'failed')", (job,)
    )


def new_holder() -> str:
    """Return a name for a worker of this process, by which others can tell when it died."""
    return f"{this_process()} {uuid.uuid4().hex}"


def _is_held(row: sqlite3.Row) -> bool:
    return row["holder"] is not None and row["lease"] > time.time() and not is_gone(row["holder"].split(" ")[0])


def claim(database: Database, job: int, holder: str) -> None:
    """Take the lease of a job, or renew it.

    Raises:
        NotFound: there is no such job.
        Busy: another worker holds it.
        Conflict: it is finished.
    """
    with database.writing() as connection:
        row = connection.execute("SELECT state, holder, lease FROM jobs WHERE id = ?", (job,)).fetchone()
        if row is None:
            raise NotFound(f"job {job} does not exist")
        if row["state"] not in OPEN:
            raise Conflict(f"this job is {row['state']}; retry it to run it again")
        if row["holder"] != holder and _is_held(row):
            raise Busy("another worker is at this job")
        connection.execute(
            "UPDATE jobs SET state = 'running', holder = ?, lease = ? WHERE id = ?",
            (holder, time.time() + LEASE_SECONDS, job),
        )


def renew(database: Database, job: int, holder: str) -> bool:
    """Renew the lease; return False when the job was cancelled or taken over, so that the worker stops."""
    with database.writing() as connection:
        connection.execute(
            "UPDATE jobs SET lease = ? WHERE id = ? AND holder = ? AND state = 'running'",
            (time.time() + LEASE_SECONDS, job, holder),
        )
        row = connection.execute("SELECT cancel, holder FROM jobs WHERE id = ?", (job,)).fetchone()
    return row is not None and row["holder"] == holder and not row["cancel"]


def holds(connection: sqlite3.Connection, job: int, holder: str) -> bool:
    """Tell, inside the transaction that writes a result, whether the worker still holds the job."""
    row = connection.execute("SELECT holder, state FROM jobs WHERE id = ?", (job,)).fetchone()
    return row is not None and row["holder"] == holder and row["state"] == JobState.RUNNING


def release(
    database: Database, job: int, holder: str, *, finished: str, error: str | None = None, pause: float = 0.0
) -> JobState:
    """Give the lease back and settle the job's state: cancelled, failed (some task, or `error`), done, or waiting for more.

    With a `pause` a job that met an error waits so many seconds instead, and is then tried again.
    """
    with database.writing() as connection:
        row = connection.execute("SELECT cancel, holder, state FROM jobs WHERE id = ?", (job,)).fetchone()
        if row is None or row["holder"] != holder:
            return JobState(row["state"]) if row else JobState.CANCELLED
        counts = dict(
            connection.execute("SELECT state, count(*) FROM tasks WHERE job = ? GROUP BY state", (job,)).fetchall()
        )
        if row["cancel"]:
            state = JobState.CANCELLED
        elif error:
            state = JobState.WAITING if pause else JobState.FAILED
        elif counts.get("waiting"):
            state = JobState.WAITING
        elif counts.get("failed"):
            state = JobState.FAILED
        else:
            state = JobState.DONE
        connection.execute(
            "UPDATE jobs SET state = ?, holder = NULL, lease = ?, finished = ?, error = ? WHERE id = ?",
            (
                state,
                time.time() + pause if pause and state in OPEN else 0.0,
                None if state in OPEN else finished,
                error,
                job,
            ),
        )
    return state


def waiting_tasks(connection: sqlite3.Connection, job: int, limit: int) -> list[Task]:
    """Return the next tasks of a job, in order; none once it is to stop."""
    rows = connection.execute(
        """SELECT t.id, t.occurrence, t.attempts FROM tasks t JOIN jobs j ON j.id = t.job
        WHERE t.job = ? AND t.state = 'waiting' AND NOT j.cancel ORDER BY t.id LIMIT ?""",
        (job, limit),
    )
    return [Task(row["id"], row["occurrence"], row["attempts"]) for row in rows]


def settle(connection: sqlite3.Connection, tasks: Sequence[int], state: str, error: str | None = None) -> None:
    """Mark tasks inside the transaction that writes their result."""
    connection.executemany(
        "UPDATE tasks SET state = ?, error = ?, attempts = attempts + 1 WHERE id = ?",
        ((state, error, task) for task in tasks),
    )


def add_tokens(connection: sqlite3.Connection, job: int, prompt: int, completion: int) -> None:
    """Count what a language model was asked and answered."""
    connection.execute(
        "UPDATE jobs SET prompt_tokens = prompt_tokens + ?, completion_tokens = completion_tokens + ? WHERE id = ?",
        (prompt, completion, job),
    )


def cancel(database: Database, job: int, *, finished: str) -> JobState:
    """Ask a running job to stop after its present group, or cancel a waiting one at once; raises NotFound and Conflict."""
    with database.writing() as connection:
        row = connection.execute("SELECT * FROM jobs WHERE id = ?", (job,)).fetchone()
        if row is None:
            raise NotFound(f"job {job} does not exist")
        if row["state"] not in OPEN:
            raise Conflict(f"this job is {row['state']} already")
        return _stop(connection, row, BY_PERSON, finished)


def withdraw(connection: sqlite3.Connection, operation: int, *, finished: str) -> None:
    """Stop what still follows from an operation, inside the transaction that undoes it."""
    query = "SELECT * FROM jobs WHERE operation = ? AND state IN ('waiting', 'running') AND NOT cancel"
    for row in connection.execute(query, (operation,)).fetchall():
        _stop(connection, row, BY_UNDO, finished)


def resume(connection: sqlite3.Connection, operation: int) -> None:
    """Let what `withdraw` stopped go on, inside the transaction that does the operation again."""
    connection.execute(
        """UPDATE jobs SET cancel = 0, finished = NULL, state = CASE state WHEN 'cancelled' THEN 'waiting' ELSE state END
        WHERE operation = ? AND cancel = ?""",
        (operation, BY_UNDO),
    )


def _stop(connection: sqlite3.Connection, row: sqlite3.Row, by: int, finished: str) -> JobState:
    connection.execute("UPDATE jobs SET cancel = ? WHERE id = ?", (by, row["id"]))
    if row["state"] == JobState.RUNNING and _is_held(row):
        return JobState.RUNNING
    query = "UPDATE jobs SET state = 'cancelled', holder = NULL, finished = ? WHERE id = ?"
    connection.execute(query, (finished, row["id"]))
    return JobState.CANCELLED


def retry(database: Database, job: int) -> int:
    """Put the failed (or never started) tasks of a finished job back to waiting and return how many; raises NotFound and Conflict."""
    with database.writing() as connection:
        row = connection.execute(
            """SELECT j.state, o.kind, o.state IN ('undone', 'dropped') AS withdrawn FROM jobs j
            LEFT JOIN operations o ON o.id = j.operation WHERE j.id = ?""",
            (job,),
        ).fetchone()
        if row is None:
            raise NotFound(f"job {job} does not exist")
        if row["withdrawn"]:
            raise Conflict(f"the {row['kind']} that this job follows from was undone, so there is nothing to do")
        if row["state"] in OPEN:
            raise Conflict(f"this job is {row['state']}; there is nothing to retry yet")
        connection.execute(
            "UPDATE tasks SET state = 'waiting', error = NULL WHERE job = ? AND state = 'failed'", (job,)
        )
        again = connection.execute("SELECT count(*) FROM tasks WHERE job = ? AND state = 'waiting'", (job,)).fetchone()[
            0
        ]
        if row["state"] == JobState.DONE and not again:
            raise Conflict("nothing of this job failed")
        connection.execute(
            "UPDATE jobs SET state = 'waiting', cancel = 0, lease = 0, error = NULL, finished = NULL WHERE id = ?",
            (job,),
        )
    return int(again)


def open_jobs(connection: sqlite3.Connection) -> list[int]:
    """Return the jobs that a worker could take now: waiting ones that do not pause, and those whose worker died; oldest first."""
    rows = connection.execute("SELECT id, holder, lease FROM jobs WHERE state IN ('waiting', 'running') ORDER BY id")
    return [row["id"] for row in rows if _until(row) is None]


def _until(row: sqlite3.Row) -> datetime | None:
    """Return when an open job may be taken, None for now."""
    if row["lease"] <= time.time() or (row["holder"] is not None and not _is_held(row)):
        return None
    return datetime.fromtimestamp(row["lease"], UTC)


def operation_of(connection: sqlite3.Connection, job: int) -> int | None:
    """Return the operation (row number) that a job follows from."""
    row = connection.execute("SELECT operation FROM jobs WHERE id = ?", (job,)).fetchone()
    return row["operation"] if row else None


def kind_of(connection: sqlite3.Connection, job: int) -> JobKind:
    """Return what a job does; raises NotFound."""
    row = connection.execute("SELECT kind FROM jobs WHERE id = ?", (job,)).fetchone()
    if row is None:
        raise NotFound(f"job {job} does not exist")
    return JobKind(row["kind"])


def progress(connection: sqlite3.Connection, job: int) -> tuple[int, int, int]:
    """Return how many tasks a job has, and how many are done and failed."""
    row = connection.execute(
        "SELECT count(*), coalesce(sum(state = 'done'), 0), coalesce(sum(state = 'failed'), 0) FROM tasks WHERE job = ?",
        (job,),
    ).fetchone()
    return row[0], row[1], row[2]


def one(connection: sqlite3.Connection, ids: Ids, job: int) -> Job:
    """Return one job; raises NotFound."""
    row = connection.execute("SELECT * FROM jobs WHERE id = ?", (job,)).fetchone()
    if row is None:
        raise NotFound(f"job {job} does not exist")
    return _job(connection, ids, row)


def listed(connection: sqlite3.Connection, ids: Ids, *, limit: int = 50) -> list[Job]:
    """Return jobs, newest first."""
    rows = connection.execute("SELECT * FROM jobs ORDER BY id DESC LIMIT ?", (limit,)).fetchall()
    return [_job(connection, ids, row) for row in rows]


def _job(connection: sqlite3.Connection, ids: Ids, row: sqlite3.Row) -> Job:
    total, done, failed = progress(connection, row["id"])
    sources = connection.execute(
        "SELECT DISTINCT o.source FROM tasks t JOIN occurrences o ON o.id = t.occurrence WHERE t.job = ? ORDER BY 1 LIMIT 50",
        (row["id"],),
    )
    return Job(
        id=ids.encode("jobs", row["id"]),
        kind=JobKind(row["kind"]),
        state=JobState(row["state"]),
        operation=ids.encode("operations", row["operation"]) if row["operation"] else None,
        sources=tuple(ids.encode("sources", r["source"]) for r in sources),
        total=total,
        done=done,
        failed=failed,
        error=row["error"],
        prompt_tokens=row["prompt_tokens"],
        completion_tokens=row["completion_tokens"],
        created=from_text(row["created"]),
        finished=from_text(row["finished"]) if row["finished"] else None,
        cancelling=bool(row["cancel"]),
        until=_until(row) if row["state"] in OPEN else None,
    )
