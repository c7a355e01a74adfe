"""`lpmm serve`: the page on this machine.

The server listens on loopback only; it prints one address with a one-time token, and another each time one was used, for another
browser. SIGINT and SIGTERM stop it: the worker finishes its passage, open requests end, memories are closed.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from lpmm_core.base.errors import LpmmError
from lpmm_core.spaces import DEFAULT
from webui import create_app
from webui.house import House
from webui.settings import WebSettings

if TYPE_CHECKING:
    from lpmm_core.spaces import Spaces


log = logging.getLogger(__name__)


class _Quiet(WSGIRequestHandler):
    """Requests are not logged: their addresses may hold a token or a question."""

    server_version, sys_version = "LPMM", ""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""

    def version_string(self) -> str:
        """Name no versions."""
        return self.server_version


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that runs."""

    house: House
    server: BaseWSGIServer

    @property
    def origin(self) -> str:
        """`http://host:port`."""
        host = f"[{self.server.host}]" if ":" in self.server.host else self.server.host
        return f"http://{host}:{self.server.port}"

    def address(self, space: str | None = None) -> str:
        """Return a new address that lets one browser in."""
        return f"{self.origin}/enter?token={self.house.gate.mint()}" + (f"&space={space}" if space else "")


def loopback(host: str) -> str:
    """Return the loopback address to listen on.

    Raises:
        ValueError: the host is not this machine alone.
    """
    if host == "localhost":
        return "127.0.0.1"
    if not ipaddress.ip_address(host).is_loopback:
        raise ValueError(host)
    return host


@contextlib.contextmanager
def serving(spaces: Spaces, *, host: str = "127.0.0.1", port: int = 0) -> Iterator[Serving]:
    """Serve these spaces in a thread until the block ends; port 0 is any free one.

    Raises:
        OSError: the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=128) as listener:
        bound = listener.getsockname()[1]
        try:
            spaces.ensure(DEFAULT)
        except LpmmError as error:  # the others can be used all the same
            log.warning("the space %s cannot be opened: %s", DEFAULT, error.message)
        app = create_app(spaces, WebSettings(cookie=f"lpmm-{bound}"))
        house: House = app.extensions["lpmm"]
        server = make_server(host, bound, app, threaded=True, request_handler=_Quiet, fd=listener.fileno())
        server.daemon_threads = True  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, name="lpmm-http", daemon=True)
        thread.start()
        house.worker.start()
        try:
            yield Serving(house, server)
        finally:
            house.worker.close()
            server.shutdown()
            thread.join()
            server.server_close()


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Loopback address to listen on.")
@click.option("--port", default=8017, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 is any free one.")
@click.option("--demo", is_flag=True, help="Fill the space `sample` once, ask it a question here, and open it first.")
@click.option("--open", "open_browser", is_flag=True, help="Open the page in the browser.")
def command(host: str, port: int, demo: bool, open_browser: bool) -> None:
    """Serve the page on this machine."""
    from lpmm_core.spaces import Spaces

    try:
        host = loopback(host)
    except ValueError:
        raise click.ClickException(
            f"{host} is not a loopback address; this server listens on this machine only"
        ) from None
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    spaces = Spaces()
    try:
        if demo:
            _demonstrate(spaces)
        with serving(spaces, host=host, port=port) as running:
            address = running.address("sample" if demo else None)
            # Before the address is told: whoever reads it may be in at once.
            running.house.gate.entered = lambda: click.echo(f"for another browser: {running.address()}", err=True)
            click.echo(f"LPMM: {address}")
            sys.stdout.flush()
            if open_browser:
                webbrowser.open(address)
            stop.wait()
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error.strerror}") from None
    finally:
        spaces.close()


def _demonstrate(spaces: Spaces) -> None:
    """Fill the sample once and answer one question from it on the terminal."""
    from lpmm_core.cli.group import progress
    from lpmm_core.cli.text import print_result
    from lpmm_core.spaces import demonstrate

    with progress(quiet=False) as show:
        result = demonstrate(spaces, on_progress=show)
    click.echo(f"? {result.question}")
    print_result(result)
