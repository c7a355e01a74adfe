"""The nouns of a memory.

A *source* (a document, a conversation, a hand edit) holds *occurrences* of *passages*. Reading a passage finds *mentions* of names
and *triples*; a mention is evidence for an *entity*, a triple for a *fact*. Passages, entities and facts are shared by all sources;
evidence is what each source adds, and taking the source away takes its evidence away.

Records here are what the engine hands out: frozen, complete, with opaque text ids. Row numbers stay inside the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

Vectors = NDArray[np.float32]
"""(n, d) float32, one row a text."""


class Kind(StrEnum):
    """What a name names."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    EVENT = "event"
    WORK = "work"
    THING = "thing"
    DATE = "date"
    MONEY = "money"
    EMAIL = "email"
    URL = "url"
    PHONE = "phone"
    HANDLE = "handle"


class State(StrEnum):
    """How far the reading of an occurrence has come. Its text is durable and searchable from the first state on."""

    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"


# --- what a reader finds in a text ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a passage: `name` is the text at [start, end), characters of the passage's text."""

    name: str
    kind: Kind
    start: int
    end: int
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, predicate, object as stated by the sentence at [start, end), characters of the passage's text.

    `subject` and `object` are names as they should be shown (a resolved pronoun is the name it stands for); each is also an entity.
    """

    subject: str
    predicate: str
    object: str
    start: int = 0
    end: int = 0
    confidence: float = 1.0
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one reading of one passage found."""

    mentions: tuple[Mention, ...] = ()
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Terms of a document that must not be cut apart, with their kinds; sorted, so that equal lexicons are equal."""

    terms: tuple[tuple[str, Kind], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One passage to be read, with what its occurrence knows: who says it to whom, when, under which title."""

    text: str
    title: str | None = None
    speaker: str | None = None
    addressee: str | None = None
    said_at: datetime | None = None
    lexicon: Lexicon = field(default_factory=Lexicon)


class Extractor(Protocol):
    """Turns passages into mentions and triples. Deterministic: the same reading gives the same extraction, whatever its batch."""

    @property
    def name(self) -> str:
        """Name and version, part of every cache key: `local/1`, `llm/<model>/1`."""
        ...

    def discover(self, texts: Sequence[str]) -> Lexicon:
        """Find the terms of one document, given its passages."""
        ...

    def extract(self, readings: Sequence[Reading]) -> list[Extraction]:
        """Read each passage; one extraction a reading, in order.

        Raises:
            ProviderError: a model outside the engine failed.
        """
        ...


# --- what a document brings ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage as it stands in a document, before it is known whether the memory has it already.

    `extraction` comes with files that were read elsewhere (OpenIE JSON) and then stands in place of our own reading.
    """

    text: str
    title: str | None = None
    speaker: str | None = None
    said_at: datetime | None = None
    extraction: Extraction | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One file or one text, decoded and split. `digest` is the sha256 of its bytes."""

    name: str
    digest: str
    media: str
    pieces: tuple[Piece, ...]
    encoding: str | None = None
    notes: tuple[str, ...] = ()


# --- what the memory hands out --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interval:
    """Half-open [start, end); None is open."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where text comes from."""

    id: str
    name: str
    media: str
    created: datetime
    passages: int
    states: Mapping[str, int]
    trust: float = 1.0
    deleted: bool = False
    encoding: str | None = None
    digest: str | None = None
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A passage in a source."""

    id: str
    passage: str
    source: str
    source_name: str
    position: int
    state: State
    speaker: str | None = None
    said_at: datetime | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, once per content."""

    id: str
    text: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A name with a kind and aliases; `passages` counts the visible passages that mention it."""

    id: str
    name: str
    kind: Kind
    aliases: tuple[str, ...]
    passages: int
    version: int
    hand: bool = False
    pinned: bool = False
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """Subject, predicate, object, with its two times and its evidence (occurrence ids)."""

    id: str
    subject: str
    subject_id: str
    predicate: str
    object: str
    object_id: str
    recorded: Interval
    valid: Interval
    confidence: float
    evidence: tuple[str, ...]
    version: int
    negated: bool = False
    hand: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A stretch of a longer list: `items` begin at `offset` of `total`."""

    items: tuple[T, ...]
    total: int
    offset: int = 0
