"""What a release is made of: an approved task with its answers, recordings and reports."""

from __future__ import annotations

from dataclasses import dataclass

from browser_capture.trajectory import Trajectory
from verifier.answers.answer_version import AnswerVersion
from verifier.report import VerificationReport
from verifier.tasks import Task


@dataclass(frozen=True, slots=True)
class ApprovedTask:
    """An approved task; the answer versions carry the evidence links of the report they were approved with."""

    task: Task
    answers: tuple[AnswerVersion, ...]
    trajectories: tuple[Trajectory, ...]
    reports: tuple[VerificationReport, ...]
