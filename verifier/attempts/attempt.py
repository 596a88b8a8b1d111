"""One try of one agent at one task: what it was, what it did, what came out, what it cost.

The key is a hash of everything that could change the outcome, so that a resumed run asks nothing twice and attempts
of different set-ups are never mixed. `outcome` and `stop_reason` are separate: an agent may time out and still have
answered. Money is a decimal text in US dollars, None where unknown; unknown is not zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from browser_capture.json_records import dumps, sha256
from browser_capture.trajectory import Trajectory

Outcome = Literal["scored", "agent_failure", "infrastructure_failure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptKey:
    """What is tried: changing any member makes another attempt."""

    task_id: str
    task_version: int
    agent: str
    agent_config: Mapping[str, Any] = field(default_factory=dict)
    """Prompt, tools, budget, sampling: the constants that must agree before two attempts may be compared."""
    model: str | None = None
    provider: str | None = None
    """The search provider, `recorded` for the recorded web, None without search."""
    web: str | None = None
    """Hash of the release whose recorded web was served, `live`, or None."""
    epoch: int = 0

    def digest(self) -> str:
        """Return the attempt's id: the first 32 hex digits of a SHA-256 over all members."""
        return sha256(dumps(_plain(self)))[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of a call or an attempt in disjoint buckets; None where the server did not say."""

    input: int | None = None
    cached_input: int | None = None
    output: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of the model or of a tool. `matched` says how the recorded web found its answer."""

    seq: int
    at: str
    kind: Literal["model", "search", "fetch", "browse", "finish", "simulator", "judge", "other"]
    name: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result_sha: str | None = None
    matched: Literal["exact", "normalised", "ranked", "missing"] | None = None
    turn: int = 0
    ms: float | None = None
    ok: bool = True
    error: str = ""
    usage: Usage | None = None
    usd: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A line of the dialogue in a persona task. `stage` is the simulator's stage after the line."""

    role: Literal["user", "agent"]
    text: str
    stage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A score of the attempt: a named profile, its version, its figures. `reason` says why there is none."""

    profile: str
    version: str
    metrics: Mapping[str, float] = field(default_factory=dict)
    status: Literal["scored", "unscored"] = "scored"
    faults: tuple[str, ...] = ()
    reason: str = ""
    judge: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One finished attempt, one line of a run's segments."""

    SCHEMA: ClassVar[str] = "attempt/1"
    attempt_id: str
    run_id: str
    key: AttemptKey
    started_at: str
    ended_at: str
    as_of: str
    """The day (YYYY-MM-DD) whose answer version scores it."""
    outcome: Outcome
    stop_reason: str
    """answer, max_calls, max_turns, time, cost, context_overflow, no_answer, error, done, simulator_failure, ..."""
    reply: str | None = None
    """The agent's final text, as it came."""
    error: str = ""
    calls: tuple[Call, ...] = ()
    dialogue: tuple[Turn, ...] = ()
    trajectory: Trajectory | None = None
    usage: Usage = Usage()
    usd: str | None = None
    answer_version: int | None = None
    grades: tuple[Grade, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["attempt/1"] = "attempt/1"


def _plain(key: AttemptKey) -> dict[str, Any]:
    return {name: getattr(key, name) for name in AttemptKey.__dataclass_fields__}
