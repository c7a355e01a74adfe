"""Install the locked packages into the running interpreter's environment, or renew the locks.

    python scripts/packages.py install runtime|dev
    python scripts/packages.py lock

pip is on every machine and knows its mirrors, proxies and certificates; uv installs the same files in a tenth of the
time but reads none of pip's settings. So pip fetches uv, uv does the rest with pip's settings handed on, and where uv
fails pip does it. Either way every file must match its hash, and source packages are built with locked tools only.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
UV = [str(Path(sys.executable).with_name("uv")), "pip"]

# pip's option -> uv's variable, and what separates several values there
VARIABLES = {
    "index-url": ("UV_DEFAULT_INDEX", ""),
    "cert": ("SSL_CERT_FILE", ""),
    "client-cert": ("SSL_CLIENT_CERT", ""),
    "proxy": ("ALL_PROXY", ""),
    "timeout": ("UV_HTTP_TIMEOUT", ""),
    "default-timeout": ("UV_HTTP_TIMEOUT", ""),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "no-index": ("UV_NO_INDEX", ""),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
}
# A lock must list the hashes of the public index, not of the few files that one machine keeps at hand.
LOCAL = {"no-index", "extra-index-url", "find-links"}


def pip_settings() -> dict[str, str]:
    """Return pip's settings from its files and PIP_* variables, the strongest of each option."""
    listing = subprocess.run([*PIP, "config", "list"], check=True, capture_output=True, text=True).stdout
    strength = {"global": 0, "install": 1, ":env:": 2}
    found: dict[str, tuple[int, str]] = {}
    for line in listing.splitlines():
        key, _, value = line.partition("=")
        section, _, option = key.rpartition(".")
        if section in strength and strength[section] >= found.get(option, (0, ""))[0]:
            found[option] = strength[section], ast.literal_eval(value)
    return {option: value for option, (_, value) in found.items()}


def uv_environment(settings: dict[str, str], *, skip: Collection[str] = ()) -> dict[str, str]:
    """Return this process's environment with pip's settings as uv's variables; a variable that is set stays."""
    environment = {
        "UV_SYSTEM_CERTS": "1",  # as pip does
        "UV_INDEX_STRATEGY": "unsafe-best-match",  # pip too looks in every index; the hashes keep it safe
        "UV_CUSTOM_COMPILE_COMMAND": "make lock",
    }
    for option, value in settings.items():
        if option in VARIABLES and option not in skip:
            name, separator = VARIABLES[option]
            environment[name] = separator.join(value.split()) if separator else value
    return environment | os.environ


def install(name: str) -> None:
    """Install the locked set `name`; with "runtime" also the project itself, editable."""
    locked = ["--quiet", "--no-deps", "--require-hashes"]
    steps = [[*locked, "--no-build-isolation", "-r", str(LOCKS / f"{name}.txt")]]
    if name == "runtime":
        subprocess.run([*PIP, "install", *locked, "-r", str(LOCKS / "build.txt")], check=True)
        steps.append(["--quiet", "--no-deps", "--no-build-isolation", "-e", str(ROOT)])
    uv = [*UV, "install", "--python", sys.executable]
    environment = uv_environment(pip_settings())
    for step in steps:
        if subprocess.run([*uv, *step], env=environment, check=False).returncode:
            print("uv could not install; pip takes over (slower)", file=sys.stderr)
            subprocess.run([*PIP, "install", "--no-compile", *step], check=True)


def lock() -> None:
    """Write requirements/*.txt from pyproject.toml with the newest versions that fit."""
    compile_ = [*UV, "compile", "--quiet", "--upgrade", "--generate-hashes", "--python-version", "3.11"]
    environment = uv_environment(pip_settings(), skip=LOCAL)
    runtime = "requirements/runtime.txt"
    for arguments in (
        ["pyproject.toml", "-o", runtime],
        ["--group", "build", "-c", runtime, "-o", "requirements/build.txt"],
        ["--group", "dev", "-c", runtime, "-o", "requirements/dev.txt"],
    ):
        subprocess.run([*compile_, *arguments], cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["install", ("runtime" | "dev") as name]:
            install(name)
        case ["lock"]:
            lock()
        case _:
            sys.exit(__doc__)
