"""Reading a chat model's answer: JSON however it comes, and only what has the right shape.

Seen in the wild: thoughts before the answer, code fences, text around it, an answer cut off in the middle, a bare list, another key, one
more level of nesting, NaN, numbers and nulls where names belong. `json_repair` closes what is open; nothing is ever evaluated. An
answer that holds no list at all is None, so that it can be asked for again; an empty list is an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

import json_repair

from lpmm_core.base.records import Kind

_LONGEST_ANSWER = 60_000
_MOST_ITEMS = 200
_DEEPEST = 5
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_UNFINISHED_THOUGHTS = re.compile(r"<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[A-Za-z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)

_NAME_KEYS = ("name", "text", "entity", "value", "名称", "实体")
_KIND_KEYS = ("kind", "type", "label", "类型", "类别")
_SUBJECT_KEYS = ("subject", "s", "head", "主语", "主体")
_PREDICATE_KEYS = ("predicate", "p", "relation", "relationship", "verb", "谓语", "关系")
_OBJECT_KEYS = ("object", "o", "tail", "宾语", "客体")
_KINDS = {
    "person": Kind.PERSON,
    "people": Kind.PERSON,
    "place": Kind.PLACE,
    "location": Kind.PLACE,
    "gpe": Kind.PLACE,
    "organisation": Kind.ORGANISATION,
    "organization": Kind.ORGANISATION,
    "org": Kind.ORGANISATION,
    "company": Kind.ORGANISATION,
    "event": Kind.EVENT,
    "work": Kind.WORK,
    "date": Kind.DATE,
    "time": Kind.DATE,
    "人物": Kind.PERSON,
    "地点": Kind.PLACE,
    "组织": Kind.ORGANISATION,
    "事件": Kind.EVENT,
    "作品": Kind.WORK,
    "日期": Kind.DATE,
}


@dataclass(frozen=True, slots=True)
class ReadName:
    """A name an answer lists."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class ReadTriple:
    """A triple an answer states."""

    subject: str
    predicate: str
    object: str
    negated: bool = False


def read_names(answer: str) -> list[ReadName] | None:
    """The names of an answer, None when it holds no list."""
    items = _items(answer, ("names", "entities", "named_entities", "名称", "实体"))
    if items is None:
        return None
    found = []
    for item in items:
        name = _text(item) if not isinstance(item, dict) else _field(item, _NAME_KEYS)
        if name:
            kind = _field(item, _KIND_KEYS) if isinstance(item, dict) else None
            found.append(ReadName(name, _KINDS.get((kind or "").casefold(), Kind.THING)))
    return found


def read_triples(answer: str) -> list[ReadTriple] | None:
    """The triples of an answer, None when it holds no list."""
    items = _items(answer, ("triples", "relations", "facts", "三元组", "关系"))
    if items is None:
        return None
    return [triple for item in items if (triple := _triple(item)) is not None]


def _triple(item: Any) -> ReadTriple | None:
    if isinstance(item, dict):
        parts = [_field(item, keys) for keys in (_SUBJECT_KEYS, _PREDICATE_KEYS, _OBJECT_KEYS)]
        negated = item.get("negated") is True or str(item.get("negated")).casefold() == "true"
    elif isinstance(item, list) and len(item) in {3, 4}:
        parts = [_text(part) for part in item[:3]]
        negated = len(item) == 4 and (item[3] is True or str(item[3]).casefold() in {"true", "negated"})
    else:
        return None
    subject, predicate, object_ = parts
    return ReadTriple(subject, predicate, object_, negated) if subject and predicate and object_ else None


def _items(answer: str, keys: tuple[str, ...]) -> list[Any] | None:
    text = _UNFINISHED_THOUGHTS.sub("", _THOUGHTS.sub("", answer[-_LONGEST_ANSWER:]))
    text = text.rsplit("</think>", 1)[-1]
    fenced = [block for block in _FENCE.findall(text) if "[" in block or "{" in block]
    for candidate in (*reversed(fenced), text):
        begin = min((place for place in (candidate.find("["), candidate.find("{")) if place >= 0), default=-1)
        if begin < 0:
            continue
        try:
            parsed = json_repair.loads(candidate[begin:])
        except (ValueError, RecursionError):
            continue
        found = _list_in(parsed, keys, _DEEPEST)
        if found is not None:
            return found[:_MOST_ITEMS]
    return None


def _list_in(parsed: Any, keys: tuple[str, ...], depth: int) -> list[Any] | None:
    """The list under one of `keys`, else the only list there is, at most `depth` levels down."""
    if depth == 0:
        return None
    if isinstance(parsed, dict):
        for key in keys:
            value = parsed.get(key)
            if isinstance(value, list):
                return value
        inner = [found for value in parsed.values() if (found := _list_in(value, keys, depth - 1)) is not None]
        if len(inner) == 1:
            return inner[0]
        return [parsed] if any(key in parsed for key in (*_SUBJECT_KEYS, *_NAME_KEYS)) else None
    if isinstance(parsed, list):
        wrapped = [
            item for item in parsed if isinstance(item, dict) and any(isinstance(item.get(key), list) for key in keys)
        ]
        if wrapped:
            return _list_in(wrapped[-1], keys, depth - 1)
        while len(parsed) == 1 and isinstance(parsed[0], list) and parsed[0] and isinstance(parsed[0][0], (list, dict)):
            parsed = parsed[0]
        if len(parsed) in {3, 4} and all(isinstance(part, str) for part in parsed[:3]) and "triples" in keys:
            return [parsed]  # one bare triple
        return list(parsed)
    return None


def _field(item: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((text for key in keys if (text := _text(item.get(key)))), None)


def _text(value: Any, depth: int = 2) -> str | None:
    """A value as text: strings and numbers, the name inside a nested object; None for NaN, null, truth values and lists."""
    if isinstance(value, str):
        return value.strip() if value.strip() not in {"", "NaN", "null", "None"} else None
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return str(value)
    if isinstance(value, dict) and depth:
        return next((text for key in _values(value) if (text := _text(key, depth - 1))), None)
    return None


def _values(item: dict[str, Any]) -> Iterator[Any]:
    yield from (item[key] for key in _NAME_KEYS if key in item)
    yield from item.values()
