"""Records become documents here and nowhere else: one function a noun."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lpmm_core.base import records
from lpmm_core.base.clock import to_text
from lpmm_core.store.jobs import JobState
from webui.api import schemas

if TYPE_CHECKING:
    from lpmm_core.graph.canvas import Subgraph
    from lpmm_core.ingest.report import Progress
    from lpmm_core.store.entries import EntityEntry, PassageEntry, Span
    from lpmm_core.store.history import Done
    from lpmm_core.store.jobs import Job


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else to_text(moment)


def _interval(interval: records.Interval) -> schemas.Interval:
    return _moment(interval.start), _moment(interval.end)


def source(record: records.Source) -> schemas.Source:
    """Describe a source."""
    return schemas.Source(
        id=record.id,
        name=record.name,
        media=record.media,
        created=to_text(record.created),
        paragraphs=record.passages,
        states=dict(record.states),
        encoding=record.encoding,
        failures=list(record.failures),
        deleted=record.deleted,
    )


def fact(record: records.Fact) -> schemas.Fact:
    """Describe a fact."""
    return schemas.Fact(
        id=record.id,
        subject=record.subject,
        subject_id=record.subject_id,
        predicate=record.predicate,
        object=record.object,
        object_id=record.object_id,
        recorded=_interval(record.recorded),
        valid=_interval(record.valid),
        confidence=record.confidence,
        evidence=list(record.evidence),
        version=record.version,
        negated=record.negated,
        hand=record.hand,
    )


def fact_entry(record: records.Fact, quotations: list[schemas.Quotation]) -> schemas.FactEntry:
    """Describe a fact with the paragraphs that state it."""
    return schemas.FactEntry(**fact(record).model_dump(), quotations=quotations)


def entity(record: records.Entity) -> schemas.Entity:
    """Describe a name."""
    return schemas.Entity(
        id=record.id,
        name=record.name,
        kind=record.kind.value,
        aliases=list(record.aliases),
        paragraphs=record.passages,
        version=record.version,
        hand=record.hand,
        pinned=record.pinned,
    )


def quotation(passage: records.Passage, occurrence: records.Occurrence) -> schemas.Quotation:
    """Describe a paragraph that shows something."""
    return schemas.Quotation(
        occurrence=occurrence.id,
        paragraph=passage.id,
        text=passage.text,
        source=schemas.SourceRef(id=occurrence.source, name=occurrence.source_name),
        position=occurrence.position,
        speaker=occurrence.speaker,
    )


def entry(record: EntityEntry) -> schemas.EntityEntry:
    """Describe a name's dictionary entry."""
    ends = {end for item in record.facts for end in (item.subject_id, item.object_id)}
    return schemas.EntityEntry(
        **entity(record.entity).model_dump(),
        facts=[fact(item) for item in record.facts],
        evidence=[quotation(passage, occurrence) for passage, occurrence in record.passages],
        neighbours=len(ends - {record.entity.id}),
    )


def span(record: Span) -> schemas.Span:
    """Describe a name in a text."""
    return schemas.Span(start=record.start, end=record.end, entity=record.entity, kind=record.kind.value)


def paragraph(record: PassageEntry, *, source: str | None = None) -> schemas.Paragraph:
    """Describe a paragraph as it is read, in this source or where it stands first."""
    here = next((item for item in record.occurrences if item.source == source), record.occurrences[0])
    return schemas.Paragraph(
        id=record.passage.id,
        text=record.passage.text,
        title=record.passage.title,
        position=here.position,
        speaker=here.speaker,
        said_at=_moment(here.said_at),
        state=here.state.value,
        error=here.error,
        source=schemas.SourceRef(id=here.source, name=here.source_name),
        spans=[span(item) for item in record.spans],
        facts=[fact(item) for item in record.facts],
    )


def subgraph(record: Subgraph) -> schemas.Subgraph:
    """Describe a part of the graph."""
    nodes = [
        schemas.Node(
            id=node.id,
            type="entity" if node.type == "entity" else "paragraph",
            name=node.name,
            kind="paragraph" if node.kind == "passage" else node.kind,
            label=node.label,
            paragraphs=node.passages,
            size=node.size,
            x=node.x,
            y=node.y,
            hidden=node.hidden,
            strength=node.strength,
            hand=node.hand,
        )
        for node in record.nodes
    ]
    return schemas.Subgraph(
        nodes=nodes,
        edges=[schemas.Edge.model_validate(asdict(edge)) for edge in record.edges],
        total=record.total,
        cap=record.cap,
        truncated=record.truncated,
        sequence=record.sequence,
    )


def job(record: Job) -> schemas.Job:
    """Describe a job."""
    return schemas.Job(
        id=record.id,
        kind=record.kind.value,
        state=record.state.value,
        total=record.total,
        done=record.done,
        failed=record.failed,
        error=record.error,
        tokens=schemas.Tokens(prompt=record.prompt_tokens, completion=record.completion_tokens),
        sources=list(record.sources),
        cancelling=record.cancelling,
        # A running job has one too: how long its worker holds it, which is no pause.
        until=_moment(record.until) if record.state is JobState.WAITING else None,
    )


def progress(record: Job, found: Progress | None = None) -> dict[str, Any]:
    """Describe a step of a job, for the live channel: the job as it stands, and the names found since the last step."""
    names = [
        {"name": mention.name, "kind": mention.kind.value, "paragraph": passage}
        for passage, mention in (found.names if found else ())
    ]
    return {**job(record).model_dump(), "names": names}


def operation(record: Done) -> schemas.Operation:
    """Describe something that somebody did."""
    return schemas.Operation(
        id=record.id,
        kind=record.kind,
        actor=record.actor,
        at=to_text(record.time),
        state=record.state,
        summary=record.summary,
    )
