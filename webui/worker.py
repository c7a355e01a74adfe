"""The server's worker: one thread that runs waiting jobs and tells the pages.

Which process may run which job is the engine's decision (leases); this thread only asks each space in turn, is woken when the API has
added work, and looks every second whether another process wrote something that the pages should know.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from lpmm_core.base.errors import LpmmError
from lpmm_core.store.jobs import OPEN
from webui.api import shapes

if TYPE_CHECKING:
    from lpmm_core.ingest.report import Progress
    from lpmm_core.memory import Memory
    from lpmm_core.spaces import Spaces
    from webui.live import Live

log = logging.getLogger(__name__)


class Worker:
    """Runs the jobs of all spaces, one after the other, until closed."""

    def __init__(self, spaces: Spaces, live: Live, *, every: float = 1.0) -> None:
        self._spaces, self._live, self._every = spaces, live, every
        self._stopped, self._woken = threading.Event(), threading.Event()
        self._sequences: dict[str, int] = {}
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start working."""
        for target, name in ((self._work, "lpmm-jobs"), (self._watch, "lpmm-changes")):
            thread = threading.Thread(target=target, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def wake(self) -> None:
        """Say that there may be something to do."""
        self._woken.set()

    def close(self, *, timeout: float = 10.0) -> None:
        """Stop and wait a while; the lease of a job that is cut off lapses, and the next start takes it over where it stood."""
        self._stopped.set()
        self._woken.set()
        for thread in self._threads:
            thread.join(timeout)

    def _work(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            ran = sum(self._run(name) for name in self._spaces.names())
            if not ran:
                self._woken.wait(self._every)

    def _run(self, name: str) -> int:
        if self._stopped.is_set():
            return 0
        try:
            memory = self._spaces.open(name)
            waiting = [job.id for job in memory.jobs() if job.state in OPEN]
            if not waiting:
                return 0
            ran = memory.run_jobs(on_progress=lambda step: self._tell(memory, step.job, step))
            for job in waiting:
                self._tell(memory, job)
        except LpmmError as error:
            # The job keeps its own reason; here the others must go on.
            log.warning("jobs of %s: %s", name, error.message)
            return 0
        return ran

    def _tell(self, memory: Memory, job: str, step: Progress | None = None) -> None:
        self._live.emit(memory.name, "job", shapes.progress(memory.job(job), step))

    def _watch(self) -> None:
        while not self._stopped.wait(self._every / 2):
            for name in self._spaces.names():
                try:
                    self._tell_changes(self._spaces.open(name))
                except LpmmError as error:
                    log.warning("changes of %s: %s", name, error.message)

    def _tell_changes(self, memory: Memory) -> None:
        before = self._sequences.get(memory.name)
        sequence, _ = memory.changes_since(before or 0)
        self._sequences[memory.name] = sequence
        if before is not None and sequence != before:
            self._live.emit(memory.name, "changed", {"sequence": sequence})
