"""Nobody gets past the gate: every route, every method, the live channel; and what the gate lets in it lets in once."""

import pytest
from werkzeug.datastructures import Headers

from webui.auth import OPEN, Gate, host_is_local, same_page

INSTEAD = {"space": "default", "filename": "tokens.css"}


def routes(app):
    for rule in app.url_map.iter_rules():
        path = rule.build({name: INSTEAD.get(name, "x") for name in rule.arguments})[1]
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            yield rule.endpoint, method, path


def test_every_route_is_closed_to_who_has_not_entered(app, stranger):
    closed = [(m, p) for endpoint, m, p in routes(app) if endpoint not in OPEN]
    assert len(closed) > 20
    for method, path in closed:
        assert stranger.client.open(path, method=method, headers=stranger.headers).status_code == 401, (method, path)


def test_what_is_open_to_anybody_holds_nothing_of_a_memory(app, stranger):
    assert {endpoint for endpoint, _, _ in routes(app) if endpoint in OPEN} == OPEN
    assert stranger("GET", "/api/v1/health").json["status"] == "ok"
    assert stranger.client.post("/api/v1/health", headers=stranger.headers).status_code in {401, 405}


def test_an_unknown_path_says_nothing_to_a_stranger(stranger):
    assert stranger("GET", "/api/v1/spaces/secret/stats").status_code == 401
    assert stranger("GET", "/api/v1/nothing").status_code == 401


def test_a_token_lets_one_browser_in_once(app, stranger):
    token = app.extensions["lpmm"].gate.mint()
    first = stranger.client.get(f"/enter?token={token}", headers=stranger.headers)
    assert first.status_code == 303
    assert "token" not in first.headers["Location"]
    cookie = first.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    second = app.test_client().get(f"/enter?token={token}", headers=stranger.headers)
    assert second.status_code == 401
    assert "Set-Cookie" not in second.headers


def test_who_is_in_already_may_open_the_address_again(app, browser):
    assert browser.client.get("/enter?token=used", headers=browser.headers).status_code == 303


@pytest.mark.parametrize("token", ["", "x", "\ud800", "a" * 10_000])
def test_a_wrong_token_lets_nobody_in(token):
    gate = Gate()
    gate.mint()
    assert gate.enter(token) is None


def test_the_gate_forgets_the_oldest_of_many_sessions():
    gate = Gate()
    sessions = [gate.enter(gate.mint()) for _ in range(201)]
    assert gate.visitor({"lpmm": sessions[0]}) is None
    assert gate.visitor({"lpmm": sessions[-1]}) is not None


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8017", "[", "", "10.0.0.1"]
)
def test_another_host_name_gets_nothing(browser, host):
    """A name that an attacker points to this machine (DNS rebinding) is refused before anything else."""
    assert not host_is_local(host)
    if host not in {"", "["}:
        assert browser("GET", "/stats", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8017", "[::1]:8017"])
def test_every_name_of_this_machine_is_good(browser, host):
    assert host_is_local(host)
    assert browser("GET", "/api/v1/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
        {},
    ],
)
def test_another_page_changes_nothing(app, browser, headers):
    """Another site, another port of this machine, a sandboxed frame, a tool with a stolen cookie."""
    browser.headers = {"Host": "127.0.0.1:8017", **headers}
    assert not same_page(Headers(headers), "127.0.0.1:8017")
    changing = [(m, p) for endpoint, m, p in routes(app) if m not in {"GET"}]
    assert changing
    for method, path in changing:
        assert browser.client.open(path, method=method, headers=browser.headers).status_code == 403, (method, path)


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://127.0.0.1:8017"}])
def test_our_own_page_may_change_something(browser, headers):
    browser.headers = {"Host": "127.0.0.1:8017", **headers}
    assert browser("POST", "/sources", json={"name": "a", "text": "凯文住在钟楼。"}).status_code == 202


def test_the_live_channel_is_closed_to_strangers(app, stranger):
    live = app.extensions["lpmm"].live
    assert not live.socketio.test_client(
        app, flask_test_client=stranger.client, headers=stranger.headers
    ).is_connected()


def test_the_live_channel_is_open_to_who_is_in(app, browser):
    live = app.extensions["lpmm"].live
    socket = live.socketio.test_client(app, flask_test_client=browser.client, headers=browser.headers)
    assert socket.is_connected()
    assert socket.emit("watch", {"space": "default"}, callback=True)["seq"] == 0
    live.emit("default", "changed", {"sequence": 7})
    assert [message["args"][0]["sequence"] for message in socket.get_received()] == [7]


def test_a_session_that_ended_hears_nothing_more(app, browser):
    house = app.extensions["lpmm"]
    socket = house.live.socketio.test_client(app, flask_test_client=browser.client, headers=browser.headers)
    house.gate._sessions.clear()
    socket.emit("watch", {"space": "default"})
    assert not socket.is_connected()


def test_headers_forbid_what_the_page_does_not_need(browser, stranger):
    for answer in (browser("GET", "/s/default/ask"), browser("GET", "/stats"), stranger("GET", "/stats")):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
