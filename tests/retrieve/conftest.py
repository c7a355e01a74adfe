"""A memory with two steps between question and answer, and text around it that shares the question's words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpmm_core.memory import Memory
from tests.fixtures.toy import document

# The second passage answers the question and shares no word with it; what stands around shares many.
FIRST = "Ottoline|was born on the island of|Tarsk"
SECOND = "Tarsk|kept its|Lighthouse"
QUESTION = "What is left on the island where Ottoline was born?"
AROUND = (
    "Wine stood on a table.",
    "A quarrel was born on the road.",
    "Rain is what islands want.",
    "Nobody left the house where it was warm.",
    "Pell|sold wine to|Quist",
    "Quist|waits for|Rossa",
    "Rossa|painted|Umber",
    "青石镇的灯塔已经不亮了",
    "陈默|住在|青石镇",
    "茶凉了",
)


@pytest.fixture
def sea(open_toy: Callable[..., Memory]) -> Memory:
    memory = open_toy("sea")
    memory.ingest([document(FIRST, SECOND, *AROUND, name="sea")])
    return memory
