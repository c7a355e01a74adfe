"""From a file to a `Document`: what kind it is, its text, its passages, and notes on everything that was guessed or left out.

The kind is told by the content first and by the name second: OpenIE JSON called `.txt` is OpenIE, and a `.json` that is no JSON is an
error rather than one odd passage. What reads PDF, Word and Markdown is loaded when the first such file comes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from lpmm_core.base.records import Document, Piece
from lpmm_core.ingest.documents.clean import Cleaned, clean, cleaning_notes
from lpmm_core.ingest.documents.decode import Decoded, decode
from lpmm_core.ingest.documents.json_list import read_json
from lpmm_core.ingest.documents.passages import is_blank
from lpmm_core.ingest.documents.plain import read_plain
from lpmm_core.ingest.documents.sniff import Shape, sniff
from lpmm_core.ingest.documents.tally import Tally
from lpmm_core.ingest.documents.upload import Content, Limits, Media, Upload, display_name

MARKDOWN_EXTENSIONS = frozenset({"md", "markdown", "mdown", "mkd"})
_STANDARD = Limits()


def read_document(
    path_or_bytes: str | os.PathLike[str] | bytes, name: str, *, encoding: str | None = None, limits: Limits = _STANDARD
) -> Document:
    """Read one file.

    Args:
        path_or_bytes: where it lies, or what is in it.
        name: what it was called; only shown, never opened. Folders and control characters in it are dropped.
        encoding: the encoding of a text file, when its owner knows better than the guess.
        limits: the most it may ask for.

    Raises:
        UnreadableFile: it is missing, empty, too large, damaged, hostile, of a kind that holds no text, or in an encoding that cannot
            be recognised; `details` holds `file` and `place`.
    """
    shown = display_name(name)
    data = path_or_bytes if isinstance(path_or_bytes, bytes) else _bytes_of(Path(path_or_bytes), shown, limits)
    upload = Upload(shown, data, limits)
    _check_size(upload, len(data))
    shape = sniff(upload)
    encoding_used = None
    notes: tuple[str, ...] = ()
    if shape is Shape.PDF:
        from lpmm_core.ingest.documents.pdf import read_pdf

        content = read_pdf(upload)
    elif shape is Shape.ZIP:
        from lpmm_core.ingest.documents.docx import read_docx

        content = read_docx(upload)
    else:
        decoded = decode(upload, encoding=encoding)
        encoding_used, notes = decoded.encoding, decoded.notes
        content = _read_text(upload, decoded)
    digest = hashlib.sha256(data).hexdigest()
    return Document(shown, digest, content.media.value, content.pieces, encoding_used, (*notes, *content.notes))


def _bytes_of(path: Path, shown: str, limits: Limits) -> bytes:
    """Read a file, but no more of it than its limit, and nothing that is no file: a pipe would never end."""
    upload = Upload(shown, b"", limits)
    try:
        if not path.exists():
            raise upload.refuse("does not exist")
        if not path.is_file():
            raise upload.refuse("is not a file")
        with path.open("rb") as file:
            _check_size(upload, os.fstat(file.fileno()).st_size)
            return file.read(limits.file_bytes + 1)
    except (OSError, ValueError) as error:
        raise upload.refuse(f"cannot be opened: {getattr(error, 'strerror', None) or error}") from error


def _check_size(upload: Upload, size: int) -> None:
    limit = upload.limits.file_bytes
    if size > limit:
        raise upload.refuse(f"has {size:,} bytes, more than the {limit:,} that one file may have; divide it")


def _read_text(upload: Upload, decoded: Decoded) -> Content:
    if is_blank(decoded.text):
        raise upload.refuse("holds only white space")
    content = read_json(upload, decoded.text)
    if content is not None:
        return content
    cleaned = clean(decoded.text)
    tally = Tally()
    media = Media.MARKDOWN if upload.extension in MARKDOWN_EXTENSIONS else Media.TEXT
    pieces = upload.gather(_pieces(upload, cleaned, media, tally))
    if not pieces:
        raise upload.refuse("holds no text")
    return Content(media, pieces, (*cleaning_notes(cleaned.controls, cleaned.lost), *tally.notes()))


def _pieces(upload: Upload, cleaned: Cleaned, media: Media, tally: Tally) -> Iterator[Piece]:
    if media is Media.TEXT:
        return read_plain(cleaned.text)
    if len(cleaned.text) > upload.limits.markdown_characters:
        tally.add("characters of Markdown, too many to parse; read as plain text", count=len(cleaned.text))
        return read_plain(cleaned.text)
    from lpmm_core.ingest.documents.markdown import read_markdown

    return read_markdown(upload, cleaned.text, tally)
