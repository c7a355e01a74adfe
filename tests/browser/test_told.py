"""The engine's sentences on the page: Chinese where the page is Chinese, as they are where it is English."""

import json
import re

from webui.paths import folder
from webui.told import told

SENTENCES = [
    "photo.txt is a picture; only text can be read (byte 0)",
    "there is no space 'nowhere'",
    "records skipped, blank: 7 (record 2, record 4, ...)",
    'x holds no text in a shape that is known (a list of texts, a list of {"title", "text"}, {"title": [sentences]}, '
    'OpenIE {"docs": [...]}, or messages one a line); records skipped, not text: 1 (record 0); records skipped, blank: 2 (record 1)',
    "a\nb is empty",
    "nobody says this",
]

TELL = "async texts => { const { told } = await import('/static/told.js'); return texts.map(told); }"


def test_the_page_and_the_server_tell_every_sentence_alike(visit):
    page = visit("sample")
    catalogue = json.loads((folder("static") / "told.zh.json").read_text(encoding="utf-8"))
    filled = [re.sub(r"\{(\d+)\}", r"'值 \1'", template) for template in catalogue]
    assert page.evaluate(TELL, [*SENTENCES, *filled]) == [told(text) for text in [*SENTENCES, *filled]]


def test_the_english_page_tells_sentences_as_they_are(visit):
    assert visit("sample", language="en-GB").evaluate(TELL, SENTENCES) == SENTENCES


def test_a_refused_file_says_why_in_chinese(visit, empty, tmp_path):
    page = visit(empty, "library")
    bad = tmp_path / "照片.txt"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n")
    page.set_input_files('input[type="file"]', [bad])
    page.wait_for_selector('.arriving li[data-state="refused"]')
    assert "照片.txt是图片；只能读文字" in page.locator(".arriving li .meta").inner_text()
