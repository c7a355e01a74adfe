"""What other processes do in `test_processes`; each acknowledges on its standard output what it has committed.

Usage: python processes.py count|forever SPACE WORKER BATCHES
"""

from __future__ import annotations

import hashlib
import resource
import sys
from pathlib import Path

from lpmm_core.base.errors import LpmmError
from lpmm_core.base.records import Document, Extraction, Piece, Triple
from lpmm_core.store import evidence, jobs, texts
from lpmm_core.store.evidence import Found
from lpmm_core.store.jobs import JobKind
from lpmm_core.store.store import Store


def ingest(store: Store, worker: str, number: int, *, facts: int) -> None:
    """Take in and read one document in one operation of two batches."""
    name = f"{worker}-{number}"
    text = f"text of {name}"
    given = Document(name, hashlib.sha256(text.encode()).hexdigest(), "text/plain", (Piece(text),))
    triples = tuple(Triple(f"{name}-{line}", "follows", f"hub {line % 7}") for line in range(facts))
    with store.operation(worker, "ingest", summary=name) as operation:
        with operation.batch() as batch:
            added = texts.add_document(batch, given, secret=store.secret)
            job = jobs.add(batch.connection, JobKind.READ, operation=batch.operation, created=batch.time)
            jobs.add_tasks(batch.connection, job, added.occurrences)
        with operation.batch() as batch:
            evidence.add_found(batch, [Found(added.occurrences[0], None, Extraction((), triples), "toy/1")])
            tasks = [task.row for task in jobs.waiting_tasks(batch.connection, job, 9)]
            jobs.settle(batch.connection, tasks, "done")
    print(name, flush=True)


def main(mode: str, space: str, worker: str, batches: str) -> None:
    """Work as told."""
    store = Store(Path(space))
    if mode == "full":
        # No file of this process may grow beyond this many bytes: what a full disk is to SQLite.
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(batches), int(batches)))
    number = 0
    try:
        while mode != "count" or number < int(batches):
            ingest(store, worker, number, facts=300 if mode == "forever" else 40)
            number += 1
    except LpmmError as error:
        print(f"{error.code}: {error}", file=sys.stderr)
        sys.exit(1)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
