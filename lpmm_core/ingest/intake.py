"""Taking files in: read, compare with what is known, write the text, queue its reading.

All files of one call are one operation; each file is a batch of its own, so that a file that cannot be taken costs the others nothing
and a crash between two files loses neither. Reading (names, facts, vectors) is left to a job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lpmm_core.base.errors import InvalidInput, LpmmError, NotFound
from lpmm_core.base.records import Document
from lpmm_core.ingest.documents import Limits, read_document
from lpmm_core.ingest.report import Counts, FileReport, FileState, IngestReport
from lpmm_core.store import jobs, texts
from lpmm_core.store.jobs import JobKind
from lpmm_core.store.journal import Operation
from lpmm_core.store.store import Store


@dataclass(frozen=True, slots=True)
class Upload:
    """Bytes and the name they were given; the name is only data."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Taken:
    """The report, and the row numbers of the jobs that were queued (in the order to run them)."""

    report: IngestReport
    jobs: tuple[int, ...]


def take_in(
    store: Store,
    files: Sequence[str | Path | Upload | Document],
    *,
    actor: str,
    encoding: str | None = None,
    largest_file: int = 50_000_000,
    with_llm: bool = False,
) -> Taken:
    """Write the text of files and queue a job that reads it.

    Args:
        store: where to.
        files: paths (a folder stands for the files in it), uploads, or documents that were read already.
        actor: who does it.
        encoding: how text files are encoded, when the guess would be wrong.
        largest_file: bytes; a larger file is refused.
        with_llm: queue a second job, for reading by the language model.
    """
    reports: list[FileReport] = []
    counts = Counts()
    kinds = (JobKind.READ, JobKind.READ_WITH_LLM) if with_llm else (JobKind.READ,)
    queue: dict[JobKind, int] = {}
    summary = ", ".join(_name(file) for file in files[:3]) + (" …" if len(files) > 3 else "")
    with store.operation(actor, "ingest", summary=summary) as operation:
        for name, document in _documents(files, encoding=encoding, limits=Limits(file_bytes=largest_file)):
            try:
                if isinstance(document, LpmmError):
                    raise document
                report, counts = _write(store, operation, document, counts, kinds=kinds, queue=queue)
            except LpmmError as error:
                report = FileReport(name, FileState.FAILED, (error.message,))
                counts = counts.plus(failed=(len(document.pieces) if isinstance(document, Document) else 0) or 1)
            reports.append(report)
    done = operation.id
    return Taken(
        IngestReport(
            operation=store.ids.encode("operations", done) if done else None,
            job=store.ids.encode("jobs", queue[JobKind.READ]) if queue else None,
            files=tuple(reports),
            counts=counts,
        ),
        tuple(queue.values()),
    )


def read_again(store: Store, passages: Sequence[int], *, actor: str) -> int:
    """Queue a second reading of passages (row numbers) wherever they stand; return the job's row number.

    Raises:
        InvalidInput: there is nothing to read.
        NotFound: one of them is not in sight.
    """
    if not passages:
        raise InvalidInput("say what to read again")
    with (
        store.operation(actor, "reextract", summary=f"{len(passages)} passages") as operation,
        operation.batch() as batch,
    ):
        job = jobs.add(batch.connection, JobKind.READ_AGAIN, operation=batch.operation, created=batch.time)
        for passage in dict.fromkeys(passages):
            rows = batch.connection.execute("SELECT id FROM live_occurrences WHERE passage = ? ORDER BY id", (passage,))
            occurrences = [row["id"] for row in rows]
            if not occurrences:
                raise NotFound(f"passage {store.ids.encode('passages', passage)!r} is not in sight")
            jobs.add_tasks(batch.connection, job, occurrences)
    return job


def _write(
    store: Store,
    operation: Operation,
    document: Document,
    counts: Counts,
    *,
    kinds: Sequence[JobKind],
    queue: dict[JobKind, int],
) -> tuple[FileReport, Counts]:
    pieces = tuple(piece for piece in document.pieces if _can_be_seen(piece.text))
    try:
        with operation.batch() as batch:
            added = texts.add_document(batch, replace(document, pieces=pieces), secret=store.secret)
            jobs_of_this = queue or {
                kind: jobs.add(batch.connection, kind, operation=batch.operation, created=batch.time) for kind in kinds
            }
            for job in jobs_of_this.values():
                jobs.add_tasks(batch.connection, job, added.occurrences)
    except texts.SameBytes as known:
        report = FileReport(document.name, FileState.KNOWN, (known.message,), known.details["source"])
        return report, counts.plus(known=len(document.pieces))
    queue.update(jobs_of_this)
    reasons = list(document.notes)
    if added.known:
        reasons.append(f"{added.known} of {len(pieces)} passages were known already")
    if added.refused:
        reasons.append(f"{added.refused} passages were purged before and are not taken again")
    report = FileReport(document.name, FileState.NEW, tuple(reasons), store.ids.encode("sources", added.source))
    skipped = len(document.pieces) - len(pieces) + added.refused
    return report, counts.plus(new=added.new, known=added.known, skipped=skipped)


def _can_be_seen(text: str) -> bool:
    return any(character.isprintable() and not character.isspace() for character in text)


def _documents(
    files: Sequence[str | Path | Upload | Document], *, encoding: str | None, limits: Limits
) -> Iterator[tuple[str, Document | LpmmError]]:
    for file in files:
        if isinstance(file, Document):
            yield file.name, file
            continue
        for one in _unfolded(file):
            try:
                if isinstance(one, Upload):
                    yield one.name, read_document(one.data, one.name, encoding=encoding, limits=limits)
                else:
                    yield one.name, read_document(one, one.name, encoding=encoding, limits=limits)
            except LpmmError as error:
                yield one.name, error


def _unfolded(file: str | Path | Upload) -> Iterator[Path | Upload]:
    """Yield the file itself, or the files in a folder, by name; hidden ones are left out."""
    if isinstance(file, Upload):
        yield file
        return
    path = Path(file)
    if path.is_dir():
        yield from sorted(
            p
            for p in path.rglob("*")
            if p.is_file() and not any(part.startswith(".") for part in p.parts[len(path.parts) :])
        )
    else:
        yield path


def _name(file: str | Path | Upload | Document) -> str:
    return file.name if isinstance(file, Upload | Document) else Path(file).name
