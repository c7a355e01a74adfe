"""Text in, answers out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lpmm_core.base.errors import LpmmError
from lpmm_core.cli.group import actor_option, announce, json_option, main, opened, print_json, progress, space_option

if TYPE_CHECKING:
    from lpmm_core.ingest.report import FileReport, IngestReport
    from lpmm_core.retrieve.result import Result

ROUTES = ("auto", "graph", "dense", "lexical", "hybrid")


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--no-wait", is_flag=True, help="Return when the text is safe; reading it is left to another process.")
@click.option("--encoding", help="How text files are encoded, when the guess would be wrong.")
@space_option
@json_option
@actor_option
def ingest(
    files: Sequence[Path], *, no_wait: bool, encoding: str | None, space: str, as_json: bool, actor: str
) -> None:
    """Take files (or folders of files) into the memory.

    When some of them cannot be taken, one line on stderr names them and the exit code is 0; it is 1 when nothing went through.
    """
    with opened(space, make=True) as memory, progress(quiet=as_json) as show:
        report = memory.ingest(files, actor=actor, wait=not no_wait, encoding=encoding, on_progress=show)
        jobs = [job for job in memory.jobs() if job.operation == report.operation or job.kind == "embed"]
    if as_json:
        print_json(report.to_json())
    else:
        _print_report(report)
    for job in jobs if report.operation else ():
        if job.error and job.state in ("waiting", "failed"):
            then = "run" if job.state == "waiting" else "retry"
            click.echo(f"! {job.error}; `lpmm jobs {then} {job.id}` goes on later", err=True)
    _tell_failures(report.files)


def _tell_failures(files: Sequence[FileReport]) -> None:
    """Say in one line which files could not be taken; when that is all of them, nothing went through, and the command is refused."""
    failed = [file for file in files if file.state == "failed"]
    skipped = [reason for file in files if file.state == "skipped" for reason in file.reasons]
    of = len(files) - len(skipped)
    reasons = (" ".join(file.reasons) for file in failed[:3])
    told = "; ".join(
        reason if reason.startswith(file.name) else f"{file.name}: {reason}"
        for file, reason in zip(failed, reasons, strict=False)
    )
    told += f"; and {len(failed) - 3} more" if len(failed) > 3 else ""
    if len(failed) == of:
        raise LpmmError(f"nothing was taken in: {told or '; '.join(skipped) or 'there is no file'}")
    if failed:
        click.echo(
            f"lpmm: {len(failed)} of {of} files {'was' if len(failed) == 1 else 'were'} not taken in: {told}", err=True
        )


def _print_report(report: IngestReport) -> None:
    for file in report.files:
        id = f"  {file.source}" if file.source else ""
        click.echo(f"{file.state:7} {file.name}{id}" + "".join(f"\n        {reason}" for reason in file.reasons))
    counts = report.counts
    click.echo(f"{counts.new} new passages, {counts.known} known, {counts.failed} failed")


@main.command()
@click.argument("question")
@click.option("--top-k", type=click.IntRange(1, 100), help="How many passages.")
@click.option("--route", type=click.Choice(ROUTES), default="auto", show_default=True)
@click.option("--no-record", is_flag=True, help="Leave no trace of the question.")
@space_option
@json_option
@actor_option
def retrieve(
    question: str, *, top_k: int | None, route: str, no_record: bool, space: str, as_json: bool, actor: str
) -> None:
    """Ask the memory; print passages and facts with the reasons for each."""
    with opened(space) as memory:
        result = memory.retrieve(question, top_k=top_k, route=route, record=not no_record, actor=actor)
    print_json(result.to_json()) if as_json else print_result(result)


def print_result(result: Result) -> None:
    """Print a result for a person."""
    for warning in result.trace.warnings:
        click.echo(f"! {warning}", err=True)
    click.echo(f"{result.route}: {result.trace.reason} ({result.trace.seconds * 1000:.0f} ms)")
    for number, passage in enumerate(result.passages, start=1):
        click.echo(f"\n{number}. [{passage.score:.2f}] {passage.source_name} · {passage.position}\n   {passage.text}")
        for reason in passage.why:
            click.echo(f"   - {reason.text}")
    if result.facts:
        click.echo(
            "\n"
            + "\n".join(
                f"* {'not: ' if f.fact.negated else ''}{f.fact.subject} — {f.fact.predicate} — {f.fact.object} [{f.score:.2f}]"
                for f in result.facts
            )
        )


@main.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "format_", type=click.Choice(["auto", "openie"]), default="auto", show_default=True)
@space_option
@json_option
@actor_option
@click.pass_context
def import_file(ctx: click.Context, path: Path, *, format_: str, space: str, as_json: bool, actor: str) -> None:
    """Take in what another program extracted: an OpenIE JSON file, or a folder of them."""
    del format_  # the content tells
    ctx.invoke(ingest, files=[path], no_wait=False, encoding=None, space=space, as_json=as_json, actor=actor)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "format_", type=click.Choice(["openie"]), default="openie", show_default=True)
@space_option
def export(file: Path, *, format_: str, space: str) -> None:
    """Write passages, names and triples to a file."""
    with opened(space) as memory:
        click.echo(f"{file}: {memory.export(file, format=format_)} passages")


@main.command()
@json_option
def demo(*, as_json: bool) -> None:
    """Fill the space `sample` once, ask it a question, and print answer and reasons."""
    from lpmm_core.spaces import SAMPLE, Spaces, demonstrate

    spaces = Spaces()
    try:
        with progress(quiet=as_json) as show:
            is_new = SAMPLE not in spaces.names()
            result = demonstrate(spaces, on_progress=show)
        if is_new:
            announce(spaces.directory / SAMPLE)
        if as_json:
            print_json(result.to_json())
        else:
            click.echo(f"? {result.question}")
            print_result(result)
    finally:
        spaces.close()
