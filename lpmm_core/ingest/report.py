"""What an ingest says: per file, in numbers, and while it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from lpmm_core.base.records import Mention


class FileState(StrEnum):
    """What became of a file: its text is in (`new`), the memory had these very bytes (`known`), it could not be taken (`failed`).

    `skipped` stands for all those in a folder that nobody can have meant: the memory's own, and what holds no text.
    """

    NEW = "new"
    KNOWN = "known"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file. `reasons` are sentences: why it failed, which source has it already, what its reader noticed."""

    name: str
    state: FileState
    reasons: tuple[str, ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Passages by what became of them; they add up to `total`."""

    new: int = 0
    merged: int = 0
    known: int = 0
    skipped: int = 0
    conflicting: int = 0
    failed: int = 0

    @property
    def total(self) -> int:
        """All passages met."""
        return self.new + self.merged + self.known + self.skipped + self.conflicting + self.failed

    def plus(self, **more: int) -> Counts:
        """Return these counts with some raised."""
        return Counts(**{name: value + more.get(name, 0) for name, value in asdict(self).items()})


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did. `operation` and `job` are ids, None when nothing was written."""

    operation: str | None
    job: str | None
    files: tuple[FileReport, ...]
    counts: Counts

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape that the command line and the web page hand out."""
        return {
            "operation": self.operation,
            "job": self.job,
            "files": [
                {"name": f.name, "state": str(f.state), "reasons": list(f.reasons), "source": f.source}
                for f in self.files
            ],
            "counts": {**asdict(self.counts), "total": self.counts.total},
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: of `total` passages `done` are read and `failed` could not be; `names` were found since the last report.

    Of a job that embeds (`kind`), the passages, names and facts are counted, and those that have a vector.
    """

    job: str
    total: int
    done: int
    failed: int
    names: Sequence[tuple[str, Mention]] = field(default_factory=tuple)
    """(id of the passage, mention), at most a few dozen, for showing names as they are found."""
    kind: str = "read"
