"""The pages themselves: language, safety, and the words."""

import json
import re
from pathlib import Path

import pytest

from webui.language import strings
from webui.paths import folder

STATIC, TEMPLATES = folder("static"), folder("templates")
SCRIPTS = sorted(STATIC.glob("*.js"))


def test_both_languages_have_the_same_words():
    zh, en = strings("zh"), strings("en")
    assert zh.keys() == en.keys()
    for key in zh:
        names = [set(re.findall(r"\{(\w+)", words[key])) for words in (zh, en)]
        assert names[0] == names[1], key
        assert all(words[key].strip() for words in (zh, en)), key


def test_every_word_that_a_page_asks_for_exists():
    asked = set()
    for path in [*SCRIPTS, *TEMPLATES.glob("*.html")]:
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r"""\bt\(\s*["']([\w.-]+)["']""", text)) | set(
            re.findall(r"words\['([\w.-]+)'\]", text)
        )
    assert len(asked) > 100
    assert asked <= strings("zh").keys()


def test_no_word_is_left_over():
    text = "".join(
        path.read_text(encoding="utf-8") for path in [*SCRIPTS, *TEMPLATES.glob("*.html"), *Path("webui").rglob("*.py")]
    )
    stems = set(re.findall(r"[`\"']([a-z]+\.(?:[\w-]+\.)*)\$?\{?", text)) | {"nav.", "space."}
    unused = [
        key
        for key in strings("zh")
        if f'"{key}"' not in text and f"'{key}'" not in text and not any(key.startswith(s) for s in stems)
    ]
    assert unused == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_turns_text_into_markup(path):
    text = path.read_text(encoding="utf-8")
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(.style|\bon[a-z]+\s*=\s*[\"']|https?://"
    assert not re.search(forbidden, text), re.search(forbidden, text)


@pytest.mark.parametrize(
    "path", [*SCRIPTS, *STATIC.glob("*.css"), *Path("webui").rglob("*.py")], ids=lambda path: path.name
)
def test_every_module_stays_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 400


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_no_template_has_inline_script_or_style(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?://|\|\s*safe", text)


def test_colours_are_named_in_one_file_only():
    for path in STATIC.glob("*.css"):
        if path.name != "tokens.css":
            assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgba?\(", path.read_text(encoding="utf-8")), path.name


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_in_both_themes(theme):
    """WCAG AA: 4.5 for words, 3 for marks."""
    css = (STATIC / "tokens.css").read_text(encoding="utf-8")
    block = css.split('[data-theme="dark"]')[theme == "dark"]
    tokens = dict(re.findall(r"--([\w-]+): (#[0-9A-Fa-f]{6})", block))
    for ink in ("ink-4", "ink-3", "ink-2", "cinnabar"):
        for ground in ("paper", "sheet"):
            assert contrast(tokens[ink], tokens[ground]) >= 4.5, (ink, ground)
    assert contrast(tokens["ink-4"], tokens["wash"]) >= 4.5
    for mark in ("ink-1", "person", "place", "organisation", "event"):
        assert contrast(tokens[mark], tokens["paper"]) >= 3, mark


def test_the_page_speaks_the_browsers_language_until_somebody_chooses(browser):
    assert '<html lang="zh-CN"' in browser("GET", "/s/default/ask", headers={"Accept-Language": "zh-TW,zh;q=.9"}).text
    assert '<html lang="en"' in browser("GET", "/s/default/ask", headers={"Accept-Language": "fr"}).text
    browser.client.set_cookie("lpmm-language", "zh", domain="127.0.0.1")
    assert '<html lang="zh-CN"' in browser("GET", "/s/default/ask", headers={"Accept-Language": "en"}).text


def test_the_first_page_is_the_space_that_was_open_last(browser, spaces):
    spaces.create("故事")
    browser("GET", "/s/故事/graph")
    assert browser.client.get("/", headers=browser.headers).headers["Location"].endswith("/ask")
    assert "%E6%95%85" in browser.client.get("/", headers=browser.headers).headers["Location"]


def test_a_space_that_is_not_there_is_a_calm_page(browser):
    answer = browser("GET", "/s/nowhere/ask")
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "<!--"])
def test_a_hostile_space_name_stays_text(browser, spaces, name):
    if "/" in name:
        name = name.replace("/", "∕")
    spaces.create(name)
    page = browser.client.get("/s/" + name + "/ask", headers=browser.headers).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert ">49<" not in page
    assert "<!--" not in page


def test_vendored_files_are_what_was_fetched():
    import sys

    sys.path.insert(0, "scripts")
    try:
        import vendor
    finally:
        sys.path.pop(0)
    assert [line for library in vendor.LIBRARIES for line in vendor.problems(library)] == []


def test_the_words_files_are_sorted_as_written():
    """Both files list their keys in one order, so that a translator sees them side by side."""
    orders = [
        list(json.loads((STATIC / f"strings.{language}.json").read_text(encoding="utf-8"))) for language in ("zh", "en")
    ]
    assert orders[0] == orders[1]
