"""Killing a program again and again, and looking after each time."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

from lpmm_core.base.clock import now
from tests.faults.conftest import Forks
from tests.faults.forks import STEPS, settle_jobs
from tests.fixtures.toy import Picture, picture, toy_memory


def torment(forks: Forks, place: Path, expected: Picture, *, kills: int, seed: int, longest: float) -> int:
    """Kill a history at random moments until it has been killed so often; return how many histories came to their end.

    After each kill the memory must be sound; whenever a history has come to its end it must show what it shows uninterrupted.
    """
    chance = random.Random(seed)
    ended = killed = 0
    space = place / "space 0"
    while killed < kills:
        (pid,) = forks.start(("history", {"space": space}))
        time.sleep(chance.uniform(0, longest))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        (code,) = forks.codes()
        assert code in (0, -signal.SIGKILL), forks.said()
        killed += code != 0
        if (space / "memory.db").exists():
            with toy_memory(space) as memory:
                assert memory.check() == [], f"after kill {killed} of seed {seed}, {now()}"
                if code == 0:
                    assert picture(memory) == expected
                    ended += 1
        if code == 0:
            shutil.rmtree(space)
            space = place / f"space {ended}"
    (pid,) = forks.start(("history", {"space": space}))
    assert forks.codes() == [0], forks.said()
    with toy_memory(space) as memory:
        settle_jobs(memory)
        assert memory.check() == []
        assert picture(memory) == expected
        assert sum(operation.actor == "cli" for operation in memory.history(limit=100)) == len(STEPS)
    return ended + 1
