"""Finding the ids that other commands take: of entities by their names, of sources by a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from lpmm_core.base.errors import InvalidInput, NotFound
from lpmm_core.cli.group import json_option, main, opened, print_json, space_option

if TYPE_CHECKING:
    from lpmm_core.base.records import Fact
    from lpmm_core.memory import Memory

_LONGEST = 60


@main.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@space_option
@json_option
def find(name: str, *, limit: int, space: str, as_json: bool) -> None:
    """Find entities whose name or alias begins with NAME, or holds it: id, kind, passages, name."""
    with opened(space) as memory:
        found = memory.suggestions(name, limit)
    if as_json:
        shown = ("id", "kind", "name", "aliases", "passages")
        print_json([{field: getattr(entity, field) for field in shown} for entity in found])
        return
    for entity in found:
        also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
        click.echo(f"{entity.id}  {entity.kind:12} {entity.passages:2} passages  {entity.name}{also}")
    if not found:
        click.echo("nothing has such a name")


@main.command()
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@click.option("--deleted", is_flag=True, help="Those in the recycle bin.")
@space_option
@json_option
def sources(*, limit: int, deleted: bool, space: str, as_json: bool) -> None:
    """List the sources, newest first: id, passages, what these have come to, name."""
    with opened(space) as memory:
        found = memory.sources(limit=limit, deleted=deleted)
    if as_json:
        shown = ("id", "name", "media", "created", "passages", "states", "deleted")
        print_json([{field: getattr(source, field) for field in shown} for source in found.items])
        return
    for source in found.items:
        states = ", ".join(f"{state} {count}" for state, count in source.states.items() if count)
        click.echo(f"{source.id}  {source.passages:4} passages  {states}  {source.name}")
    if found.total > len(found.items):
        click.echo(f"… and {found.total - len(found.items)} more (--limit)")


def called(memory: Memory, id: str) -> str:
    """Return what a person calls a record: its name, its text, or what it states; the id when it is out of sight."""
    names: tuple[Callable[[], str], ...] = (
        lambda: memory.entity(id).entity.name,
        lambda: memory.source(id).name,
        lambda: memory.passage(id).passage.text,
        lambda: _statement(memory.fact(id)),
    )
    for name in names:
        try:
            told = " ".join(name().split())
        except (NotFound, InvalidInput):
            continue
        return told if len(told) <= _LONGEST else f"{told[: _LONGEST - 1]}…"
    return id


def _statement(fact: Fact) -> str:
    return f"{'not: ' if fact.negated else ''}{fact.subject} — {fact.predicate} — {fact.object}"
