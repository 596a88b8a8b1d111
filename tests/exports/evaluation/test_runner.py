"""Running attempts: three outcomes, nothing asked twice, nothing lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from browser_capture.errors import IncompleteError
from exports.agents.agent import AgentResult, TaskView
from exports.benchmark.reader import Release
from exports.errors import AgentFailed
from exports.evaluation.interruption import Interruption
from exports.evaluation.plan import PlannedAttempt, plan_run, planned_attempts
from exports.evaluation.runner import RunEnd, run_attempts, still_to_do
from exports.recorded_web.resolve import RecordedWeb
from exports.tools.tool import Clock, Toolbox
from exports.tools.web_tools import recorded_toolbox
from tests.exports.small_release import NOON
from verifier.attempts.attempt import Attempt
from verifier.attempts.store import AttemptStore
from verifier.errors import ModelRefused

Behaviour = Callable[[TaskView, Toolbox], Awaitable[str | None]]


@dataclass
class Scripted:
    """An agent that does what the test says."""

    behaviour: Behaviour
    name: str = "scripted"
    config: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
    budget: int | None = 3
    sees_human_path: bool = False

    async def attempt(self, task: TaskView, tools: Toolbox) -> AgentResult:
        reply = await self.behaviour(task, tools)
        return AgentResult(reply=reply, stop_reason="answer" if reply else "no_answer")

    async def aclose(self) -> None:
        """Nothing is held open."""


class Bench:
    """A run over the small release with one scripted agent."""

    def __init__(self, release: Release, web: RecordedWeb, folder: Path) -> None:
        self.release, self.web, self.store = release, web, AttemptStore(folder)

    def plan(self, behaviour: Behaviour) -> list[PlannedAttempt]:
        agents = [Scripted(behaviour)]
        tasks = [task.task_id for task in self.release.tasks]
        plan = plan_run(self.release, agents, tasks=tasks, epochs=1, deadline_s=60.0)
        return list(planned_attempts(plan, self.release, agents))

    def run(self, behaviour: Behaviour, *, deadline_s: float = 60.0, **settings: Any) -> RunEnd:
        def toolbox_for(planned: PlannedAttempt, clock: Clock) -> Toolbox:
            return recorded_toolbox(self.web, planned.view.as_of, planned.agent.budget, clock)

        return asyncio.run(
            run_attempts(
                self.plan(behaviour),
                self.store,
                run_id="r",
                toolbox_for=toolbox_for,
                clock=Clock(now=lambda: NOON, seconds=lambda: 0.0),
                deadline_s=deadline_s,
                **settings,
            )
        )

    def first(self) -> Attempt:
        return min(self.store.attempts(), key=lambda attempt: attempt.key.task_id)


@pytest.fixture
def bench(release: Release, web: RecordedWeb, tmp_path: Path) -> Bench:
    return Bench(release, web, tmp_path / "attempts")


async def _answer(task: TaskView, tools: Toolbox) -> str | None:
    await tools.call("search", {"query": task.question})
    return "an answer"


async def _nothing(task: TaskView, tools: Toolbox) -> str | None:
    return None


async def _too_slow(task: TaskView, tools: Toolbox) -> str | None:
    await tools.call("search", {"query": task.question})
    await asyncio.sleep(600)
    return "too late"


async def _own_fault(task: TaskView, tools: Toolbox) -> str | None:
    raise AgentFailed("lost the thread")


async def _server_away(task: TaskView, tools: Toolbox) -> str | None:
    raise IncompleteError("the server is away")


async def _socket_timed_out(task: TaskView, tools: Toolbox) -> str | None:
    raise TimeoutError("no bytes from the socket")


async def _bug(task: TaskView, tools: Toolbox) -> str | None:
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("behaviour", "outcome", "stop_reason"),
    [
        (_answer, "scored", "answer"),
        (_nothing, "agent_failure", "no_answer"),
        (_too_slow, "agent_failure", "time"),
        (_own_fault, "agent_failure", "error"),
        (_server_away, "infrastructure_failure", "error"),
        (_socket_timed_out, "infrastructure_failure", "error"),
        (_bug, "infrastructure_failure", "error"),
    ],
)
def test_every_attempt_ends_in_its_class(bench: Bench, behaviour: Behaviour, outcome: str, stop_reason: str) -> None:
    end = bench.run(behaviour, deadline_s=1.0 if behaviour is _too_slow else 60.0)
    assert (bench.first().outcome, bench.first().stop_reason) == (outcome, stop_reason)
    assert end.outcomes == {outcome: 4}


def test_calls_of_a_slow_attempt_are_kept(bench: Bench) -> None:
    bench.run(_too_slow, deadline_s=1.0)
    assert [call.name for call in bench.first().calls] == ["search"]
    assert bench.first().trajectory is not None


def test_finished_attempts_are_not_made_again(bench: Bench) -> None:
    bench.run(_answer)
    assert still_to_do(bench.plan(_answer), bench.store) == []
    assert bench.run(_bug).outcomes == {"scored": 4}


def test_infrastructure_failures_are_tried_again(bench: Bench) -> None:
    assert bench.run(_server_away).missing == 4
    end = bench.run(_answer)
    assert (end.missing, end.outcomes) == (0, {"scored": 4})


def test_drained_run_starts_no_other_attempt(bench: Bench) -> None:
    stop = Interruption()
    end = bench.run(_answer, progress=lambda attempt: stop.request(), interruption=stop, concurrency=1)
    assert (end.interrupted, end.outcomes, end.missing) == (True, {"scored": 1}, 3)


def test_second_request_cancels_what_is_running(bench: Bench) -> None:
    stop = Interruption()

    async def ask_twice(task: TaskView, tools: Toolbox) -> str | None:
        stop.request()
        stop.request()
        await asyncio.sleep(600)
        return "never"

    end = bench.run(ask_twice, interruption=stop, concurrency=1)
    assert (end.interrupted, end.outcomes) == (True, {})


def test_a_mistake_that_spoils_every_attempt_ends_the_run(bench: Bench) -> None:
    async def refused_at_the_table(task: TaskView, tools: Toolbox) -> str | None:
        if task.task_id == "4-table":
            raise ModelRefused("the key is wrong")
        return "an answer"

    with pytest.raises(ModelRefused, match="key is wrong"):
        bench.run(refused_at_the_table, concurrency=1)
    assert len(bench.store.attempts()) == 3


def test_attempt_is_dated_by_the_recording(bench: Bench) -> None:
    bench.run(_answer)
    assert bench.first().as_of == "2026-11-28"
    assert bench.first().key.web == bench.release.manifest.release_id
