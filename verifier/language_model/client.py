"""The one door to language models: any OpenAI-compatible server, asked once, its failures told apart.

The SDK's own retries are off: whoever calls decides what is worth asking again, and pays for it knowingly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from verifier.attempts.attempt import Usage
from verifier.errors import ModelRefused, ModelUnavailable
from verifier.language_model.usage import usage_from

if TYPE_CHECKING:
    from openai import AsyncOpenAI

DEFAULT_TIMEOUT = 300.0
"""Seconds until an answer is given up."""

Message = Mapping[str, Any]

_ADVICE = {401: "check the API key", 403: "check the API key's rights", 404: "check the address and the model's name"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool the model wants to use; `arguments` is the text as it came, JSON or not."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a model said. `raw` is the whole response; `model` the name the server gave, not the one asked for."""

    text: str
    usage: Usage
    model: str
    raw: Mapping[str, Any]
    finish_reason: str = ""
    tool_calls: tuple[ToolCall, ...] = field(default=())


class ModelClient(Protocol):
    """Whatever can continue a conversation."""

    @property
    def model(self) -> str:
        """The name of the model that is asked."""
        ...

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_output_tokens: int | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        extra: Mapping[str, Any] | None = None,
    ) -> ModelReply:
        """Ask once. Raises ModelRefused or ModelUnavailable."""
        ...


class OpenAIModel:
    """A model behind an OpenAI-compatible server. Use it as an async context, or call `aclose` when done."""

    def __init__(self, base_url: str, api_key: str, model: str, timeout: float = DEFAULT_TIMEOUT) -> None:
        self.base_url = base_url
        self.timeout = timeout
        self._api_key = api_key
        self._model = model
        self._sdk: AsyncOpenAI | None = None

    @property
    def model(self) -> str:
        """The name of the model that is asked."""
        return self._model

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_output_tokens: int | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        extra: Mapping[str, Any] | None = None,
    ) -> ModelReply:
        """Ask once. `None` leaves a setting to the server; `extra` goes into the request as it is.

        Raises ModelRefused when the server says the request is wrong, ModelUnavailable when it is away, slow,
        overloaded, or answers something that is no chat completion.
        """
        import openai

        asked: dict[str, Any] = {"model": self._model, "messages": list(messages), **(extra or {})}
        settings = {"temperature": temperature, "max_tokens": max_output_tokens, "tools": list(tools) or None}
        asked |= {name: value for name, value in settings.items() if value is not None}
        try:
            response = await self._client().chat.completions.with_raw_response.create(**asked)
            body = json.loads(response.content)
        except openai.APIStatusError as error:
            raise self._status_error(error.status_code, str(error.message), error.response.headers) from error
        except openai.APITimeoutError as error:
            raise ModelUnavailable(
                f"the model server at {self.base_url} gave no answer within {self.timeout:g} seconds; try again"
            ) from error
        except (openai.APIError, ValueError) as error:
            raise ModelUnavailable(
                f"the model server at {self.base_url} cannot be used: {_cause(error)}. Check that it runs and that the "
                "address ends as the server wants it (often /v1)"
            ) from error
        return self._reply(body)

    async def aclose(self) -> None:
        """Close the connections. Closing twice is free."""
        if self._sdk is not None:
            await self._sdk.close()
            self._sdk = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _client(self) -> AsyncOpenAI:
        if self._sdk is None:
            from openai import AsyncOpenAI

            self._sdk = AsyncOpenAI(base_url=self.base_url, api_key=self._api_key, max_retries=0, timeout=self.timeout)
        return self._sdk

    def _status_error(self, status: int, message: str, headers: Mapping[str, str]) -> ModelRefused | ModelUnavailable:
        where = f"the model server at {self.base_url} answered {status}"
        # A used-up quota also comes as 429, but waiting does not bring it back.
        if status == 429 and "insufficient_quota" in message:
            return ModelRefused(f"{where}: the account's quota is used up; {_short(message)}")
        if status in (408, 409, 425, 429) or status >= 500:
            wait = headers.get("retry-after")
            when = f"in {wait} seconds" if wait else "later"
            return ModelUnavailable(f"{where}: {_short(message)}; try again {when}")
        return ModelRefused(f"{where}: {_short(message)}; {_ADVICE.get(status, 'asking again will not help')}")

    def _reply(self, body: Any) -> ModelReply:
        try:
            choice = body["choices"][0]
            message = choice["message"]
            text = message.get("content") or ""
            calls = tuple(_tool_call(call) for call in message.get("tool_calls") or ())
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ModelUnavailable(
                f"the model server at {self.base_url} answered something that is no chat completion: "
                f"{_short(json.dumps(body))}"
            ) from error
        return ModelReply(
            text=text if isinstance(text, str) else json.dumps(text),
            usage=usage_from(body.get("usage")),
            model=str(body.get("model") or self._model),
            raw=body,
            finish_reason=str(choice.get("finish_reason") or ""),
            tool_calls=calls,
        )


def _tool_call(call: Mapping[str, Any]) -> ToolCall:
    function = call["function"]
    return ToolCall(id=str(call.get("id", "")), name=str(function["name"]), arguments=str(function["arguments"]))


def _cause(error: Exception) -> str:
    # The SDK says only "Connection error."; the reason stands below it.
    deepest: BaseException = error
    while deepest.__cause__ is not None:
        deepest = deepest.__cause__
    return _short(str(deepest) or type(deepest).__name__)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 300 else f"{flat[:297]}..."
