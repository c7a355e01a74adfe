"""Each space stands for itself: a bad one stops no other, and what the command line does to one is noticed at once."""

import shutil
import sqlite3
import time

import pytest

from lpmm_core.base.settings import Settings
from lpmm_core.spaces import Spaces
from tests.webui.conftest import wait_for
from tests.webui.test_api import problem
from tests.webui.test_live import connect
from webui.serve import serving
from webui.worker import _Rest


def foreign(file):
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE entities (x)")
    connection.close()


def damaged(file):
    file.write_bytes(b"no database" * 500)


@pytest.fixture(params=[foreign, damaged])
def alien(request, spaces):
    folder = spaces.directory / "alien"
    folder.mkdir()
    request.param(folder / "memory.db")


@pytest.mark.usefixtures("alien")
def test_an_unreadable_space_is_listed_with_its_reason(browser):
    items = {item["name"]: item for item in browser("GET", "/api/v1/spaces").json["items"]}
    assert items["alien"]["paragraphs"] is None
    assert "memory.db" in items["alien"]["error"]
    assert items["default"]["error"] is None
    problem(browser("GET", "/api/v1/spaces/alien/stats"), 400, "refused")
    assert browser("GET", "/stats").status_code == 200


@pytest.mark.usefixtures("alien")
def test_an_unreadable_space_stops_no_other(app, browser, spaces, caplog):
    """Both threads go on, and say only seldom what they said before."""
    worker = app.extensions["lpmm"].worker
    worker._every = 0.01
    worker.start()
    try:
        for n in range(3):
            job = browser("POST", "/sources", json={"name": f"{n}", "text": f"凯文住在海边的钟楼{n}。"}).json["job"]
            assert wait_for(lambda job=job: browser("GET", f"/jobs/{job}").json["state"] == "done")
        assert all(thread.is_alive() for thread in worker._threads)
    finally:
        worker.close()
    told = [record.getMessage() for record in caplog.records if "alien" in record.getMessage()]
    assert 1 <= len(told) < 30


@pytest.mark.usefixtures("alien")
def test_an_unreadable_space_is_not_the_first_page(browser, spaces):
    browser.client.set_cookie("lpmm-space", "alien", domain="127.0.0.1")
    assert browser.client.get("/", headers=browser.headers).headers["Location"] == "/s/default/ask"
    page = browser("GET", "/s/alien/ask")
    assert page.status_code == 400
    assert page.mimetype == "text/html"


@pytest.mark.usefixtures("alien")
def test_an_unreadable_space_cannot_be_watched(app, browser):
    assert connect(app, browser).emit("watch", {"space": "alien"}, callback=True) == {"error": "refused"}


def test_a_server_begins_although_the_users_own_space_cannot_be_read(tmp_path):
    (tmp_path / "default").mkdir()
    damaged(tmp_path / "default" / "memory.db")
    spaces = Spaces(tmp_path, settings=Settings())
    with serving(spaces) as running:
        assert running.origin.startswith("http://127.0.0.1:")
    spaces.close()


def test_who_adds_work_is_not_kept_waiting_by_a_rest(app, browser, spaces):
    worker = app.extensions["lpmm"].worker
    worker._rests["jobs", "default"] = _Rest(60, time.monotonic() + 60)
    worker.start()
    try:
        job = browser("POST", "/sources", json={"name": "a", "text": "凯文住在海边的钟楼。"}).json["job"]
        assert wait_for(lambda: spaces.open("default").job(job).state == "done")
    finally:
        worker.close()


@pytest.fixture
def elsewhere(spaces):
    """The command line, as another process over the same folder."""
    other = Spaces(spaces.directory, open_memory=spaces._open_memory)
    yield other
    other.close()


def test_a_space_deleted_on_the_command_line_takes_no_text(filled, elsewhere):
    elsewhere.delete("default")
    problem(filled("POST", "/sources", json={"name": "a", "text": "凯文住在钟楼。"}), 404, "not-found")
    assert not (elsewhere.directory / "default").exists(), "the server puts nothing back"


def test_a_space_made_anew_on_the_command_line_is_the_one_that_is_written(filled, elsewhere):
    elsewhere.delete("default")
    elsewhere.create("default")
    assert filled("GET", "/stats").json["paragraphs"] == 0
    assert filled("POST", "/sources", json={"name": "a", "text": "凯文住在钟楼。"}).status_code == 202
    assert elsewhere.open("default").stats().paragraphs == 1


def test_a_space_renamed_on_the_command_line_is_found_under_its_new_name(filled, elsewhere):
    paragraphs = filled("GET", "/stats").json["paragraphs"]
    elsewhere.rename("default", "story")
    problem(filled("POST", "/sources", json={"name": "a", "text": "凯文住在钟楼。"}), 404, "not-found")
    assert filled("GET", "/api/v1/spaces/story/stats").json["paragraphs"] == paragraphs


def test_a_file_put_in_the_place_of_another_is_opened_anew(filled, spaces):
    spaces.create("copy")
    home = spaces.directory
    shutil.rmtree(home / "default")
    (home / "copy").rename(home / "default")
    assert filled("GET", "/stats").json["paragraphs"] == 0
