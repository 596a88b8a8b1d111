"""Approved tasks as a release needs them: the records, complete, without anything of accounts or rows."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from annotator_server.database import db
from annotator_server.errors import NotFound
from annotator_server.models.accounts import Project
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import Question
from annotator_server.models.recordings import CaptureSession
from annotator_server.models.reports import ReportRow
from annotator_server.models.reviews import Review
from annotator_server.models.tasks import Task
from annotator_server.records.answer_record import answer_record
from annotator_server.records.approved import ApprovedTask
from annotator_server.records.question_record import task_record
from annotator_server.records.report_record import report_record
from annotator_server.records.trajectory_record import trajectory_record
from annotator_server.workflow.finding import version_of
from browser_capture.trajectory import Trajectory
from verifier.pipeline import evidence_links
from verifier.report import VerificationReport


def approved_tasks(project: str) -> tuple[ApprovedTask, ...]:
    """Return the approved tasks of a project by question number, each with every answer version that was approved.

    `project` is the slug or the name as it was given. Needs an app context. Raises NotFound for an unknown project.
    """
    session = db.session()
    place = session.scalar(select(Project).where((Project.slug == project) | (Project.name == project)))
    if place is None:
        known = ", ".join(session.scalars(select(Project.slug).order_by(Project.slug))) or "none"
        raise NotFound(f"there is no project {project!r}; the projects are: {known}")
    tasks = session.scalars(
        select(Task)
        .join(Question)
        .where(Task.project_id == place.id, Task.state == "approved")
        .options(joinedload(Task.question))
        .order_by(Question.number)
    ).all()
    return tuple(_approved(session, task.question) for task in tasks)


def _approved(session: Session, question: Question) -> ApprovedTask:
    rows = session.execute(
        select(AnswerRow, ReportRow)
        .join(Review, Review.answer_version_id == AnswerRow.id)
        .join(ReportRow, ReportRow.id == Review.report_id)
        .where(AnswerRow.question_id == question.id, Review.verdict == "approve")
        .options(joinedload(AnswerRow.author), joinedload(AnswerRow.capture_session).joinedload(CaptureSession.user))
        .order_by(AnswerRow.version)
    )
    answers, trajectories, reports = [], list[Trajectory](), list[VerificationReport]()
    for answer, report in rows:
        reports.append(report_record(report))
        answers.append(answer_record(answer, evidence_links(reports[-1])))
        if answer.capture_session is not None and answer.capture_session.session not in {t.id for t in trajectories}:
            trajectories.append(trajectory_record(session, answer.capture_session))
    # The version the newest approved answer was given to: a later edit is not what people answered.
    task = task_record(question, version_of(session, question, answers[-1].task_version))
    return ApprovedTask(task, tuple(answers), tuple(trajectories), tuple(reports))
