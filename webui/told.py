"""What the engine says, in Chinese, for the one page that no script fills.

The catalogue and its rules are those of `static/told.js`: a template must match the whole sentence, the one that says most itself is tried
first, `{0}` stays as it is, `{told 0}` is a sentence again, `{each 0}` several.
"""

from __future__ import annotations

import json
import re
from functools import cache

from webui.paths import folder

_GAP = re.compile(r"\{\d+\}")
_FILL = re.compile(r"\{(told |each |)(\d+)\}")


def told(text: str) -> str:
    """Return the Chinese form of a sentence of the engine, or the sentence itself where there is none."""
    return _translated(text) or text


@cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    catalogue: dict[str, str] = json.loads((folder("static") / "told.zh.json").read_text(encoding="utf-8"))
    ordered = sorted(catalogue.items(), key=lambda entry: -len(_GAP.sub("", entry[0])))
    return [(re.compile("(.*?)".join(map(re.escape, _GAP.split(key))), re.DOTALL), text) for key, text in ordered]


def _translated(text: str) -> str | None:
    for pattern, chinese in _templates():
        if match := pattern.fullmatch(text):
            return _filled_in(chinese, match.groups())
    return None


def _filled_in(chinese: str, values: tuple[str, ...]) -> str:
    return _FILL.sub(lambda fill: _filled(values[int(fill[2])], fill[1]), chinese)


def _filled(value: str, how: str) -> str:
    if how == "told ":
        return told(value)
    if how == "each ":
        return (
            "；".join(_each(value, "; "))
            if "; " in value
            else re.sub(r"、\.{3}\Z", " 等", "、".join(_each(value, ", ")))
        )
    return re.sub(r"\A(['\"])(.*)\1\Z", r"“\2”", value, flags=re.DOTALL)


def _each(value: str, joint: str) -> list[str]:
    """Return the sentences of a list; one may hold the joint itself."""
    parts, found, start = value.split(joint), list[str](), 0
    while start < len(parts):
        ends = range(start + 1, len(parts) + 1)
        whole = next(((t, end) for end in ends if (t := _translated(joint.join(parts[start:end])))), None)
        text, start = whole or (parts[start], start + 1)
        found.append(text)
    return found
