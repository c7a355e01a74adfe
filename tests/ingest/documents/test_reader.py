"""What holds for every file: its name, its size, its kind."""

import hashlib
import os

import pytest

from lpmm_core.base.errors import InvalidInput, UnreadableFile
from lpmm_core.ingest.documents import Limits, display_name, read_document


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("知识库.txt", "知识库.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\我\\笔记.md", "笔记.md"),
        ("a\x00b\nc\x1b[31m.txt", "abc[31m.txt"),
        ("\u202egpj.exe", "gpj.exe"),
        ("дневник 2024.txt", "дневник 2024.txt"),
        ("👨‍👩‍👧.txt", "👨‍👩‍👧.txt"),
        ("", "unnamed"),
        ("..", "unnamed"),
        ("a/", "unnamed"),
        (".env", ".env"),
    ],
)
def test_a_name_is_shown_without_folders_and_tricks(given, shown):
    assert display_name(given) == shown


def test_a_long_name_keeps_its_ending():
    assert display_name("名" * 300 + ".txt") == "名" * 251 + ".txt"
    assert len(display_name("名" * 300)) == 255


def test_the_digest_is_of_the_bytes(read):
    assert read("你好", "a.txt").digest == hashlib.sha256("你好".encode()).hexdigest()


def test_a_path_is_read_under_the_given_name(tmp_path):
    path = tmp_path / "blob"
    path.write_text("往世乐土", encoding="utf-8")
    for given in (path, str(path)):
        document = read_document(given, "知识库.txt")
        assert (document.name, document.pieces[0].text) == ("知识库.txt", "往世乐土")


def test_the_name_is_never_opened(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("other", encoding="utf-8")
    assert read_document(b"mine", "a.txt").pieces[0].text == "mine"


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(UnreadableFile, match="does not exist"):
        read_document(tmp_path / "none", "a.txt")
    with pytest.raises(UnreadableFile, match="is not a file"):
        read_document(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="is not a file"):
        read_document(tmp_path / "pipe", "a.txt")
    with pytest.raises(UnreadableFile, match="does not exist"):
        read_document("a\0b", "a.txt")


def test_a_file_beyond_its_limit_is_refused_unread(tmp_path, refusal):
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(UnreadableFile, match="1,000,000,000,000 bytes"):
        read_document(tmp_path / "huge", "huge.txt")
    assert "more than the 10 that one file may have" in refusal("x" * 11, limits=Limits(file_bytes=10)).message
    assert Limits().file_bytes == 50 * 1024 * 1024


def test_more_passages_than_allowed_are_refused(refusal):
    assert "more than 5 passages" in refusal("甲\n\n" * 6, limits=Limits(passages=5)).message


def test_empty_files_and_white_space_have_their_own_sentences(refusal):
    assert refusal(b"").message == "notes.txt is empty"
    assert refusal(" \n\t\u3000\n").message == "notes.txt holds only white space"
    assert refusal("\ufeff").message == "notes.txt holds only white space"


def test_an_error_is_an_invalid_input_with_file_and_place(refusal):
    error = refusal(b"ab\x00", "数据.bin")
    assert isinstance(error, InvalidInput)
    assert (error.status, error.code) == (422, "unreadable")
    assert error.details == {"file": "数据.bin", "place": "line 1, byte 2"}


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", "picture"),
        (b"\xff\xd8\xff\xe0\x00", "picture"),
        (b"GIF89a\x01\x00", "picture"),
        (b"RIFF\x00\x00\x00\x00WAVE", "sound"),
        (b"\x00\x00\x00\x18ftypmp42", "sound"),
        (b"MZ\x90\x00\x03", "program"),
        (b"\x7fELF\x02", "program"),
        (b"\x1f\x8b\x08", "archive"),
        (b"7z\xbc\xaf\x27\x1c", "archive"),
        (b"SQLite format 3\x00", "database"),
        (b"PAR1\x15\x00", "Parquet"),
        (b"\x80\x04\x95\x00", "pickle"),
        (b"{\\rtf1 hello}", "Rich Text"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ".doc"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b'<?xml version="1.0"?><graphml/>', "lpmm import"),
    ],
)
def test_what_is_not_text_is_refused_by_what_it_is(refusal, data, word):
    error = refusal(data, "a.doc" if word == ".doc" else "a.txt")
    assert word in error.message
    assert error.details["place"] in {"byte 0", "line 1"}


@pytest.mark.parametrize(
    "text", ["GIF89a 是一种格式", "RIFF 是一种容器", "BZh 开头", "MZ 是两个字母", "PK 是对决", "ID3 标签"]
)
def test_text_that_begins_with_the_letters_of_a_signature_is_text(texts, text):
    assert texts(text) == [text]


@pytest.mark.parametrize("name", ["a.csv", "a.log", "a", "a.unknown", "a.yaml"])
def test_text_of_any_name_is_text(read, name):
    assert read("甲,乙\n1,2", name).media == "text"
