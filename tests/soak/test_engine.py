"""The faults and histories of the suite, many more of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.conftest import Forks
from tests.faults.killing import torment
from tests.fixtures.histories import MOVES, play
from tests.fixtures.toy import Picture

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]


@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_kills_lose_nothing(forks: Forks, tmp_path: Path, uninterrupted: Picture, seed: int) -> None:
    """A hundred for each of ten seeds; short lives and long ones, so that every moment of the work is met."""
    torment(forks, tmp_path, uninterrupted, kills=100, seed=seed, longest=(0.1, 0.5, 1.0)[seed % 3])


@pytest.mark.parametrize("seed", range(20))
def test_thousand_long_histories_leave_indexes_as_built_anew(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(50):
        length = chance.randint(5, 40)
        history = [
            (chance.choice(MOVES), chance.randrange(10), chance.randrange(10), chance.random() < 0.3)
            for _ in range(length)
        ]
        try:
            play(tmp_path / str(number), history)
        except BaseException:
            print(f"seed {seed}, history {number}: {history}")
            raise
