"""Tools as agents see them, and the toolbox that holds them: one budget, every call recorded.

A tool is asked with plain JSON arguments and answers with text; what it knows beyond the text (how the answer was
matched, which snapshot it was) goes into the record and is hidden from the agent. Tools never hold gold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from browser_capture.json_records import sha256
from browser_capture.trajectory import Actor, SearchResult, Trajectory
from exports.tools.path import PageSeen, ResultsSeen, Seen, trajectory_of
from verifier.attempts.attempt import Call

ToolKind = Literal["search", "fetch", "browse", "other"]
Matched = Literal["exact", "normalised", "ranked", "missing"]
OVER_BUDGET = "The budget of {budget} tool calls is used up. Give your final answer now."


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """What a tool gives back: `text` for the agent, the rest for the record and for agents of ours."""

    text: str
    ok: bool = True
    error: str = ""
    matched: Matched | None = None
    seen: ResultsSeen | PageSeen | None = None
    results: tuple[SearchResult, ...] = ()
    body: str = ""
    """The part of a page's own text that `text` holds."""
    next_start: int | None = None
    """Where to read on, in characters, when the page was longer than one reply."""


class Tool(Protocol):
    """Something an agent may use."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> ToolKind: ...

    @property
    def description(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The arguments as a JSON Schema object, as model servers take them."""
        ...

    async def __call__(self, arguments: Mapping[str, Any]) -> ToolReply: ...


@dataclass(slots=True)
class Clock:
    """The two clocks an attempt needs: `now` gives ISO 8601 UTC, `seconds` a number that only ever grows."""

    now: Callable[[], str]
    seconds: Callable[[], float]


@dataclass(slots=True)
class Toolbox:
    """The tools of one attempt. `budget` counts every call singly; None sets no limit."""

    tools: Sequence[Tool]
    budget: int | None
    clock: Clock
    calls: list[Call] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    spent: int = 0

    def left(self) -> int | None:
        """Return how many calls are left, None without a limit."""
        return None if self.budget is None else max(0, self.budget - self.spent)

    async def call(self, name: str, arguments: Mapping[str, Any], turn: int = 0) -> ToolReply:
        """Use a tool and record the call. An unknown tool, or one too many, gets a reply that says so."""
        await asyncio.sleep(0)  # tools of ours answer at once: let other attempts and signals have their turn
        tool = next((tool for tool in self.tools if tool.name == name), None)
        if tool is None:
            names = ", ".join(tool.name for tool in self.tools) or "none"
            return self._refused(name, arguments, turn, f"There is no tool {name!r}; the tools are: {names}.")
        if self.left() == 0:
            return self._refused(name, arguments, turn, OVER_BUDGET.format(budget=self.budget))
        self.spent += 1
        at, started = self.clock.now(), self.clock.seconds()
        reply = await tool(arguments)
        ms = (self.clock.seconds() - started) * 1000
        seq = self.record(
            at=at,
            kind=tool.kind,
            name=name,
            arguments=arguments,
            result_sha=sha256(reply.text),
            matched=reply.matched,
            turn=turn,
            ms=round(ms, 3),
            ok=reply.ok,
            error=reply.error,
        )
        if reply.seen is not None:
            self.seen.append(Seen(seq, at, reply.seen))
        return reply

    def record(self, **members: Any) -> int:
        """Add a call, of a tool or of a model, to the record and return its number."""
        call = Call(seq=len(self.calls) + 1, **members)
        self.calls.append(call)
        return call.seq

    def trajectory(self, name: str, task: str, actor: Actor, started_at: str, ended_at: str) -> Trajectory:
        """Return what was searched and read so far, in the shape people's recordings have."""
        return trajectory_of(self.seen, name=name, task=task, actor=actor, started_at=started_at, ended_at=ended_at)

    def _refused(self, name: str, arguments: Mapping[str, Any], turn: int, text: str) -> ToolReply:
        self.record(
            at=self.clock.now(),
            kind="other",
            name=name,
            arguments=arguments,
            turn=turn,
            result_sha=sha256(text),
            ok=False,
            error="refused",
        )
        return ToolReply(text=text, ok=False, error="refused")


def text_argument(arguments: Mapping[str, Any], name: str) -> str | None:
    """Return a non-empty text argument, None when it is missing, empty or of another type."""
    value = arguments.get(name)
    return value.strip() or None if isinstance(value, str) else None


def number_argument(arguments: Mapping[str, Any], name: str) -> int:
    """Return a whole number that is not negative; 0 when it is missing or anything else."""
    value = arguments.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
