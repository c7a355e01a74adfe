"""Events may be lost; what was missed is sent again, or the page is told to read everything anew."""

import threading
import time

import pytest

from tests.webui.conftest import wait_for


@pytest.fixture
def live(app):
    return app.extensions["lpmm"].live


def connect(app, browser):
    return app.extensions["lpmm"].live.socketio.test_client(
        app, flask_test_client=browser.client, headers=browser.headers
    )


def received(socket):
    return [(message["name"], message["args"][0]) for message in socket.get_received()]


def test_a_page_that_comes_back_gets_what_it_missed(app, browser, live):
    for sequence in (1, 2, 3):
        live.emit("default", "changed", {"sequence": sequence})
    socket = connect(app, browser)
    socket.emit("watch", {"space": "default", "run": live.run, "seq": 1})
    assert [(name, data["seq"]) for name, data in received(socket)] == [("changed", 2), ("changed", 3)]


@pytest.mark.parametrize(("run", "seq"), [("another", 509), (None, 9999), (None, 0)])
def test_a_page_that_missed_too_much_is_told_to_read_anew(app, browser, live, run, seq):
    """The server was started again, the number is from elsewhere, or more was missed than is kept."""
    for sequence in range(510):
        live.emit("default", "changed", {"sequence": sequence})
    socket = connect(app, browser)
    socket.emit("watch", {"space": "default", "run": run or live.run, "seq": seq})
    assert [name for name, _ in received(socket)] == ["resync"]


def test_a_page_hears_only_its_own_space(app, browser, live, spaces):
    spaces.create("other")
    socket = connect(app, browser)
    socket.emit("watch", {"space": "default"})
    live.emit("other", "changed", {"sequence": 1})
    assert received(socket) == []
    socket.emit("watch", {"space": "other", "leave": "default"})
    live.emit("default", "changed", {"sequence": 1})
    assert received(socket) == []


def test_a_page_that_leaves_while_it_asks_breaks_nothing(app, browser, live, monkeypatch):
    def enter_room(*_, **__):
        raise ValueError("sid is not connected to requested namespace")

    socket = connect(app, browser)
    monkeypatch.setattr(live.socketio.server, "enter_room", enter_room)
    assert socket.emit("watch", {"space": "default"}, callback=True) == {"error": "gone"}


@pytest.mark.parametrize("data", [None, [], "x", {"space": "nowhere"}, {"space": ["default"]}, {}])
def test_a_wrong_wish_joins_nothing(app, browser, data):
    socket = connect(app, browser)
    assert socket.emit("watch", data, callback=True) == {"error": "not-found"}


def test_the_worker_reads_and_tells(app, browser, spaces, live):
    house = app.extensions["lpmm"]
    socket = connect(app, browser)
    socket.emit("watch", {"space": "default"})
    answer = browser("POST", "/sources", json={"name": "a", "text": "凯文住在海边的钟楼。"})
    job, source = answer.json["job"], answer.json["files"][0]["source"]
    assert house.worker._run(spaces.open("default")) == 1
    steps = [data for name, data in received(socket) if name == "job"]
    assert {step["id"] for step in steps} == {job}
    assert steps[-1]["state"] == "done"
    assert steps[-1]["sources"] == [source]
    assert "凯文" in {found["name"] for step in steps for found in step["names"]}


def test_another_process_is_noticed(app, browser, spaces, live):
    worker, memory = app.extensions["lpmm"].worker, spaces.open("default")
    socket = connect(app, browser)
    socket.emit("watch", {"space": "default"})
    worker._tell_changes(memory)
    assert received(socket) == []
    memory.ingest_text("凯文住在钟楼。", name="b")
    worker._tell_changes(memory)
    assert [name for name, _ in received(socket)] == ["changed"]


def test_a_job_that_pauses_is_left_in_peace(app, browser, spaces):
    """It is told once that it pauses, not every second."""
    worker, memory = app.extensions["lpmm"].worker, spaces.open("default")
    browser("POST", "/sources", json={"name": "a", "text": "凯文住在海边的钟楼。"})
    with memory._store.database.writing() as connection:
        connection.execute("UPDATE jobs SET lease = ?", (time.time() + 60,))
    socket = connect(app, browser)
    socket.emit("watch", {"space": "default"})
    assert worker._run(memory) == 0
    assert received(socket) == []


def test_a_long_text_in_one_space_keeps_no_other_waiting(app, browser, spaces, monkeypatch):
    worker, long, short = app.extensions["lpmm"].worker, spaces.open("default"), spaces.create("other")
    begun, go_on = threading.Event(), threading.Event()
    run_jobs = type(long).run_jobs

    def held(memory, **options):
        if memory is long:
            begun.set()
            go_on.wait(30)
        return run_jobs(memory, **options)

    monkeypatch.setattr(type(long), "run_jobs", held)
    browser("POST", "/sources", json={"name": "a", "text": "凯文住在海边的钟楼。"})
    worker.start()
    try:
        assert begun.wait(10)
        address = "/api/v1/spaces/other"
        job = browser("POST", f"{address}/sources", json={"name": "b", "text": "爱莉希雅住在花园。"}).json["job"]
        assert wait_for(lambda: short.job(job).state == "done")
    finally:
        go_on.set()
        worker.close()
