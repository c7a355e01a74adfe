"""The server's workers: threads that run waiting jobs and tell the pages.

Which process may run which job is the engine's decision (leases). One thread looks every second, or at once when the API has added work,
which spaces have some, and gives each of those a thread of its own, so that a long text in one space keeps no other waiting. Another looks
whether some other process wrote what the pages should know. A space that cannot be read is left alone for a while, longer each time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lpmm_core.base.errors import LpmmError, NotFound
from lpmm_core.store.jobs import OPEN
from webui.api import shapes

if TYPE_CHECKING:
    from lpmm_core.ingest.report import Progress
    from lpmm_core.memory import Memory
    from lpmm_core.spaces import Spaces
    from webui.live import Live

log = logging.getLogger(__name__)

AT_ONCE = 4
"""Spaces that are worked on at one time."""

LONGEST_REST = 60.0
"""Seconds that a space which fails again and again is left alone."""


@dataclass(frozen=True, slots=True)
class _Rest:
    """How long a space that failed is left alone, and until when."""

    seconds: float
    until: float


class Worker:
    """Runs the jobs of all spaces until closed."""

    def __init__(self, spaces: Spaces, live: Live, *, every: float = 1.0) -> None:
        self._spaces, self._live, self._every = spaces, live, every
        self._stopped, self._woken = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._sequences: dict[str, int] = {}
        self._rests: dict[tuple[str, str], _Rest] = {}
        self._running: dict[str, threading.Thread] = {}
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start working."""
        for target, name in ((self._work, "lpmm-jobs"), (self._watch, "lpmm-changes")):
            thread = threading.Thread(target=target, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def wake(self, space: str | None = None) -> None:
        """Say that there may be something to do; a space that is named rests no longer."""
        if space is not None:
            self._rests.pop(("jobs", space), None)
        self._woken.set()

    def close(self, *, timeout: float = 10.0) -> None:
        """Stop and wait a while; the lease of a job that is cut off lapses, and the next start takes it over where it stood."""
        self._stopped.set()
        self._woken.set()
        end = time.monotonic() + timeout
        with self._lock:
            threads = [*self._threads, *self._running.values()]
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            for name in self._names():
                self._begin(name)
            self._woken.wait(self._every)

    def _begin(self, name: str) -> None:
        """Give a space that has work a thread, unless it has one or as many as may be are at work."""
        with self._lock:
            if self._stopped.is_set() or name in self._running or len(self._running) >= AT_ONCE:
                return
        if not self._guarded("jobs", name, _takeable):
            return
        thread = threading.Thread(target=self._finish, args=(name,), name=f"lpmm-jobs-{name}", daemon=True)
        with self._lock:
            self._running[name] = thread
        thread.start()

    def _finish(self, name: str) -> None:
        try:
            self._guarded("jobs", name, self._run)
        finally:
            with self._lock:
                del self._running[name]
            self.wake()  # a space that waited may have its turn

    def _run(self, memory: Memory) -> int:
        waiting = _takeable(memory)
        if not waiting:
            return 0
        ran = memory.run_jobs(on_progress=lambda step: self._tell(memory, step.job, step))
        for job in waiting:
            self._tell(memory, job)
        return ran

    def _tell(self, memory: Memory, job: str, step: Progress | None = None) -> None:
        self._live.emit(memory.name, "job", shapes.progress(memory.job(job), step))

    def _watch(self) -> None:
        while not self._stopped.wait(self._every / 2):
            for name in self._names():
                self._guarded("changes", name, self._tell_changes)

    def _tell_changes(self, memory: Memory) -> None:
        before = self._sequences.get(memory.name)
        sequence, _ = memory.changes_since(before or 0)
        self._sequences[memory.name] = sequence
        if before is not None and sequence != before:
            self._live.emit(memory.name, "changed", {"sequence": sequence})

    def _names(self) -> list[str]:
        try:
            return self._spaces.names()
        except OSError as error:
            log.warning("the spaces cannot be listed: %s", error)
            return []

    def _guarded(self, what: str, name: str, run: Callable[[Memory], object]) -> bool:
        """Do something for one space and tell whether it gave anything. What goes wrong there is logged, and the space rests a while."""
        key = (what, name)
        rest = self._rests.get(key)
        if rest is not None and time.monotonic() < rest.until:
            return False
        try:
            gave = bool(run(self._spaces.open(name)))
        except NotFound:  # deleted or renamed meanwhile
            gave = False
        except Exception as error:
            seconds = min(LONGEST_REST, 2 * rest.seconds if rest else self._every)
            self._rests[key] = _Rest(seconds, time.monotonic() + seconds)
            # The engine's own sentence is enough; what nobody foresaw is logged whole.
            log.warning("%s of %s: %s", what, name, error, exc_info=None if isinstance(error, LpmmError) else error)
            return False
        self._rests.pop(key, None)
        return gave


def _takeable(memory: Memory) -> list[str]:
    """Return the jobs that may be taken now: none that another process holds, none that pauses."""
    return [job.id for job in memory.jobs() if job.state in OPEN and job.until is None]
