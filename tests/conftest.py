"""What tests of several packages share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from lpmm_core.base.settings import Settings
from lpmm_core.memory import Memory
from lpmm_core.provider.e5 import LocalEmbedder
from lpmm_core.spaces import fill_sample
from tests.fixtures.toy import toy_memory


@pytest.fixture
def open_toy(tmp_path: Path) -> Iterator[Callable[..., Memory]]:
    """Open a memory of the toy language by the name of its space, with the options of `toy_memory`; closed when the test ends."""
    with ExitStack() as stack:
        yield lambda space="space", **options: stack.enter_context(toy_memory(tmp_path / space, **options))


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """The sample texts, read by the local models: for looking and asking, never for writing."""
    place = tmp_path_factory.mktemp("sample")
    with Memory.open(place / "space", settings=Settings(), embedder=LocalEmbedder(place / "models")) as memory:
        fill_sample(memory)
        yield memory
