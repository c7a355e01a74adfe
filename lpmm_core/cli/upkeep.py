"""Looking after a space: counts, checks, indexes, backups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lpmm_core.base.errors import LpmmError
from lpmm_core.cli.group import actor_option, json_option, main, opened, print_json, progress, space_option

if TYPE_CHECKING:
    from lpmm_core.memory import Memory


@main.command()
@space_option
@json_option
def stats(*, space: str, as_json: bool) -> None:
    """Count what the memory holds."""
    with opened(space) as memory:
        found = memory.stats().to_json()
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        click.echo(
            f"{name:12} "
            + (" ".join(f"{k} {v}" for k, v in value.items() if v) if isinstance(value, dict) else str(value))
        )


@main.command()
@click.option(
    "--repair", is_flag=True, help="Build indexes that differ from the truth anew; embed what lacks a vector."
)
@space_option
@json_option
def check(*, repair: bool, space: str, as_json: bool) -> None:
    """Look for anything wrong in the truth or the indexes."""
    with opened(space) as memory:
        problems = memory.check()
        if problems and repair:
            if job := memory.repair():
                with progress(quiet=as_json) as show:
                    memory.finish_job(job, on_progress=show)
            problems = memory.check()
    if as_json:
        print_json({"problems": problems})
    elif not problems:
        click.echo("all is well")
    if problems:
        raise LpmmError("; ".join(problems))


@main.command()
@space_option
def rebuild(*, space: str) -> None:
    """Throw the indexes away and build them anew from the truth."""
    with opened(space) as memory:
        memory.rebuild()
    click.echo("the indexes were built anew")


@main.command()
@space_option
def reembed(*, space: str) -> None:
    """Embed everything anew by the configured model."""
    with opened(space) as memory:
        _work_off(memory, memory.reembed(), "embedding everything anew")


@main.command()
@click.argument("ids", nargs=-1, required=True)
@space_option
@actor_option
def reextract(ids: Sequence[str], *, space: str, actor: str) -> None:
    """Read passages again, with every name that the memory knows by now; what is found is added."""
    with opened(space) as memory:
        _work_off(memory, memory.reextract(ids, actor=actor), "reading again")


@main.command()
@space_option
def calibrate(*, space: str) -> None:
    """Take the means that vectors are centred with anew, from what the memory holds now."""
    with opened(space) as memory:
        _work_off(memory, memory.calibrate(), "calibrating")


def _work_off(memory: Memory, job: str, what: str) -> None:
    """Work off a job and say how it ended; raises LpmmError when it did not go through."""
    with progress(quiet=False) as show:
        state = memory.finish_job(job, on_progress=show)
    if state in ("failed", "waiting"):
        again = "; it is tried again by `lpmm jobs run`" if state == "waiting" else ""
        raise LpmmError(f"{what} failed: {memory.job(job).error}{again}")
    click.echo(f"{what}: {state}")


@main.command()
@click.argument("id")
@space_option
@json_option
def trace(id: str, *, space: str, as_json: bool) -> None:
    """Show how an answer (its retrieval's id) came about, or where a fact, a passage or a message comes from."""
    with opened(space) as memory:
        found = memory.trace(id)
    if as_json or "retrieval" in found:
        print_json(found)
    else:
        click.echo("\n".join([*_provenance(found), *(_done(operation) for operation in found["operations"])]))


def _provenance(found: Mapping[str, Any]) -> Iterator[str]:
    """Say in lines where a fact, a passage or a message comes from."""
    for version in found.get("versions", ()):
        start, end = version["recorded"]
        yield f"fact {version['number']}: {_statement(version)}"
        yield f"  recorded {start} to {end or 'now'}" + (", deleted" if version["deleted"] else "")
    for place in found.get("evidence", ()):
        yield f"  stated in {_place(place)}, read by {', '.join(place['readers'])}: {place['text']}"
    if found.get("withdrawn"):
        yield f"  {found['withdrawn']} more places are withdrawn"
    if "text" in found:
        yield f"passage ({found['state']}{', pinned' if found['pinned'] else ''}): {found['text']}"
        yield from (f"  stands in {_place(place)} ({place['state']})" for place in found["occurrences"])
        yield f"  names: {', '.join(name['name'] for name in found['names']) or 'none'}"
        yield from (f"  states {_statement(fact)}" for fact in found["facts"])


def _statement(fact: Mapping[str, Any]) -> str:
    return f"{'not: ' if fact['negated'] else ''}{fact['subject']} — {fact['predicate']} — {fact['object']}"


def _place(place: Mapping[str, Any]) -> str:
    return f"{place['source']['name']} · {place['position']}"


def _done(operation: Mapping[str, Any]) -> str:
    return f"{operation['time'][:19]}  {operation['actor']:12} {operation['kind']:9} {operation['summary']}".rstrip()


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--verify", "verifying", is_flag=True, help="Check the file afterwards.")
@click.option("--force", is_flag=True, help="Replace the file when it exists.")
@space_option
def backup(file: Path, *, verifying: bool, force: bool, space: str) -> None:
    """Write a consistent copy of a space to a file."""
    from lpmm_core.memory import verify

    if file.is_file() and not force:
        raise LpmmError(f"{file} exists already; name another file, or replace it with --force")
    with opened(space) as memory:
        memory.backup(file)
    if verifying:
        verify(file)
    click.echo(f"{file} is {'sound' if verifying else 'written'}")


@main.command("restore")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.argument("new_space")
def restore_command(file: Path, new_space: str) -> None:
    """Make a new space from a backup."""
    from lpmm_core.memory import restore

    restore(file, new_space)
    click.echo(f"restored into {new_space}")
