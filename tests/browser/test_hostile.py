"""Texts, names and file names that attack a page stay text, on every page that shows them."""

import pytest

PAYLOADS = [
    "<script>window.broken=1</script>",
    "<img src=x onerror=window.broken=1>",
    '"><svg onload=window.broken=1>',
    "'-window.broken=1-'",
    "</textarea><script>window.broken=1</script>",
    "<!--",
    "]]>",
    "{{constructor.constructor('window.broken=1')()}}",
    "${window.broken=1}",
    "javascript:window.broken=1",
    "<a href=javascript:window.broken=1>点我</a>",
    "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>parent.broken=1</script>'></iframe>",
    "<math><mtext></mtext><mglyph><style><img src=x onerror=window.broken=1>",
    "\u202egnp.exe",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "__proto__",
    "constructor",
    "😀<b>粗</b>😀",
]


@pytest.fixture(scope="module")
def hostile(served):
    memory = served.house.spaces.create("hostile")
    for number, payload in enumerate(PAYLOADS):
        name = payload.replace("/", "∕")
        memory.ingest_text(
            f"凯文住在{payload}旁边的钟楼。\n\nKevin met Alice {payload} in London.", name=f"{number} {name}.txt"
        )
    names = memory.suggestions("凯文") + memory.suggestions("Kevin") + memory.suggestions("Alice")
    for entity, payload in zip(
        names, ["<img src=x onerror=window.broken=1>", "<script>window.broken=1</script>"], strict=False
    ):
        memory.rename(entity.id, payload, actor="web")
    return "hostile"


def harmless(page):
    assert page.evaluate("window.broken") is None
    assert page.locator("main script, main img, main iframe, main style, main svg, #margin img, base").count() == 0


def test_an_answer(visit, hostile):
    page = visit(hostile)
    harmless(page)
    for payload in PAYLOADS[:4]:
        page.fill("#question", f"{payload} 钟楼 Kevin")
        page.keyboard.press("Enter")
        page.wait_for_selector('main[data-state="answered"]')
        page.wait_for_timeout(200)
        harmless(page)
    assert "<script>window.broken=1</script>" in page.inner_text("body") or "onerror" in page.inner_text("body")


def test_a_graph(visit, hostile, shot):
    page = visit(hostile, "graph")
    names = page.locator(".mirror button")
    for index in range(min(6, names.count())):
        names.nth(index).focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".entry")
    page.fill("#search input", "<")
    page.wait_for_timeout(400)
    page.click("#face-table")
    harmless(page)
    shot(page, "hostile-graph")


def test_a_library(visit, hostile, shot):
    page = visit(hostile, "library")
    assert page.locator(".shelf li[data-source]").count() == len(PAYLOADS)
    harmless(page)
    shot(page, "hostile-library")
    for index in range(0, len(PAYLOADS), 3):
        page.locator(".shelf .title").nth(index).click()
        page.wait_for_selector('main[data-state="reading"]')
        harmless(page)
        page.click("text=所有来源")
        page.wait_for_selector(".shelf li[data-source]")


def test_names_after_an_emoji_are_marked_in_the_right_place(visit, empty, served):
    memory = served.house.spaces.open(empty)
    text = "😀😀，凯文住在钟楼。😀，爱莉希雅认识凯文。"
    memory.ingest_text(text, name="a")
    (entry,) = memory.passages_of(memory.sources().items[0].id).items
    page = visit(empty, "library")
    page.click(".shelf .title")
    page.wait_for_selector(".passage .name")
    marked = page.locator(".passage .name").all_inner_texts()
    assert marked == [text[span.start : span.end] for span in entry.spans]
    assert "凯文" in marked


def test_a_very_long_name_breaks_nothing(visit, empty, served, shot):
    memory = served.house.spaces.open(empty)
    memory.ingest_text("凯文住在海边的钟楼。爱莉希雅认识凯文。爱莉希雅住在花园。", name="很长的名字" * 45 + ".txt")
    (kevin,) = memory.suggestions("凯文", 1)
    memory.rename(kevin.id, "没有空格的很长很长的名字" * 8, actor="web")
    for name in ("library", "graph"):
        page = visit(empty, name, width=360 if name == "library" else 1440)
        if name == "graph":
            page.locator(".mirror button").first.focus()
            page.keyboard.press("Enter")
            page.wait_for_selector(".entry")
            page.wait_for_timeout(300)
        shot(page, f"long-{name}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
