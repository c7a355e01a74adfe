"""Headers that every answer carries: nothing from elsewhere, nothing inline, no framing, no guessing of types, no referrer."""

from __future__ import annotations

from flask import Flask, Response, request

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def register(app: Flask) -> None:
    """Add the headers to every answer of this application."""

    @app.after_request
    def add(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        # Static files are asked for again each time but come back as 304; a memory's content is never kept by the browser.
        response.headers["Cache-Control"] = "no-cache" if request.endpoint == "static" else "no-store"
        return response
