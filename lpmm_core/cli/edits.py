"""A person's edits, and the history of all that was done."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lpmm_core.cli.group import actor_option, json_option, main, opened, print_json, space_option


@main.command()
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--all", "derived", is_flag=True, help="Also what the memory did by itself.")
@space_option
@json_option
def history(*, limit: int, derived: bool, space: str, as_json: bool) -> None:
    """Show who did what, newest first."""
    with opened(space) as memory:
        done = memory.history(limit=limit, derived=derived)
    if as_json:
        print_json([{name: getattr(entry, name) for name in entry.__slots__} for entry in done])
        return
    for entry in done:
        click.echo(f"{entry.time:%Y-%m-%d %H:%M:%S}  {entry.actor:12} {entry.state:8} {entry.kind:9} {entry.summary}")


@main.command()
@space_option
@actor_option
def undo(*, space: str, actor: str) -> None:
    """Take back the latest thing you did."""
    with opened(space) as memory:
        done = memory.undo(actor=actor)
    click.echo(f"undone: {done.kind} {done.summary}")


@main.command()
@space_option
@actor_option
def redo(*, space: str, actor: str) -> None:
    """Do again what the latest undo took back."""
    with opened(space) as memory:
        done = memory.redo(actor=actor)
    click.echo(f"done again: {done.kind} {done.summary}")


@main.command()
@click.argument("id")
@click.argument("name")
@space_option
@actor_option
def rename(id: str, name: str, *, space: str, actor: str) -> None:
    """Show an entity under another name; the old one stays as an alias."""
    with opened(space) as memory:
        memory.rename(id, name, actor=actor)


@main.command()
@click.argument("ids", nargs=-1, required=True)
@click.argument("into")
@space_option
@actor_option
def merge(ids: Sequence[str], into: str, *, space: str, actor: str) -> None:
    """Make entities one: the last id keeps its name."""
    with opened(space) as memory:
        memory.merge(ids, into, actor=actor)


@main.command()
@click.argument("id")
@click.argument("names", nargs=-1)
@space_option
@actor_option
def split(id: str, names: Sequence[str], *, space: str, actor: str) -> None:
    """Give some names of an entity (all its aliases when none is named) an entity of their own; print its id."""
    with opened(space) as memory:
        click.echo(memory.split(id, names or memory.entity(id).entity.aliases, actor=actor))


@main.command()
@click.argument("ids", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Only say what would go and what would stay.")
@space_option
@json_option
@actor_option
def delete(ids: Sequence[str], *, dry_run: bool, space: str, as_json: bool, actor: str) -> None:
    """Put sources, passages, entities or facts into the recycle bin."""
    with opened(space) as memory:
        preview = memory.deletion(ids)
        if not dry_run:
            memory.delete(ids, actor=actor)
    if as_json:
        print_json(preview.to_json())
    else:
        click.echo(("would delete: " if dry_run else "deleted: ") + preview.sentence())


@main.command()
@click.argument("ids", nargs=-1, required=True)
@space_option
@actor_option
def undelete(ids: Sequence[str], *, space: str, actor: str) -> None:
    """Take records out of the recycle bin."""
    with opened(space) as memory:
        memory.undelete(ids, actor=actor)


@main.command()
@click.argument("ids", nargs=-1, required=True)
@space_option
@actor_option
def purge(ids: Sequence[str], *, space: str, actor: str) -> None:
    """Take deleted sources or passages out of every file for good."""
    with opened(space) as memory:
        memory.purge(ids, actor=actor)


@main.command()
@click.argument("id")
@space_option
@actor_option
def pin(id: str, *, space: str, actor: str) -> None:
    """Keep a passage, an entity or a fact whatever forgetting does."""
    with opened(space) as memory:
        memory.pin(id, actor=actor)


@main.command()
@click.argument("id")
@space_option
@actor_option
def unpin(id: str, *, space: str, actor: str) -> None:
    """Stop keeping a pinned record."""
    with opened(space) as memory:
        memory.pin(id, pinned=False, actor=actor)
