"""Which language the page speaks, and its words.

A cookie set by the switch in the head wins, else the browser's own preference. Words live in `static/strings.<language>.json`, which the
page's scripts read too; a test holds both files to the same keys.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Literal

from flask import Request

from webui.paths import folder

Language = Literal["zh", "en"]
COOKIE = "lpmm-language"


@cache
def strings(language: Language) -> dict[str, str]:
    """Return the words of a language."""
    text = (folder("static") / f"strings.{language}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return words


def choose(request: Request) -> Language:
    """Return the language for this visitor."""
    chosen = request.cookies.get(COOKIE)
    if chosen in ("zh", "en"):
        return "zh" if chosen == "zh" else "en"
    best = request.accept_languages.best_match(["zh", "zh-CN", "zh-TW", "zh-HK", "en"], default="en")
    return "zh" if best.startswith("zh") else "en"
