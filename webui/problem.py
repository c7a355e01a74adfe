"""Errors as RFC 9457 problem documents under /api, as a page for people elsewhere.

The engine's errors carry a code, a status and one sentence; that sentence is all that is told. What nobody foresaw is logged whole and
answered with a number to look for in the log, never with its text.
"""

from __future__ import annotations

import logging
import secrets
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import Response, current_app, json, render_template, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException

from lpmm_core.base.errors import LpmmError
from webui.told import told

if TYPE_CHECKING:
    from apiflask import APIFlask
    from apiflask.exceptions import HTTPError

log = logging.getLogger(__name__)

# What a person may learn about a clash: enough to choose, nothing else of the engine's state.
_CODES = {404: "not-found", 405: "method-not-allowed", 413: "too-large", 415: "unsupported-media"}
_TOLD = ("now", "expected", "blockers", "other")


def problem(status: int, code: str, detail: str, **more: Any) -> Response:
    """Return a problem document; `more` are extension members."""
    title = HTTPStatus(status).phrase
    document = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code, **more}
    body = json.dumps(document, ensure_ascii=False)
    return current_app.response_class(body, status=status, mimetype="application/problem+json")


def answer(status: int, code: str, detail: str, **more: Any) -> Response:
    """Return the problem in the form that this path speaks."""
    if request.path.startswith("/api/"):
        return problem(status, code, detail, **more)
    page = render_template("refused.html", status=status, code=code, detail=detail, told=told(detail))
    return current_app.response_class(page, status=status, mimetype="text/html")


def register(app: APIFlask) -> None:
    """Let every error of this application become a problem."""

    # First, because it also takes the place of whatever handled HTTPException before.
    @app.error_processor
    def input_error(error: HTTPError) -> Response:
        if error.status_code != HTTPStatus.UNPROCESSABLE_ENTITY:
            return answer(error.status_code, _CODES.get(error.status_code, "http"), error.message or "")
        errors = [
            {"field": field, "message": message}
            for fields in error.detail.values()
            for field, messages in fields.items()
            for message in messages
        ]
        first = errors[0] if errors else {"field": "body", "message": error.message}
        return answer(422, "invalid", f"{first['field']}: {first['message']}", errors=errors)

    @app.errorhandler(LpmmError)
    def refused(error: LpmmError) -> Response:
        more = {key: value for key, value in error.details.items() if key in _TOLD}
        # A version that does not stand any more is what HTTP calls a failed precondition.
        status = HTTPStatus.PRECONDITION_FAILED if "expected" in more else error.status
        return answer(status, error.code, error.message, **more)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        response = answer(status, _CODES.get(status, "http"), error.description or HTTPStatus(status).phrase)
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            response.headers["Allow"] = ", ".join(getattr(request.routing_exception, "valid_methods", None) or ())
        return response

    @app.errorhandler(ValidationError)
    def invalid(error: ValidationError) -> Response:
        errors = [{"field": ".".join(map(str, e["loc"])), "message": e["msg"]} for e in error.errors()]
        return answer(422, "invalid", f"{errors[0]['field']}: {errors[0]['message']}", errors=errors)

    @app.errorhandler(Exception)
    def unforeseen(error: Exception) -> Response:
        number = secrets.token_hex(4)
        log.error("unforeseen error %s at %s %s", number, request.method, request.path, exc_info=error)
        return answer(500, "internal", f"Something went wrong here; the log has it under {number}.")
