"""The day an attempt lives in: it dates the prompt, the newest page shown, and the answer version that scores."""

from __future__ import annotations

from exports.benchmark.reader import Release

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
