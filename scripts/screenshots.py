"""Write the pictures that the documentation shows: the sample memory, in both languages and themes, read by the real models.

`make screenshots` runs this; the pictures go to docs/screenshots. Nothing of the user's own memories is opened.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from lpmm_core.base.settings import Settings
from lpmm_core.spaces import Spaces, fill_sample
from webui.serve import serving

TARGET = Path(__file__).parent.parent / "docs" / "screenshots"
QUIET = ["background-networking", "component-update", "sync", "gpu"]
SETTLED = 1200  # milliseconds, for a path to be lit and names to be inked


def ask(page: Page, question: str) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-path="lit"]')
    # The cursor and the first question's cold models are no part of the picture.
    page.reload()
    page.wait_for_selector('main[data-path="lit"]')
    page.evaluate("document.activeElement.blur()")


def find(page: Page, name: str) -> None:
    page.click(".rail a:nth-child(2)")
    page.wait_for_selector('main[data-state="ready"]')
    page.fill("#search input", name)
    page.wait_for_selector('#search [role="option"]')
    page.keyboard.press("Enter")
    page.wait_for_selector(".entry")
    page.evaluate("document.activeElement.blur()")


def read(page: Page, source: str) -> None:
    page.click(".rail a:nth-child(3)")
    page.click(f'.shelf .title:has-text("{source}")')
    page.wait_for_selector('main[data-state="reading"]')
    page.click(".passage .name.person >> nth=0")
    page.wait_for_selector(".entry")
    page.evaluate("document.activeElement.blur()")


PICTURES = {
    "ask-zh": ("zh-CN", "light", lambda page: ask(page, "半灯书院第二任山长画的那幅长卷挂在什么地方？")),
    "ask-en": ("en-GB", "dark", lambda page: ask(page, "Who founded the firm that Beatrix Lorne worked for?")),
    "graph-zh": ("zh-CN", "light", lambda page: find(page, "望汛塔")),
    "graph-en": ("en-GB", "dark", lambda page: find(page, "Miriam Dask")),
    "library-zh": ("zh-CN", "light", lambda page: read(page, "people.txt")),
    "library-en": ("en-GB", "light", lambda page: read(page, "lives.md")),
}


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        spaces = Spaces(Path(folder), settings=Settings())
        fill_sample(spaces.ensure("sample"))
        found = shutil.which("chromium")
        arguments = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in QUIET)]
        browser = driver.chromium.launch(args=arguments, **({"executable_path": found} if found else {}))
        with serving(spaces) as running:
            shoot = {"empty-zh": ("zh-CN", "light", None), **PICTURES}
            for name, (language, theme, act) in shoot.items():
                context = browser.new_context(
                    viewport={"width": 1440, "height": 900}, locale=language, color_scheme=theme
                )
                page = context.new_page()
                page.goto(running.address("default" if act is None else "sample"))
                page.wait_for_selector('main:not([data-state="loading"])')
                if act is not None:
                    act(page)
                page.wait_for_timeout(SETTLED)
                page.screenshot(path=TARGET / f"{name}.png")
                print(TARGET / f"{name}.png")
                context.close()
        browser.close()
        spaces.close()


if __name__ == "__main__":
    main()
