"""What the Chinese clause rules hand to each other: somebody does something to something, somewhere, some time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lpmm_core.extract.chinese.chunks import Verb
from lpmm_core.extract.chinese.nouns import Noun


class Rule(StrEnum):
    """By which rule an event was read; each has its confidence in `relations`."""

    CLAUSE = "clause"
    CARRIED = "carried subject"
    RELATIVE = "relative clause"
    PIVOT = "pivot"
    FAR = "subject of an earlier sentence"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A prepositional phrase; `location` is the localizer behind it (里, 中)."""

    preposition: str
    nouns: tuple[Noun, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """One predicate with what belongs to it.

    `appointed` is the verb before a pivot that 为 makes something of (任命 甲 为 乙).

    `agents` are behind 被 or 由, `themes` behind 把. `hypothetical` events (如果, a question) make no triple.
    """

    subjects: tuple[Noun, ...]
    verb: Verb
    objects: tuple[Noun, ...] = ()
    agents: tuple[Noun, ...] = ()
    themes: tuple[Noun, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    times: tuple[str, ...] = ()
    adverbs: tuple[str, ...] = ()
    topic: Noun | None = None
    passive: bool = False
    negated: bool = False
    hypothetical: bool = False
    rule: Rule = Rule.CLAUSE
    appointed: str = ""
