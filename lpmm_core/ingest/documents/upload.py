"""What is handed to every reader: the bytes of one file, the name to speak of it by, and how much work it may cause.

A file comes from anybody. Its name is only something to show (never a path to open), and whatever a reader does with its
bytes ends within `Limits`, either with text or with one sentence that says what is wrong and where.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from lpmm_core.base.errors import UnreadableFile
from lpmm_core.base.records import Piece

LONGEST_FILE_NAME = 255

# Marks that turn the reading direction: "cod.exe" can be made to look like "exe.doc".
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class NoText(UnreadableFile):
    """A file that was never meant to be read: a picture, a program, a database."""


class Media(StrEnum):
    """What a file turned out to be, whatever its name says."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    CHAT = "chat"
    OPENIE = "openie"
    PDF = "pdf"
    DOCX = "docx"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that one file may ask for; beyond it the file is refused.

    Args:
        file_bytes: size of the file.
        passages: passages it may hold.
        seconds: time for the formats that cannot promise linear time (Markdown, PDF, DOCX, damaged JSON).
        markdown_characters: size up to which Markdown is parsed; a larger file is read as plain text, with a note.
        pages: pages of a PDF.
        characters: characters of text in a PDF or a DOCX, both of which are compressed.
        archive_members: files inside a DOCX.
        archive_bytes: bytes that a DOCX unpacks to.
        archive_xml_bytes: those of them that are XML, which takes many times its size in memory.
        archive_ratio: how many times larger than its packed form a file inside a DOCX may be, once it passes a million bytes.
        repair_characters: characters of damaged JSON that are given to the slow parser.
        damaged_records: damaged records in one JSON file.
    """

    file_bytes: int = 50 * 1024 * 1024
    passages: int = 500_000
    seconds: float = 60.0
    markdown_characters: int = 5_000_000
    pages: int = 5_000
    characters: int = 50_000_000
    archive_members: int = 10_000
    archive_bytes: int = 300_000_000
    archive_xml_bytes: int = 60_000_000
    archive_ratio: int = 200
    repair_characters: int = 2_000_000
    damaged_records: int = 1_000


@dataclass(frozen=True, slots=True)
class Content:
    """What a reader makes of a file."""

    media: Media
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Upload:
    """The bytes of one file under the name it is shown by."""

    name: str
    data: bytes = field(repr=False)
    limits: Limits = field(default_factory=Limits)
    started: float = field(default_factory=time.monotonic)

    @property
    def extension(self) -> str:
        """The lower-case ending of the name without its dot; empty when there is none."""
        stem, dot, ending = self.name.rpartition(".")
        return ending.lower() if dot and stem else ""

    def refuse(
        self, reason: str, *, place: str | None = None, error: type[UnreadableFile] = UnreadableFile
    ) -> UnreadableFile:
        """Make the error that names this file; `reason` continues the sentence that begins with the name, and may hold the place."""
        told = place is None or re.search(rf"\b{re.escape(place)}\b", reason)
        where = "" if told else f" ({place})"
        return error(f"{self.name} {reason}{where}", file=self.name, place=place)

    def check_time(self) -> None:
        """Stop reading once the file has taken longer than its limit.

        Raises:
            UnreadableFile: the time is over.
        """
        if time.monotonic() - self.started > self.limits.seconds:
            raise self.refuse(
                f"takes longer than {self.limits.seconds:g} seconds to read; divide it or save it as plain text"
            )

    def gather(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        """Collect pieces, refusing a file that holds more of them than its limit.

        Raises:
            UnreadableFile: there are too many.
        """
        gathered = []
        for piece in pieces:
            gathered.append(piece)
            self.check_count(len(gathered))
        return tuple(gathered)

    def check_count(self, passages: int) -> None:
        """Stop reading once the file has given more passages than its limit.

        Raises:
            UnreadableFile: there are too many.
        """
        if passages > self.limits.passages:
            raise self.refuse(f"holds more than {self.limits.passages:,} passages; divide it into several files")


def display_name(name: str) -> str:
    """Return `name` as it may be shown: without folders, control characters and direction marks, at most 255 characters.

    Every script is kept, and the ending too when the name has to be shortened.
    """
    last = re.split(r"[/\\]", name)[-1]
    kept = "".join(
        c for c in _DIRECTION.sub("", last) if unicodedata.category(c) not in {"Cc", "Cs", "Zl", "Zp"}
    ).strip()
    if not kept.strip("."):
        return "unnamed"
    if len(kept) <= LONGEST_FILE_NAME:
        return kept
    stem, dot, ending = kept.rpartition(".")
    if not dot or not stem or len(ending) > 16:
        return kept[:LONGEST_FILE_NAME]
    return stem[: LONGEST_FILE_NAME - len(ending) - 1] + "." + ending
