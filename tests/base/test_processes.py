"""A process that ended is known to have; one that nothing is known of is not."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lpmm_core.base import processes
from lpmm_core.base.processes import is_gone, this_process

pytestmark = pytest.mark.skipif(not this_process(), reason="this system has no /proc to look processes up in")


def test_a_process_that_lives_is_not_gone_and_one_that_ended_is() -> None:
    assert not is_gone(this_process())
    code = "from lpmm_core.base.processes import this_process; print(this_process(), flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        name = child.stdout.readline().strip()
        assert name.split(":")[1] == str(child.pid)
        assert not is_gone(name)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert is_gone(name), "though nobody has collected its remains yet"
    assert is_gone(name)


def test_a_number_that_was_used_again_is_another_process() -> None:
    machine, number, started = this_process().split(":")
    assert is_gone(f"{machine}:{number}:{int(started) + 1}")


@pytest.mark.parametrize("name", ["", "0123456789abcdef", "another-machine:1:1", "::", "a:b:c:d"])
def test_whoever_cannot_be_looked_up_counts_as_alive(name: str) -> None:
    assert not is_gone(name)


def test_without_proc_nobody_is_called_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    name = this_process()
    monkeypatch.setattr(processes, "_machine", lambda: "")
    assert this_process() == ""
    assert not is_gone(name)
