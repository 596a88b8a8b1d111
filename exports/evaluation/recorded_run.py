"""A run over the recorded web: each attempt gets search and page reading as of its own day."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from exports.evaluation.interruption import Interruption
from exports.evaluation.plan import PlannedAttempt, RunPlan, agents_of
from exports.evaluation.runner import CONCURRENCY, Progress, RunEnd, run_attempts
from exports.recorded_web.resolve import RecordedWeb
from exports.tools.tool import Clock, Toolbox
from exports.tools.web_tools import recorded_toolbox
from verifier.attempts.store import AttemptStore


async def run_on_recorded_web(
    web: RecordedWeb,
    plan: RunPlan,
    planned: Sequence[PlannedAttempt],
    store: AttemptStore,
    *,
    progress: Progress,
    interruption: Interruption,
    clock: Clock | None = None,
    concurrency: int = CONCURRENCY,
) -> RunEnd:
    """Make what is still to do of a plan, and let go of the agents' connections. Raises as `run_attempts`."""

    def toolbox_for(attempt: PlannedAttempt, clock: Clock) -> Toolbox:
        return recorded_toolbox(web, attempt.view.as_of, attempt.agent.budget, clock)

    try:
        return await run_attempts(
            planned,
            store,
            run_id=plan.run_id,
            toolbox_for=toolbox_for,
            clock=clock or machine_clock(),
            deadline_s=plan.deadline_s,
            progress=progress,
            interruption=interruption,
            concurrency=concurrency,
        )
    finally:
        for agent in agents_of(planned):
            await agent.aclose()


def machine_clock() -> Clock:
    """Return this machine's clocks."""
    return Clock(now=_now, seconds=time.monotonic)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
