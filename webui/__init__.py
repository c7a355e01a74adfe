"""The web page of a memory: a Flask application over the engine's façade.

`create_app` builds one application over one set of spaces; nothing here is shared between applications. Pages are thin: everything
they do goes through the API under /api/v1, and what happens meanwhile comes over Socket.IO.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIFlask

from webui import api, auth, headers, pages, problem
from webui.auth import Gate
from webui.house import House
from webui.live import Live
from webui.paths import folder
from webui.settings import WebSettings
from webui.worker import Worker

if TYPE_CHECKING:
    from lpmm_core.spaces import Spaces

__all__ = ["WebSettings", "create_app"]


def create_app(spaces: Spaces, settings: WebSettings | None = None) -> APIFlask:
    """Return the application over these spaces; `app.extensions["lpmm"]` is its `House`."""
    settings = settings or WebSettings()
    app = APIFlask(
        __name__,
        title="LPMM",
        json_errors=False,
        version=settings.version,
        docs_path=None,
        spec_path=None,
        static_folder=str(folder("static")),
        template_folder=str(folder("templates")),
    )
    app.config.update(
        MAX_CONTENT_LENGTH=settings.largest_request,
        MAX_FORM_MEMORY_SIZE=settings.largest_request,
        MAX_FORM_PARTS=settings.most_files + 10,
        LARGEST_FILE=settings.largest_file,
        OPENAPI_VERSION="3.1.0",
        TAGS=[{"name": tag} for tag in api.TAGS],
    )
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    gate = Gate(cookie=settings.cookie)
    live = Live(app, gate)
    worker = Worker(spaces, live)
    app.extensions["lpmm"] = House(spaces, gate, live, worker)
    problem.register(app)
    auth.register(app, gate)
    headers.register(app)
    api.register(app)
    app.register_blueprint(pages.pages)
    return app
