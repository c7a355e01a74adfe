"""Spaces: the memories of one installation, each a directory of its own under `LPMM_HOME/data/spaces`."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import lpmm_core
from lpmm_core.base import settings as configuration
from lpmm_core.base.errors import Conflict, NotFound
from lpmm_core.base.settings import Settings
from lpmm_core.ingest.report import Progress
from lpmm_core.memory import Memory

DEFAULT = "default"
SAMPLE = "sample"
ARCHIVE = ".archive"


class Spaces:
    """All spaces of an installation. Memories that were opened stay open and are shared between threads, until `close`.

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
        self._open: dict[str, Memory] = {}
        self._lock = threading.RLock()

    def names(self) -> list[str]:
        """Return the names of the spaces, sorted."""
        if not self.directory.is_dir():
            return []
        return sorted(path.parent.name for path in self.directory.glob("[!.]*/memory.db"))

    def open(self, name: str) -> Memory:
        """Return the memory of a space.

        Raises:
            NotFound: there is no such space.
        """
        with self._lock:
            if name in self._open:
                return self._open[name]
            if name not in self.names():
                raise NotFound(f"there is no space {name!r}")
            memory = self._open_memory(self._path(name))
            self._open[name] = memory
            return memory

    def create(self, name: str) -> Memory:
        """Make an empty space and return its memory; raises Conflict when there is one of that name."""
        with self._lock:
            if name in self.names():
                raise Conflict(f"there is a space {name!r} already")
            self._open[name] = self._open_memory(self._path(name))
            return self._open[name]

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
            for memory in self._open.values():
                memory.close()
            self._open.clear()

    def _path(self, name: str) -> Path:
        return self.directory / (name if name in self.names() else configuration.space_name(name))

    def _release(self, name: str) -> None:
        if name not in self.names():
            raise NotFound(f"there is no space {name!r}")
        with self._lock:
            memory = self._open.pop(name, None)
        if memory is not None:
            memory.close()


def samples_directory() -> Path:
    """Return where the sample texts are: beside the package when installed, in the tree otherwise."""
    package = Path(lpmm_core.__file__).parent
    installed = package / "samples"
    return installed if installed.is_dir() else package.parent / "data" / "samples"


def fill_sample(memory: Memory, *, on_progress: Callable[[Progress], None] | None = None) -> bool:
    """Fill a memory with the sample texts, once; return whether there was anything to do."""
    if memory.stats().paragraphs:
        memory.run_jobs(on_progress=on_progress)
        return False
    folders = [samples_directory() / language for language in ("zh", "en")]
    memory.ingest(folders, actor="system:sample", on_progress=on_progress)
    return True
