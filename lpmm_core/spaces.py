"""Spaces: the memories of one installation, each a directory of its own under `LPMM_HOME/data/spaces`."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import lpmm_core
from lpmm_core.base import settings as configuration
from lpmm_core.base.errors import Conflict, LpmmError, NotFound
from lpmm_core.base.settings import Settings
from lpmm_core.ingest.report import Progress
from lpmm_core.memory import Memory
from lpmm_core.retrieve.result import Result

DEFAULT = "default"
SAMPLE = "sample"
ARCHIVE = ".archive"
FILE = "memory.db"
DEMO_QUESTION = "From whom did the museum get the bell of the ship that Lewis Garrity commanded?"

_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class _Opened:
    """A memory and the file it was opened from, by its number on the disk: another process may put another in its place."""

    memory: Memory
    file: tuple[int, int] | None


class Spaces:
    """All spaces of an installation. Memories that were opened stay open and are shared between threads, until `close`.

    A space that another process deletes, renames or replaces is let go of: what is written to a file without a name would be lost.

    Args:
        directory: where the spaces live; the installation's when left out.
        settings: config.toml's; read when left out.
        open_memory: how one is opened, for tests with other models.
    """

    def __init__(
        self,
        directory: Path | None = None,
        *,
        settings: Settings | None = None,
        open_memory: Callable[[Path], Memory] | None = None,
    ) -> None:
        self.directory = directory or configuration.spaces_directory()
        self.settings = settings or configuration.load()
        self._open_memory = open_memory or (lambda path: Memory.open(path, settings=self.settings))
        self._open: dict[str, _Opened] = {}
        self._lock = threading.RLock()

    def names(self) -> list[str]:
        """Return the names of the spaces, sorted."""
        if not self.directory.is_dir():
            return []
        return sorted(path.parent.name for path in self.directory.glob(f"[!.]*/{FILE}"))

    def open(self, name: str) -> Memory:
        """Return the memory of a space.

        Raises:
            NotFound: there is no such space.
            LpmmError: its file cannot be read.
        """
        with self._lock:
            self._drop_gone()
            if name in self._open:
                return self._open[name].memory
            if name not in self.names():
                raise NotFound(f"there is no space {name!r}")
            return self._opened(name)

    def create(self, name: str) -> Memory:
        """Make an empty space and return its memory; raises Conflict when there is one of that name."""
        with self._lock:
            self._drop_gone()
            if name in self.names():
                raise Conflict(f"there is a space {name!r} already")
            return self._opened(name)

    def ensure(self, name: str) -> Memory:
        """Return the memory of a space, making it when there is none."""
        with self._lock:
            return self.open(name) if name in self.names() else self.create(name)

    def rename(self, name: str, new: str) -> None:
        """Give a space another name; raises NotFound and Conflict."""
        self._release(name)
        target = self._path(new)
        if target.exists():
            raise Conflict(f"there is a space {new!r} already")
        self._path(name).rename(target)

    def archive(self, name: str) -> Path:
        """Put a space aside, out of the list; return where it is now. Raises NotFound and Conflict."""
        self._release(name)
        target = self.directory / ARCHIVE / name
        if target.exists():
            raise Conflict(f"there is an archived space {name!r} already")
        target.parent.mkdir(parents=True, exist_ok=True)
        self._path(name).rename(target)
        return target

    def delete(self, name: str) -> None:
        """Delete a space with everything in it, for good; raises NotFound."""
        self._release(name)
        shutil.rmtree(self._path(name))

    def close(self) -> None:
        """Close every memory that is open."""
        with self._lock:
            self._drop_gone()
            for opened in self._open.values():
                opened.memory.close()
            self._open.clear()

    def _path(self, name: str) -> Path:
        return self.directory / (name if name in self.names() else configuration.space_name(name))

    def _opened(self, name: str) -> Memory:
        path = self._path(name)
        try:
            memory = self._open_memory(path)
        except sqlite3.DatabaseError as error:
            raise LpmmError(f"{path / FILE} cannot be read as a memory: {error}") from error
        self._open[name] = _Opened(memory, _number(path / FILE))
        return memory

    def _drop_gone(self) -> None:
        """Let go of every memory whose file is not where it was; nothing is written for it any more."""
        for name, opened in list(self._open.items()):
            if opened.file != _number(self.directory / name / FILE):
                del self._open[name]
                opened.memory.close(settle=False)

    def _release(self, name: str) -> None:
        if name not in self.names():
            raise NotFound(f"there is no space {name!r}")
        with self._lock:
            opened = self._open.pop(name, None)
        if opened is not None:
            opened.memory.close()


def _number(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another that takes its name, None when there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def samples_directory() -> Path:
    """Return where the sample texts are: beside the package when installed, in the tree otherwise."""
    package = Path(lpmm_core.__file__).parent
    installed = package / "samples"
    return installed if installed.is_dir() else package.parent / "data" / "samples"


def fill_sample(memory: Memory, *, wait: bool = True, on_progress: Callable[[Progress], None] | None = None) -> bool:
    """Put those sample texts into a memory that were never in it; return whether there were any.

    A filling that broke off is completed; a text that somebody deleted stays deleted. With `wait` everything is read, too.
    """
    known = {source.name for deleted in (False, True) for source in memory.sources(limit=_ALL, deleted=deleted).items}
    texts = [path for language in ("zh", "en") for path in sorted((samples_directory() / language).iterdir())]
    missing = [path for path in texts if path.name not in known]
    if missing:
        memory.ingest(missing, actor="system:sample", wait=wait, on_progress=on_progress)
    if wait:
        memory.run_jobs(on_progress=on_progress)
    return bool(missing)


def demonstrate(spaces: Spaces, *, on_progress: Callable[[Progress], None] | None = None) -> Result:
    """Fill the space `sample` where it lacks something, and return the answer to one question from it."""
    memory = spaces.ensure(SAMPLE)
    fill_sample(memory, on_progress=on_progress)
    return memory.retrieve(DEMO_QUESTION, top_k=3, record=False)
