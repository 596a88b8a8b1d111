"""`model-only`: one question to a language model, no tools. What it scores was in the model already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from exports.agents import prompts
from exports.agents.agent import AgentResult, TaskView
from exports.tools.tool import Toolbox
from verifier.language_model.client import OpenAIModel

TEMPERATURE = 0.7
MAX_OUTPUT_TOKENS = 8192


def _settings() -> dict[str, Any]:
    return {"prompt": prompts.VERSION, "temperature": TEMPERATURE, "max_output_tokens": MAX_OUTPUT_TOKENS}


@dataclass(slots=True)
class ModelOnly:
    """A language model without a web."""

    client: OpenAIModel
    model: str
    name: str = "model-only"
    config: Mapping[str, Any] = field(default_factory=_settings)
    budget: int | None = 0
    sees_human_path: bool = False

    async def attempt(self, task: TaskView, tools: Toolbox) -> AgentResult:
        """Ask once and hand in the text as it came. An empty text is no answer."""
        at, started = tools.clock.now(), tools.clock.seconds()
        reply = await self.client.complete(
            [{"role": "user", "content": prompts.closed_book_prompt(task)}],
            temperature=TEMPERATURE,
            max_output_tokens=MAX_OUTPUT_TOKENS,
        )
        ms = round((tools.clock.seconds() - started) * 1000, 3)
        tools.record(at=at, kind="model", name=reply.model, ms=ms, usage=reply.usage, turn=1)
        text = reply.text if reply.text.strip() else None
        return AgentResult(reply=text, stop_reason="answer" if text else "no_answer", usage=reply.usage)

    async def aclose(self) -> None:
        """Close the connections to the model server."""
        await self.client.aclose()
