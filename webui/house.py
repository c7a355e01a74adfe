"""What the parts of one application share, reachable from a request without module state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import current_app

from webui.auth import Gate

if TYPE_CHECKING:
    from lpmm_core.memory import Memory
    from lpmm_core.spaces import Spaces
    from webui.live import Live
    from webui.worker import Worker


@dataclass(frozen=True, slots=True)
class House:
    """The spaces, the gate, the live channel and the worker of one application."""

    spaces: Spaces
    gate: Gate
    live: Live
    worker: Worker


def house() -> House:
    """Return the present application's house."""
    found: House = current_app.extensions["lpmm"]
    return found


def memory_of(space: str) -> Memory:
    """Return the memory named in the address.

    Raises:
        NotFound: there is none of that name.
    """
    return house().spaces.open(space)
