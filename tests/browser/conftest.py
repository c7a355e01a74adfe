"""A real server over real memories, and a real browser; every test also fails on a console error or a request to another host."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.settings import LLMSettings, RetrieveSettings, Settings
from lpmm_core.memory import Memory
from lpmm_core.spaces import Spaces, fill_sample
from tests.fixtures.embedder import HashEmbedder
from webui.serve import serving

SHOTS = Path(__file__).parent / "screenshots"
QUIET = ["background-networking", "component-update", "sync", "gpu"]


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A page that is left while it loads leaves the server's file to the garbage collector.
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    settings = Settings(retrieve=RetrieveSettings(fact_threshold=-1.0))
    embedder = HashEmbedder()
    folder = tmp_path_factory.mktemp("spaces")
    spaces = Spaces(folder, open_memory=lambda path: Memory.open(path, settings=settings, embedder=embedder))
    fill_sample(spaces.ensure("sample"))
    with serving(spaces) as running:
        yield running
    spaces.close()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as driver:
        found = shutil.which("chromium")
        options = {"executable_path": found} if found else {}
        arguments = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in QUIET)]
        browser = driver.chromium.launch(args=arguments, **options)
        yield browser
        browser.close()


class Visit:
    """Opens pages as a person would, and notes what should not happen."""

    def __init__(self, served, chromium):
        self.served, self.chromium, self.contexts, self.troubles = served, chromium, [], []
        self.allowed: list[str] = []

    def __call__(self, space, page="ask", *, query="", width=1440, height=900, language="zh-CN", theme="light", **more):
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, locale=language, color_scheme=theme, **more
        )
        context.set_default_timeout(15_000)
        self.contexts.append(context)
        opened = context.new_page()
        host = urlsplit(self.served.origin).netloc
        opened.on("console", lambda m: m.type == "error" and self.troubles.append(f"console: {m.text}"))
        opened.on("pageerror", lambda e: self.troubles.append(f"error: {e}"))
        opened.on("dialog", lambda d: (self.troubles.append(f"dialog: {d.message}"), d.dismiss()))
        opened.on("request", lambda r: urlsplit(r.url).netloc != host and self.troubles.append(f"elsewhere: {r.url}"))
        opened.goto(self.served.address(space))
        assert "token" not in opened.url
        if page != "ask" or query:
            opened.goto(f"{self.served.origin}/s/{space}/{page}{query}")
        opened.wait_for_selector('main:not([data-state="loading"])')
        return opened

    def close(self):
        for context in self.contexts:
            context.close()


@pytest.fixture
def visit(served, chromium):
    visit = Visit(served, chromium)
    yield visit
    visit.close()
    assert [trouble for trouble in visit.troubles if not any(text in trouble for text in visit.allowed)] == []


_count = itertools.count()


@pytest.fixture
def empty(served):
    """The name of a new, empty space."""
    name = f"empty-{next(_count)}"
    served.house.spaces.create(name)
    return name


@pytest.fixture
def failing(served):
    """Make a space whose models outside do not answer; return its memory."""

    class Dead(HashEmbedder):
        name = "dead"

        def embed(self, texts, kind):
            raise ProviderError("models.example did not answer within 60 s", retryable=False)

        def complete(self, system, user, *, max_tokens=2048):
            raise ProviderError("models.example answered 401: the key is not valid", retryable=False)

    def make(name, *, embedder=None, chat=None):
        llm = LLMSettings(base_url="http://models.example/v1", model="dead")
        settings = Settings(llm=llm if chat else None)
        spaces = served.house.spaces
        usual = spaces._open_memory
        spaces._open_memory = lambda path: Memory.open(
            path, settings=settings, embedder=Dead() if embedder else HashEmbedder(), chat=Dead() if chat else None
        )
        try:
            return spaces.create(name)
        finally:
            spaces._open_memory = usual

    return make


@pytest.fixture
def shot():
    def take(page, name):
        SHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")

    return take


def place(page, name):
    """Where a name stands on the canvas, in the page's pixels."""
    item = page.locator(f'.mirror li[data-name="{name}"]')
    item.wait_for(state="attached")
    page.wait_for_function('name => document.querySelector(`.mirror li[data-name="${name}"]`)?.dataset.x', arg=name)
    box = page.locator("#canvas").bounding_box()
    return box["x"] + int(item.get_attribute("data-x")), box["y"] + int(item.get_attribute("data-y"))
