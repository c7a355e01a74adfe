"""Jobs: the work that waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lpmm_core.base.errors import LpmmError
from lpmm_core.cli.group import json_option, main, opened, print_json, progress, space_option

if TYPE_CHECKING:
    from lpmm_core.memory import Memory


@main.group(invoke_without_command=True)
@space_option
@json_option
@click.pass_context
def jobs(ctx: click.Context, *, space: str, as_json: bool) -> None:
    """Show the work that waits, runs or is done; `jobs run` works it off."""
    ctx.obj = space
    if ctx.invoked_subcommand:
        return
    with opened(space) as memory:
        found = memory.jobs()
    if as_json:
        print_json([{name: getattr(job, name) for name in job.__slots__} for job in found])
        return
    for job in found:
        tokens = f"  {job.prompt_tokens}+{job.completion_tokens} tokens" if job.prompt_tokens else ""
        counts = f"{job.done}/{job.total}, {job.failed} failed" if job.total else ""
        click.echo(f"{job.id}  {job.kind:9} {job.state:9} {counts}{tokens}  {job.error or ''}".rstrip())


def _space(ctx: click.Context, _: click.Parameter, value: str | None) -> str:
    return value or str(ctx.obj)


# May be said before or after the subcommand's name.
_space_option = click.option("--space", callback=_space, help="A space's name, or a directory.")


@jobs.command("run")
@click.argument("id", required=False)
@_space_option
def run_jobs(space: str, id: str | None) -> None:
    """Work off a job, or every job that waits."""
    with opened(space) as memory, progress(quiet=False) as show:
        if id:
            _tell(memory, id, memory.run_job(id, on_progress=show))
        else:
            click.echo(f"{memory.run_jobs(on_progress=show)} jobs worked off")
            for job in memory.jobs():
                if job.until is not None:
                    when = job.until.astimezone().strftime("%H:%M:%S")
                    paused = f"is tried again at {when}: {job.error}"
                    held = f"is another worker's until {when}"
                    click.echo(f"! {job.id} {paused if job.state == 'waiting' else held}", err=True)


@jobs.command("cancel")
@click.argument("id")
@_space_option
def cancel_job(space: str, id: str) -> None:
    """Stop a job after its present group; what it did stays."""
    with opened(space) as memory:
        state = memory.cancel(id)
    click.echo("it stops after its present group" if state == "running" else state)


@jobs.command("retry")
@click.argument("id")
@_space_option
def retry_job(space: str, id: str) -> None:
    """Let a finished job wait again for what failed, and work it off."""
    with opened(space) as memory, progress(quiet=False) as show:
        passages, job = memory.retry(id), memory.job(id)
        if job.kind == "embed":
            click.echo(f"{job.total - job.done} texts to embed")
        elif passages:
            click.echo(f"{passages} passages to go")
        _tell(memory, id, memory.finish_job(id, on_progress=show))


def _tell(memory: Memory, id: str, state: str) -> None:
    click.echo(state)
    if state in ("failed", "waiting"):
        raise LpmmError(memory.job(id).error or "some passages could not be read")
