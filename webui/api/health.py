"""Is the server there?"""

from __future__ import annotations

from apiflask import APIBlueprint
from flask import current_app

from webui.api import schemas

health = APIBlueprint("health", __name__, tag="health")


@health.get("/health")
@health.output(schemas.Health)
def read() -> schemas.Health:
    """Tell that the server answers. Anybody may ask."""
    return schemas.Health(status="ok", version=str(current_app.version))  # type: ignore[attr-defined]
