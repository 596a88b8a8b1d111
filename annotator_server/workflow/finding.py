"""Rows by their public names, always within the actor's project: what belongs to others was never there."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from annotator_server.errors import NotFound
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import Question, QuestionVersion
from annotator_server.models.recordings import CaptureSession
from annotator_server.models.tasks import Lease, Task
from annotator_server.policy import Actor


def task_of(session: Session, actor: Actor, public_id: str, *, to_change: bool = False) -> Task:
    """Return a task of the actor's project, its question loaded with it.

    Verbs ask for it `to_change`: on PostgreSQL the row is locked, so that two verbs on one task run after each other
    and the second sees what the first did. SQLite has one writer anyway.
    """
    query = (
        select(Task)
        .join(Question)
        .where(Question.public_id == public_id, Task.project_id == actor.project_id)
        .options(joinedload(Task.question))
    )
    task = session.scalar(query.with_for_update(of=Task) if to_change else query)
    if task is None:
        raise NotFound(f"there is no question {public_id[:80]!r} in this project")
    return task


def newest_version(session: Session, question: Question) -> QuestionVersion:
    """Return what a question says now."""
    return version_of(session, question, question.version)


def version_of(session: Session, question: Question, version: int) -> QuestionVersion:
    """Return what a question said in one of its versions."""
    return session.scalars(
        select(QuestionVersion).where(QuestionVersion.question_id == question.id, QuestionVersion.version == version)
    ).one()


def open_lease(session: Session, task: Task) -> Lease | None:
    """Return the claim on a task that nobody ended; it may have run out."""
    return session.scalar(
        select(Lease).where(Lease.task_id == task.id, Lease.ended_at.is_(None)).options(joinedload(Lease.user))
    )


def live_lease(session: Session, task: Task, now: datetime) -> Lease | None:
    """Return the claim that holds at this moment, if any. A lease that ran out holds nobody off."""
    lease = open_lease(session, task)
    return lease if lease is not None and lease.until > now else None


def recording_of(session: Session, actor: Actor, name: str, *, to_change: bool = False) -> CaptureSession:
    """Return a recording of the actor's own, in the actor's project; locked as `task_of` does when `to_change`."""
    query = (
        select(CaptureSession)
        .where(
            CaptureSession.session == name,
            CaptureSession.project_id == actor.project_id,
            CaptureSession.user_id == actor.user_id,
        )
        .options(joinedload(CaptureSession.task).joinedload(Task.question))
    )
    found = session.scalar(query.with_for_update(of=CaptureSession) if to_change else query)
    if found is None:
        raise NotFound(f"there is no recording {name[:80]!r} of yours in this project")
    return found


def newest_answer(session: Session, question: Question) -> AnswerRow | None:
    """Return the newest answer of a question, whoever gave it."""
    return session.scalar(
        select(AnswerRow)
        .where(AnswerRow.question_id == question.id)
        .order_by(AnswerRow.version.desc())
        .limit(1)
        .options(joinedload(AnswerRow.author))
    )
