"""书: the shelf, files on their way in, the reader."""

import pytest

from tests.browser.test_first_minute import DROP, TEXT


def test_the_shelf_shows_every_source_with_its_state(visit, shot):
    page = visit("sample", "library")
    assert page.locator('.shelf li[data-state="ready"]').count() == 10
    shot(page, "library")


def test_many_files_come_in_each_with_its_own_fate(visit, empty, tmp_path, shot):
    page = visit(empty, "library")
    assert page.locator("main").get_attribute("data-state") == "empty"
    shot(page, "library-empty")
    good, bad, again = tmp_path / "往世乐土.txt", tmp_path / "bad.txt", tmp_path / "again.txt"
    good.write_text(TEXT, encoding="utf-8")
    bad.write_bytes(b"\0\1\2\3" * 50)
    again.write_text(TEXT, encoding="utf-8")
    page.set_input_files('input[type="file"]', [good, bad, again])
    page.wait_for_selector('.shelf li[data-state="ready"]')
    page.wait_for_function("() => document.querySelectorAll('.arriving li[data-state=\"refused\"]').length === 2")
    assert "往世乐土.txt" in page.locator('.arriving li[data-file="again.txt"]').inner_text()
    shot(page, "library-fates")
    page.locator(".arriving button").first.click()
    assert page.locator(".arriving li").count() == 1


def test_a_dropped_file_lands_on_the_shelf(visit, empty):
    page = visit(empty, "library")
    page.evaluate(DROP, ["main", "钟楼.txt", TEXT])
    page.wait_for_selector('.shelf li[data-source][data-state="ready"]')
    assert page.inner_text(".shelf .title") == "钟楼.txt"


def test_a_source_is_read_with_its_names_marked(visit, shot):
    page = visit("sample", "library")
    page.click('.shelf .title:has-text("people.txt")')
    page.wait_for_selector('main[data-state="reading"]')
    assert page.locator(".passage").count() == 10
    assert page.locator(".passage .name.person").count() > 5
    page.click(".passage .name.person >> nth=0")
    page.wait_for_selector(".entry")
    page.wait_for_timeout(500)
    shot(page, "reader")
    page.click(".entry .quote a >> nth=0")
    page.wait_for_selector(".passage.here")
    page.go_back()
    page.go_back()
    page.wait_for_selector(".shelf li[data-source]")


def test_a_speaker_stands_above_the_words(visit, shot):
    page = visit("sample", "library")
    page.click('.shelf .title:has-text("lantern-night.txt")')
    page.wait_for_selector('main[data-state="reading"]')
    first = page.locator(".passage").first
    assert first.locator(".speaker").inner_text() == "晏小棹"
    assert not first.locator(".words").inner_text().startswith("[")
    page.wait_for_timeout(500)
    shot(page, "reader-speakers")


def test_a_deleted_source_comes_back_by_undo(visit, empty, served):
    served.house.spaces.open(empty).ingest_text(TEXT, name="起点.txt")
    page = visit(empty, "library")
    page.click("text=删除…")
    page.wait_for_selector(".sure .small:not(:empty)")
    assert "3 段" in page.inner_text(".sure")
    page.locator(".sure .strong").click()
    page.wait_for_selector('main[data-state="empty"]')
    page.click("#undo")
    page.wait_for_selector(".shelf li[data-source]")


def test_the_reader_in_english(visit, shot):
    page = visit("sample", "library", language="en-GB")
    page.click('.shelf .title:has-text("lives.md")')
    page.wait_for_selector('main[data-state="reading"]')
    page.wait_for_timeout(500)
    shot(page, "reader-en")


@pytest.mark.parametrize("width", [360, 1024])
def test_the_shelf_fits_a_small_screen(visit, shot, width):
    page = visit("sample", "library", width=width, height=740)
    shot(page, f"library-{width}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
