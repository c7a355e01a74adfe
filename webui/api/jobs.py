"""Work that goes on: look, stop, try again."""

from __future__ import annotations

from apiflask import APIBlueprint

from webui.api import inputs, schemas, shapes
from webui.house import house, memory_of

jobs = APIBlueprint("jobs", __name__, tag="jobs")


@jobs.get("/jobs")
@jobs.input(inputs.JobsQuery, location="query")
@jobs.output(schemas.Jobs)
def index(space: str, query_data: inputs.JobsQuery) -> schemas.Jobs:
    """List the jobs, newest first."""
    return schemas.Jobs(items=[shapes.job(item) for item in memory_of(space).jobs(limit=query_data.limit)])


@jobs.get("/jobs/<job>")
@jobs.output(schemas.Job)
def read(space: str, job: str) -> schemas.Job:
    """Describe one job."""
    return shapes.job(memory_of(space).job(job))


@jobs.post("/jobs/<job>/cancel")
@jobs.output(schemas.Job)
def cancel(space: str, job: str) -> schemas.Job:
    """Stop a job after its present paragraphs; what it has done stays."""
    memory = memory_of(space)
    memory.cancel(job)
    return shapes.job(memory.job(job))


@jobs.post("/jobs/<job>/retry")
@jobs.output(schemas.Job)
def retry(space: str, job: str) -> schemas.Job:
    """Let a job that failed or was stopped go on: what failed is tried again, what was not reached is done."""
    memory = memory_of(space)
    memory.retry(job)
    house().worker.wake(space)
    return shapes.job(memory.job(job))
