"""The pages: thin templates with the words of one language; what they show comes from the API.

`/enter` trades the one-time token of the printed address for a cookie and moves on at once, so that the token stays neither in the
address bar nor in the history.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for

from lpmm_core.base.errors import LpmmError
from lpmm_core.spaces import DEFAULT, SAMPLE
from webui.house import house
from webui.language import choose, strings
from webui.problem import answer

pages = Blueprint("pages", __name__)

LAST = "lpmm-space"


@pages.get("/enter")
def enter() -> Response:
    """Let a browser in."""
    gate = house().gate
    session = gate.enter(request.args.get("token", ""))
    if session is None:
        if gate.visitor(request.cookies) is not None:  # a reload of the printed address by who is already in
            return _go(url_for("pages.home"))
        return answer(401, "used-token", "This address has been used, or is not from this server's present run.")
    response = _go(url_for("pages.home", space=request.args.get("space") or None))
    response.set_cookie(gate.cookie, session, httponly=True, samesite="Strict", secure=request.is_secure, path="/")
    return response


def _go(address: str) -> Response:
    return current_app.make_response(redirect(address, code=303))


@pages.get("/")
def home() -> Response:
    """Go to the space that was open last, or the user's own, or any that can be read."""
    names = house().spaces.names()
    wished = (request.args.get("space", ""), request.cookies.get(LAST, ""), DEFAULT, *names)
    space = next((name for name in wished if name in names and _opens(name)), DEFAULT)
    return _go(url_for("pages.ask", space=space))


def _opens(space: str) -> bool:
    try:
        house().spaces.open(space)
    except LpmmError:
        return False
    return True


def _page(name: str, space: str) -> Response:
    house().spaces.open(space)
    language = choose(request)
    words = strings(language)
    title = words.get(f"space.{space}", space) if space in (DEFAULT, SAMPLE) else space
    html = render_template(f"{name}.html", page=name, space=space, title=title, language=language, words=words)
    response = current_app.make_response(html)
    response.headers["Vary"] = "Accept-Language, Cookie"
    response.set_cookie(LAST, space, samesite="Strict", httponly=True, path="/")
    return response


@pages.get("/s/<space>/ask")
def ask(space: str) -> Response:
    """问: one line to ask."""
    return _page("ask", space)


@pages.get("/s/<space>/graph")
def graph(space: str) -> Response:
    """图: the memory as a picture."""
    return _page("graph", space)


@pages.get("/s/<space>/library")
def library(space: str) -> Response:
    """书: where text comes from."""
    return _page("library", space)
