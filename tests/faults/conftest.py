"""The program that forks children to be killed, once for all tests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.forks import go_through
from tests.fixtures.toy import Picture, picture, toy_memory

ROOT = Path(__file__).parents[2]


class Forks:
    """Gives orders to `forks.py`; the children's complaints are in `complaints`."""

    def __init__(self, complaints: Path) -> None:
        self.complaints = complaints
        self._file = complaints.open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.forks"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._file,
            text=True,
        )

    def start(self, *orders: tuple[str, dict[str, Any]]) -> list[int]:
        """Start children and return their pids; `codes` must be asked before the next start."""
        assert self._process.stdin
        document = [
            {"do": name, "with": {key: str(v) if isinstance(v, Path) else v for key, v in given.items()}}
            for name, given in orders
        ]
        self._process.stdin.write(json.dumps(document) + "\n")
        self._process.stdin.flush()
        return self._numbers()

    def codes(self) -> list[int]:
        """Wait for the children to end and return their exit codes; the negative number of the signal that killed one."""
        return self._numbers()

    def said(self) -> str:
        """Return what children wrote to stderr."""
        return self.complaints.read_text()

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(60)
        assert self._process.stdout
        self._process.stdout.close()
        self._file.close()

    def _numbers(self) -> list[int]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, f"the program that forks has died: {self.said()}"
        return [int(number) for number in line.split()]


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    found = Forks(tmp_path_factory.mktemp("forks") / "complaints.txt")
    yield found
    found.close()


@pytest.fixture(scope="session")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    with toy_memory(tmp_path_factory.mktemp("uninterrupted") / "space", ingest={"group": 2}) as memory:
        go_through(memory)
        assert memory.check() == []
        return picture(memory)
