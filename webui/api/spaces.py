"""Memories: which there are, and how much is in one."""

from __future__ import annotations

import logging
import sqlite3

from apiflask import APIBlueprint

from lpmm_core.base.errors import LpmmError
from lpmm_core.spaces import SAMPLE, fill_sample
from webui.api import inputs, schemas
from webui.house import house, memory_of

log = logging.getLogger(__name__)
spaces = APIBlueprint("spaces", __name__, tag="spaces")


@spaces.get("/spaces")
@spaces.output(schemas.Spaces)
def index() -> schemas.Spaces:
    """List the memories."""
    return schemas.Spaces(items=[_describe(name) for name in house().spaces.names()])


@spaces.post("/spaces")
@spaces.input(inputs.SpaceIn)
@spaces.output(schemas.Space, status_code=201)
def create(json_data: inputs.SpaceIn) -> schemas.Space:
    """Make an empty memory, or the sample one, which fills while one looks on."""
    name = SAMPLE if json_data.sample else json_data.name
    if json_data.sample:
        if fill_sample(house().spaces.ensure(SAMPLE), wait=False):
            house().worker.wake(SAMPLE)
    else:
        house().spaces.create(name)
    return _describe(name)


@spaces.get("/spaces/<space>/stats")
@spaces.output(schemas.Stats)
def stats(space: str) -> schemas.Stats:
    """Count what a memory holds."""
    return schemas.Stats.model_validate(memory_of(space).stats().to_json())


def _describe(name: str) -> schemas.Space:
    """Describe a memory; one that cannot be read says so and leaves the others alone."""
    try:
        paragraphs, error = memory_of(name).stats().paragraphs, None
    except LpmmError as refused:
        paragraphs, error = None, refused.message
    except (sqlite3.DatabaseError, OSError) as unforeseen:
        log.error("the space %s cannot be read", name, exc_info=unforeseen)
        paragraphs, error = None, f"{name} cannot be read: {unforeseen}"
    return schemas.Space(name=name, title=name, paragraphs=paragraphs, sample=name == SAMPLE, error=error)
