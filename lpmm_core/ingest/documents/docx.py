"""DOCX: paragraphs with their headings as titles, lists kept together, tables row by row.

python-docx opens the package and knows its styles; the text is read off the XML itself, because its own `text` leaves out what real
documents are full of: tracked insertions, content controls, text boxes. Deleted text stays out.

A DOCX is a zip archive from anybody. Its directory is checked before anything is unpacked: how many files, how large, how many times
larger than packed. Python never unpacks more than the directory says, nothing is written to disk, and a file that declares XML
entities is refused.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import docx
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml

from lpmm_core.base.errors import UnreadableFile
from lpmm_core.ingest.documents.clean import clean
from lpmm_core.ingest.documents.headings import Block, under_headings
from lpmm_core.ingest.documents.tally import Tally
from lpmm_core.ingest.documents.upload import Content, Media, Upload

_MAIN_PART = "word/document.xml"
_NEEDED = ("[Content_Types].xml", "_rels/.rels", _MAIN_PART)
_END_OF_ARCHIVE = b"PK\x05\x06"
_OTHER_KINDS = {
    "xl/workbook.xml": "is a spreadsheet; save it as text",
    "ppt/presentation.xml": "is a presentation; save it as text",
    "META-INF/container.xml": "is an e-book; save it as text",
    "content.xml": "is an OpenDocument file; save it as .docx or text",
}
_SMALL_MEMBER = 1_000_000
_ENTITY = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_WIDE_ENTITY = re.compile(
    rb"<\x00!\x00(?:D\x00O\x00C\x00T|E\x00N\x00T)|\x00<\x00!\x00(?:D\x00O\x00C|E\x00N\x00T)", re.IGNORECASE
)
_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])|title", re.IGNORECASE)

_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_TAB, _STYLE, _NUMBERED, _HYPHEN = qn("w:tab"), qn("w:pStyle"), qn("w:numPr"), qn("w:noBreakHyphen")
_TEXTS = frozenset({qn("w:t"), "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"})
_BREAKS = frozenset({qn("w:br"), qn("w:cr")})
_PROPERTIES = frozenset({qn("w:pPr"), qn("w:rPr"), qn("w:tblPr"), qn("w:trPr"), qn("w:tcPr"), qn("w:sectPr")})
_DELETED = frozenset({qn("w:del"), qn("w:moveFrom"), qn("w:delText"), qn("w:instrText"), qn("w:rt")})
_BOX = qn("w:txbxContent")
# Word writes a text box twice, for new programs and for old ones.
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SKIPPED = _PROPERTIES | _DELETED | {_FALLBACK}

_NOTES = ("/footnotes", "/endnotes")
CONTENTS = "lines of the table of contents, left out"
CONTROLS = "control characters taken out"


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph or table of the body, in reading order."""

    text: str
    level: int | None = None
    """Of a heading; 0 is the document's title."""
    is_item: bool = False
    is_contents: bool = False


def read_docx(upload: Upload) -> Content:
    """Return the passages of a DOCX.

    Raises:
        UnreadableFile: it is another kind of archive, damaged, hostile, or without text.
    """
    _check_archive(upload)
    try:
        document = docx.Document(io.BytesIO(upload.data))
        styles = {style.style_id: style.name or "" for style in document.styles}
        related = [
            part for part in document.part.rels.values() if not part.is_external and part.reltype.endswith(_NOTES)
        ]
        roots = [document.element.body, *(parse_xml(note.target_part.blob) for note in related)]
    # The same as with PDF: whatever a damaged package makes the parser raise, the file cannot be read.
    except Exception as error:
        raise upload.refuse(f"is a damaged Word file: {_damage(upload) or _told(error)}") from error
    tally = Tally()
    paragraphs = (paragraph for root in roots for paragraph in _paragraphs(upload, root, styles))
    pieces = upload.gather(under_headings(_joined_items(upload, paragraphs, tally)))
    if not pieces:
        raise upload.refuse("is a Word file without text")
    return Content(Media.DOCX, pieces, tally.notes())


