"""The Chinese page says in Chinese what the engine says in English."""

import json
import re

import pytest

from lpmm_core.base.errors import LpmmError
from lpmm_core.ingest.documents import read_document
from lpmm_core.ingest.documents.tally import Tally
from tests.webui.sentences import sentences
from webui.paths import folder
from webui.told import told

CATALOGUE = json.loads((folder("static") / "told.zh.json").read_text(encoding="utf-8"))


def test_every_sentence_of_the_engine_has_a_chinese_form():
    said = sentences()
    assert {template: where for template, where in said.items() if template not in CATALOGUE} == {}


def test_no_chinese_form_outlives_its_sentence():
    assert sorted(CATALOGUE.keys() - sentences().keys()) == []


def test_the_collector_finds_each_kind_of_sentence():
    assert {
        "there is no space {0}",  # an error
        "{0} is a picture; only text can be read ({1})",  # a refusal out of a table
        "{0} is a damaged PDF: it breaks off before its end ({1}: {2})",  # through a helper and a condition
        "triples dropped, blank: {0} ({1})",  # a tally, its reason from another function
        "{0} of {1} passages were known already",  # a reason
        "control characters taken out: {0}",  # a note
        "embedding failed: {0}; the text is found by its words until it is embedded",  # a job's error
        "{0} is larger than {1} MB",  # the server's own
        "line {0}, byte {1}",  # a place
    } <= sentences().keys()


@pytest.mark.parametrize("template", CATALOGUE)
def test_a_chinese_form_puts_in_only_what_is_given(template):
    given = set(re.findall(r"\{(\d+)\}", template))
    assert set(re.findall(r"\{(?:told |each |)(\d+)\}", CATALOGUE[template])) <= given
    assert re.search("[\u4e00-\u9fff]", CATALOGUE[template])


@pytest.mark.parametrize("template", CATALOGUE)
def test_each_sentence_is_matched_by_its_own_template(template):
    """Whatever is put in; a template that is wider than another must not take its sentences."""
    values = iter(f"甲{n}" for n in range(9))
    sentence = re.sub(r"\{\d+\}", lambda _: next(values), template)
    expected = re.sub(r"\{(?:told |each |)(\d+)\}", r"甲\1", CATALOGUE[template])
    assert told(sentence) == expected


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("notes.txt is empty", "notes.txt是空的"),
        ("there is no space 'nowhere'", "没有叫“nowhere”的空间"),
        (
            "b.bin is not text: it holds a zero byte (line 3, byte 40)",
            "b.bin不是文本：里面有零字节（第 3 行，字节 40）",
        ),
        (
            "embedding failed: host did not answer within 60 s; the text is found by its words until it is embedded",
            "向量没有做成：host 在 60 秒内没有回答；做成之前，这些文字按字词查找",
        ),
        (
            "records skipped, blank: 7 (record 2, record 4, ...)",
            "跳过空白的记录：7 条（记录 2、记录 4 等）",
        ),
        ("a is empty is empty", "a is empty是空的"),
        ("line 3 is larger than 9 MB", "line 3超过 9 MB"),
        ("nobody says this", "nobody says this"),
        ("", ""),
    ],
)
def test_a_sentence_is_told_in_chinese_and_what_is_put_in_stays(english, chinese):
    assert told(english) == chinese


def test_a_real_refusal_is_told(tmp_path):
    with pytest.raises(LpmmError) as refused:
        read_document(b"\x89PNG\r\n\x1a\n", "照片.txt")
    assert told(refused.value.message) == "照片.txt是图片；只能读文字（字节 0）"


def test_a_refusal_that_lists_several_notes_is_told_whole():
    with pytest.raises(LpmmError) as refused:
        read_document(b'[1, 2, "  ", {"a": 1}]', "list.json")
    assert not re.search("[a-z]{3,} [a-z]{3,}", told(refused.value.message).replace('{"title", "text"}', ""))


def test_a_tally_is_told():
    tally = Tally()
    tally.add("damaged records skipped", "line 2")
    assert [told(note) for note in tally.notes()] == ["跳过损坏的记录：1 条（第 2 行）"]


def test_a_page_that_is_refused_says_why_in_both_languages(browser):
    page = browser("GET", "/s/default/ask", headers={"Host": "elsewhere.example"}).text
    assert "这个服务只应答本机的名字。" in page
    assert "This server answers only to the name of this machine." in page
