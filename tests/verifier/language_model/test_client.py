"""What a model server says becomes a reply, and what it fails at becomes the right error."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

import pytest

from tests.verifier.scripted_server import Answer, fails, says, scripted
from verifier.attempts.attempt import Usage
from verifier.errors import ModelRefused, ModelUnavailable
from verifier.language_model.client import ModelReply, OpenAIModel

HELLO = [{"role": "user", "content": "hello"}]


class Settings(TypedDict, total=False):
    """What a request may set."""

    temperature: float
    max_output_tokens: int
    extra: Mapping[str, Any]


def ask(base_url: str, timeout: float = 20, **settings: Unpack[Settings]) -> ModelReply:
    async def once() -> ModelReply:
        async with OpenAIModel(base_url, "key", "scripted", timeout=timeout) as model:
            return await model.complete(HELLO, **settings)

    return asyncio.run(once())


def test_a_reply_has_its_text_usage_and_the_servers_own_model_name() -> None:
    with scripted(says("Paris", prompt_tokens=7, completion_tokens=2)) as server:
        reply = ask(server.base_url)
    assert (reply.text, reply.model, reply.finish_reason) == ("Paris", "scripted-1", "stop")
    assert reply.usage == Usage(input=7, output=2)
    assert reply.raw["choices"][0]["message"]["content"] == "Paris"


def test_only_settings_that_were_given_are_sent() -> None:
    with scripted(says("x")) as server:
        ask(server.base_url, temperature=0.0, max_output_tokens=5, extra={"seed": 7})
        ask(server.base_url)
    assert server.requests[0] == {
        "model": "scripted",
        "messages": HELLO,
        "temperature": 0.0,
        "max_tokens": 5,
        "seed": 7,
    }
    assert set(server.requests[1]) == {"model", "messages"}


def test_tool_calls_come_as_they_are() -> None:
    call = '{"id":"c1","type":"function","function":{"name":"search","arguments":"{not json"}}'
    body = '{"model":"m","choices":[{"message":{"content":null,"tool_calls":[' + call + "]}}]}"
    with scripted(Answer(body)) as server:
        reply = ask(server.base_url)
    assert (reply.text, reply.tool_calls[0].name, reply.tool_calls[0].arguments) == ("", "search", "{not json")


FAILURES = [
    (fails(400, "context too long"), ModelRefused, "400: .*context too long"),
    (fails(401, "no such key"), ModelRefused, "401: .*check the API key"),
    (fails(404, "no such model"), ModelRefused, "404: .*the model's name"),
    (fails(429, "insufficient_quota"), ModelRefused, "quota is used up"),
    (fails(429, "slow down", retry_after="7"), ModelUnavailable, "try again in 7 seconds"),
    (fails(500, "oops"), ModelUnavailable, "500: .*try again later"),
    (fails(503, "busy"), ModelUnavailable, "503"),
    (Answer("{garbage"), ModelUnavailable, "cannot be used"),
    (Answer("<html>hello</html>", headers={"Content-Type": "text/html"}), ModelUnavailable, "cannot be used"),
    (Answer("[]"), ModelUnavailable, "no chat completion"),
    (Answer('{"choices":[]}'), ModelUnavailable, "no chat completion"),
    (Answer('{"choices":[{"message":null}]}'), ModelUnavailable, "no chat completion"),
]


@pytest.mark.parametrize(("answer", "error", "message"), FAILURES)
def test_a_failure_says_who_acts_next(answer: Answer, error: type[Exception], message: str) -> None:
    with scripted(answer) as server, pytest.raises(error, match=message):
        ask(server.base_url)
    assert len(server.requests) == 1


def test_a_server_that_hangs_is_given_up_in_time() -> None:
    with scripted(Answer(hang=True)) as server, pytest.raises(ModelUnavailable, match=r"within 0\.3 seconds"):
        ask(server.base_url, timeout=0.3)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ModelUnavailable, match="Check that it runs"):
        ask(address)
