"""Names and facts: look up, correct, take away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from flask import Response

from lpmm_core.base.errors import Conflict
from lpmm_core.base.names import name_key
from webui.api import inputs, schemas, shapes
from webui.auth import actor
from webui.house import memory_of
from webui.problem import problem

if TYPE_CHECKING:
    from lpmm_core.memory import Memory

entities = APIBlueprint("names", __name__, tag="names")

_QUOTED = 20


@entities.get("/suggestions")
@entities.input(inputs.SuggestionsQuery, location="query")
@entities.output(schemas.Suggestions)
def suggestions(space: str, query_data: inputs.SuggestionsQuery) -> schemas.Suggestions:
    """Find names by the letters typed so far."""
    found = memory_of(space).suggestions(query_data.q, limit=query_data.limit)
    return schemas.Suggestions(items=[shapes.entity(item) for item in found])


@entities.get("/entities/<entity>")
@entities.output(schemas.EntityEntry)
def read(space: str, entity: str) -> schemas.EntityEntry:
    """Read a name's entry."""
    return shapes.entry(memory_of(space).entity(entity))


@entities.patch("/entities/<entity>")
@entities.input(inputs.EntityPatch)
@entities.output(schemas.EntityEntry)
@entities.doc(responses={409: "The name belongs to another entity.", 412: "Somebody changed it meanwhile."})
def rename(space: str, entity: str, json_data: inputs.EntityPatch) -> schemas.EntityEntry | Response:
    """Correct a name by hand; the old one stays as an alias."""
    memory = memory_of(space)
    try:
        memory.rename(entity, json_data.name, actor=actor(), version=json_data.version)
    except Conflict as error:
        if "expected" in error.details:
            return problem(412, error.code, error.message, now=error.details["now"], expected=error.details["expected"])
        return problem(error.status, error.code, error.message, other=_bearer(memory, json_data.name))
    return shapes.entry(memory.entity(entity))


def _bearer(memory: Memory, name: str) -> str | None:
    """Return the id of the entity that has a name already."""
    key = name_key(name)
    found = memory.suggestions(name, limit=50)
    return next((item.id for item in found if key in {name_key(item.name), *map(name_key, item.aliases)}), None)


@entities.delete("/entities/<entity>")
@entities.output({}, status_code=204)
def delete(space: str, entity: str) -> tuple[str, int]:
    """Take a name away from what the memory shows. Undo brings it back."""
    memory = memory_of(space)
    memory.delete([memory.entity(entity).entity.id], actor=actor())
    return "", 204


@entities.get("/facts/<fact>")
@entities.output(schemas.FactEntry)
def fact(space: str, fact: str) -> schemas.FactEntry:
    """Read a fact with the paragraphs that state it."""
    memory = memory_of(space)
    record = memory.fact(fact)
    occurrences = memory.occurrences(record.evidence[:_QUOTED])
    quotations = [shapes.quotation(memory.passage(item.passage).passage, item) for item in occurrences]
    return shapes.fact_entry(record, quotations)
