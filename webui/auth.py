"""One gate before everything: who asks, from which page, to which host.

The server prints an address with a token that works once. Opening it trades the token for a cookie that scripts cannot read and other
sites cannot send. Only digests are kept, in memory: a restart closes every session. Three checks stand before every request:

- the Host header names this machine, so that a name which an attacker points to 127.0.0.1 gets nothing (DNS rebinding);
- what changes something comes from this very page, by `Sec-Fetch-Site` or `Origin`;
- the cookie belongs to a session.

The few endpoints anybody may ask are listed here by name; a test walks the route table and holds every other one to the gate.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from flask import Flask, Response, g, request
from werkzeug.datastructures import Headers

from webui.problem import answer

OPEN = frozenset({"static", "pages.enter", "health.read"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
_SESSIONS = 200


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who may ask; `actor` is the name their changes are journalled under."""

    actor: str


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(slots=True)
class Gate:
    """Hands out one-time tokens and knows the sessions they became; `entered` is called after each entry. Threads may share it."""

    cookie: str = "lpmm"
    entered: Callable[[], None] | None = None
    _tokens: set[str] = field(default_factory=set)
    _sessions: OrderedDict[str, Visitor] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mint(self) -> str:
        """Return a new token, good for one entry."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._tokens.add(_digest(token))
        return token

    def enter(self, token: str, *, actor: str = "web") -> str | None:
        """Trade a token for a session secret, or return None when the token is unknown or used."""
        with self._lock:
            if _digest(token) not in self._tokens:
                return None
            self._tokens.discard(_digest(token))
            session = secrets.token_urlsafe(32)
            self._sessions[_digest(session)] = Visitor(actor)
            if len(self._sessions) > _SESSIONS:
                self._sessions.popitem(last=False)
        if self.entered is not None:
            self.entered()
        return session

    def visitor(self, cookies: Mapping[str, str]) -> Visitor | None:
        """Return who holds this cookie."""
        with self._lock:
            return self._sessions.get(_digest(cookies.get(self.cookie, "")))


def host_is_local(host: str) -> bool:
    """Tell whether a Host header names this machine."""
    try:
        return urlsplit(f"//{host}").hostname in LOCAL
    except ValueError:
        return False


def same_page(headers: Headers, host: str) -> bool:
    """Tell whether a request that changes something was made by a page of this very server."""
    site = headers.get("Sec-Fetch-Site")
    if site is not None and site != "same-origin":
        return False
    origin = headers.get("Origin")
    if origin is not None:
        return urlsplit(origin).netloc == host
    return site == "same-origin"


def register(app: Flask, gate: Gate) -> None:
    """Put the gate before every request of this application."""

    @app.before_request
    def check() -> Response | None:
        if not host_is_local(request.host):
            return answer(421, "wrong-host", "This server answers only to the name of this machine.")
        if request.endpoint in OPEN and request.method in SAFE:
            return None
        visitor = gate.visitor(request.cookies)
        if visitor is None:
            return answer(401, "no-session", "Open the address that `lpmm serve` printed; it lets this browser in.")
        if request.method not in SAFE and not same_page(request.headers, request.host):
            return answer(403, "cross-site", "Only this server's own pages may change something.")
        g.visitor = visitor
        return None


def actor() -> str:
    """Return the actor of the present request."""
    visitor: Visitor = g.visitor
    return visitor.actor
