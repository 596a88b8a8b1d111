"""The day an attempt lives in: it dates the prompt, the newest page shown, and the answer version that scores."""

from __future__ import annotations

from collections.abc import Sequence

from exports.benchmark.reader import Release
from verifier.answers.answer_version import AnswerVersion

DAY = len("2026-01-31")


def as_of_date(release: Release, task_id: str) -> str:
    """Return the day of a task's newest recording, or the day its newest answer began to hold, whichever is later."""
    answers = release.answers_of(task_id)
    newest = release.trajectory(answers[-1].trajectory)
    recordings = [newest] if newest else list(release.trajectories_of(task_id))
    days = [answers[-1].valid_from[:DAY]]
    for trajectory in recordings:
        days += [snapshot.at[:DAY] for snapshot in trajectory.snapshots]
        days += [(trajectory.ended_at or trajectory.started_at)[:DAY]]
    return max(days)


def answer_as_of(answers: Sequence[AnswerVersion], day: str) -> AnswerVersion:
    """Return the newest answer that held on a day; the oldest one where none held yet.

    >>> old, new = (AnswerVersion(task_id="1", task_version=1, version=v, valid_from=f"2026-0{v}-01") for v in (1, 2))
    >>> answer_as_of([old, new], "2026-01-31").version
    1
    """
    held = [answer for answer in answers if answer.valid_from[:DAY] <= day]
    return max(held, key=lambda answer: (answer.valid_from, answer.version)) if held else answers[0]
