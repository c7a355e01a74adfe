"""书: the shelf, files on their way in, the reader."""

import shutil
import time

import pytest

from tests.browser.test_first_minute import DROP, TEXT
from webui.worker import _Rest


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


LANGUAGES = pytest.mark.parametrize("language", ["zh-CN", "en-GB"])


@LANGUAGES
def test_a_source_whose_model_fails_says_why_and_is_tried_again(visit, failing, shot, language):
    memory = failing(f"dead-model-{language}", chat=True)
    memory.ingest_text(TEXT, name="起点.txt")
    page = visit(memory.name, "library", language=language)
    row = page.locator('.shelf li[data-state="failed"]')
    row.wait_for()
    assert "401" in row.locator(".reason").inner_text()
    shot(page, f"library-failed-{language[:2]}")
    with page.expect_response("**/retry") as answer:
        row.locator('[data-act="retry"]').click()
    assert answer.value.status == 200
    page.wait_for_selector('.shelf li[data-state="failed"]')
    row.locator(".title").click()
    page.wait_for_selector(".progress .reason")
    assert page.locator('.progress [data-act="retry"]').is_visible()


@LANGUAGES
def test_vectors_that_are_not_made_are_told(visit, failing, shot, language):
    memory = failing(f"dead-embedder-{language}", embedder=True)
    memory.ingest_text(TEXT, name="起点.txt")
    page = visit(memory.name, "library", language=language)
    page.wait_for_selector('.work[data-state="failed"] .reason')
    assert "models.example" in page.inner_text(".work .reason")
    shot(page, f"library-vectors-{language[:2]}")
    assert page.locator('.work [data-act="retry"]').is_visible()


@LANGUAGES
def test_a_stopped_reading_goes_on(visit, empty, served, shot, language):
    rests, memory = served.house.worker._rests, served.house.spaces.open(empty)
    rests["jobs", empty] = _Rest(60, time.monotonic() + 60)
    memory.ingest_text(TEXT, name="起点.txt", wait=False)
    page = visit(empty, "library", language=language)
    page.click('.shelf li[data-state="reading"] [data-act="cancel"]')
    page.wait_for_selector('.shelf li[data-state="cancelled"]')
    assert "0 / 3" in page.inner_text(".shelf .meta") or "0 of 3" in page.inner_text(".shelf .meta")
    assert page.locator('[data-act="cancel"]').count() == 0
    shot(page, f"library-stopped-{language[:2]}")
    del rests["jobs", empty]
    page.click('[data-act="retry"]')
    page.wait_for_selector('.shelf li[data-state="ready"]')


@LANGUAGES
def test_a_job_that_pauses_says_until_when(visit, empty, served, shot, language):
    rests, memory = served.house.worker._rests, served.house.spaces.open(empty)
    rests["jobs", empty] = _Rest(60, time.monotonic() + 60)
    memory.ingest_text(TEXT, name="起点.txt", wait=False)
    with memory._store.database.writing() as connection:
        connection.execute("UPDATE jobs SET lease = ?, error = 'models.example answered 503'", (time.time() + 600,))
    page = visit(empty, "library", language=language)
    page.wait_for_selector('.shelf li[data-state="paused"] .reason')
    assert "503" in page.inner_text(".shelf .reason")
    shot(page, f"library-paused-{language[:2]}")
    page.click('[data-act="cancel"]')
    page.wait_for_selector('.shelf li[data-state="cancelled"] [data-act="retry"]')
    del rests["jobs", empty]


@LANGUAGES
def test_a_memory_that_cannot_be_read_is_listed_with_its_reason(visit, served, shot, language):
    folder = served.house.spaces.directory / "foreign"
    folder.mkdir()
    try:
        (folder / "memory.db").write_bytes(b"no database" * 500)
        page = visit("sample", "library", language=language)
        page.click("#space")
        page.wait_for_selector(".menu .unreadable .why")
        assert page.locator('.menu a:has-text("foreign")').count() == 0
        shot(page, f"spaces-unreadable-{language[:2]}")
    finally:
        shutil.rmtree(folder)


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
