"""DOCX, written by python-docx and then spoilt."""

import io
import zipfile

import docx
import pytest
from docx.oxml import parse_xml

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CHOICE = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def test_headings_are_titles_lists_stay_together_and_tables_are_lines(read, saved):
    document = docx.Document()
    document.add_heading("爱莉希雅", 0)
    document.add_paragraph("她住在往世乐土。")
    document.add_heading("性格", 1)
    document.add_paragraph("开朗", style="List Bullet")
    document.add_paragraph("爱笑", style="List Bullet")
    document.add_paragraph("")
    document.add_paragraph("[芽衣]你好。\n第二行")
    table = document.add_table(2, 2)
    for cell, text in zip((*table.rows[0].cells, *table.rows[1].cells), ("名", "值", "徽章", ""), strict=True):
        cell.text = text
    table.cell(1, 1).add_table(1, 1).cell(0, 0).text = "里面的表"
    document.add_heading("没有正文", 1)
    result = read(saved(document), "a.docx")
    assert result.media == "docx"
    assert [(piece.title, piece.text) for piece in result.pieces] == [
        ("爱莉希雅", "她住在往世乐土。"),
        ("性格", "- 开朗\n- 爱笑"),
        ("性格", "[芽衣]你好。\n第二行"),
        ("性格", "名 | 值\n徽章 | 里面的表"),
        (None, "没有正文"),
    ]
    assert result.pieces[2].speaker == "芽衣"


def test_a_heading_with_only_headings_under_it_stands_before_them_in_the_title(read, saved):
    document = docx.Document()
    document.add_heading("爱莉希雅", 1)
    document.add_heading("性格", 2)
    document.add_paragraph("开朗。")
    pieces = read(saved(document), "a.docx").pieces
    assert [(piece.title, piece.text) for piece in pieces] == [("爱莉希雅 › 性格", "开朗。")]


def with_body(*elements: str) -> object:
    document = docx.Document()
    for i, element in enumerate(elements):
        document.element.body.insert(i, parse_xml(element))
    return document


