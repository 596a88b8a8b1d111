"""One question as its page shows it: what it says, where it stands, who holds it, what reviewers said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from annotator_server.clock import utc_now
from annotator_server.config import Settings
from annotator_server.database import db
from annotator_server.errors import BadInput
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import Question, QuestionVersion
from annotator_server.models.reports import VerificationJob
from annotator_server.models.reviews import Review
from annotator_server.models.tasks import Lease, Task
from annotator_server.policy import Actor
from annotator_server.records.question_record import task_record
from annotator_server.workflow.finding import newest_version, open_lease, task_of
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.reply_text import prompt_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLine:
    """An answer version in the history of a question."""

    version: int
    author: str
    author_id: int
    rows: int
    at: datetime
    reviews: tuple[Review, ...]
    job: VerificationJob | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPage:
    """Everything the page of one question shows."""

    task: Task
    question: Question
    version: QuestionVersion
    answer_format: AnswerFormat | None
    agent_text: str
    lease: Lease | None
    held_by_me: bool
    is_free: bool
    is_author: bool
    answers: tuple[AnswerLine, ...]
    lease_minutes: int


def question_page(actor: Actor, public_id: str, settings: Settings) -> QuestionPage:
    """Gather a question's page. Answers are named, never shown: who has yet to search must not see them."""
    session = db.session()
    task = task_of(session, actor, public_id)
    question, lease, now = task.question, open_lease(session, task), utc_now()
    version = newest_version(session, question)
    held_by_me = lease is not None and lease.user_id == actor.user_id
    return QuestionPage(
        task=task,
        question=question,
        version=version,
        answer_format=_format(question, version),
        agent_text=as_agents_read_it(question, version),
        lease=lease,
        held_by_me=held_by_me,
        is_free=lease is None or lease.until <= now,
        is_author=question.author_id == actor.user_id,
        answers=_answers(question),
        lease_minutes=settings.lease_minutes,
    )


def as_agents_read_it(question: Question, version: QuestionVersion) -> str:
    """Return the question with the rules of its format, as a prompt states them; only the text while unfinished."""
    wanted = _format(question, version)
    return version.text if wanted is None else f"{version.text}\n\n{prompt_rules(wanted)}"


def _format(question: Question, version: QuestionVersion) -> AnswerFormat | None:
    try:
        return task_record(question, version).answer_format
    except BadInput:
        return None


def _answers(question: Question) -> tuple[AnswerLine, ...]:
    session = db.session()
    rows = session.scalars(
        select(AnswerRow)
        .where(AnswerRow.question_id == question.id)
        .options(joinedload(AnswerRow.author))
        .order_by(AnswerRow.version.desc())
    ).all()
    ids = [row.id for row in rows]
    reviews = session.scalars(
        select(Review).where(Review.answer_version_id.in_(ids)).options(joinedload(Review.reviewer)).order_by(Review.id)
    ).all()
    jobs = session.scalars(
        select(VerificationJob).where(VerificationJob.answer_version_id.in_(ids)).order_by(VerificationJob.id)
    ).all()
    newest_jobs = {job.answer_version_id: job for job in jobs}
    return tuple(
        AnswerLine(
            version=row.version,
            author=row.author.name,
            author_id=row.author_id,
            rows=len(row.rows),
            at=row.created_at,
            reviews=tuple(review for review in reviews if review.answer_version_id == row.id),
            job=newest_jobs.get(row.id),
        )
        for row in rows
    )
