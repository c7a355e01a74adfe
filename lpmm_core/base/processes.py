"""Telling whether the process that holds something is still alive, without asking it.

A process is known by the machine it runs on (its boot, and the namespace that its number counts in), its number, and when it started,
because numbers are used again. Whoever cannot be looked up so, being on another machine or on a system without /proc, counts as alive.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_DEAD = ("Z", "X")


def this_process() -> str:
    """Return a text without spaces by which `is_gone` knows this process later; empty where that cannot be told."""
    started = _started(os.getpid())
    return f"{_machine()}:{os.getpid()}:{started}" if _machine() and started else ""


def is_gone(process: str) -> bool:
    """Tell whether the process that called itself so has surely ended."""
    machine, number, started = process.split(":") if process.count(":") == 2 else ("", "", "")
    return machine != "" and machine == _machine() and _started(int(number)) != started


@cache
def _machine() -> str:
    with suppress(OSError):
        return f"{_BOOT.read_text().strip()}/{Path('/proc/self/ns/pid').readlink()}".replace(":", "")
    return ""


def _started(number: int) -> str | None:
    """Return when a process started, in ticks since boot; None when there is none, or only its remains that nobody collected."""
    with suppress(OSError):
        # The name stands in brackets and may hold anything; what follows it are state, parent, ..., and the start in the 22nd field.
        fields = Path(f"/proc/{number}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return None if fields[0] in _DEAD else fields[19]
    return None
