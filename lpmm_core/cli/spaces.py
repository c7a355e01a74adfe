"""The spaces of an installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lpmm_core.cli.group import json_option, main, print_json

if TYPE_CHECKING:
    from lpmm_core.spaces import Spaces


def _found() -> Spaces:
    from lpmm_core.spaces import Spaces

    return Spaces()


@main.group(invoke_without_command=True)
@json_option
@click.pass_context
def spaces(ctx: click.Context, *, as_json: bool) -> None:
    """List the spaces; create, rename, archive or delete one."""
    if ctx.invoked_subcommand:
        return
    names = _found().names()
    print_json(names) if as_json else click.echo("\n".join(names) or "there are no spaces yet")


@spaces.command("create")
@click.argument("name")
def create_space(name: str) -> None:
    """Make an empty space."""
    found = _found()
    place = found.create(name).path
    found.close()
    click.echo(f"made {name} at {place}")


@spaces.command("rename")
@click.argument("name")
@click.argument("new")
def rename_space(name: str, new: str) -> None:
    """Give a space another name."""
    _found().rename(name, new)
    click.echo(f"renamed {name} to {new}")


@spaces.command("archive")
@click.argument("name")
def archive_space(name: str) -> None:
    """Put a space aside."""
    click.echo(f"now at {_found().archive(name)}")


@spaces.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete_space(name: str, *, yes: bool) -> None:
    """Delete a space with everything in it, for good."""
    if not yes:
        click.confirm(f"Delete the space {name} and everything in it?", abort=True)
    _found().delete(name)
    click.echo(f"deleted {name}")
