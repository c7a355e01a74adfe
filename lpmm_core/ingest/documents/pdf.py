"""PDF: the text of its pages, put together again as paragraphs.

A PDF knows lines on pages, not paragraphs. pypdf gives the lines; what stands at the edge of most pages (running heads, page numbers) is
dropped here, lines are joined to paragraphs (a line much shorter than its neighbours ends one), and words hyphenated at a
line's end are made whole. Pages that hold only pictures are named in the notes, since nobody would miss their text otherwise.

Damaged and hostile files are the rule with PDF: any failure of the parser refuses this one file; pages, time and text are bounded.
"""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pypdf import PdfReader
from pypdf.errors import DependencyError

from lpmm_core.base.errors import UnreadableFile
from lpmm_core.ingest.documents.clean import clean, cleaning_notes
from lpmm_core.ingest.documents.passages import is_blank, passages
from lpmm_core.ingest.documents.radicals import AS_IDEOGRAPHS
from lpmm_core.ingest.documents.split import ends_a_sentence, units
from lpmm_core.ingest.documents.upload import Content, Media, Upload

# pypdf tells its logger about every small defect; who wants to hear it configures logging.
logging.getLogger("pypdf").addHandler(logging.NullHandler())

_END, _END_WITHIN = b"%%EOF", 2048
_EDGE_LINES = 2
_FEWEST_PAGES_WITH_EDGES = 3
_LONGEST_NUMBERED_EDGE = 40
_SHORT_LINE = 0.75
_PAGES_SHOWN = 20
_GARBLED_SHARE = 0.1

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_GLYPHS = _LIGATURES | AS_IDEOGRAPHS
_HYPHENATED = re.compile(r"(?:^|[^\w-])[^\W\d_]{2,}[-\u2010\u00ad]\Z")
_BULLET = re.compile(r"\s*(?:[•●○▪■◆–*·]|\(?[0-9a-zA-Z一二三四五六七八九十]{1,3}[.)、）])\s")
_ASIAN = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_GARBLED = re.compile("[\ufffd\ue000-\uf8ff]")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    page: int

    @property
    def is_indented(self) -> bool:
        return self.text[:1].isspace()


def read_pdf(upload: Upload) -> Content:
    """Return the passages of a PDF.

    Raises:
        UnreadableFile: it is encrypted, damaged, holds pictures only, or goes beyond a limit.
    """
    pages = _pages(upload)
    empty = [number for number, text in enumerate(pages, start=1) if is_blank(text)]
    if len(empty) == len(pages):
        raise upload.refuse("holds no text: its pages are pictures; let a text recognition program read them first")
    cleaned = [clean(text) for text in pages]
    notes = [f"pages: {len(pages):,}"]
    if empty:
        more = ", ..." if len(empty) > _PAGES_SHOWN else ""
        notes.append(f"pages without text (pictures?): {', '.join(map(str, empty[:_PAGES_SHOWN]))}{more}")
    lines, edges = _without_edges([page.text.translate(_GLYPHS).strip("\n").split("\n") for page in cleaned])
    if edges:
        shown = "; ".join(repr(edge[:60]) for edge in list(edges)[:3])
        notes.append(f"running heads and feet left out: {sum(edges.values()):,} lines ({shown})")
    notes += cleaning_notes(sum(page.controls for page in cleaned), sum(page.lost for page in cleaned))
    size = sum(len(page.text) for page in cleaned)
    if sum(len(_GARBLED.findall(page.text)) for page in cleaned) > _GARBLED_SHARE * size:
        notes.append("much of the text is in a font that does not say what its letters are; it may be unreadable")
    pieces = upload.gather(piece for paragraph in _paragraphs(lines) for piece in passages(paragraph))
    return Content(Media.PDF, pieces, tuple(notes))


