"""Help answers at once, for every command, without loading a model or the engine; and the real program runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from lpmm_core.base.records import Kind, Mention
from lpmm_core.cli import main
from lpmm_core.cli.group import ANNOUNCED, progress
from lpmm_core.ingest.report import Progress

HEAVY = (
    "numpy",
    "scipy",
    "faiss",
    "sqlite_utils",
    "pydantic",
    "spacy",
    "onnxruntime",
    "networkx",
    "flask",
    "lpmm_core.memory",
)


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def run(*arguments: str, home: Path, code: str | None = None) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", code] if code else [str(Path(sys.executable).with_name("lpmm"))]
    environment = {**os.environ, "LPMM_HOME": str(home)}
    return subprocess.run(
        [*program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=120,
    )


def test_listing_the_commands_loads_no_model_and_takes_less_than_a_second(tmp_path: Path) -> None:
    code = (
        "import sys, time\nbegan = time.process_time()\nfrom lpmm_core.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], time.process_time() - began)"
    )
    ran = run(home=tmp_path, code=code)
    assert ran.returncode == 0, ran.stderr
    loaded, _, seconds = ran.stdout.splitlines()[-1].rpartition(" ")
    assert loaded == "[]"
    assert float(seconds) < 1
    for name in ("ingest", "retrieve", "serve", "jobs", "stats"):
        assert f"\n  {name} " in ran.stdout


@pytest.mark.parametrize("path", sorted(commands(main)), ids=" ".join)
def test_every_command_explains_itself(path: tuple[str, ...]) -> None:
    began = time.monotonic()
    result = CliRunner().invoke(main, [*path, "--help"], prog_name="lpmm")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: lpmm {' '.join(path)}")
    assert len(result.stdout.splitlines()) > 4
    assert time.monotonic() - began < 5


def test_commands_from_elsewhere_are_announced_as_they_explain_themselves() -> None:
    """So that listing them need not load the web app."""
    brought = {point.name: point for point in entry_points(group="lpmm.commands")}
    assert set(ANNOUNCED) <= set(brought)
    for name, sentence in ANNOUNCED.items():
        assert brought[name].load().get_short_help_str(200) == sentence


def test_the_program_runs_on_its_own_and_speaks_utf8(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[embedding]\nprovider = "none"\n')
    (tmp_path / "notes.txt").write_text("陈默住在青石镇。", "utf-8")
    ran = run("ingest", str(tmp_path / "notes.txt"), "--no-wait", "--json", home=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["counts"]["new"] == 1
    assert ran.stderr == ""
    refused = run("stats", "--space", "..", home=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("lpmm: '..' cannot be the name of a space: a name is ")
    assert len(refused.stderr.splitlines()) == 1


def test_on_a_terminal_progress_is_a_bar_that_vanishes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with progress(quiet=False) as show:
        assert show is not None
        show(Progress("j", 10, 4, 1, [("p", Mention("Mira", Kind.PERSON, 0, 4))]))
    said = capsys.readouterr().err
    assert "5/10" in said
    assert "Mira" in said


def test_off_a_terminal_only_changes_are_printed_at_most_one_a_second_and_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moment = [100.0]
    monkeypatch.setattr("lpmm_core.cli.group.time.monotonic", lambda: moment[0])
    with progress(quiet=False) as show:
        assert show is not None
        for tenth in range(40):
            moment[0] = 100 + tenth / 10
            show(Progress("j", 10, tenth // 15, 0))
        show(Progress("j", 10, 9, 1))
    assert capsys.readouterr().err.splitlines() == [f"read {n} of 10 passages" for n in (0, 1, 2, 10)]


def test_when_quiet_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(quiet=True) as show:
        assert show is None
    assert capsys.readouterr() == ("", "")


def test_naming_the_memory_loads_nothing_that_only_some_work_needs(tmp_path: Path) -> None:
    late = (
        "pypdf",
        "docx",
        "markdown_it",
        "scipy.spatial",
        "openai",
        "spacy",
        "onnxruntime",
        "networkx",
        "snowballstemmer",
    )
    code = f"import sys\nfrom lpmm_core import Memory\nprint([name for name in {late!r} if name in sys.modules])"
    ran = run(home=tmp_path, code=code)
    assert ran.stdout == "[]\n", ran.stderr
