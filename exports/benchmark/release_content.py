"""What goes into a release: for each task its question, its answers, the recordings and the reports behind them."""

from __future__ import annotations

from dataclasses import dataclass

from browser_capture.trajectory import Trajectory
from verifier.answers.answer_version import AnswerVersion
from verifier.report import VerificationReport
from verifier.tasks import Task


@dataclass(frozen=True, slots=True)
class ReleaseTaskContent:
    """One approved task with all that is released of it."""

    task: Task
    answers: tuple[AnswerVersion, ...]
    trajectories: tuple[Trajectory, ...] = ()
    reports: tuple[VerificationReport, ...] = ()


def snapshots_of(trajectory: Trajectory) -> frozenset[str]:
    """Return the ids of every page a recording names: of its visits, its result pages and its marks."""
    named = {snapshot.id for snapshot in trajectory.snapshots}
    named.update(page.snapshot for page in trajectory.result_pages if page.snapshot)
    named.update(mark.snapshot for mark in trajectory.marks if mark.snapshot)
    for visit in trajectory.visits:
        named.update(visit.snapshots)
    return frozenset(named)


def newest_moment(contents: tuple[ReleaseTaskContent, ...]) -> str:
    """Return the last moment any record of the contents speaks of, "" when there is none.

    A release dated by its contents, not by the clock, is the same bytes whenever it is exported.
    """
    moments = [report.created_at for content in contents for report in content.reports]
    moments += [answer.valid_from for content in contents for answer in content.answers]
    for content in contents:
        for trajectory in content.trajectories:
            moments += [trajectory.ended_at or trajectory.started_at]
    return max(moments, default="")
