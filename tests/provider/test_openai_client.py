from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.settings import Endpoint
from lpmm_core.provider.openai_client import EndpointClient
from tests.provider.conftest import PlayedEndpoint, Reply

KEY = "sk-very-secret"


class Asker:
    """A client whose pauses are written down and not waited for."""

    def __init__(self, played: PlayedEndpoint, **changes: Any) -> None:
        self.pauses: list[float] = []
        self.client = EndpointClient(played.endpoint(**changes), pause=self.pauses.append)

    def ask(self) -> dict[str, Any]:
        return self.client.post("/embeddings", {"model": "played"})

    def refusal(self) -> ProviderError:
        with pytest.raises(ProviderError) as refused:
            self.ask()
        assert KEY not in f"{refused.value!r}{refused.value.message}"
        return refused.value


@pytest.fixture
def asker(played: PlayedEndpoint) -> Iterator[Asker]:
    asker = Asker(played)
    yield asker
    asker.client.close()


def error(status: int, message: str = "", **more: Any) -> Reply:
    return Reply({"error": {"message": message, **more}}, status=status)


def test_what_fails_for_a_moment_is_asked_again(played: PlayedEndpoint, asker: Asker):
    played.replies += [error(500), error(503), Reply({"fine": True})]
    assert asker.ask() == {"fine": True}
    assert len(played.asked) == 3


def test_pauses_grow_and_are_not_the_same_for_all_who_wait(played: PlayedEndpoint):
    played.answer = lambda body: error(503)
    pauses = []
    for _ in range(3):
        asker = Asker(played, retries=5)
        refused = asker.refusal()
        asker.client.close()
        assert refused.retryable
        assert "failed with status 503" in refused.message
        pauses.append(asker.pauses)
    for waited in pauses:
        assert all(0.25 * 2**n <= pause <= 0.5 * 2**n for n, pause in enumerate(waited))
        assert len(waited) == 5
    assert len({tuple(waited) for waited in pauses}) == 3


@pytest.mark.parametrize("asked", ["7", "7.0", "date"])
def test_retry_after_is_honoured(played: PlayedEndpoint, asker: Asker, asked: str):
    if asked == "date":
        asked = format_datetime(datetime.now(UTC) + timedelta(seconds=8), usegmt=True)
    played.replies += [Reply({}, status=429, headers={"Retry-After": asked}), Reply({})]
    asker.ask()
    assert 5 < asker.pauses[0] <= 8


def test_nobody_waits_an_hour(played: PlayedEndpoint, asker: Asker):
    played.replies.append(Reply({}, status=429, headers={"Retry-After": "3600"}))
    assert "wants to be asked again in 3600 s" in asker.refusal().message
    assert asker.pauses == []


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (error(401, f"Incorrect API key provided: {KEY}"), "refused the key"),
        (error(403, "not yours"), "refuses access to the model played: not yours"),
        (error(404, "unknown"), "has no model played, or base_url is not right: unknown"),
        (
            error(400, f"input too long, {KEY}\n  says it"),
            "refused the request with status 400: input too long, *** says it",
        ),
        (error(429, "pay", code="insufficient_quota"), "nothing left to spend"),
        (Reply(b"<html>", status=413, headers={"Content-Type": "text/html"}), "refused the request with status 413"),
    ],
)
def test_what_asking_again_cannot_help_is_told_at_once(
    played: PlayedEndpoint, asker: Asker, reply: Reply, sentence: str
):
    played.replies.append(reply)
    refused = asker.refusal()
    assert sentence in refused.message
    assert played.base_url.split("/")[2] in refused.message
    assert not refused.retryable
    assert refused.__cause__ is None is refused.__context__
    assert len(played.asked) == 1


def test_an_endpoint_that_hangs_is_left_after_the_timeout(played: PlayedEndpoint):
    asker = Asker(played, timeout=0.2, retries=1)
    played.answer = lambda body: Reply({}, delay=1.0)
    began = time.monotonic()
    assert "did not answer within 0.2 s" in asker.refusal().message
    assert time.monotonic() - began < 1.0
    assert len(asker.pauses) == 1
    asker.client.close()


