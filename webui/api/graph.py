"""A part of the graph for a canvas: the most central names, or a name's neighbourhood, laid out by the engine."""

from __future__ import annotations

from apiflask import APIBlueprint

from webui.api import inputs, schemas, shapes
from webui.house import memory_of

graph = APIBlueprint("graph", __name__, tag="graph")


@graph.get("/subgraph")
@graph.input(inputs.SubgraphQuery, location="query")
@graph.output(schemas.Subgraph)
def read(space: str, query_data: inputs.SubgraphQuery) -> schemas.Subgraph:
    """Show a part of the graph."""
    focus = [name for name in query_data.focus.split(",") if name]
    found = memory_of(space).subgraph(focus=focus, limit=query_data.limit, passages=query_data.paragraphs)
    return shapes.subgraph(found)


@graph.post("/subgraph")
@graph.input(inputs.SubgraphIn)
@graph.output(schemas.Subgraph)
def extend(space: str, json_data: inputs.SubgraphIn) -> schemas.Subgraph:
    """Show more around what a canvas shows already; nothing is changed in the memory.

    The nodes in `positions` come back where they are, less those that are gone; `focus` brings its nearest neighbours, up to `limit`
    nodes in all.
    """
    found = memory_of(space).subgraph(
        focus=json_data.focus, limit=json_data.limit, passages=json_data.paragraphs, shown=json_data.positions
    )
    return shapes.subgraph(found)