def test_text_that_python_docx_overlooks_is_read(texts, saved):
    inserted = (
        f'<w:p {WORD}><w:ins w:id="1" w:author="x"><w:r><w:t>插入的</w:t></w:r></w:ins>'
        '<w:del w:id="2" w:author="x"><w:r><w:delText>删去的</w:delText></w:r></w:del><w:r><w:t>正文</w:t></w:r></w:p>'
    )
    control = f"<w:sdt {WORD}><w:sdtContent><w:p><w:r><w:t>控件里的</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    box = "<w:txbxContent><w:p><w:r><w:t>框里的</w:t></w:r></w:p></w:txbxContent>"
    boxed = (
        f"<w:p {WORD} {CHOICE}><w:r><w:t>框外的</w:t></w:r><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert texts(saved(with_body(inserted, control, boxed)), "a.docx") == ["插入的正文", "控件里的", "框外的", "框里的"]


def test_word_files_are_told_by_their_content(read, word_file):
    assert read(word_file, "a.txt").media == "docx"


def test_a_zip_bomb_is_refused_before_it_is_unpacked(refusal, word_file, repacked):
    bomb = repacked(word_file, {}, {"word/media/bomb.bin": bytes(50_000_000)})
    assert len(bomb) < 1_000_000
    error = refusal(bomb, "a.docx")
    assert "times its size" in error.message
    assert error.details["place"] == "word/media/bomb.bin"


def test_count_and_size_of_what_is_inside_are_bounded(refusal, word_file, small):
    assert "more than 3 files" in refusal(word_file, "a.docx", limits=small(archive_members=3)).message
    assert "unpacks to" in refusal(word_file, "a.docx", limits=small(archive_bytes=1000)).message
    assert "of XML" in refusal(word_file, "a.docx", limits=small(archive_xml_bytes=1000)).message
    assert "characters" in refusal(word_file, "a.docx", limits=small(characters=3)).message


def test_a_directory_that_lies_about_sizes_gains_nothing(refusal, word_file, repacked):
    package = bytearray(repacked(word_file, {}, {"word/zzz.xml": b"<a>" + b" " * 900_000 + b"</a>"}))
    entry = package.rindex(b"PK\x01\x02")
    package[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    assert "damaged" in refusal(bytes(package), "a.docx").message


@pytest.mark.parametrize(
    "declaration", ['<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '<!DOCTYPE x [<!ENTITY a "aaaa">]>']
)
def test_xml_entities_are_refused(refusal, word_file, repacked, declaration):
    def spoil(content: bytes) -> bytes:
        return content.replace(b"?>", b"?>" + declaration.encode(), 1)

    assert "entities" in refusal(repacked(word_file, {"word/document.xml": spoil}), "a.docx").message


def test_paths_inside_the_archive_are_never_used(texts, word_file, repacked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    package = repacked(word_file, {}, {"../../evil.txt": b"x", "/etc/evil": b"x", "C:\\evil": b"x"})
    assert texts(package, "a.docx") == ["往世乐土是一处地方。"]
    assert list(tmp_path.iterdir()) == []


def test_a_file_cut_in_half_is_refused(refusal, word_file):
    assert "damaged" in refusal(word_file[: len(word_file) // 2], "a.docx").message


@pytest.mark.parametrize(
    ("part", "spoil", "said"),
    [
        (
            "word/document.xml",
            lambda content: content[: len(content) // 2],
            "its part word/document.xml is no XML from line 2 on",
        ),
        ("word/styles.xml", lambda content: b"rubbish", "its part word/styles.xml is no XML from line 1 on"),
        ("word/document.xml", None, "its part word/document.xml is missing"),
        ("_rels/.rels", None, "its part _rels/.rels is missing"),
        ("[Content_Types].xml", None, "its part [Content_Types].xml is missing"),
    ],
)
def test_what_is_damaged_is_named(refusal, word_file, repacked, part, spoil, said):
    package = without(word_file, part) if spoil is None else repacked(word_file, {part: spoil})
    assert refusal(package, "a.docx").message == f"a.docx is a damaged Word file: {said}"


def test_a_part_that_was_overwritten_is_named_and_a_file_cut_off_is_called_so(refusal, word_file):
    package = bytearray(word_file)
    start = package.index(b"word/document.xml")
    package[start + 60 : start + 90] = bytes(30)
    assert "its part word/document.xml does not unpack" in refusal(bytes(package), "a.docx").message
    assert "it breaks off before its end" in refusal(word_file[:-40], "a.docx").message


def without(package, part):
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
    return stream.getvalue()


def test_damage_anywhere_ends_in_text_or_a_refusal(word_file):
    from lpmm_core.base.errors import UnreadableFile
    from lpmm_core.ingest.documents import read_document

    refused = 0
    for offset in range(4, len(word_file), 211):
        damaged = bytearray(word_file)
        damaged[offset] ^= 0xFF
        try:
            read_document(bytes(damaged), "a.docx")
        except UnreadableFile:
            refused += 1
    assert refused


@pytest.mark.parametrize(
    ("member", "word"),
    [("xl/workbook.xml", "spreadsheet"), ("ppt/presentation.xml", "presentation"), ("a.txt", "archive")],
)
def test_other_archives_are_refused_by_what_they_are(refusal, member, word):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(member, "x")
        if member != "a.txt":
            archive.writestr("[Content_Types].xml", "x")
    assert word in refusal(stream.getvalue(), "a.docx").message


def test_a_word_file_without_text_is_refused(refusal, saved):
    assert "without text" in refusal(saved(docx.Document()), "a.docx").message


def test_the_table_of_contents_is_left_out_and_noted(read, saved):
    document = docx.Document()
    style = document.styles.add_style("toc 1", 1)
    document.add_paragraph("第一章\t3", style=style)
    document.add_paragraph("正文。")
    result = read(saved(document), "a.docx")
    assert [piece.text for piece in result.pieces] == ["正文。"]
    assert result.notes == ("lines of the table of contents, left out: 1",)
