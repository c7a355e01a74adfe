"""Understanding a question: its language, and the names in it that the memory knows.

Names are found by looking up every run of words or characters of the question that could be a key; the longest win. That asks nothing
of a parser, works for any script, and finds exactly the names that lead somewhere.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

from lpmm_core.base.names import name_key, why_not_a_name
from lpmm_core.base.records import Kind
from lpmm_core.index.tokens import is_stop_word
from lpmm_core.store.evidence import known_names
from lpmm_core.store.read import displayed

LONGEST_RUN = 12
"""Characters (in scripts without spaces) or words that a name in a question may have."""

_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_PIECE = re.compile(r"[㐀-䶿一-鿿豈-﫿]|[^\W㐀-䶿一-鿿豈-﫿]+(?:['’.-][^\W㐀-䶿一-鿿豈-﫿]+)*|[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A name of the memory that stands in the question: rows of the name and its entity, and the characters it covers."""

    name: int
    entity: int
    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood: the language it is put in, the one its result speaks ("zh" or "en"), and the names in it."""

    text: str
    language: str
    told_in: str
    names: tuple[NamedEntity, ...]


def language_of(text: str) -> str:
    """Return "zh" when a fair share of the letters are Chinese characters, else "en"."""
    letters = sum(c.isalpha() for c in text)
    return "zh" if letters and len(_HAN.findall(text)) * 4 >= letters else "en"


def understand(connection: sqlite3.Connection, text: str, told_in: str | None = None) -> Question:
    """Read a question against the names this memory knows at this moment; its result speaks its language unless `told_in` says another."""
    language = language_of(text)
    return Question(text, language, told_in or language, tuple(_names(connection, text)))


def _names(connection: sqlite3.Connection, text: str) -> list[NamedEntity]:
    pieces = [(m.start(), m.end()) for m in _PIECE.finditer(text)]
    spans: dict[tuple[int, int], str] = {}
    for i, (start, _) in enumerate(pieces):
        for j in range(i, min(i + LONGEST_RUN, len(pieces))):
            end = pieces[j][1]
            key = name_key(text[start:end])
            if _could_be_a_name(key):
                spans[start, end] = key
    rows = known_names(connection, list(dict.fromkeys(spans.values())))
    seen: list[NamedEntity] = []
    for (start, end), key in sorted(spans.items(), key=lambda item: (item[0][0] - item[0][1], item[0][0])):
        if key in rows and not any(start < other.end and other.start < end for other in seen):
            entity = connection.execute(
                "SELECT e.id FROM names n JOIN visible_entities e ON e.id = n.entity WHERE n.id = ?", (rows[key],)
            ).fetchone()
            if entity is not None and (
                len(key) > 1 or _stands_alone(text, start, end) or _is_person(connection, entity["id"])
            ):
                seen.append(NamedEntity(rows[key], entity["id"], key, start, end))
    return sorted(seen, key=lambda name: name.start)


def _could_be_a_name(key: str) -> bool:
    return not is_stop_word(key) and (len(key) > 1 or bool(_HAN.match(key))) and why_not_a_name(key) is None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether a character is no part of a longer run: the 山 of 山长 is no mountain."""
    return not any(_HAN.match(neighbour) for neighbour in (text[start - 1 : start], text[end : end + 1]))


def _is_person(connection: sqlite3.Connection, entity: int) -> bool:
    return displayed(connection, [entity])[entity][1] is Kind.PERSON
