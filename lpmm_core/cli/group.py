"""The root of the command line, and what its commands share: options, opening a space, printing, progress.

With `--json` a command prints one JSON document on stdout and nothing else. Exit codes: 0 done, 1 refused with one line on stderr, 2 wrong
usage. `serve` and `mcp` come in by the entry point group `lpmm.commands`.

Importing this package loads neither models nor the engine, so that help and wrong usage answer at once: a command imports what it works
with when it runs.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from lpmm_core.base.clock import to_text
from lpmm_core.base.errors import LpmmError, NotFound

if TYPE_CHECKING:
    from lpmm_core.ingest.report import Progress
    from lpmm_core.memory import Memory

ANNOUNCED = {"serve": "Serve the page on this machine."}
"""What commands from elsewhere do, said without loading them."""


class Refusing(click.Group):
    """A group whose commands say refusals in one line on stderr and exit 1; further commands come in by entry points."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except LpmmError as error:
            return _refuse(ctx, error.message)
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever reads what is printed has enough; click sees to that
                raise
            return _refuse(ctx, f"{error.strerror}: {error.filename}" if error.filename else str(error))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return our own commands and those that other packages bring."""
        return sorted({*super().list_commands(ctx), *_brought()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name, loading it when another package brings it."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        point = _brought().get(cmd_name)
        command: click.Command | None = point.load() if point else None
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with a sentence each; those that other packages bring are not loaded for it."""
        sentences = {name: f"See `lpmm {name} --help`." for name in _brought()} | ANNOUNCED
        limit = formatter.width - 6 - max(map(len, self.list_commands(ctx)))
        rows = [
            (name, own.get_short_help_str(limit) if (own := self.commands.get(name)) else sentences[name])
            for name in self.list_commands(ctx)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _refuse(ctx: click.Context, reason: str) -> NoReturn:
    click.echo(f"lpmm: {' '.join(reason.split())}", err=True)
    ctx.exit(1)


def _brought() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="lpmm.commands")}


@click.group(cls=Refusing, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lpmm")
@click.option("--verbose", is_flag=True, help="Say more about what happens, on stderr.")
def main(*, verbose: bool) -> None:
    """LPMM: a long-term memory that a person can see, correct and teach.

    Exit codes: 0 done, 1 refused (one line on stderr says why), 2 wrong usage.
    """
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )


space_option = click.option(
    "--space", default="default", show_default=True, help="A space's name, or a directory (a value with a separator)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
actor_option = click.option("--actor", default="cli", hidden=True)


@contextmanager
def opened(space: str, *, make: bool = False) -> Iterator[Memory]:
    """Open a space for one command; one that does not exist is made only when asked, so that a slip of the pen leaves nothing behind.

    Raises:
        NotFound: there is no such space, and it is neither to be made nor the default one.
    """
    from lpmm_core.base.settings import space_directory
    from lpmm_core.memory import Memory

    is_new = not (space_directory(space) / "memory.db").exists()
    if is_new and not make and space != "default":
        raise NotFound(f"there is no space {space!r}; `lpmm spaces` lists those there are")
    with Memory.open(space) as memory:
        if is_new:
            announce(memory.path)
        yield memory


def announce(place: Path) -> None:
    """Say where a memory was made: that depends on the current folder, and a command in the wrong one would seem to forget everything."""
    if not click.get_current_context().params.get("as_json"):
        hint = "" if os.environ.get("LPMM_HOME") else " (set LPMM_HOME to keep all memories in one place)"
        click.echo(f"a new memory begins at {place.resolve()}{hint}", err=True)


def print_json(document: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=1, default=_plain))


def _plain(value: Any) -> str:
    return to_text(value) if isinstance(value, datetime) else str(value)


@contextmanager
def _plain_lines() -> Iterator[Callable[[Progress], None]]:
    """Print how far the work is: only what changed, at most a line a second, and where it ended."""
    said, held, at = "", "", 0.0

    def show(now: Progress) -> None:
        nonlocal said, held, at
        done = now.done + now.failed
        held = (
            f"embedded {done} of {now.total} texts" if now.kind == "embed" else f"read {done} of {now.total} passages"
        )
        if held != said and time.monotonic() - at >= 1:
            click.echo(held, err=True)
            said, at = held, time.monotonic()

    try:
        yield show
    finally:
        if held != said:
            click.echo(held, err=True)


@contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Show progress on stderr: a bar on a terminal, plain lines elsewhere, nothing when quiet."""
    if quiet:
        yield None
    elif not sys.stderr.isatty():
        with _plain_lines() as show:
            yield show
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        console = Console(stderr=True)
        columns = (
            TextColumn("{task.fields[doing]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[names]}"),
        )
        with Bar(*columns, console=console, transient=True) as bar:
            task = bar.add_task("read", total=None, names="", doing="reading")

            def show(now: Progress) -> None:
                names = " ".join(dict.fromkeys(mention.name for _, mention in now.names))[:60]
                doing = "embedding" if now.kind == "embed" else "reading"
                bar.update(task, total=now.total, completed=now.done + now.failed, names=names, doing=doing)

            yield show
