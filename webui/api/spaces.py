"""Memories: which there are, and how much is in one."""

from __future__ import annotations

from apiflask import APIBlueprint

from lpmm_core.spaces import SAMPLE, samples_directory
from webui.api import inputs, schemas
from webui.house import house, memory_of

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
        memory = house().spaces.ensure(SAMPLE)
        if not memory.stats().paragraphs:
            folders = [samples_directory() / language for language in ("zh", "en")]
            memory.ingest(folders, actor="system:sample", wait=False)
            house().worker.wake()
    else:
        house().spaces.create(name)
    return _describe(name)


@spaces.get("/spaces/<space>/stats")
@spaces.output(schemas.Stats)
def stats(space: str) -> schemas.Stats:
    """Count what a memory holds."""
    return schemas.Stats.model_validate(memory_of(space).stats().to_json())


def _describe(name: str) -> schemas.Space:
    paragraphs = memory_of(name).stats().paragraphs
    return schemas.Space(name=name, title=name, paragraphs=paragraphs, sample=name == SAMPLE)
