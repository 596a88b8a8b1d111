"""A plan comes in, attempts go into the store, one durable line each before the next begins.

What is to do is the plan less what the store holds: an interrupted run, started again, asks nothing twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from browser_capture.errors import UserError
from exports.evaluation.interruption import Interruption
from exports.evaluation.one_attempt import ToolboxFor, make_attempt
from exports.evaluation.plan import PlannedAttempt
from exports.tools.tool import Clock
from verifier.attempts.attempt import Attempt
from verifier.attempts.store import AttemptStore

Progress = Callable[[Attempt], None]
CONCURRENCY = 8


class RunEnd(NamedTuple):
    """How a run ended. Counted from the store, never remembered, so that a resumed run tells the whole truth."""

    planned: int
    outcomes: dict[str, int]
    interrupted: bool

    @property
    def missing(self) -> int:
        """How many attempts have no outcome that counts."""
        return self.planned - self.outcomes.get("scored", 0) - self.outcomes.get("agent_failure", 0)


def still_to_do(planned: Sequence[PlannedAttempt], store: AttemptStore) -> list[PlannedAttempt]:
    """Return the attempts the store holds no counting outcome of, in order; failures of the infrastructure again."""
    done = store.done_ids()
    return [attempt for attempt in planned if attempt.attempt_id not in done]


async def run_attempts(
    planned: Sequence[PlannedAttempt],
    store: AttemptStore,
    *,
    run_id: str,
    toolbox_for: ToolboxFor,
    clock: Clock,
    deadline_s: float,
    progress: Progress = lambda attempt: None,
    interruption: Interruption | None = None,
    concurrency: int = CONCURRENCY,
) -> RunEnd:
    """Make every attempt that is still to do. Raises a UserError that would spoil every attempt; the rest is stored."""
    stop = interruption or Interruption()
    waiting = deque(still_to_do(planned, store))

    async def work() -> None:
        while waiting and not stop.draining:
            attempt = await make_attempt(
                waiting.popleft(), run_id=run_id, toolbox_for=toolbox_for, clock=clock, deadline_s=deadline_s
            )
            store.append(attempt)
            progress(attempt)

    workers = [asyncio.create_task(work()) for _ in range(min(concurrency, len(waiting)))]
    stop.watch(workers)
    await _all_or_first_mistake(workers)
    return _ending(planned, store, stop.draining)


async def _all_or_first_mistake(workers: Sequence[asyncio.Task[None]]) -> None:
    results = asyncio.gather(*workers, return_exceptions=True)
    for finished in asyncio.as_completed(workers):
        try:
            await finished
        except asyncio.CancelledError:
            continue  # the second Ctrl-C
        except (UserError, OSError):
            for worker in workers:
                worker.cancel()
            await results
            raise
    await results


def _ending(planned: Sequence[PlannedAttempt], store: AttemptStore, interrupted: bool) -> RunEnd:
    asked = {attempt.attempt_id for attempt in planned}
    counted = Counter[str](attempt.outcome for attempt in store.attempts() if attempt.attempt_id in asked)
    return RunEnd(len(asked), dict(counted), interrupted)
