"""The answers that wait for a verdict, as the queue and the landing page list them: one query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, select
from sqlalchemy.orm import aliased

from annotator_server.database import db
from annotator_server.models.accounts import User
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import Question, QuestionVersion
from annotator_server.models.reports import ReportRow, VerificationJob
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor
from annotator_server.workflow.lists import PAGE, is_newest


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewLine:
    """An answer that waits for a verdict, or for its report."""

    public_id: str
    number: int
    text: str
    type: str
    state: str
    answer_version: int
    author_id: int
    author: str
    rows: int
    since: datetime
    verdict: str | None
    counts: Mapping[str, int]
    job_state: str | None
    job_error: str


def review_queue(actor: Actor, limit: int = PAGE) -> list[ReviewLine]:
    """Return the answers that wait for a verdict, the longest waiting first, with their newest report's counts."""
    author = aliased(User)
    newest_report = _newest(ReportRow)
    newest_job = _newest(VerificationJob)
    rows = db.session.execute(
        select(Question, QuestionVersion.text, QuestionVersion.form, Task, AnswerRow, author.name)
        .add_columns(ReportRow.verdict, ReportRow.counts, VerificationJob.state, VerificationJob.error)
        .join(Task, Task.question_id == Question.id)
        .join(QuestionVersion, is_newest())
        .join(AnswerRow, and_(AnswerRow.question_id == Question.id, AnswerRow.id == _newest_answer_id()))
        .join(author, author.id == AnswerRow.author_id)
        .outerjoin(ReportRow, ReportRow.id == newest_report)
        .outerjoin(VerificationJob, VerificationJob.id == newest_job)
        .where(Task.project_id == actor.project_id, Task.state.in_(("submitted", "in_review")))
        .order_by(Task.state_since, Question.number)
        .limit(limit)
    )
    return [
        ReviewLine(
            public_id=question.public_id,
            number=question.number,
            text=text,
            type=str(form.get("type") or ""),
            state=task.state,
            answer_version=answer.version,
            author_id=answer.author_id,
            author=name,
            rows=len(answer.rows),
            since=answer.created_at,
            verdict=verdict,
            counts=counts or {},
            job_state=job_state,
            job_error=job_error or "",
        )
        for question, text, form, task, answer, name, verdict, counts, job_state, job_error in rows
    ]


def _newest_answer_id() -> Any:
    newer = aliased(AnswerRow)
    return (
        select(newer.id)
        .where(newer.question_id == Question.id)
        .order_by(newer.version.desc())
        .limit(1)
        .correlate(Question)
        .scalar_subquery()
    )


def _newest(kind: type[ReportRow] | type[VerificationJob]) -> Any:
    row = aliased(kind)
    return (
        select(row.id)
        .where(row.answer_version_id == AnswerRow.id)
        .order_by(row.id.desc())
        .limit(1)
        .correlate(AnswerRow)
        .scalar_subquery()
    )
