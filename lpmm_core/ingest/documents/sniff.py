"""Telling files apart by their first bytes, because names lie.

PDF and DOCX are recognised here. What surely is not text is refused with a sentence that says what to do, rather than
decoded into nonsense by a patient charset guesser.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from lpmm_core.ingest.documents.upload import NoText, Upload

# PDF readers allow some rubbish before the header; mail gateways and printers really put it there.
_PDF_HEADER_WITHIN = 1024

_AS_PICTURE = "is a picture; only text can be read"
_AS_SOUND = "is a sound or video file; only text can be read"
_AS_PROGRAM = "is a program; only text can be read"
_AS_ARCHIVE = "is a packed archive; unpack it and give the files inside"

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n", _AS_PICTURE),
    (b"\xff\xd8\xff", _AS_PICTURE),
    (b"II*\x00", _AS_PICTURE),
    (b"MM\x00*", _AS_PICTURE),
    (b"8BPS\x00", _AS_PICTURE),
    (b"OggS\x00", _AS_SOUND),
    (b"ID3\x02", _AS_SOUND),
    (b"ID3\x03", _AS_SOUND),
    (b"ID3\x04", _AS_SOUND),
    (b"fLaC\x00", _AS_SOUND),
    (b"\x1aE\xdf\xa3", _AS_SOUND),
    (b"\x7fELF", _AS_PROGRAM),
    (b"MZ\x90\x00", _AS_PROGRAM),
    (b"\xca\xfe\xba\xbe", _AS_PROGRAM),
    (b"\xcf\xfa\xed\xfe", _AS_PROGRAM),
    (b"\x00asm", _AS_PROGRAM),
    (b"\x1f\x8b", _AS_ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", _AS_ARCHIVE),
    (b"Rar!\x1a\x07", _AS_ARCHIVE),
    (b"\xfd7zXZ\x00", _AS_ARCHIVE),
    (b"\x28\xb5\x2f\xfd", _AS_ARCHIVE),
    (b"SQLite format 3\x00", "is a database; export its text first"),
    (b"\x80\x04\x95", "is a Python pickle, which is never opened; save it as JSON"),
)
# These begin with letters that a text may begin with too: they count only when a zero byte follows soon.
_SIGNATURES_IN_LETTERS: tuple[tuple[bytes, str], ...] = (
    (b"GIF87a", _AS_PICTURE),
    (b"GIF89a", _AS_PICTURE),
    (b"RIFF", _AS_SOUND),
    (b"BZh", _AS_ARCHIVE),
    (b"PAR1", "is a Parquet table; only text can be read"),
)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WEB_PAGE = re.compile(rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL)
_XML = re.compile(rb"\s*<\?xml[\s]", re.IGNORECASE)


class Shape(Enum):
    """How the bytes of a file are to be opened."""

    TEXT = auto()
    PDF = auto()
    ZIP = auto()


def sniff(upload: Upload) -> Shape:
    """Return how to open the file.

    Raises:
        UnreadableFile: it is empty, or of a kind that holds no text we can read.
    """
    data = upload.data
    if not data:
        raise upload.refuse("is empty")
    if b"%PDF-" in data[:_PDF_HEADER_WITHIN] and not _reads_as_prose_about_pdf(data):
        return Shape.PDF
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return Shape.ZIP
    if data.startswith(_OLD_OFFICE):
        what = "a Word file of the old .doc kind" if upload.extension in {"doc", "dot", ""} else "an old Office file"
        raise upload.refuse(f"is {what}; open it and save it as .docx or plain text", place="byte 0")
    for signature, what in _SIGNATURES:
        if data.startswith(signature):
            raise upload.refuse(what, place="byte 0", error=NoText)
    for signature, what in _SIGNATURES_IN_LETTERS:
        if data.startswith(signature) and b"\x00" in data[:512]:
            raise upload.refuse(what, place="byte 0", error=NoText)
    if data[:3] == b"\x00\x00\x00" and data[4:8] == b"ftyp":
        raise upload.refuse(_AS_SOUND, place="byte 0", error=NoText)
    if data.startswith(b"{\\rtf"):
        raise upload.refuse("is Rich Text; save it as .docx or plain text", place="byte 0")
    start = data[:2048].removeprefix(b"\xef\xbb\xbf")
    if _WEB_PAGE.match(start) and upload.extension not in {"md", "markdown"}:
        raise upload.refuse("is a web page; save its text as .txt or .md", place="line 1")
    if _XML.match(start):
        raise upload.refuse(
            "is XML; a graph is brought in by `lpmm import`, a text should be saved as .txt", place="line 1"
        )
    return Shape.TEXT


def _reads_as_prose_about_pdf(data: bytes) -> bool:
    """A text may quote the header; a PDF has it at the start of a line and an end mark or object further on."""
    position = data.find(b"%PDF-")
    return position > 0 and (data[position - 1] not in b"\r\n\x00" or b" obj" not in data)
