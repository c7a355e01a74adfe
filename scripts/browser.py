"""Make sure that the browser tests find a Chromium and fonts for Chinese; say what is installed, if anything is.

Debian packages both, so root on Debian gets them from there. Elsewhere (Ubuntu's package is a snap, which containers
and WSL2 do not start) Playwright fetches its own build.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

FONT = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc")
ON_DEBIAN = {"chromium": lambda: shutil.which("chromium"), "fonts-noto-cjk": FONT.exists}


def is_debian() -> bool:
    """Tell whether this is Debian itself, with the right to install packages."""
    release = Path("/etc/os-release")
    return release.exists() and "\nID=debian\n" in f"\n{release.read_text()}" and os.geteuid() == 0


def debian(packages: list[str]) -> bool:
    """Install Debian packages; tell whether that worked."""
    print(f"the browser tests need {' and '.join(packages)}: installing from Debian", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        command = ["apt-get", "-qq", *step]
        # its hundred lines of progress help nobody; what goes wrong comes on stderr
        run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
        if run.returncode:
            return False
    return True


def playwright() -> str:
    """Let Playwright fetch its own Chromium, if it is not there yet; return what stood in the way, or nothing."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        if Path(driver.chromium.executable_path).exists():
            return ""
    print("the browser tests need Chromium: Playwright fetches its own build", flush=True)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in run.stderr.splitlines() if line.startswith("Error: ")]
    return "" if run.returncode == 0 else (errors or ["it failed"])[0]


def main() -> str | None:
    """Return why there is no browser, or nothing when there is one."""
    if is_debian():
        missing = [package for package, present in ON_DEBIAN.items() if not present()]
        if not missing or debian(missing):
            return None
    if shutil.which("chromium"):
        return None
    problem = playwright()
    return f"no Chromium: install the package `chromium` and try again; Playwright said: {problem}" if problem else None


if __name__ == "__main__":
    sys.exit(main())
