"""How the engine talks to an OpenAI-compatible endpoint: carefully, and the same way for embeddings and for chat.

Endpoints limit rates, fail for a minute, hang, and answer with pages of HTML. Every request is tried again with growing, randomly
shortened pauses while that may help, no more than a few are on their way at once, and what is left of a failure is one sentence.

The key goes to the one address that stands in the settings: redirects are not followed, nothing is read from the OPENAI_*
environment variables, no headers are sent beyond what the request needs, and no message or repr shows it.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.settings import Endpoint

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 20.0
_LONGEST_ASKED_PAUSE = 120.0
_CONNECT_SECONDS = 10.0
_LONGEST_REASON = 200
_NO_KEY = "none"  # local servers want none, the client library insists on one
_HEADERS = frozenset(
    {"accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host", "user-agent"}
)


@dataclass(frozen=True, slots=True)
class Usage:
    """What an endpoint was asked so far, as it counted itself."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class EndpointClient:
    """Sends requests to one endpoint. Threads may share it; nothing is opened before the first request.

    Args:
        endpoint: whom to ask.
        pause: waits so many seconds before a request is sent again.
    """

    def __init__(self, endpoint: Endpoint, *, pause: Callable[[float], None] = time.sleep) -> None:
        self.endpoint = endpoint
        self._pause = pause
        self._places = BoundedSemaphore(endpoint.concurrency)
        self._lock = Lock()
        self._client: OpenAI | None = None
        self._key: str | None = None
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What was used since this client was made."""
        return self._usage

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send `body` and return the JSON object that is the answer.

        Raises:
            ProviderError: there is none, even after trying again.
        """
        attempt = 0
        while True:
            try:
                with self._places:
                    answer = self._send(path, body)
                self._count(answer)
                return answer
            except _Failure as failure:
                final = failure
            # Raised outside, so that no log shows the library's error, which may quote the key.
            if not final.retryable or attempt >= self.endpoint.retries:
                raise ProviderError(final.sentence, retryable=final.retryable)
            self._pause(final.wait if final.wait is not None else _pause_before(attempt))
            attempt += 1

    def _send(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        import openai

        host = self.endpoint.host
        try:
            answer = self._open().post(path, body=dict(body), cast_to=object)
            if isinstance(answer, str):
                answer = json.loads(answer)  # JSON that calls itself text
        except openai.APITimeoutError:
            raise _Failure(f"{host} did not answer within {self.endpoint.timeout:g} s") from None
        except openai.APIConnectionError as error:
            raise _Failure(f"{host} cannot be reached: {error.__cause__ or error}") from None
        except openai.APIStatusError as error:
            raise self._refusal(error) from None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise _Failure(f"{host} answered with something that is no JSON object; is base_url right?")
        return answer

    def _open(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                import openai

                timeout = openai.Timeout(self.endpoint.timeout, connect=min(self.endpoint.timeout, _CONNECT_SECONDS))
                self._key = self.endpoint.key()
                self._client = openai.OpenAI(
                    base_url=self.endpoint.base_url,
                    api_key=self._key or _NO_KEY,
                    max_retries=0,
                    timeout=timeout,
                    http_client=openai.DefaultHttpx2Client(
                        follow_redirects=False, timeout=timeout, event_hooks={"request": [self._strip]}
                    ),
                )
            return self._client

    def _strip(self, request: Any) -> None:
        """Take away what the library adds of its own, from its environment variables above all."""
        for name in [name for name in request.headers if name.lower() not in _HEADERS]:
            del request.headers[name]
        request.headers["authorization"] = f"Bearer {self._key or _NO_KEY}"
        request.headers["user-agent"] = "lpmm"

    def _refusal(self, error: APIStatusError) -> _Failure:
        host, model, status = self.endpoint.host, self.endpoint.model, error.status_code
        reason = self._reason(error)
        because = f": {reason}" if reason else ""
        if 300 <= status < 400:
            return _Failure(
                f"{host} sends on to another address, which is not followed; is base_url right?", retryable=False
            )
        if status == 401:
            return _Failure(f"{host} refused the key", retryable=False)
        if status == 403:
            return _Failure(f"{host} refuses access to the model {model}{because}", retryable=False)
        if status == 404:
            return _Failure(f"{host} has no model {model}, or base_url is not right{because}", retryable=False)
        if status == 429 and error.code == "insufficient_quota":
            return _Failure(f"{host} says that the account has nothing left to spend", retryable=False)
        if status == 429 or status in (408, 409) or status >= 500:
            wait = _asked_pause(error.response.headers)
            if wait is not None and wait > _LONGEST_ASKED_PAUSE:
                return _Failure(f"{host} wants to be asked again in {wait:.0f} s", retryable=False)
            what = "is asked too often" if status == 429 else f"failed with status {status}"
            return _Failure(f"{host} {what}{because}", wait=wait)
        return _Failure(f"{host} refused the request with status {status}{because}", retryable=False)

    def _reason(self, error: APIStatusError) -> str:
        """What the endpoint says about it, short and without the key."""
        said = error.body.get("message") if isinstance(error.body, dict) else None
        reason = " ".join(str(said).split()) if said else ""
        if self._key:
            reason = reason.replace(self._key, "***")
        return reason[:_LONGEST_REASON]

    def _count(self, answer: Mapping[str, Any]) -> None:
        usage = answer.get("usage")
        with self._lock:
            self._usage = Usage(
                self._usage.requests + 1,
                self._usage.prompt_tokens + tokens(usage, "prompt_tokens"),
                self._usage.completion_tokens + tokens(usage, "completion_tokens"),
            )


def tokens(usage: object, name: str) -> int:
    """Return a count of an answer's `usage`, 0 where the endpoint gives none."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) else 0


class _Failure(Exception):
    def __init__(self, sentence: str, *, retryable: bool = True, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.retryable = retryable
        self.wait = wait


def _pause_before(attempt: int) -> float:
    """Twice as long each time, and never the same for all who wait."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**attempt) * random.uniform(0.5, 1.0)


def _asked_pause(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that Retry-After asks for, which may be a number or a date."""
    asked = headers.get("retry-after")
    if not asked:
        return None
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(asked)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
