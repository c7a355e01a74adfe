from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lpmm_core.base.errors import ProviderError
from lpmm_core.provider.chat import ChatModel, Completion, OpenAIChat
from lpmm_core.provider.openai_client import Usage
from tests.provider.conftest import PlayedEndpoint, Reply


def said(text: str | None, *, finish: str = "stop", usage: Any = None) -> Reply:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
    return Reply({"object": "chat.completion", "choices": [choice], "usage": usage})


@pytest.fixture
def chat(played: PlayedEndpoint) -> Iterator[OpenAIChat]:
    chat = OpenAIChat(played.endpoint(retries=2), pause=lambda seconds: None)
    yield chat
    chat.close()


def test_an_answer_comes_with_its_tokens(played: PlayedEndpoint, chat: OpenAIChat):
    model: ChatModel = chat
    played.answer = lambda body: said("往世乐土", usage={"prompt_tokens": 21, "completion_tokens": 4})
    assert model.complete("Answer briefly.", "谁住在哪里？", max_tokens=64) == Completion("往世乐土", 21, 4)
    model.complete("Answer briefly.", "again")
    assert chat.usage == Usage(requests=2, prompt_tokens=42, completion_tokens=8)
    asked = played.asked[0]
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {
        "model": "played",
        "messages": [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": "谁住在哪里？"}],
        "max_tokens": 64,
        "temperature": 0.0,
    }


def test_thoughts_are_left_in_the_text(played: PlayedEndpoint, chat: OpenAIChat):
    played.answer = lambda body: said("<think>hm</think>yes")
    assert chat.complete("s", "u").text == "<think>hm</think>yes"


def test_an_answer_that_was_cut_off_says_so_even_if_nothing_came(played: PlayedEndpoint, chat: OpenAIChat):
    played.replies += [said('{"triples": [', finish="length"), said(None, finish="length")]
    assert chat.complete("s", "u") == Completion('{"triples": [', truncated=True)
    assert chat.complete("s", "u") == Completion("", truncated=True)


@pytest.mark.parametrize(
    "reply",
    [
        said(None),
        Reply({}),
        Reply({"choices": []}),
        Reply({"choices": [{}]}),
        Reply({"choices": ["text"]}),
        Reply({"choices": 3}),
    ],
)
def test_an_answer_without_text_is_an_error(played: PlayedEndpoint, chat: OpenAIChat, reply: Reply):
    played.replies.append(reply)
    with pytest.raises(ProviderError, match="answered without text"):
        chat.complete("s", "u")


def test_a_busy_endpoint_is_asked_again(played: PlayedEndpoint, chat: OpenAIChat):
    played.replies += [Reply({}, status=429), Reply({}, status=502), said("yes")]
    assert chat.complete("s", "u").text == "yes"


def test_an_endpoint_that_wants_other_settings_gets_them_and_is_remembered(played: PlayedEndpoint, chat: OpenAIChat):
    def fussy(body: dict[str, Any]) -> Reply:
        if "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        elif "temperature" in body:
            message = "Unsupported value: 'temperature' does not support 0.0 with this model."
        else:
            return said("yes")
        return Reply({"error": {"message": message}}, status=400)

    played.answer = fussy
    assert chat.complete("s", "u", max_tokens=9).text == "yes"
    assert played.asked[-1].body["max_completion_tokens"] == 9
    assert len(played.asked) == 3
    chat.complete("s", "u")
    assert len(played.asked) == 4


def test_what_an_endpoint_refuses_for_good_is_told(played: PlayedEndpoint, chat: OpenAIChat):
    played.answer = lambda body: Reply(
        {"error": {"message": "max_completion_tokens is too large; temperature too"}}, status=400
    )
    with pytest.raises(ProviderError, match="too large"):
        chat.complete("s", "u")
    assert len(played.asked) == 3
