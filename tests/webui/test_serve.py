"""`lpmm serve`: one address on stdout, this machine only, and a clean end."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from webui import serve
from webui.serve import loopback

SERVE = [sys.executable, "-c", "from webui.serve import command; command()"]


@pytest.fixture
def server(tmp_path):
    environment = os.environ | {"LPMM_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*SERVE, "--port", "0"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    address = re.search(r"http://127\.0\.0\.1:\d+/enter\?token=\S+", process.stdout.readline())[0]
    yield process, address
    if process.poll() is None:
        process.kill()
    process.communicate()


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_stop(server, tmp_path, number):
    process, address = server
    with pytest.raises(urllib.error.HTTPError) as redirect:
        urllib.request.build_opener(Stay).open(address)
    assert redirect.value.code == 303
    assert "Set-Cookie" in redirect.value.headers
    assert redirect.value.headers["Server"] == "LPMM"
    redirect.value.close()
    assert "for another browser: http://127.0.0.1" in process.stderr.readline()
    process.send_signal(number)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert output == ""
    assert (tmp_path / "data" / "spaces" / "default" / "memory.db").exists()


def run(*arguments, home):
    environment = os.environ | {"LPMM_HOME": str(home)}
    return subprocess.run(
        [*SERVE, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", ""])
def test_another_host_than_this_machine_is_no_loopback(host):
    with pytest.raises(ValueError, match=host or "does not appear"):
        loopback(host)


@pytest.mark.parametrize(("host", "address"), [("localhost", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("::1", "::1")])
def test_this_machine_is_listened_on(host, address):
    assert loopback(host) == address


def test_another_host_is_refused_in_one_line(tmp_path):
    refused = run("--host", "0.0.0.0", home=tmp_path)
    assert refused.returncode == 1
    assert "0.0.0.0" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1


def test_whoever_reads_the_address_may_be_in_at_once(monkeypatch, tmp_path):
    """However quick the first entry is, the next address is told after it."""
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    told = []

    def echo(text, **_):
        told.append(text)
        if text.startswith("LPMM: "):
            with pytest.raises(urllib.error.HTTPError) as redirect:
                urllib.request.build_opener(Stay).open(text.removeprefix("LPMM: "))
            redirect.value.close()
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(serve.click, "echo", echo)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        serve.command.callback(host="127.0.0.1", port=0, demo=False, open_browser=False)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert [text.split(" http")[0] for text in told] == ["LPMM:", "for another browser:"]


def test_a_taken_port_is_said_in_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = run("--port", str(taken.getsockname()[1]), home=tmp_path)
    assert refused.returncode == 1
    assert len(refused.stderr.strip().splitlines()) == 1
