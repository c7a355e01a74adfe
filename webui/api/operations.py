"""The journal: what was done, undo and redo."""

from __future__ import annotations

from apiflask import APIBlueprint

from webui.api import inputs, schemas, shapes
from webui.auth import actor
from webui.house import memory_of

operations = APIBlueprint("operations", __name__, tag="operations")


@operations.get("/operations")
@operations.input(inputs.OperationsQuery, location="query")
@operations.output(schemas.Operations)
def index(space: str, query_data: inputs.OperationsQuery) -> schemas.Operations:
    """List what was done, newest first."""
    items = memory_of(space).history(limit=query_data.limit)
    return schemas.Operations(items=[shapes.operation(item) for item in items])


@operations.get("/deletion")
@operations.input(inputs.DeletionQuery, location="query")
@operations.output(schemas.Deletion)
def deletion(space: str, query_data: inputs.DeletionQuery) -> schemas.Deletion:
    """Tell what a deletion would do; nothing is changed."""
    would = memory_of(space).deletion(query_data.ids.split(","))
    return schemas.Deletion(
        removes=schemas.Records(paragraphs=would.passages, facts=would.facts, entities=would.entities),
        keeps=schemas.Records(paragraphs=would.kept_passages, facts=would.kept_facts, entities=would.kept_entities),
    )


@operations.post("/operations/undo")
@operations.output(schemas.Undone)
@operations.doc(responses={409: "Nothing to undo, or later edits by hand stand in the way (`blockers`)."})
def undo(space: str) -> schemas.Undone:
    """Undo one's own latest operation."""
    undone = memory_of(space).undo(actor=actor())
    return schemas.Undone(kind=undone.kind, summary=undone.summary)


@operations.post("/operations/redo")
@operations.output(schemas.Undone)
@operations.doc(responses={409: "Nothing to redo."})
def redo(space: str) -> schemas.Undone:
    """Do again what was undone last."""
    done = memory_of(space).redo(actor=actor())
    return schemas.Undone(kind=done.kind, summary=done.summary)
