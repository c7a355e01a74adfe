"""The first minute: an empty sheet, a dropped file, names that ink in, a question, the lit path and the reasons."""

import pytest

TEXT = """凯文住在海边的钟楼。钟楼由维尔薇设计。

爱莉希雅认识凯文。爱莉希雅住在往世乐土。

往世乐土由十三英桀建造。维尔薇是十三英桀的工匠。"""

DROP = """([selector, name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, { type: "text/plain" }));
    for (const type of ["dragenter", "dragover", "drop"])
        document.querySelector(selector).dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


def test_from_a_dropped_file_to_a_lit_path(visit, empty, shot):
    page = visit(empty)
    assert page.locator("main").get_attribute("data-state") == "empty"
    assert "把文字放在这里" in page.inner_text(".sheet")
    shot(page, "empty")
    page.evaluate(DROP, ["main", "往世乐土.txt", TEXT])
    page.wait_for_selector(".passage")
    assert "凯文住在海边的钟楼" in page.inner_text(".reader")
    page.wait_for_selector('.passage[data-state="ready"] .name')
    page.wait_for_selector(".suggestions button")
    shot(page, "reading")
    assert page.locator(".suggestions button").count() >= 1
    page.fill("#question", "爱莉希雅住在哪里？")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-state="answered"]')
    assert "q=" in page.url
    assert "往世乐土" in page.inner_text(".passages")
    assert page.locator(".passages mark").count() > 0
    assert page.locator(".reasons li").count() == page.locator(".passages .passage").count()
    page.wait_for_selector('main[data-path="lit"]')
    page.wait_for_timeout(900)
    shot(page, "answer-small")
    page.reload()
    page.wait_for_selector('main[data-state="answered"]')
    assert page.input_value("#question") == "爱莉希雅住在哪里？"


def test_written_text_is_kept(visit, empty):
    page = visit(empty, language="en-GB")
    page.fill(".sheet textarea", "Ada Lovelace lived in London. Ada Lovelace met Charles Babbage.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector('.passage[data-state="ready"] .name')
    assert "Ada Lovelace" in page.inner_text(".reader")
    assert page.locator(".passage").first.get_attribute("lang") == "en"


def test_a_file_that_cannot_be_taken_is_said_with_its_reason(visit, empty):
    page = visit(empty)
    page.evaluate(DROP, ["main", "空.txt", ""])
    page.wait_for_selector('main[data-state="failed"]')
    assert "空.txt" in page.inner_text("main")


def test_a_suggested_question_is_asked_with_one_click(visit, shot):
    page = visit("sample")
    shot(page, "home")
    page.click(".suggestions button")
    page.wait_for_selector('main[data-state="answered"]')
    page.go_back()
    page.wait_for_selector('main[data-state="ready"]')


def test_an_answer_in_chinese(visit, shot):
    page = visit("sample")
    page.fill("#question", "望汛塔的钟是谁敲的？")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-path="lit"]')
    page.wait_for_timeout(1000)
    shot(page, "answer-zh")
    first = page.locator(".reasons li").first
    assert first.locator("p:visible").count() >= 2
    assert "得分" not in "".join(first.locator("p:visible").all_inner_texts())
    first.locator("summary").click()
    assert "得分" in first.locator("details p").inner_text()
    shot(page, "answer-score-zh")
    page.click("text=为什么是这条路")
    assert page.locator("#why").is_visible()
    page.click(".passages .name >> nth=0")
    page.wait_for_selector(".entry")
    shot(page, "answer-entry")
    page.keyboard.press("Escape")
    assert page.locator("#margin h2").first.inner_text() == "理由"


def test_an_answer_in_english_and_in_the_dark(visit, shot):
    page = visit("sample", language="en-US", theme="dark")
    page.fill("#question", "Where was Miriam Dask born?")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-state="answered"]')
    page.wait_for_timeout(1000)
    shot(page, "answer-en-dark")
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_composed_chinese_word_does_not_ask(visit):
    page = visit("sample")
    page.focus("#question")
    page.evaluate(
        """() => document.querySelector("#question").dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))"""
    )
    assert page.locator("main").get_attribute("data-state") == "ready"


def test_nothing_moves_where_motion_is_unwelcome(visit):
    page = visit("sample", reduced_motion="reduce")
    page.fill("#question", "阮知雨住在哪里？")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-path="lit"]')
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--soak')").strip() == "0ms"


@pytest.mark.parametrize("width", [360, 768, 1024, 1440, 1920])
def test_an_answer_fits_every_width(visit, shot, width):
    page = visit("sample", width=width, height=780)
    page.fill("#question", "阮知雨住在哪里？")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-state="answered"]')
    page.wait_for_timeout(800)
    shot(page, f"answer-{width}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
