"""Graded attempts come in, the figures of a run go out: a record without clocks, sorted, the same bytes each time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from exports.benchmark.manifest import ReleaseManifest
from exports.evaluation.plan import RunPlan
from exports.evaluation.scoring import PROFILE, GradedAttempt, agent_label, label_of
from verifier.answers.answer_format import AnswerType
from verifier.scoring.answer_score import PROFILES
from verifier.statistics.intervals import mean_interval

DIGITS = 6
F1: Mapping[AnswerType, str] = {
    "item": "item_em",
    "set": "set_f1",
    "list": "list_content_f1",
    "table": "table_item_f1_aligned",
}
"""The figure that says how much of an answer is right, by type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over questions with its 95% interval; None where too few questions say nothing."""

    mean: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeScores:
    """An agent's figures on one type of answer. `metrics` are means over questions, keyed as the scorer's."""

    tasks: int
    exact: Figure
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentScores:
    """An agent's figures over all its attempts. Attempts the infrastructure failed leave `bounds` for the mean."""

    agent: str
    planned: int
    scored: int
    agent_failed: int
    infrastructure_failed: int
    missing: int
    exact: Figure
    partial: Figure
    """How much of the answers is right: item_em, set_f1, list_content_f1 or table_item_f1_aligned, by type."""
    bounds: tuple[float, float]
    """Exact match if every unscored attempt were wrong, and if it were right."""
    calls: float | None
    """Tool calls an attempt, mean."""
    matched: Mapping[str, int] = field(default_factory=dict)
    """How the recorded web found its answers."""
    faults: Mapping[str, int] = field(default_factory=dict)
    by_type: Mapping[str, TypeScores] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptScores:
    """One attempt's figures."""

    attempt_id: str
    agent: str
    task_id: str
    epoch: int
    type: str
    as_of: str
    answer_version: int
    outcome: str
    stop_reason: str
    calls: int
    metrics: Mapping[str, float] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    unscored: str = ""
    """Why there are no figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScores:
    """All figures of one or more runs on one release."""

    SCHEMA: ClassVar[str] = "scores/1"
    release: str
    release_id: str
    runs: tuple[str, ...]
    profile: str
    profile_version: str
    agents: tuple[AgentScores, ...]
    attempts: tuple[AttemptScores, ...]
    schema: Literal["scores/1"] = "scores/1"


def run_scores(manifest: ReleaseManifest, plans: Sequence[RunPlan], graded: Sequence[GradedAttempt]) -> RunScores:
    """Return the figures of runs on one release."""
    planned = Counter(
        {agent_label(agent.name, agent.model): len(plan.tasks) * plan.epochs for plan in plans for agent in plan.agents}
    )
    by_agent: dict[str, list[GradedAttempt]] = defaultdict(list)
    for one in graded:
        by_agent[label_of(one.attempt)].append(one)
    return RunScores(
        release=manifest.name,
        release_id=manifest.release_id,
        runs=tuple(sorted(plan.run_id for plan in plans)),
        profile=PROFILE,
        profile_version=PROFILES[PROFILE],
        agents=tuple(_agent(name, planned[name], by_agent[name]) for name in sorted(planned)),
        attempts=tuple(sorted((_attempt(one) for one in graded), key=lambda one: one.attempt_id)),
    )


def partial_score(one: GradedAttempt) -> float | None:
    """Return how much of an answer is right; None for an unscored attempt."""
    if one.grade.status != "scored" or one.task.answer_format is None:
        return None
    return one.grade.metrics.get(F1[one.task.answer_format.type], 0.0)


def tool_calls(one: GradedAttempt) -> int:
    """Return how many tool calls an attempt made."""
    return sum(call.kind in ("search", "fetch", "browse") for call in one.attempt.calls)


def _agent(name: str, planned: int, graded: Sequence[GradedAttempt]) -> AgentScores:
    outcomes = Counter(one.attempt.outcome for one in graded)
    known = [one.exact for one in graded if one.exact is not None]
    unknown = max(0, planned - len(known))
    total = len(known) + unknown
    matched = Counter(call.matched for one in graded for call in one.attempt.calls if call.matched)
    return AgentScores(
        agent=name,
        planned=planned,
        scored=outcomes["scored"],
        agent_failed=outcomes["agent_failure"],
        infrastructure_failed=outcomes["infrastructure_failure"],
        missing=max(0, planned - len(graded)),
        exact=_figure((one.task.task_id, one.exact) for one in graded),
        partial=_figure((one.task.task_id, partial_score(one)) for one in graded),
        bounds=(_round(sum(known) / total), _round((sum(known) + unknown) / total)) if total else (0.0, 1.0),
        calls=_round(sum(map(tool_calls, graded)) / len(graded)) if graded else None,
        matched={str(how): times for how, times in sorted(matched.items())},
        faults=dict(sorted(Counter(fault for one in graded for fault in one.grade.faults).items())),
        by_type=_by_type(graded),
    )


def _by_type(graded: Sequence[GradedAttempt]) -> dict[str, TypeScores]:
    kinds: dict[str, list[GradedAttempt]] = defaultdict(list)
    for one in graded:
        kinds[_type(one)].append(one)
    return {
        kind: TypeScores(
            tasks=len({one.task.task_id for one in kinds[kind]}),
            exact=_figure((one.task.task_id, one.exact) for one in kinds[kind]),
            metrics=_mean_metrics(kinds[kind]),
        )
        for kind in sorted(kinds)
    }


def _mean_metrics(graded: Sequence[GradedAttempt]) -> dict[str, float]:
    names = sorted({name for one in graded for name in one.grade.metrics})
    means = {name: _figure((one.task.task_id, one.grade.metrics.get(name)) for one in graded).mean for name in names}
    return {name: mean for name, mean in means.items() if mean is not None}


def _figure(values: Iterable[tuple[str, float | None]]) -> Figure:
    # First the mean over a question's epochs, then over questions: repeats of a question are no new questions.
    by_task: dict[str, list[float]] = defaultdict(list)
    for task_id, value in values:
        if value is not None:
            by_task[task_id].append(value)
    interval = mean_interval([sum(by_task[name]) / len(by_task[name]) for name in sorted(by_task)])
    return Figure(
        mean=_maybe_round(interval.mean),
        low=_maybe_round(interval.low),
        high=_maybe_round(interval.high),
        n=interval.n,
    )


def _attempt(one: GradedAttempt) -> AttemptScores:
    attempt = one.attempt
    return AttemptScores(
        attempt_id=attempt.attempt_id,
        agent=label_of(attempt),
        task_id=one.task.task_id,
        epoch=attempt.key.epoch,
        type=_type(one),
        as_of=attempt.as_of,
        answer_version=one.gold.version,
        outcome=attempt.outcome,
        stop_reason=attempt.stop_reason,
        calls=tool_calls(one),
        metrics={name: _round(value) for name, value in sorted(one.grade.metrics.items())},
        faults=one.grade.faults,
        unscored=one.grade.reason,
    )


def _type(one: GradedAttempt) -> str:
    return one.task.answer_format.type if one.task.answer_format else one.task.kind


def _round(value: float) -> float:
    return round(value, DIGITS)


def _maybe_round(value: float | None) -> float | None:
    return None if value is None else _round(value)
