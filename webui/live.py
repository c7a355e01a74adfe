"""Live events over Socket.IO, which may be lost: HTTP is the truth.

Every event of a space carries a number; the last few hundred are kept. A page that comes back says the last number it saw: what it missed
is sent again, or it is told to read everything anew (`resync`) when too much was missed or the server is another run (`run`). The cookie
is checked when a page connects and again on each of its events: a session that has ended hears nothing more.
"""

from __future__ import annotations

import secrets
import threading
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

from flask import Flask, request
from flask_socketio import SocketIO, disconnect, join_room, leave_room

from lpmm_core.base.errors import LpmmError
from webui.auth import Gate, host_is_local
from webui.house import house

if TYPE_CHECKING:
    from collections.abc import Callable

_KEPT = 500


class Live:
    """The live channel of one application. Threads may emit at any time."""

    def __init__(self, app: Flask, gate: Gate) -> None:
        self.run = secrets.token_hex(4)
        self.socketio = SocketIO(app, async_mode="threading", manage_session=False, logger=False, engineio_logger=False)
        self._gate = gate
        self._lock = threading.Lock()
        self._numbers: defaultdict[str, int] = defaultdict(int)
        self._recent: defaultdict[str, deque[tuple[int, str, dict[str, Any]]]] = defaultdict(
            lambda: deque(maxlen=_KEPT)
        )
        self.socketio.on_event("connect", self._connect)
        self.socketio.on_event("watch", self._guarded(self._watch))

    def emit(self, space: str, event: str, data: dict[str, Any]) -> None:
        """Send an event to every page that watches this space."""
        with self._lock:
            self._numbers[space] += 1
            numbered = {**data, "seq": self._numbers[space], "run": self.run}
            self._recent[space].append((numbered["seq"], event, numbered))
            self.socketio.emit(event, numbered, to=space)

    def missed(self, space: str, run: str, after: int) -> list[tuple[str, dict[str, Any]]] | None:
        """Return the events after number `after`, or None when they are not all there any more."""
        with self._lock:
            newest = self._numbers[space]
            kept = [(event, data) for seq, event, data in self._recent[space] if seq > after]
        if run != self.run or after > newest or len(kept) != newest - after:
            return None
        return kept

    def _connect(self, auth: object = None) -> bool:
        return host_is_local(request.host) and self._gate.visitor(request.cookies) is not None

    def _guarded(self, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def guarded(data: Any = None) -> Any:
            if self._gate.visitor(request.cookies) is None:
                disconnect()
                return None
            return handler(data if isinstance(data, dict) else {})

        return guarded

    def _watch(self, data: dict[str, Any]) -> dict[str, Any]:
        """Join a space's room; answer with the present number, after having sent again what was missed."""
        space, before = data.get("space"), data.get("leave")
        if not isinstance(space, str):
            return {"error": "not-found"}
        try:
            house().spaces.open(space)
        except LpmmError as refused:
            return {"error": refused.code}
        if isinstance(before, str) and before != space:
            leave_room(before)
        try:
            join_room(space)
        except ValueError:  # a page that left while it was asking is in no room, and hears no answer
            return {"error": "gone"}
        run, after = data.get("run"), data.get("seq")
        if isinstance(run, str) and isinstance(after, int):
            missed = self.missed(space, run, after)
            if missed is None:
                self.socketio.emit("resync", {"run": self.run}, to=request.sid)  # type: ignore[attr-defined]
            for event, numbered in missed or ():
                self.socketio.emit(event, numbered, to=request.sid)  # type: ignore[attr-defined]
        with self._lock:
            return {"run": self.run, "seq": self._numbers[space]}