def test_an_endpoint_that_is_not_there_is_named():
    asker_pauses: list[float] = []
    client = EndpointClient(Endpoint(base_url="http://127.0.0.1:9/v1", model="m", retries=1), pause=asker_pauses.append)
    with pytest.raises(ProviderError, match=r"127\.0\.0\.1:9 cannot be reached"):
        client.post("/embeddings", {})
    client.close()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"{oops"),
        Reply(b"<html>welcome</html>", headers={"Content-Type": "text/html"}),
        Reply(b"\xff\xfe\x00", headers={"Content-Type": "application/json"}),
        Reply([1, 2]),
        Reply(b""),
        Reply(None),
    ],
)
def test_an_answer_that_is_no_json_object_is_refused_after_trying_again(played: PlayedEndpoint, reply: Reply):
    asker = Asker(played, retries=1)
    played.answer = lambda body: reply
    assert "no JSON object" in asker.refusal().message
    assert len(played.asked) == 2
    asker.client.close()


def test_json_that_calls_itself_text_is_read(played: PlayedEndpoint, asker: Asker):
    played.replies.append(Reply({"fine": 1}, headers={"Content-Type": "text/plain"}))
    assert asker.ask() == {"fine": 1}


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(played: PlayedEndpoint, asker: Asker, status: int):
    played.answer = lambda body: Reply({"elsewhere": True})
    played.replies.append(Reply({}, status=status, headers={"Location": f"{played.base_url}/elsewhere"}))
    refused = asker.refusal()
    assert "another address, which is not followed" in refused.message
    assert not refused.retryable
    assert len(played.asked) == 1


def test_only_the_configured_key_and_no_other_header_is_sent(
    played: PlayedEndpoint, asker: Asker, monkeypatch: pytest.MonkeyPatch
):
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", "ambient-secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Ambient: ambient-secret\nAuthorization: ambient-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/ambient")
    played.answer = lambda body: Reply({})
    asker.ask()
    keyless = Asker(played, api_key=None)
    keyless.ask()
    keyless.client.close()
    assert [asked.headers["authorization"] for asked in played.asked] == [f"Bearer {KEY}", "Bearer none"]
    for asked in played.asked:
        assert "ambient-secret" not in str(asked.headers)
        assert not [name for name in asked.headers if name.startswith("x-")]


def test_the_key_comes_from_the_environment_when_it_is_needed(played: PlayedEndpoint, monkeypatch: pytest.MonkeyPatch):
    asker = Asker(played, api_key=None, api_key_env="PLAYED_KEY")
    monkeypatch.delenv("PLAYED_KEY", raising=False)
    assert "PLAYED_KEY" in asker.refusal().message
    monkeypatch.setenv("PLAYED_KEY", f"{KEY}\n")
    played.answer = lambda body: Reply({})
    asker.ask()
    assert played.asked[0].headers["authorization"] == f"Bearer {KEY}"
    asker.client.close()


def test_keys_are_in_no_repr_and_no_log(played: PlayedEndpoint, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    asker = Asker(played, retries=1)
    played.answer = lambda body: error(500, f"key {KEY} is fine but we are not")
    assert "key *** is fine" in asker.refusal().message
    assert KEY not in repr(asker.client.endpoint) + repr(asker.client) + str(vars(asker.client.endpoint.__class__))
    assert KEY not in caplog.text
    asker.client.close()


def test_no_more_requests_are_on_their_way_than_allowed(played: PlayedEndpoint):
    asker = Asker(played, concurrency=2)
    played.answer = lambda body: Reply({"usage": {"prompt_tokens": 3, "completion_tokens": 2}}, delay=0.03)
    threads = [threading.Thread(target=asker.ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert played.most_at_once == 2
    assert (asker.client.usage.requests, asker.client.usage.prompt_tokens, asker.client.usage.completion_tokens) == (
        8,
        24,
        16,
    )
    asker.client.close()
