"""PDF, the files made byte by byte."""

import io
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from lpmm_core.base.errors import UnreadableFile
from lpmm_core.ingest.documents import read_document
from lpmm_core.ingest.documents.radicals import AS_IDEOGRAPHS

PAGE = [
    "This is the first line of a rather long paragra-",
    "ph which goes on over several lines until it",
    "ends here.",
    "Another paragraph starts here and is as long as",
    "the other one was.",
]


def encrypted(data: bytes, *, password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(password, "owner", algorithm="RC4-128")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_lines_become_paragraphs_and_hyphens_go(read, make_pdf):
    document = read(make_pdf([PAGE]), "a.pdf")
    assert document.media == "pdf"
    assert document.encoding is None
    assert [piece.text for piece in document.pieces] == [
        "This is the first line of a rather long paragraph which goes on over several lines until it ends here.",
        "Another paragraph starts here and is as long as the other one was.",
    ]
    assert "pages: 1" in document.notes


def test_chinese_lines_are_joined_without_spaces(texts, make_pdf):
    lines = ["爱莉希雅住在往世乐土，那里的人们都很喜欢她，她", "也很喜欢那里的人们。", "芽衣后来也到了那里。"]
    assert texts(make_pdf([lines]), "a.pdf") == [
        "爱莉希雅住在往世乐土，那里的人们都很喜欢她，她也很喜欢那里的人们。",
        "芽衣后来也到了那里。",
    ]


def test_running_heads_and_page_numbers_are_left_out_and_noted(read, make_pdf):
    bodies = ["apples", "pears", "plums", "cherries"]
    pages = [
        ["Annual Report", f"A long line that is about {fruit} and nothing else.", f"Page {i}"]
        for i, fruit in enumerate(bodies)
    ]
    document = read(make_pdf(pages), "a.pdf")
    text = "\n".join(piece.text for piece in document.pieces)
    assert "Annual" not in text
    assert "Page" not in text
    assert all(fruit in text for fruit in bodies)
    assert any("heads and feet left out: 8 lines" in note and "Annual Report" in note for note in document.notes)


def test_a_paragraph_goes_on_over_the_page(texts, make_pdf):
    pages = [["The sentence that begins at the end of this page"], ["goes on at the top of the next one."]]
    assert texts(make_pdf(pages), "a.pdf") == [
        "The sentence that begins at the end of this page goes on at the top of the next one."
    ]


def test_pages_without_text_are_named(read, make_pdf):
    assert "pages without text (pictures?): 2" in read(make_pdf([["one"], [], ["three"]]), "a.pdf").notes


def test_a_scan_is_refused_with_advice(refusal, make_pdf):
    assert "text recognition" in refusal(make_pdf([[], []]), "scan.pdf").message


def test_a_password_is_refused(refusal, make_pdf):
    assert "password" in refusal(encrypted(make_pdf([PAGE]), password="secret"), "a.pdf").message


def test_an_empty_password_needs_none(read, make_pdf):
    assert len(read(encrypted(make_pdf([PAGE]), password=""), "a.pdf").pieces) == 2


@pytest.mark.parametrize("keep", [0.2, 0.5])
def test_a_damaged_file_is_refused(refusal, make_pdf, keep):
    data = make_pdf([PAGE] * 3)
    assert "damaged" in refusal(data[: int(len(data) * keep)], "a.pdf").message


def test_what_is_damaged_is_named(refusal, make_pdf):
    data = make_pdf([PAGE] * 3)
    assert "it breaks off before its end" in refusal(data[: len(data) // 2], "a.pdf").message
    bad = data.rindex(b" Tj T*")
    spoilt = data[: bad - 3] + b"\xcf\xcf" + data[bad - 1 :]
    assert "is a damaged PDF: page 3 cannot be read (" in refusal(spoilt, "a.pdf").message


def test_pages_time_and_text_are_bounded(refusal, make_pdf, small):
    data = make_pdf([PAGE] * 3)
    assert "3 pages, more than 2" in refusal(data, "a.pdf", limits=small(pages=2)).message
    assert "seconds" in refusal(data, "a.pdf", limits=small(seconds=0)).message
    assert "characters" in refusal(data, "a.pdf", limits=small(characters=50)).message


def test_ligatures_are_letters(texts, make_pdf):
    assert texts(make_pdf([["The ﬁrst ofﬁce"]]), "a.pdf") == ["The first office"]


def test_radicals_are_ideographs(texts, make_pdf):
    assert texts(make_pdf([["\u2ed8\u2f6f\u9547\u7684\u2ed3\u8857\u6bcd\u2f26"]]), "a.pdf") == ["青石镇的长街母子"]
    assert len(AS_IDEOGRAPHS) == 214 + 114
    assert all(unicodedata.name(letter).startswith("CJK UNIFIED IDEOGRAPH") for letter in AS_IDEOGRAPHS.values())


def test_a_text_about_pdf_is_text(read):
    assert read("A PDF begins with %PDF-1.4, as everybody knows.").media == "text"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_damage_ends_in_text_or_a_refusal(data):
    package = bytearray(
        b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\n"
        b"endobj\ntrailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF"
    )
    for _ in range(data.draw(st.integers(1, 10))):
        package[data.draw(st.integers(8, len(package) - 1))] = data.draw(st.integers(0, 255))
    with pytest.raises(UnreadableFile):
        read_document(bytes(package), "a.pdf")
