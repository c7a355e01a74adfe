"""The store under test comes from a factory: another backend passes the same tests by overriding `open_store`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lpmm_core.store.store import Store
from tests.store.world import World

Opener = Callable[..., Store]


class TickingClock:
    """A clock that moves a second each time it is read."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory to keep spaces in, in memory where that is possible: these tests commit thousands of times, each waiting for the disk."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(prefix="lpmm-", dir=memory if memory.is_dir() else None) as directory:
        yield Path(directory)


@pytest.fixture
def space() -> Iterator[Path]:
    with scratch() as directory:
        yield directory


@pytest.fixture
def open_store(space: Path) -> Iterator[Opener]:
    """Open a space by name; opening it twice is two programs at one memory. Closed when the test ends."""
    clock = TickingClock()
    with ExitStack() as stack:
        yield lambda name="space": stack.enter_context(closing(Store(space / name, clock=clock)))


@pytest.fixture
def world(open_store: Opener) -> World:
    return World(open_store())
