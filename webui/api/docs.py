"""The API's description: the OpenAPI document, and a page made from it on this server, without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from apiflask import APIBlueprint
from flask import Response, current_app, jsonify, render_template, request

from webui.language import choose, strings

if TYPE_CHECKING:
    from apiflask import APIFlask

docs = APIBlueprint("docs", __name__, enable_openapi=False)


def _spec() -> dict[str, Any]:
    spec = cast("APIFlask", current_app).spec
    return cast("dict[str, Any]", spec)


@docs.get("/openapi.json")
def openapi() -> Response:
    """Return the OpenAPI document."""
    return jsonify(_spec())


@docs.get("/docs")
def page() -> str:
    """Return the page for people."""
    language = choose(request)
    operations = [
        {"method": method.upper(), "path": path, **operation}
        for path, methods in _spec()["paths"].items()
        for method, operation in methods.items()
        if method in {"get", "post", "put", "patch", "delete"}
    ]
    return render_template("docs.html", operations=operations, words=strings(language), language=language)
