"""What the API gives, as pydantic models, which describe it in the OpenAPI document.

Times are UTC ISO 8601 text; ids are opaque; an interval is [start, end), null is open.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

Interval = tuple[str | None, str | None]


class Health(BaseModel):
    """The server answers."""

    status: Literal["ok"]
    version: str


class Space(BaseModel):
    """A memory; `error` says why it cannot be read, and then nothing is counted."""

    name: str
    title: str
    paragraphs: int | None
    sample: bool
    error: str | None = None


class Spaces(BaseModel):
    """All memories here."""

    items: list[Space]


class Stats(BaseModel):
    """How much there is."""

    paragraphs: int
    occurrences: int
    entities: int
    facts: int
    links: dict[str, int]
    sources: int
    states: dict[str, int]
    sequence: int


class SourceRef(BaseModel):
    """Where a paragraph stands."""

    id: str
    name: str


class Source(BaseModel):
    """A document, with how far each of its paragraphs is read."""

    id: str
    name: str
    media: str
    created: str
    paragraphs: int
    states: dict[str, int]
    encoding: str | None
    failures: list[str]
    deleted: bool


class SourcePage(BaseModel):
    """A part of the sources, newest first."""

    items: list[Source]
    total: int
    offset: int
    limit: int


class FileReport(BaseModel):
    """What became of one file."""

    name: str
    state: str
    reasons: list[str]
    source: str | None = None


class IngestReport(BaseModel):
    """What became of an upload; the job reads the text."""

    operation: str | None
    job: str | None
    files: list[FileReport]
    counts: dict[str, int]


class Fact(BaseModel):
    """Subject, predicate, object."""

    id: str
    subject: str
    subject_id: str
    predicate: str
    object: str
    object_id: str
    recorded: Interval
    valid: Interval
    confidence: float
    evidence: list[str]
    version: int
    negated: bool
    hand: bool


class Span(BaseModel):
    """A name in a paragraph's text, [start, end) in code points."""

    start: int
    end: int
    entity: str
    kind: str


class Paragraph(BaseModel):
    """A paragraph as it is read: its text, and what was found in it."""

    id: str
    text: str
    title: str | None
    position: int
    speaker: str | None
    said_at: str | None
    state: str
    error: str | None
    source: SourceRef
    spans: list[Span]
    facts: list[Fact]


class ParagraphPage(BaseModel):
    """A part of a source's paragraphs, in its order."""

    items: list[Paragraph]
    total: int
    offset: int
    limit: int


class Entity(BaseModel):
    """A name."""

    id: str
    name: str
    kind: str
    aliases: list[str]
    paragraphs: int
    version: int
    hand: bool
    pinned: bool


class Suggestions(BaseModel):
    """Names that begin like, or hold, what was typed."""

    items: list[Entity]


class Quotation(BaseModel):
    """A paragraph that shows something."""

    occurrence: str
    paragraph: str
    text: str
    source: SourceRef
    position: int
    speaker: str | None


class EntityEntry(Entity):
    """A name's dictionary entry."""

    facts: list[Fact]
    evidence: list[Quotation]
    neighbours: int


class FactEntry(Fact):
    """A fact with the paragraphs that state it."""

    quotations: list[Quotation]


class Node(BaseModel):
    """A node of a canvas: a circle of radius `size` at (x, y), in pixels, with its label below; `hidden` neighbours are not shown."""

    id: str
    type: Literal["entity", "paragraph"]
    name: str
    kind: str
    label: str
    paragraphs: int
    size: float
    x: float
    y: float
    hidden: int
    strength: Annotated[float, Field(ge=0, le=1)]
    hand: bool


class Edge(BaseModel):
    """An edge of a canvas."""

    source: str
    target: str
    type: Literal["fact", "mention", "synonym"]
    weight: float
    predicate: str | None
    fact: str | None
    closed: bool
    hand: bool


class Subgraph(BaseModel):
    """A part of the graph, laid out; never the whole of a large one."""

    nodes: list[Node]
    edges: list[Edge]
    total: int
    cap: int
    truncated: bool
    sequence: int


class Questions(BaseModel):
    """Questions made from this memory's own facts."""

    items: list[str]


class Answer(BaseModel):
    """What came back for a question. Each paragraph has `names`, all names in it, `entities`, those that mattered, and `reasons`.

    `trace.path` is what was walked, laid out as a subgraph; a node's `lit` is 0 to 1, an edge's `step` how many hops from a seed it is.
    """

    retrieval: str | None
    question: str
    route: str
    paragraphs: list[dict[str, Any]]
    facts: list[dict[str, Any]]
    trace: dict[str, Any]


class Tokens(BaseModel):
    """What a model outside the engine was given and gave."""

    prompt: int
    completion: int


class Job(BaseModel):
    """Work that goes on; `until` is when a job that pauses is tried again, `error` why it pauses or failed."""

    id: str
    kind: str
    state: str
    total: int
    done: int
    failed: int
    error: str | None
    tokens: Tokens
    sources: list[str]
    cancelling: bool
    until: str | None


class Jobs(BaseModel):
    """All jobs of a space, newest first."""

    items: list[Job]


class Operation(BaseModel):
    """Something that somebody did; `state` is done, undone, dropped, inverse or final."""

    id: str
    kind: str
    actor: str
    at: str
    state: str
    summary: str


class Operations(BaseModel):
    """The journal, newest first."""

    items: list[Operation]


class Records(BaseModel):
    """Counts of records."""

    paragraphs: int
    facts: int
    entities: int


class Deletion(BaseModel):
    """What a deletion would take out of sight, and what would stay because something else supports it."""

    removes: Records
    keeps: Records


class Undone(BaseModel):
    """What was taken back, or done again."""

    kind: str
    summary: str
