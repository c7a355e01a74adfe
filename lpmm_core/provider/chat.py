"""Chat models: what the engine asks of one, and any OpenAI-compatible endpoint as one.

An answer is handed on as it came, thoughts in `<think>` included: what is expected of it is known where it was asked for. It is only
said whether the endpoint cut it off.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.settings import Endpoint
from lpmm_core.provider.openai_client import EndpointClient, Usage, tokens


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. Tokens are as the endpoint counted them, 0 if it did not; `truncated` says that the limit cut it off."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    truncated: bool = False


class ChatModel(Protocol):
    """Answers a message, given instructions. Threads may share one."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    def complete(self, system: str, user: str, *, max_tokens: int = 2048) -> Completion:
        """Return the answer to `user` under the instructions `system`.

        Raises:
            ProviderError: the model did not answer.
        """
        ...


class OpenAIChat:
    """A chat model behind an endpoint. Threads may share it.

    Args:
        endpoint: where it is.
        temperature: 0 for the most probable answer; None leaves it to the endpoint.
        pause: waits so many seconds before a request is sent again.
    """

    def __init__(
        self, endpoint: Endpoint, *, temperature: float | None = 0.0, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self.name = endpoint.model
        self._client = EndpointClient(endpoint, pause=pause)
        self._temperature = temperature
        self._limit = "max_tokens"

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._client.usage

    def complete(self, system: str, user: str, *, max_tokens: int = 2048) -> Completion:
        """Return the answer to `user` under the instructions `system`.

        Raises:
            ProviderError: the endpoint did not answer, or without text.
        """
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        while True:
            body: dict[str, object] = {"model": self.name, "messages": messages, self._limit: max_tokens}
            if self._temperature is not None:
                body["temperature"] = self._temperature
            try:
                return self._read(self._client.post("/chat/completions", body))
            except ProviderError as error:
                if error.retryable or not self._adapt(error.message):
                    raise

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _adapt(self, complaint: str) -> bool:
        """Ask as this endpoint wants to be asked: models that reason take another limit, and no temperature."""
        if "max_completion_tokens" in complaint and self._limit == "max_tokens":
            self._limit = "max_completion_tokens"
        elif "temperature" in complaint and self._temperature is not None:
            self._temperature = None
        else:
            return False
        return True

    def _read(self, answer: dict[str, Any]) -> Completion:
        try:
            choice = answer["choices"][0]
            text, truncated = choice["message"].get("content"), choice.get("finish_reason") == "length"
        except (KeyError, IndexError, TypeError, AttributeError):
            text, truncated = None, False
        if not isinstance(text, str) and not truncated:
            raise ProviderError(f"{self._client.endpoint.host} answered without text (model {self.name})")
        usage = answer.get("usage")
        return Completion(text or "", tokens(usage, "prompt_tokens"), tokens(usage, "completion_tokens"), truncated)
