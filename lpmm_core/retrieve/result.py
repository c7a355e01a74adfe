"""What a question gets back, and the trace of how it came about.

The trace is what explanation, diagnostics and learning read; each stage of the pipeline writes into it and nothing else does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from lpmm_core.base.clock import to_text
from lpmm_core.base.records import Fact, Interval


class Route(StrEnum):
    """How passages are ranked."""

    AUTO = "auto"
    GRAPH = "graph"
    DENSE = "dense"
    LEXICAL = "lexical"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a passage came back. `kind` names the sentence, `values` fill it; `text` is the sentence in the question's language."""

    kind: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that came back. `parts` says how much of the score came from where, by name; they add up to it."""

    id: str
    text: str
    title: str | None
    score: float
    source: str
    source_name: str
    position: int
    parts: Mapping[str, float]
    why: tuple[Reason, ...]
    entities: tuple[str, ...]
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact that led the search."""

    fact: Fact
    score: float


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the lit path; `lit` is 0 to 1."""

    id: str
    type: str
    name: str
    kind: str
    lit: float
    passages: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the lit path; `step` is how many hops from a seed it is walked."""

    source: str
    target: str
    type: str
    predicate: str | None = None
    fact: str | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """How the result came about."""

    route: Route
    asked_route: Route
    reason: str
    language: str
    sequence: int
    calibration: int | None
    seconds: float = 0.0
    stages: tuple[Mapping[str, Any], ...] = ()
    entities: tuple[Mapping[str, Any], ...] = ()
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one question. `retrieval` is the id of the kept trace, None when nothing was recorded."""

    question: str
    passages: tuple[FoundPassage, ...]
    facts: tuple[FoundFact, ...]
    trace: Trace
    retrieval: str | None = None

    @property
    def route(self) -> Route:
        """The route that was taken in the end."""
        return self.trace.route

    def recorded_as(self, retrieval: str) -> Result:
        """Return this result under the id of its kept trace."""
        return replace(self, retrieval=retrieval)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape that the command line and the web page hand out."""
        return {
            "retrieval": self.retrieval,
            "question": self.question,
            "route": str(self.route),
            "paragraphs": [
                {
                    "id": p.id,
                    "text": p.text,
                    "title": p.title,
                    "score": p.score,
                    "source": {"id": p.source, "name": p.source_name},
                    "position": p.position,
                    "parts": dict(p.parts),
                    "why": [reason.text for reason in p.why],
                    "spans": [list(span) for span in p.spans],
                    "entities": list(p.entities),
                }
                for p in self.passages
            ],
            "facts": [
                {
                    "id": f.fact.id,
                    "subject": f.fact.subject,
                    "subject_id": f.fact.subject_id,
                    "predicate": f.fact.predicate,
                    "object": f.fact.object,
                    "object_id": f.fact.object_id,
                    "score": f.score,
                    "negated": f.fact.negated,
                    "recorded": interval_json(f.fact.recorded),
                    "valid": interval_json(f.fact.valid),
                    "evidence": list(f.fact.evidence),
                }
                for f in self.facts
            ],
            "trace": {
                "route": str(self.trace.route),
                "asked_route": str(self.trace.asked_route),
                "reason": self.trace.reason,
                "language": self.trace.language,
                "sequence": self.trace.sequence,
                "calibration": self.trace.calibration,
                "seconds": self.trace.seconds,
                "stages": [dict(stage) for stage in self.trace.stages],
                "entities": [dict(entity) for entity in self.trace.entities],
                "path": {
                    "nodes": [asdict(node) for node in self.trace.nodes],
                    "edges": [asdict(edge) for edge in self.trace.edges],
                },
                "warnings": list(self.trace.warnings),
            },
        }


def interval_json(interval: Interval) -> list[str | None]:
    """Return [start, end] as ISO text, None where open."""
    return [to_text(moment) if moment else None for moment in (interval.start, interval.end)]
