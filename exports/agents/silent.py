"""`silent`: answers nothing. What it scores is what a benchmark gives away for free: it must be zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from exports.agents.agent import AgentResult, TaskView
from exports.tools.tool import Toolbox


@dataclass(slots=True)
class Silent:
    """The baseline that says nothing."""

    name: str = "silent"
    config: Mapping[str, Any] = field(default_factory=lambda: {"version": "1"})
    model: str | None = None
    budget: int | None = 0
    sees_human_path: bool = False

    async def attempt(self, task: TaskView, tools: Toolbox) -> AgentResult:
        """Hand in nothing."""
        return AgentResult(reply=None, stop_reason="no_answer")

    async def aclose(self) -> None:
        """Nothing is held open."""