def _pages(upload: Upload) -> list[str]:
    """Return the text of each page."""
    try:
        reader = PdfReader(io.BytesIO(upload.data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise upload.refuse("is protected by a password; save it without one")
        count = len(reader.pages)
        if count > upload.limits.pages:
            raise upload.refuse(f"has {count:,} pages, more than {upload.limits.pages:,}; divide it")
        return _texts(upload, reader)
    except UnreadableFile:
        raise
    except DependencyError:
        raise upload.refuse("is encrypted; open it and save it without encryption") from None
    # A parser of a foreign format fails in ways its authors never listed; whatever it is, this file cannot be read.
    except Exception as error:
        raise _damaged(upload, "its list of pages cannot be read", error) from error


def _damaged(upload: Upload, what: str, error: Exception) -> UnreadableFile:
    if _END not in upload.data[-_END_WITHIN:]:
        what = "it breaks off before its end"
    return upload.refuse(f"is a damaged PDF: {what} ({type(error).__name__}: {' '.join(str(error).split())[:200]})")


def _texts(upload: Upload, reader: PdfReader) -> list[str]:
    def watch(*_: object) -> None:
        upload.check_time()

    texts: list[str] = []
    characters = 0
    for page in reader.pages:
        upload.check_time()
        try:
            text = page.extract_text(visitor_operand_before=watch)
        except UnreadableFile:
            raise
        except Exception as error:
            raise _damaged(upload, f"page {len(texts) + 1} cannot be read", error) from error
        characters += len(text)
        if characters > upload.limits.characters:
            raise upload.refuse(
                f"holds more than {upload.limits.characters:,} characters; divide it", place=f"page {len(texts) + 1}"
            )
        texts.append(text)
    if not texts:
        raise upload.refuse("is a PDF without pages")
    return texts


def _without_edges(pages: Sequence[list[str]]) -> tuple[list[_Line], Counter[str]]:
    """Return the lines of all pages without running heads and feet, and those that were left out."""
    filled = [[line for line in page if line.strip()] for page in pages]
    heads = Counter(edge for page in filled for edge in {_edge(line) for line in page[:_EDGE_LINES]})
    feet = Counter(edge for page in filled for edge in {_edge(line) for line in page[-_EDGE_LINES:]})
    with_text = sum(1 for page in filled if page)
    enough = max(_FEWEST_PAGES_WITH_EDGES, with_text // 2 + 1)
    lines: list[_Line] = []
    dropped: Counter[str] = Counter()
    for number, page in enumerate(pages, start=1):
        positions = [i for i, line in enumerate(page) if line.strip()]
        repeating_heads = [i for i in positions if heads[_edge(page[i])] >= enough]
        repeating_feet = [i for i in positions if feet[_edge(page[i])] >= enough]
        running = _run(positions[:_EDGE_LINES], repeating_heads) | _run(
            positions[: -_EDGE_LINES - 1 : -1], repeating_feet
        )
        dropped.update(page[i].strip() for i in sorted(running))
        lines += [_Line(line, number) for i, line in enumerate(page) if i not in running]
    return lines, dropped


def _run(positions: Sequence[int], repeating: Sequence[int]) -> set[int]:
    """Return the repeating lines from the edge inwards: the second line is a running head when the first is."""
    return set(takewhile(frozenset(repeating).__contains__, positions))


def _edge(line: str) -> str:
    """Return a line as it repeats from page to page: in a short one the numbers count up."""
    folded = " ".join(line.split())
    return re.sub(r"\d+", "#", folded) if len(folded) <= _LONGEST_NUMBERED_EDGE else folded


def _paragraphs(lines: Sequence[_Line]) -> Iterator[str]:
    """Join lines to paragraphs."""
    widths = sorted(units(line.text.strip()) for line in lines if line.text.strip())
    usual = widths[len(widths) * 4 // 5] if widths else 0
    paragraph = ""
    previous: _Line | None = None
    for line in lines:
        text = line.text.strip()
        if not text or (previous is not None and _ends_paragraph(previous, line, usual)):
            if paragraph:
                yield paragraph
            paragraph = ""
        if text:
            paragraph = _joined(paragraph, text) if paragraph else text
        previous = line if text else None
    if paragraph:
        yield paragraph


def _ends_paragraph(line: _Line, following: _Line, usual: int) -> bool:
    text, rest = line.text.strip(), following.text.strip()
    if rest[:1].islower():
        return False
    if _BULLET.match(rest) or (line.page != following.page and ends_a_sentence(text)):
        return True
    return units(text) < _SHORT_LINE * usual or (
        following.is_indented and not line.is_indented and ends_a_sentence(text)
    )


def _joined(paragraph: str, line: str) -> str:
    """Join two lines of one paragraph: a hyphenated word is made whole, ideographs need no space."""
    if _HYPHENATED.search(paragraph[-60:]) and line[:1].islower():
        return paragraph[:-1] + line
    if _ASIAN.match(paragraph[-1]) or _ASIAN.match(line[0]):
        return paragraph + line
    return f"{paragraph} {line}"
