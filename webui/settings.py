"""What a server may take in and how it calls itself."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("lpmm")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Limits in bytes. The cookie's name holds the port: cookies know no ports, and two servers must not close each other's sessions."""

    largest_request: int = 200 * 1024 * 1024
    largest_file: int = 50 * 1024 * 1024
    most_files: int = 1000
    cookie: str = "lpmm"
    version: str = _version()
