"""One attempt is made: an agent, a task, a toolbox and a deadline come in, an `Attempt` with its class goes out.

Three outcomes. *scored*: there is a reply. *agent_failure*: the agent gave none, was too slow or broke by its own
fault; it scores 0. *infrastructure_failure*: anything else that broke; it is not scored and is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import NamedTuple

from browser_capture.errors import UserError
from browser_capture.trajectory import Actor, Trajectory
from exports.agents.agent import AgentResult
from exports.errors import AgentFailed
from exports.evaluation.plan import PlannedAttempt
from exports.tools.tool import Clock, Toolbox
from verifier.attempts.attempt import Attempt, Outcome

log = logging.getLogger(__name__)

ToolboxFor = Callable[[PlannedAttempt, Clock], Toolbox]


class Ending(NamedTuple):
    """How an attempt ended."""

    outcome: Outcome
    stop_reason: str
    result: AgentResult | None = None
    error: str = ""


async def make_attempt(
    planned: PlannedAttempt, *, run_id: str, toolbox_for: ToolboxFor, clock: Clock, deadline_s: float
) -> Attempt:
    """Make one attempt and return it, whatever happened.

    Only the user's mistakes (a refused key, a wrong model name) are raised: they would spoil every attempt alike.
    """
    started_at = clock.now()
    tools = toolbox_for(planned, clock)
    ending = await _ending(planned, tools, deadline_s)
    ended_at = clock.now()
    result = ending.result or AgentResult(reply=None, stop_reason=ending.stop_reason)
    return Attempt(
        attempt_id=planned.attempt_id,
        run_id=run_id,
        key=planned.key,
        started_at=started_at,
        ended_at=ended_at,
        as_of=planned.view.as_of,
        outcome=ending.outcome,
        stop_reason=ending.stop_reason,
        reply=result.reply,
        error=ending.error,
        calls=tuple(tools.calls),
        trajectory=result.trajectory or _trajectory(planned, tools, started_at, ended_at),
        usage=result.usage,
        usd=result.usd,
    )


async def _ending(planned: PlannedAttempt, tools: Toolbox, deadline_s: float) -> Ending:
    deadline = asyncio.timeout(deadline_s)
    try:
        async with deadline:
            result = await planned.agent.attempt(planned.view, tools)
    except AgentFailed as error:
        return Ending("agent_failure", "error", error=str(error))
    except UserError:
        raise
    except Exception as error:  # an agent is someone else's code: whatever it raises must not end the run
        if deadline.expired():
            return Ending("agent_failure", "time", error=f"no answer within {deadline_s:g} s")
        reason = f"{type(error).__name__}: {error}"
        log.warning("%s at task %s broke, to be tried again: %s", planned.key.agent, planned.key.task_id, reason)
        log.debug("the error of attempt %s was", planned.attempt_id, exc_info=error)
        return Ending("infrastructure_failure", "error", error=reason)
    outcome: Outcome = "scored" if result.reply is not None else "agent_failure"
    return Ending(outcome, result.stop_reason, result)


def _trajectory(planned: PlannedAttempt, tools: Toolbox, started_at: str, ended_at: str) -> Trajectory:
    actor = Actor(kind="agent", name=planned.key.agent)
    return tools.trajectory(planned.attempt_id, planned.key.task_id, actor, started_at, ended_at)
