"""Files made on the spot: PDFs written byte by byte, Word files by python-docx, everything else as text."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence

import docx
import pytest

from lpmm_core.base.errors import UnreadableFile
from lpmm_core.base.records import Document
from lpmm_core.ingest.documents import Limits, read_document

# Code points are their own codes; the map says so to whoever extracts the text.
_TO_UNICODE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end"""


@pytest.fixture
def read() -> Callable[..., Document]:
    def read(content: str | bytes, name: str = "notes.txt", **options: object) -> Document:
        data = content.encode() if isinstance(content, str) else content
        return read_document(data, name, **options)  # type: ignore[arg-type]

    return read


@pytest.fixture
def texts(read: Callable[..., Document]) -> Callable[..., list[str]]:
    return lambda content, name="notes.txt", **options: [piece.text for piece in read(content, name, **options).pieces]


@pytest.fixture
def refusal(read: Callable[..., Document]) -> Callable[..., UnreadableFile]:
    def refusal(content: str | bytes, name: str = "notes.txt", **options: object) -> UnreadableFile:
        with pytest.raises(UnreadableFile) as caught:
            read(content, name, **options)
        assert name in caught.value.message or caught.value.details["file"] in caught.value.message
        return caught.value

    return refusal


@pytest.fixture
def small() -> Callable[..., Limits]:
    return Limits


@pytest.fixture
def make_pdf() -> Callable[[Sequence[Sequence[str]]], bytes]:
    """Return a function that makes a PDF whose pages hold the given lines."""

    def make(pages: Sequence[Sequence[str]]) -> bytes:
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"",
            b"<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
            b"/Supplement 0 >> /DW 500 >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(_TO_UNICODE), _TO_UNICODE),
        ]
        kids = []
        for lines in pages:
            shown = b" ".join(b"<%s> Tj T*" % line.encode("utf-16-be").hex().encode() for line in lines)
            content = b"BT /F1 12 Tf 72 720 Td 14 TL " + shown + b" ET"
            objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
            page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
            objects.append(page % len(objects))
            kids.append(b"%d 0 R" % len(objects))
        objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
        return _assembled(objects)

    return make


def _assembled(objects: Sequence[bytes]) -> bytes:
    out = b"%PDF-1.4\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for number, content in enumerate(objects, start=1):
        table += b"%010d 00000 n \n" % len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    return out + table + trailer


@pytest.fixture
def saved() -> Callable[[object], bytes]:
    """Return a function that gives the bytes of a python-docx document."""

    def saved(document: object) -> bytes:
        stream = io.BytesIO()
        document.save(stream)  # type: ignore[attr-defined]
        return stream.getvalue()

    return saved


@pytest.fixture
def word_file(saved: Callable[[object], bytes]) -> bytes:
    document = docx.Document()
    document.add_paragraph("往世乐土是一处地方。")
    return saved(document)


@pytest.fixture
def repacked() -> Callable[..., bytes]:
    """Return a function that packs a Word file again, some members changed or added."""

    def repacked(
        package: bytes, changed: dict[str, Callable[[bytes], bytes]], added: dict[str, bytes] | None = None
    ) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, changed.get(name, bytes)(old.read(name)))
            for name, content in (added or {}).items():
                new.writestr(name, content)
        return stream.getvalue()

    return repacked
