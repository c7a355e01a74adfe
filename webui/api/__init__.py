"""The API under /api/v1: one blueprint a resource, described by /api/v1/openapi.json and read at /api/v1/docs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webui.api import docs, entities, graph, health, jobs, operations, retrieve, sources, spaces

if TYPE_CHECKING:
    from apiflask import APIFlask

PREFIX = "/api/v1"
SPACE = f"{PREFIX}/spaces/<space>"
TAGS = ("spaces", "sources", "names", "graph", "retrieval", "jobs", "operations", "health")


def register(app: APIFlask) -> None:
    """Add every resource to the application."""
    for blueprint in (health.health, spaces.spaces, docs.docs):
        app.register_blueprint(blueprint, url_prefix=PREFIX)
    for blueprint in (
        sources.sources,
        entities.entities,
        graph.graph,
        retrieve.retrieval,
        jobs.jobs,
        operations.operations,
    ):
        app.register_blueprint(blueprint, url_prefix=SPACE)
