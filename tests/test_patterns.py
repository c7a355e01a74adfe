"""Regular expressions that every Python since 3.11.0 reads alike."""

from __future__ import annotations

import re
from pathlib import Path

import lpmm_core
import webui

_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")
_SET = re.compile(r"\[(?:\\.|[^\]\\])*\]")


def test_no_group_repeats_possessively() -> None:
    """Python before 3.11.5, as Debian 12 has it, matches such a group wrongly: texts would be cut otherwise there than elsewhere."""
    folders = [Path(package.__file__ or "").parent for package in (lpmm_core, webui)]
    lines = [
        f"{file.name}:{number}"
        for folder in folders
        for file in sorted(folder.rglob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if _POSSESSIVE_GROUP.search(_SET.sub("x", line))
    ]
    assert lines == []