def _check_archive(upload: Upload) -> None:
    """Refuse an archive that is no DOCX, or is made to fill the memory, by its directory alone."""
    limits = upload.limits
    if upload.data.count(b"PK\x01\x02") > limits.archive_members:
        raise upload.refuse(f"is an archive of more than {limits.archive_members:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(upload.data)) as archive:
            members = archive.infolist()
            names = {member.filename for member in members}
            if _MAIN_PART not in names and ("[Content_Types].xml" not in names or names & _OTHER_KINDS.keys()):
                what = next(
                    (what for name, what in _OTHER_KINDS.items() if name in names),
                    "is a packed archive; unpack it and give the files inside",
                )
                raise upload.refuse(what)
            total = sum(member.file_size for member in members)
            if total > limits.archive_bytes:
                raise upload.refuse(f"unpacks to {total:,} bytes, more than {limits.archive_bytes:,}")
            xml = sum(member.file_size for member in members if _is_xml(member))
            if xml > limits.archive_xml_bytes:
                raise upload.refuse(
                    f"unpacks to {xml:,} bytes of XML, more than {limits.archive_xml_bytes:,}; divide it"
                )
            for member in members:
                if member.file_size > _SMALL_MEMBER and member.file_size > limits.archive_ratio * max(
                    1, member.compress_size
                ):
                    raise upload.refuse(
                        f"unpacks to more than {limits.archive_ratio} times its size, as only hostile files do",
                        place=_shown(member),
                    )
                if member.flag_bits & 1:
                    raise upload.refuse("is protected by a password; save it without one")
            for member in members:
                if _is_xml(member):
                    _check_entities(upload, archive, member)
    except UnreadableFile:
        raise
    except zipfile.BadZipFile as error:
        cut = "it breaks off before its end, where the list of its parts stands"
        raise upload.refuse(
            f"is a damaged Word file: {_told(error) if _END_OF_ARCHIVE in upload.data else cut}"
        ) from error
    # Whatever a hostile directory makes the archive reader raise, the file cannot be read.
    except Exception as error:
        raise upload.refuse(f"is a damaged Word file: {_told(error)}") from error


def _damage(upload: Upload) -> str | None:
    """Say which part of a package is missing or no XML, if that is what keeps it from being read."""
    with zipfile.ZipFile(io.BytesIO(upload.data)) as archive:
        missing = [name for name in _NEEDED if name not in archive.namelist()]
        if missing:
            return f"its part {missing[0]} is missing"
        for member in filter(_is_xml, archive.infolist()):
            try:
                parse_xml(archive.read(member))
            except SyntaxError as error:
                return f"its part {_shown(member)} is no XML from line {error.lineno} on"
    return None


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _check_entities(upload: Upload, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    try:
        content = archive.read(member)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise upload.refuse(f"is a damaged Word file: its part {_shown(member)} does not unpack") from error
    if _ENTITY.search(content) or _WIDE_ENTITY.search(content):
        raise upload.refuse("declares XML entities, which no Word file needs", place=_shown(member))


def _is_xml(member: zipfile.ZipInfo) -> bool:
    return member.filename.lower().endswith((".xml", ".rels"))


def _shown(member: zipfile.ZipInfo) -> str:
    return "".join(c for c in member.filename if c.isprintable())[:80]


def _joined_items(upload: Upload, paragraphs: Iterator[_Paragraph], tally: Tally) -> Iterator[Block]:
    """Join consecutive list items to one block; leave out what is blank, and the table of contents."""
    items: list[str] = []
    characters = 0
    for paragraph in paragraphs:
        characters += len(paragraph.text)
        if characters > upload.limits.characters:
            raise upload.refuse(f"holds more than {upload.limits.characters:,} characters; divide it")
        cleaned = clean(paragraph.text)
        if cleaned.controls:
            tally.add(CONTROLS, count=cleaned.controls)
        if not cleaned.text.strip():
            continue
        if paragraph.is_contents:
            tally.add(CONTENTS)
            continue
        if paragraph.is_item:
            items.append("- " + cleaned.text.strip())
            continue
        if items:
            yield Block("\n".join(items))
            items = []
        yield Block(cleaned.text, paragraph.level)
    if items:
        yield Block("\n".join(items))


def _paragraphs(upload: Upload, parent: Any, styles: dict[str, str]) -> Iterator[_Paragraph]:
    """Yield the paragraphs and tables below `parent`; content controls are looked into."""
    for element in parent:
        upload.check_time()
        if element.tag == _PARAGRAPH:
            yield _read_paragraph(element, styles)
            for box in _boxes(element):
                yield from _paragraphs(upload, box, styles)
        elif element.tag == _TABLE:
            yield _Paragraph("\n".join(_rows(element)))
        elif isinstance(element.tag, str) and element.tag not in _SKIPPED:
            yield from _paragraphs(upload, element, styles)


def _read_paragraph(element: Any, styles: dict[str, str]) -> _Paragraph:
    style = element.find(f".//{_STYLE}")
    name = styles.get(style.get(qn("w:val")), "") if style is not None else ""
    is_item = name.lower().startswith("list") or element.find(f".//{_NUMBERED}") is not None
    heading = _HEADING.match(name)
    level = int(heading[1] or 0) if heading else None
    return _Paragraph(_text(element), level, is_item and level is None, name.lower().startswith("toc "))


def _text(element: Any) -> str:
    """Return the visible text of a paragraph, without that of text boxes inside it."""
    parts: list[str] = []
    _collect(element, parts)
    return "".join(parts)


def _collect(element: Any, parts: list[str]) -> None:
    for child in element:
        if child.tag in _TEXTS:
            parts.append(child.text or "")
        elif child.tag == _TAB:
            parts.append("\t")
        elif child.tag == _HYPHEN:
            parts.append("-")
        elif child.tag in _BREAKS:
            parts.append("\n")
        elif isinstance(child.tag, str) and child.tag not in _SKIPPED and child.tag != _BOX:
            _collect(child, parts)


def _boxes(element: Any) -> Iterator[Any]:
    """Yield the text boxes anchored in a paragraph, each once."""
    for child in element:
        if child.tag == _BOX:
            yield child
        elif isinstance(child.tag, str) and child.tag not in _SKIPPED:
            yield from _boxes(child)


def _rows(table: Any) -> Iterator[str]:
    """Yield the rows of a table as lines; a table inside a cell gives its rows to that cell."""
    for row in table.iter(_ROW):
        if next(row.iterancestors(_TABLE)) is table:
            cells = [_cell(cell) for cell in row.iter(_CELL) if next(cell.iterancestors(_ROW)) is row]
            if any(cells):
                yield " | ".join(cells)


def _cell(cell: Any) -> str:
    paragraphs = (_text(p) for p in cell.iter(_PARAGRAPH) if not _is_inside_fallback(p))
    return " ".join(" ".join(paragraphs).split())


def _is_inside_fallback(element: Any) -> bool:
    return next(element.iterancestors(_FALLBACK), None) is not None
