"""Stored attempts come in, grades go out; they are never stored together: a better scorer asks nothing again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from exports.benchmark.reader import Release
from verifier.answers.answer_version import AnswerVersion
from verifier.attempts.attempt import Attempt, Grade
from verifier.scoring.answer_score import score_answer
from verifier.scoring.score import CellDiff
from verifier.scoring.versions import answer_as_of
from verifier.tasks import Task

PROFILE = "strict"


class GradedAttempt(NamedTuple):
    """An attempt with its grade, and what decided it: the task, the answer version of its day, the cells."""

    attempt: Attempt
    task: Task
    gold: AnswerVersion
    grade: Grade
    cells: tuple[CellDiff, ...] = ()

    @property
    def exact(self) -> float | None:
        """1 or 0 for a scored attempt, None for an unscored one."""
        return self.grade.metrics.get("global_em") if self.grade.status == "scored" else None


def grade_attempts(attempts: Iterable[Attempt], release: Release, profile: str = PROFILE) -> list[GradedAttempt]:
    """Return the attempts with their grades, by task, agent and epoch.

    Raises UnknownTask when an attempt is of a task the release does not hold.
    """
    graded = [_grade(attempt, release, profile) for attempt in attempts]
    return sorted(graded, key=lambda one: (one.task.task_id, label_of(one.attempt), one.attempt.key.epoch))


def label_of(attempt: Attempt) -> str:
    """Return how an agent is called in tables: its name, with its model where it has one."""
    return agent_label(attempt.key.agent, attempt.key.model)


def agent_label(name: str, model: str | None) -> str:
    """Return an agent's name, with its model where it has one.

    >>> agent_label("model-only", "small"), agent_label("silent", None)
    ('model-only (small)', 'silent')
    """
    return f"{name} ({model})" if model else name


def _grade(attempt: Attempt, release: Release, profile: str) -> GradedAttempt:
    task = release.task(attempt.key.task_id)
    gold = answer_as_of(release.answers_of(task.task_id), attempt.as_of)
    if attempt.outcome == "infrastructure_failure":
        return GradedAttempt(attempt, task, gold, _unscored(profile, f"the infrastructure failed: {attempt.error}"))
    if task.grading.method != "answer_score" or task.answer_format is None:
        return GradedAttempt(attempt, task, gold, _unscored(profile, f"no scorer for {task.grading.method} yet"))
    score = score_answer(gold, attempt.reply, task.answer_format, profile)
    # Where there is no reply, what its form lacks says nothing more.
    faults = score.faults if attempt.reply is not None else ("no_answer",)
    grade = Grade(profile=score.profile, version=score.version, metrics=score.metrics, faults=faults)
    return GradedAttempt(attempt, task, gold, grade, score.cells)


def _unscored(profile: str, reason: str) -> Grade:
    return Grade(profile=profile, version="", status="unscored", reason=reason)
