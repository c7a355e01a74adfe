"""Names and facts: look up, correct, take away."""

from __future__ import annotations

from apiflask import APIBlueprint
from flask import request
from werkzeug.http import quote_etag

from lpmm_core.base.errors import Conflict
from lpmm_core.base.names import clean_name
from lpmm_core.base.records import Entity
from lpmm_core.store.entries import EntityEntry
from webui.api import inputs, schemas, shapes
from webui.auth import actor
from webui.house import memory_of

entities = APIBlueprint("names", __name__, tag="names")

Tagged = tuple[schemas.EntityEntry, int, dict[str, str]]
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
@entities.doc(description="The `ETag` is the entry's version, for `If-Match` with a change or a deletion.")
def read(space: str, entity: str) -> Tagged:
    """Read a name's entry."""
    return _tagged(memory_of(space).entity(entity))


@entities.patch("/entities/<entity>")
@entities.input(inputs.EntityPatch)
@entities.output(schemas.EntityEntry)
@entities.doc(responses={409: "The name belongs to another entity (`other`).", 412: "Somebody changed it meanwhile."})
def rename(space: str, entity: str, json_data: inputs.EntityPatch) -> Tagged:
    """Correct a name by hand; the old one stays as an alias."""
    memory = memory_of(space)
    now = memory.entity(entity)
    seen = _seen(now.entity, json_data.version)
    if clean_name(json_data.name) == now.entity.name:
        return _tagged(now)
    memory.rename(entity, json_data.name, actor=actor(), version=seen)
    return _tagged(memory.entity(entity))


@entities.delete("/entities/<entity>")
@entities.output({}, status_code=204)
@entities.doc(responses={412: "Somebody changed it meanwhile."})
def delete(space: str, entity: str) -> tuple[str, int]:
    """Take a name away from what the memory shows. Undo brings it back."""
    memory = memory_of(space)
    now = memory.entity(entity).entity
    _seen(now, None)
    memory.delete([now.id], actor=actor())
    return "", 204


def _tagged(found: EntityEntry) -> Tagged:
    """Describe an entry under its version."""
    return shapes.entry(found), 200, {"ETag": quote_etag(str(found.entity.version))}


def _seen(now: Entity, version: int | None) -> int | None:
    """Return the version that the caller saw, by `If-Match` or in the body; None when they do not mind.

    Raises:
        Conflict: it is not the one that stands; `details` has both.
    """
    given = request.if_match
    if given and not given.contains(str(now.version)):
        tags = [int(tag) if tag.isdecimal() else tag for tag in given.as_set(include_weak=True)]
        expected = tags[0] if len(tags) == 1 else tags
        raise Conflict("somebody changed this name since it was read", now=now.version, expected=expected)
    if version is not None and version != now.version:
        raise Conflict("somebody changed this name since it was read", now=now.version, expected=version)
    return now.version if version is not None or (given and not given.star_tag) else None


@entities.get("/facts/<fact>")
@entities.output(schemas.FactEntry)
def fact(space: str, fact: str) -> schemas.FactEntry:
    """Read a fact with the paragraphs that state it."""
    memory = memory_of(space)
    record = memory.fact(fact)
    occurrences = memory.occurrences(record.evidence[:_QUOTED])
    quotations = [shapes.quotation(memory.passage(item.passage).passage, item) for item in occurrences]
    return shapes.fact_entry(record, quotations)
