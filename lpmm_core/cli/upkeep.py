"""Looking after a space: counts, checks, indexes, backups."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lpmm_core.base.errors import LpmmError
from lpmm_core.cli.group import json_option, main, opened, print_json, space_option


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
@click.option("--repair", is_flag=True, help="Build the indexes anew when they differ from the truth.")
@space_option
@json_option
def check(*, repair: bool, space: str, as_json: bool) -> None:
    """Look for anything wrong in the truth or the indexes."""
    with opened(space) as memory:
        problems = memory.check()
        if problems and repair:
            memory.rebuild()
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
        job = memory.reembed()
        state = memory.finish_job(job)
        if state == "failed":
            raise LpmmError(f"not everything could be embedded: {memory.job(job).error}")
    click.echo(f"embedding everything anew: {state}")


@main.command()
@click.argument("id")
@space_option
@json_option
def trace(id: str, *, space: str, as_json: bool) -> None:
    """Show how a result came about, or where a fact or passage comes from."""
    with opened(space) as memory:
        found = memory.trace(id)
    print_json(found) if as_json else click.echo(json.dumps(found, ensure_ascii=False, indent=1))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--verify", "verifying", is_flag=True, help="Check the file afterwards.")
@space_option
def backup(file: Path, *, verifying: bool, space: str) -> None:
    """Write a consistent copy of a space to a file."""
    from lpmm_core.memory import verify

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
