"""The root of the command line, and what its commands share: options, opening a space, printing, progress.

With `--json` a command prints one JSON document on stdout and nothing else. Exit codes: 0 done, 1 refused with one line on stderr, 2 wrong
usage. `serve` and `mcp` come in by the entry point group `lpmm.commands`.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from lpmm_core.base.errors import LpmmError
from lpmm_core.ingest.report import Progress
from lpmm_core.memory import Memory


class Refusing(click.Group):
    """A group whose commands say refusals in one line on stderr and exit 1; further commands come in by entry points."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except LpmmError as error:
            click.echo(f"lpmm: {error.message}", err=True)
            ctx.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return our own commands and those that other packages bring."""
        return sorted({*super().list_commands(ctx), *(point.name for point in _brought())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name, loading it when another package brings it."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        for point in _brought():
            if point.name == cmd_name:
                command: click.Command = point.load()
                return command
        return None


def _brought() -> list[Any]:
    return list(entry_points(group="lpmm.commands"))


@click.group(cls=Refusing, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lpmm")
@click.option("--verbose", is_flag=True, help="Say more about what happens, on stderr.")
def main(*, verbose: bool) -> None:
    """LPMM: a long-term memory that a person can see, correct and teach."""
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )


space_option = click.option(
    "--space", default="default", show_default=True, help="A space's name, or a directory (a value with a separator)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
actor_option = click.option("--actor", default="cli", hidden=True)


@contextmanager
def opened(space: str) -> Iterator[Memory]:
    """Open a space for one command."""
    with Memory.open(space) as memory:
        yield memory


def print_json(document: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=1, default=str))


@contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Show progress on stderr: a bar on a terminal, plain lines elsewhere, nothing when quiet."""
    if quiet:
        yield None
    elif not sys.stderr.isatty():
        yield lambda now: click.echo(f"read {now.done + now.failed} of {now.total} passages", err=True)
    else:
        console = Console(stderr=True)
        columns = (
            TextColumn("reading"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[names]}"),
        )
        with Bar(*columns, console=console, transient=True) as bar:
            task = bar.add_task("read", total=None, names="")

            def show(now: Progress) -> None:
                names = " ".join(dict.fromkeys(mention.name for _, mention in now.names))[:60]
                bar.update(task, total=now.total, completed=now.done + now.failed, names=names)

            yield show
