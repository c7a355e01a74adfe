"""A part of the graph for a canvas: the most central names, or a name's neighbourhood, laid out by the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIBlueprint

from lpmm_core.base.errors import NotFound
from webui.api import inputs, schemas, shapes
from webui.house import memory_of

if TYPE_CHECKING:
    from collections.abc import Container

    from lpmm_core.memory import Memory

graph = APIBlueprint("graph", __name__, tag="graph")

_MOST = 2000


@graph.get("/subgraph")
@graph.input(inputs.SubgraphQuery, location="query")
@graph.output(schemas.Subgraph)
def read(space: str, query_data: inputs.SubgraphQuery) -> schemas.Subgraph:
    """Show a part of the graph."""
    focus = [name for name in query_data.focus.split(",") if name]
    found = memory_of(space).subgraph(focus=focus, limit=query_data.limit, passages=query_data.passages)
    return shapes.subgraph(found)


@graph.post("/subgraph")
@graph.input(inputs.SubgraphIn)
@graph.output(schemas.Subgraph)
def extend(space: str, json_data: inputs.SubgraphIn) -> schemas.Subgraph:
    """Show more around what a canvas shows already; nothing is changed in the memory.

    The nodes in `positions` come back where they are, and `focus` brings its nearest neighbours, up to `limit` nodes in all.
    """
    memory, passages = memory_of(space), json_data.passages
    shown = list(json_data.positions)
    if not json_data.focus or not shown:
        found = memory.subgraph(
            focus=json_data.focus, limit=json_data.limit, passages=passages, positions=json_data.positions
        )
        return shapes.subgraph(found)
    new = [name for focus in json_data.focus for name in _beside(memory, focus, shown, json_data.limit - len(shown))]
    wanted = list(dict.fromkeys([*shown, *json_data.focus, *new]))[:_MOST]
    try:
        found = memory.subgraph(focus=wanted, limit=len(wanted), passages=passages, positions=json_data.positions)
    except NotFound:
        wanted = _standing(memory, wanted)
        found = memory.subgraph(
            focus=wanted, limit=max(1, len(wanted)), passages=passages, positions=json_data.positions
        )
    return shapes.subgraph(found)


def _beside(memory: Memory, focus: str, shown: Container[str], most: int) -> list[str]:
    """Return neighbours of a node that are not shown yet, the nearest first."""
    around = memory.subgraph(focus=[focus], limit=_MOST if most > 100 else 200)
    edges = [(edge.source, edge.target) for edge in around.edges]
    joined = {source for source, target in edges if target == focus} | {t for source, t in edges if source == focus}
    return [node.id for node in around.nodes if node.id in joined and node.id not in shown][: max(0, most)]


def _standing(memory: Memory, ids: list[str]) -> list[str]:
    """Return those of the names that a canvas shows which still stand: somebody may have deleted the others."""
    standing = []
    for name in ids:
        try:
            memory.entity(name)
        except NotFound:
            continue
        standing.append(name)
    return standing
