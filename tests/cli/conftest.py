"""The command line in this process, on the toy language, in an installation of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lpmm_core.cli import main
from lpmm_core.memory import Memory
from tests.fixtures.embedder import HashEmbedder
from tests.fixtures.toy import ToyExtractor, toy_memory


@dataclass(frozen=True)
class Ran:
    """What a command said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return the one document on stdout."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Lpmm:
    """Runs commands; `home` is the installation."""

    home: Path

    def __call__(self, *arguments: str, answer: str | None = None) -> Ran:
        result = CliRunner().invoke(main, list(arguments), input=answer, prog_name="lpmm")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    def done(self, *arguments: str) -> Ran:
        """Run a command that must succeed."""
        ran = self(*arguments)
        assert ran.code == 0, ran.err
        return ran

    def refused(self, *arguments: str) -> str:
        """Run a command that must be refused: exit 1, nothing on stdout, one line on stderr, which is returned.

        Beside it may stand the announcement of a memory that this very command made.
        """
        ran = self(*arguments)
        assert (ran.code, ran.out) == (1, "")
        (line,) = (line for line in ran.err.splitlines() if not line.startswith("a new memory begins at "))
        assert line.startswith("lpmm: ")
        return line

    def file(self, name: str, *lines: str) -> str:
        """Write a file whose paragraphs are these lines and return its path."""
        path = self.home / name
        path.write_text("\n\n".join(lines), "utf-8")
        return str(path)

    def memory(self, space: str = "default") -> Memory:
        return toy_memory(self.home / "data" / "spaces" / space)


@pytest.fixture
def lpmm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lpmm_core.memory.open_embedder", lambda *_: HashEmbedder())
    monkeypatch.setattr("lpmm_core.memory.LocalExtractor", ToyExtractor)
    return Lpmm(tmp_path)
