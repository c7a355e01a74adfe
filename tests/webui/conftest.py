"""One application over real spaces with the hash embedder, and a browser that has entered."""

import time

import pytest

from lpmm_core.base.settings import RetrieveSettings, Settings
from lpmm_core.memory import Memory
from lpmm_core.spaces import Spaces
from tests.fixtures.embedder import HashEmbedder
from webui import WebSettings, create_app

TEXT = """凯文住在海边的钟楼。钟楼由维尔薇设计。

爱莉希雅认识凯文。爱莉希雅住在花园。

Ada Lovelace lived in London. Ada Lovelace met Charles Babbage in 1833."""


def wait_for(true, *, seconds=20):
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def spaces(tmp_path):
    # So few facts lie far from any question once they are centred; here each may lead.
    settings = Settings(retrieve=RetrieveSettings(fact_threshold=-1.0))
    embedder = HashEmbedder()
    spaces = Spaces(tmp_path, open_memory=lambda path: Memory.open(path, settings=settings, embedder=embedder))
    spaces.ensure("default")
    yield spaces
    spaces.close()


@pytest.fixture
def app(spaces):
    return create_app(spaces, WebSettings(largest_request=200_000, largest_file=50_000))


class Browser:
    """A test client that sends what a browser on our own page sends."""

    def __init__(self, app):
        self.app, self.client = app, app.test_client()
        self.headers = {"Host": "127.0.0.1:8017", "Sec-Fetch-Site": "same-origin"}

    def enter(self):
        token = self.app.extensions["lpmm"].gate.mint()
        return self.client.get(f"/enter?token={token}", headers=self.headers)

    def __call__(self, method, path, **options):
        headers = {**self.headers, **options.pop("headers", {})}
        path = path if path.startswith(("/api", "/s/")) else f"/api/v1/spaces/default{path}"
        return self.client.open(path, method=method, headers=headers, **options)


@pytest.fixture
def stranger(app):
    return Browser(app)


@pytest.fixture
def browser(app):
    browser = Browser(app)
    assert browser.enter().status_code == 303
    return browser


@pytest.fixture
def filled(browser, spaces):
    """The same, over a memory that has read a little text."""
    spaces.open("default").ingest_text(TEXT, name="起点.txt")
    return browser
