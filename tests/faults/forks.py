"""A program that works on spaces in processes of its own, to be killed: run as a script, it forks a child for every order it is given.

Importing the engine takes a second or more, forking a process that has done so takes a millisecond; so a test can kill twenty of them.
Only this process forks, and it has no threads and has used no model.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lpmm_core.base.errors import StorageFull
from lpmm_core.base.records import Vectors
from lpmm_core.memory import Memory
from lpmm_core.provider.embedding import EmbeddingKind
from lpmm_core.store import jobs
from tests.fixtures.embedder import HashEmbedder
from tests.fixtures.toy import ToyExtractor, document, entity, toy_memory

LEASE = 0.15
"""Seconds; so that what a killed child worked on can be taken over at once."""

GROUP = 2


class SlowEmbedder(HashEmbedder):
    """Takes a little time, so that a kill may come in the middle of it."""

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Vectors:
        time.sleep(0.002)
        return super().embed(texts, kind)


def slow_memory(place: Path, *, pause: float = 0.002) -> Memory:
    jobs.LEASE_SECONDS = LEASE
    return toy_memory(place, embedder=SlowEmbedder(), extractor=ToyExtractor(pause=pause), ingest={"group": GROUP})


# --- a history of several steps, each one operation, that goes on where it was interrupted ---


def _take(name: str, *passages: str) -> Callable[[Memory], object]:
    return lambda memory: memory.ingest([document(*passages, name=name)])


def _deleted_source(memory: Memory) -> str:
    return memory.sources(deleted=True).items[0].id


STEPS: tuple[Callable[[Memory], object], ...] = (
    _take("one", "Mira|knows|Anna", "Anna|lives in|Varna", "# Varna\nAnna met Pell here.", "Pell|sold wine to|Quist"),
    _take("two", "Harbour Lane|lies in|Varna", "Mira|knows|Anna", "Harbour Lanes|lies in|Sofia"),
    lambda memory: memory.rename(entity(memory, "Mira"), "Mirabel"),
    _take("three", *(f"Person{i}|knows|Person{i + 1}" for i in range(9))),
    lambda memory: memory.merge([entity(memory, "Pell")], entity(memory, "Quist")),
    lambda memory: memory.delete([next(s.id for s in memory.sources().items if s.name == "two")]),
    _take("four", "陈默|住在|青石镇", "Mira|!likes|Quist", "Harbour Lanee|lies in|Burgas", "Person3|met|Anna"),
    lambda memory: memory.undelete([_deleted_source(memory)]),
    lambda memory: memory.split(entity(memory, "Quist"), ["pell"]),
)


def go_through(memory: Memory) -> None:
    """Carry out the steps that were not carried out yet, each with the work that follows from it."""
    settle_jobs(memory)
    done = sum(operation.actor == "cli" for operation in memory.history(limit=1000))
    for step in STEPS[done:]:
        step(memory)
        memory.retrieve("who knows Anna", record=False)


def settle_jobs(memory: Memory) -> None:
    """Work off whatever waits, and what dead workers left once their lease has run out."""
    while any(job.state in jobs.OPEN for job in memory.jobs()):
        if not memory.run_jobs():
            time.sleep(0.02)


def fill(memory: Memory) -> tuple[int, str]:
    """Ingest long documents until there is no more room; return how many were taken, and the words of the refusal."""
    for number in range(400):
        passages = [f"Name{number}x{i}|met|Bob with {'a long tail ' * 50}{i}" for i in range(10)]
        try:
            (report,) = memory.ingest([document(*passages, name=f"long {number}")]).files
        except StorageFull as error:
            return number, error.message
        if report.state == "failed":
            return number, report.reasons[0]
    raise AssertionError("there was always room")


# --- what children can be told to do ---


def history(space: str) -> None:
    with slow_memory(Path(space)) as memory:
        go_through(memory)


def write(space: str, who: str, times: int) -> None:
    """Ingest a document at a time; each is about somebody of its own and about Bob, whom all know."""
    with slow_memory(Path(space), pause=0) as memory:
        for number in range(times):
            memory.ingest([document(f"{who}{number}|met|Bob", f"{who}{number}|knows|Anna", name=f"{who} {number}")])
            memory.retrieve(f"{who}{number}")


def open_new(space: str) -> None:
    with slow_memory(Path(space)) as memory:
        assert memory.stats().paragraphs == 0


def write_into_little_room(space: str, limit: int) -> None:
    """Ingest until no file may grow any more, which must be refused in words."""
    memory = slow_memory(Path(space), pause=0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    _, refused = fill(memory)
    memory.close()
    assert "took no more" in refused, refused


CHILDREN: dict[str, Callable[..., None]] = {
    function.__name__: function for function in (history, write, open_new, write_into_little_room)
}


def _child(order: dict[str, Any]) -> None:
    code = 1
    try:
        CHILDREN[order["do"]](**order["with"])
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    """Fork a child for each order on stdin; print their pids, and after the last has ended its exit code."""
    for line in sys.stdin:
        orders = json.loads(line)
        pids = []
        for order in orders:
            pid = os.fork()
            if not pid:
                _child(order)
            pids.append(pid)
        print(*pids, flush=True)
        codes = {pid: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids}
        print(*(codes[pid] for pid in pids), flush=True)


if __name__ == "__main__":
    main()
