"""Questions: what answers them, and some to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint

from lpmm_core.base.errors import NotFound
from webui.api import inputs, schemas, shapes
from webui.auth import actor
from webui.house import memory_of

if TYPE_CHECKING:
    from lpmm_core.memory import Memory

retrieval = APIBlueprint("retrieval", __name__, tag="retrieval")


@retrieval.post("/retrieve")
@retrieval.input(inputs.RetrieveIn)
@retrieval.output(schemas.Answer)
def retrieve(space: str, json_data: inputs.RetrieveIn) -> schemas.Answer:
    """Ask a question: paragraphs, facts, and the reason for each."""
    memory = memory_of(space)
    result = memory.retrieve(
        json_data.question,
        top_k=json_data.top_k,
        route=json_data.route,
        told_in=json_data.language,
        actor=actor(),
    )
    answer = schemas.Answer.model_validate(result.to_json())
    answer.paragraphs = [
        {**found, **_read(memory, found["id"]), "reasons": [{"kind": why.kind, "text": why.text} for why in record.why]}
        for found, record in zip(answer.paragraphs, result.passages, strict=True)
    ]
    answer.facts = [
        {**found, "hand": record.fact.hand} for found, record in zip(answer.facts, result.facts, strict=True)
    ]
    answer.trace["path"] = _laid_out(memory, answer.trace["path"])
    return answer


def _read(memory: Memory, paragraph: str) -> dict[str, Any]:
    """Return who says a paragraph and all names in it, for a page that shows it as text."""
    try:
        read = memory.passage(paragraph)
    except NotFound:  # deleted by somebody since the question was asked
        return {"speaker": None, "names": []}
    return {"speaker": read.occurrences[0].speaker, "names": [shapes.span(item).model_dump() for item in read.spans]}


def _laid_out(memory: Memory, path: dict[str, Any]) -> dict[str, Any]:
    """Return what was walked with positions, and the other edges between its nodes."""
    lit = {node["id"]: node["lit"] for node in path["nodes"]}
    if not lit:
        return {"nodes": [], "edges": []}
    try:
        drawn = shapes.subgraph(memory.subgraph(focus=list(lit), limit=len(lit), passages=True))
    except NotFound:
        return {"nodes": [], "edges": []}
    steps = {frozenset((edge["source"], edge["target"])): edge["step"] for edge in path["edges"]}
    return {
        "nodes": [{**node.model_dump(), "lit": lit.get(node.id, 0)} for node in drawn.nodes],
        "edges": [
            {**edge.model_dump(), "step": steps.get(frozenset((edge.source, edge.target)))} for edge in drawn.edges
        ],
    }


@retrieval.get("/questions")
@retrieval.input(inputs.QuestionsQuery, location="query")
@retrieval.output(schemas.Questions)
def questions(space: str, query_data: inputs.QuestionsQuery) -> schemas.Questions:
    """Give questions made from this memory's own facts."""
    return schemas.Questions(items=list(memory_of(space).questions(limit=query_data.limit)))
