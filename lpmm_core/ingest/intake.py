"""Taking files in: read, compare with what is known, write the text, queue its reading.

All files of one call are one operation; each file is a batch of its own, so that a file that cannot be taken costs the others nothing
and a crash between two files loses neither. Reading (names, facts, vectors) is left to a job.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lpmm_core.base import settings as configuration
from lpmm_core.base.errors import InvalidInput, LpmmError, NotFound
from lpmm_core.base.records import Document
from lpmm_core.ingest.documents import Limits, NoText, read_document
from lpmm_core.ingest.report import Counts, FileReport, FileState, IngestReport
from lpmm_core.store import jobs, texts
from lpmm_core.store.jobs import JobKind
from lpmm_core.store.journal import Operation
from lpmm_core.store.store import Store

_NAMES_SHOWN = 3


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


@dataclass(frozen=True, slots=True)
class _LeftOut:
    """What was passed over in a folder."""

    has_own: bool
    without_text: tuple[str, ...]

    def sentence(self) -> str:
        """Say it for a person."""
        told = ["the memory's own files"] if self.has_own else []
        if count := len(self.without_text):
            more = ", …" if count > _NAMES_SHOWN else ""
            some = "1 file that holds" if count == 1 else f"{count} files that hold"
            told.append(f"{some} no text ({', '.join(self.without_text[:_NAMES_SHOWN])}{more})")
        return f"left out: {'; '.join(told)}"


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
        files: paths (a folder stands for the files in it but hidden ones, the memory's own and those that hold no text), uploads,
            or documents that were read already.
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
        limits = Limits(file_bytes=largest_file)
        for name, document in _documents(files, encoding=encoding, limits=limits, own=_own_folders(store)):
            if isinstance(document, _LeftOut):
                reports.append(FileReport(name, FileState.SKIPPED, (document.sentence(),)))
                continue
            try:
                if isinstance(document, LpmmError):
                    raise document
                report, counts = _write(
                    store, operation, document, counts, kinds=kinds, queue=queue, encoding_said=encoding is not None
                )
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
    encoding_said: bool,
) -> tuple[FileReport, Counts]:
    pieces = tuple(piece for piece in document.pieces if _can_be_seen(piece.text))
    try:
        with operation.batch() as batch:
            added = texts.add_document(
                batch, replace(document, pieces=pieces), secret=store.secret, encoding_said=encoding_said
            )
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
    for source, name in added.beside:
        id = store.ids.encode("sources", source)
        reasons.append(
            f"the same bytes stand here in another reading, as {name}; if that was wrong, `lpmm delete {id}` takes it away"
        )
    report = FileReport(document.name, FileState.NEW, tuple(reasons), store.ids.encode("sources", added.source))
    skipped = len(document.pieces) - len(pieces) + added.refused
    return report, counts.plus(new=added.new, known=added.known, skipped=skipped)


def _can_be_seen(text: str) -> bool:
    return any(character.isprintable() and not character.isspace() for character in text)


def _own_folders(store: Store) -> frozenset[Path]:
    """Return where this memory and its installation keep what they write."""
    home = configuration.home()
    return frozenset({store.path.resolve(), configuration.spaces_directory(), home / "cache"})


def _documents(
    files: Sequence[str | Path | Upload | Document], *, encoding: str | None, limits: Limits, own: Collection[Path]
) -> Iterator[tuple[str, Document | LpmmError | _LeftOut]]:
    for file in files:
        if isinstance(file, Document):
            yield file.name, file
        elif isinstance(file, Upload):
            yield file.name, _read(file.data, file.name, encoding, limits)
        elif Path(file).is_dir():
            yield from _in_folder(Path(file), encoding=encoding, limits=limits, own=own)
        else:
            path = Path(file)
            yield path.name, _read(path, path.name, encoding, limits)


def _read(content: Path | bytes, name: str, encoding: str | None, limits: Limits) -> Document | LpmmError:
    try:
        return read_document(content, name, encoding=encoding, limits=limits)
    except LpmmError as error:
        return error


def _in_folder(
    folder: Path, *, encoding: str | None, limits: Limits, own: Collection[Path]
) -> Iterator[tuple[str, Document | LpmmError | _LeftOut]]:
    """Yield the files in a folder and the folders in it, by name, and in the end what was left out."""
    found: list[Path] = []
    has_own = False
    for at, folders, names in os.walk(folder):
        entered = [name for name in folders if not name.startswith(".")]
        folders[:] = [name for name in entered if (Path(at) / name).resolve() not in own]
        has_own = has_own or len(folders) < len(entered)
        found += [path for name in names if not name.startswith(".") and (path := Path(at) / name).is_file()]
    without_text: list[str] = []
    for path in sorted(found):
        read = _read(path, path.name, encoding, limits)
        if isinstance(read, NoText):
            without_text.append(path.name)
        else:
            yield path.name, read
    if without_text or has_own:
        yield folder.resolve().name, _LeftOut(has_own, tuple(without_text))


def _name(file: str | Path | Upload | Document) -> str:
    return file.name if isinstance(file, Upload | Document) else Path(file).name or Path(file).resolve().name
