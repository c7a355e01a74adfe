"""Where pages and static files stand: inside the package once installed, at the root of the tree in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def folder(name: str) -> Path:
    """Return the folder `templates` or `static`.

    Raises:
        FileNotFoundError: neither an installed package nor a checkout.
    """
    for parent in (_PACKAGE, _PACKAGE.parent):
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(f"no folder {name} beside or inside {_PACKAGE}; is the installation complete?")
