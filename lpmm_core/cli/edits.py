"""A person's edits, and the history of all that was done.

Each edit prints, with `--json`, `{"operation", "kind", "summary", "changes": [{"kind", "id", "action"}]}`; for an undo or redo, kind and
summary are those of what it turned round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from lpmm_core.cli.group import actor_option, json_option, main, opened, print_json, space_option
from lpmm_core.cli.records import called

if TYPE_CHECKING:
    from lpmm_core.memory import Edit


def _edit_command(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command of an edit, with the options that all edits have."""
    for option in (actor_option, json_option, space_option):
        function = option(function)
    return main.command()(function)


def _tell(edit: Edit, as_json: bool, sentence: str, **more: Any) -> None:
    print_json(edit.to_json() | more) if as_json else click.echo(sentence)


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
        click.echo(
            f"{entry.id}  {entry.time:%Y-%m-%d %H:%M:%S}  {entry.actor:12} {entry.state:8} {entry.kind:9} {entry.summary}"
        )


@_edit_command
@click.argument("operation", required=False)
def undo(operation: str | None, *, space: str, as_json: bool, actor: str) -> None:
    """Take back the latest thing you did, or what is named: an earlier one, or a calibration (`lpmm history --all` has the ids)."""
    with opened(space) as memory:
        done = memory.undo(operation, actor=actor)
    _tell(done, as_json, f"undone: {done.kind} {done.summary}")


@_edit_command
@click.argument("operation", required=False)
def redo(operation: str | None, *, space: str, as_json: bool, actor: str) -> None:
    """Do again what the latest undo took back, or what is named."""
    with opened(space) as memory:
        done = memory.redo(operation, actor=actor)
    _tell(done, as_json, f"done again: {done.kind} {done.summary}")


@_edit_command
@click.argument("id")
@click.argument("name")
def rename(id: str, name: str, *, space: str, as_json: bool, actor: str) -> None:
    """Show an entity under another name; the old one stays as an alias."""
    with opened(space) as memory:
        before = called(memory, id)
        _tell(memory.rename(id, name, actor=actor), as_json, f"renamed {before} to {name}")


@_edit_command
@click.argument("ids", nargs=-1, required=True)
@click.argument("into")
def merge(ids: Sequence[str], into: str, *, space: str, as_json: bool, actor: str) -> None:
    """Make entities one: the last id keeps its name."""
    with opened(space) as memory:
        gone = ", ".join(called(memory, id) for id in ids)
        _tell(memory.merge(ids, into, actor=actor), as_json, f"merged {gone} into {called(memory, into)}")


@_edit_command
@click.argument("id")
@click.argument("names", nargs=-1)
def split(id: str, names: Sequence[str], *, space: str, as_json: bool, actor: str) -> None:
    """Give some names of an entity (all its aliases when none is named) an entity of their own; print its id."""
    with opened(space) as memory:
        done = memory.split(id, names or memory.entity(id).entity.aliases, actor=actor)
    _tell(done, as_json, done.made[0])


@_edit_command
@click.argument("ids", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Only say what would go and what would stay.")
def delete(ids: Sequence[str], *, dry_run: bool, space: str, as_json: bool, actor: str) -> None:
    """Put sources, passages, entities or facts into the recycle bin."""
    with opened(space) as memory:
        preview = memory.deletion(ids)
        if not dry_run:
            done = memory.delete(ids, actor=actor)
            _tell(done, as_json, f"deleted: {preview.sentence()}", **preview.to_json())
        elif as_json:
            print_json({"operation": None, "changes": []} | preview.to_json())
        else:
            click.echo(f"would delete: {preview.sentence()}")


@_edit_command
@click.argument("ids", nargs=-1, required=True)
def undelete(ids: Sequence[str], *, space: str, as_json: bool, actor: str) -> None:
    """Take records out of the recycle bin."""
    with opened(space) as memory:
        done = memory.undelete(ids, actor=actor)
        _tell(done, as_json, f"took out of the recycle bin: {', '.join(called(memory, id) for id in ids)}")


@_edit_command
@click.argument("ids", nargs=-1, required=True)
def purge(ids: Sequence[str], *, space: str, as_json: bool, actor: str) -> None:
    """Take deleted sources or passages out of every file for good."""
    with opened(space) as memory:
        done = memory.purge(ids, actor=actor)
    _tell(done, as_json, f"took out for good: {done.summary}")


@_edit_command
@click.argument("id")
def pin(id: str, *, space: str, as_json: bool, actor: str) -> None:
    """Keep a passage, an entity or a fact whatever forgetting does."""
    with opened(space) as memory:
        _tell(memory.pin(id, actor=actor), as_json, f"pinned {called(memory, id)}")


@_edit_command
@click.argument("id")
def unpin(id: str, *, space: str, as_json: bool, actor: str) -> None:
    """Stop keeping a pinned record."""
    with opened(space) as memory:
        _tell(memory.pin(id, pinned=False, actor=actor), as_json, f"no longer pinned: {called(memory, id)}")
