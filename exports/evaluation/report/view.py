"""What the report is made of: the release, the plans, the figures, and every attempt with its grade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from exports.benchmark.reader import Release
from exports.evaluation.plan import RunPlan
from exports.evaluation.scores import AgentScores, Figure, RunScores
from exports.evaluation.scoring import GradedAttempt, label_of


class ReportView(NamedTuple):
    """Everything a section may draw on. Agents stand in the order of their exact match, best first."""

    release: Release
    plans: Sequence[RunPlan]
    scores: RunScores
    graded: Sequence[GradedAttempt]

    def agents(self) -> list[AgentScores]:
        """Return the agents' figures, best first; equal ones by how much is right, then by name."""
        return sorted(self.scores.agents, key=lambda one: (-(one.exact.mean or 0), -(one.partial.mean or 0), one.agent))

    def attempts_of(self, agent: str, task_id: str | None = None) -> list[GradedAttempt]:
        """Return an agent's attempts, of one task or of all."""
        return [
            one
            for one in self.graded
            if label_of(one.attempt) == agent and (task_id is None or one.task.task_id == task_id)
        ]

    def first_attempt(self, agent: str, task_id: str) -> GradedAttempt | None:
        """Return the first of an agent's attempts at a task."""
        return next(iter(self.attempts_of(agent, task_id)), None)


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share as a percentage without its sign; a dash for what is unknown.

    >>> percent(0.5), percent(None)
    ('50.0', '–')
    """
    return "–" if share is None else f"{100 * share:.{digits}f}"


def interval_text(figure: Figure) -> str | None:
    """Return an interval in percent, cut at 0 and 100; None where there is none.

    >>> interval_text(Figure(mean=0.25, low=-0.5, high=0.75, n=4))
    '[0, 75]'
    """
    if figure.low is None or figure.high is None:
        return None
    return f"[{100 * max(0.0, figure.low):.0f}, {100 * min(1.0, figure.high):.0f}]"


def seconds_text(seconds: float | None) -> str:
    """Return a duration as people say it.

    >>> seconds_text(0.0123), seconds_text(200), seconds_text(None)
    ('12 ms', '3 min 20 s', '–')
    """
    if seconds is None:
        return "–"
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"
