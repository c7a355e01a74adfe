"""LPMM: a long-term memory that a person can see, correct and teach.

`Memory` is the whole public surface; see `lpmm_core.memory`. It is loaded when first asked for, so that naming the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lpmm_core.memory import Memory

__all__ = ["Memory"]


def __getattr__(name: str) -> Any:
    if name == "Memory":
        from lpmm_core.memory import Memory

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
