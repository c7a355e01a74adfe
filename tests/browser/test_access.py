"""For everybody: axe finds nothing, the keyboard goes everywhere, and nobody gets in without the address."""

from pathlib import Path

import pytest

AXE = (Path(__file__).parents[1] / "vendor" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def faults(page):
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)["violations"]
    return [(fault["id"], [node["html"][:120] for node in fault["nodes"][:3]]) for fault in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh-CN", "en-GB"])
def test_axe_finds_nothing(visit, empty, theme, language):
    page = visit(empty, theme=theme, language=language, reduced_motion="reduce")
    assert faults(page) == []
    page = visit("sample", theme=theme, language=language, reduced_motion="reduce")
    assert faults(page) == []
    page.fill("#question", "阮知雨住在哪里？")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-path="lit"]')
    assert faults(page) == []
    for name in ("graph", "library"):
        page = visit("sample", name, theme=theme, language=language, reduced_motion="reduce")
        assert faults(page) == []
    page.click(".shelf .title >> nth=0")
    page.wait_for_selector('main[data-state="reading"]')
    page.click(".passage .name >> nth=0")
    page.wait_for_selector(".entry")
    assert faults(page) == []


def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit):
    page = visit("sample", "library")
    page.evaluate("document.activeElement.blur()")
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        outline, text = page.evaluate(
            """() => { const e = document.activeElement; const s = getComputedStyle(e);
            return [s.outlineStyle !== "none" || s.boxShadow !== "none", e.textContent.trim() || e.id] }"""
        )
        assert outline, text
        reached.append(text)
        if "flood.md" in text:
            break
    assert any("图谱" in text for text in reached)
    assert any("people.txt" in text for text in reached)


def test_find_works_on_every_page(visit):
    for name in ("ask", "library"):
        page = visit("sample", name)
        page.keyboard.press("Control+k")
        page.keyboard.type("望汛塔")
        page.wait_for_selector('dialog [role="option"]')
        page.keyboard.press("Enter")
        page.wait_for_selector(".entry")


def test_keys_are_listed(visit, shot):
    page = visit("sample", "graph")
    page.locator("main").click(position={"x": 5, "y": 300})
    page.keyboard.press("?")
    page.wait_for_selector("dialog dl")
    shot(page, "keys")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_spaces_are_switched_in_the_head(visit, empty, shot):
    page = visit(empty)
    page.click("#space")
    page.wait_for_selector("#spaces a")
    shot(page, "spaces")
    page.click('#spaces a:has-text("样例")')
    page.wait_for_url("**/s/sample/ask")


def test_a_stranger_sees_only_where_the_door_is(visit, served, chromium, shot):
    visit.allowed.append("401")
    context = chromium.new_context()
    page = context.new_page()
    answer = page.goto(f"{served.origin}/s/sample/graph")
    assert answer.status == 401
    assert "lpmm serve" in page.inner_text("main")
    shot(page, "stranger")
    context.close()


def test_a_page_that_lost_the_server_says_so_and_comes_back(visit):
    page = visit("sample")
    page.wait_for_selector('html[data-live="on"]')
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    page.wait_for_selector('html[data-live="off"]', timeout=60_000)
    page.context.set_offline(False)
    page.wait_for_selector('html[data-live="on"]', timeout=60_000)
    visit.allowed.append("ERR_INTERNET_DISCONNECTED")
