"""What the lists of the pages show: named columns only, one query a list, always within the actor's project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, select
from sqlalchemy.orm import aliased

from annotator_server.clock import utc_now
from annotator_server.database import db
from annotator_server.models.accounts import User
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import Question, QuestionVersion
from annotator_server.models.reviews import Review
from annotator_server.models.tasks import Lease, Task
from annotator_server.policy import Actor

PAGE = 100
"""Lines a list shows at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLine:
    """A question in a list."""

    public_id: str
    number: int
    text: str
    form: Mapping[str, Any]
    temporal: str
    topic: str
    state: str
    state_since: datetime
    author_id: int
    author: str
    holder_id: int | None
    holder: str | None
    held_until: datetime | None

    @property
    def type(self) -> str:
        """The kind of answer, empty in an unfinished draft."""
        return str(self.form.get("type") or "")

    @property
    def is_held(self) -> bool:
        """Whether somebody's claim holds now."""
        return self.held_until is not None and self.held_until > utc_now()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedLine:
    """A question that came back, with the reviewer's words."""

    public_id: str
    number: int
    text: str
    comment: str
    reasons: Sequence[str]
    at: datetime


def questions(actor: Actor, *, state: str | None = None, words: str = "", limit: int = PAGE) -> list[QuestionLine]:
    """Return the project's questions, newest first; `words` must all stand in the text, the topic or the id."""
    wanted: list[ColumnElement[bool]] = []
    if state:
        wanted.append(Task.state == state)
    for word in words.split()[:8]:
        likeness = f"%{_escaped(word)}%"
        wanted.append(
            QuestionVersion.text.ilike(likeness, escape="\\")
            | QuestionVersion.topic.ilike(likeness, escape="\\")
            | Question.public_id.ilike(likeness, escape="\\")
        )
    return _lines(_question_lines(actor).where(*wanted).order_by(Question.number.desc()).limit(limit))


def held_by(actor: Actor) -> list[QuestionLine]:
    """Return what this person has claimed and not handed in, the oldest claim first."""
    mine = _question_lines(actor).where(Lease.user_id == actor.user_id, Task.state.in_(("claimed", "recording")))
    return _lines(mine.order_by(Lease.claimed_at))


def next_ones(actor: Actor, limit: int = 5) -> list[QuestionLine]:
    """Return the questions this person might claim next: those whose claim ran out first, then the oldest ready."""
    free = Lease.id.is_(None) | (Lease.until < utc_now())
    claimable = _question_lines(actor).where(Task.state.in_(("ready", "claimed", "recording")), free)
    return _lines(claimable.order_by(Task.state, Task.state_since, Question.number).limit(limit))


def drafts_of(actor: Actor, limit: int = 10) -> list[QuestionLine]:
    """Return this person's questions that are not ready yet."""
    mine = _question_lines(actor).where(Question.author_id == actor.user_id, Task.state == "draft")
    return _lines(mine.order_by(Question.number.desc()).limit(limit))


def passed_since(actor: Actor, since: datetime, limit: int = 10) -> list[QuestionLine]:
    """Return the questions whose answer by this person was approved since then, the newest first."""
    mine = select(AnswerRow.question_id).where(AnswerRow.author_id == actor.user_id)
    passed = _question_lines(actor).where(
        Task.state == "approved", Task.state_since >= since, Task.question_id.in_(mine)
    )
    return _lines(passed.order_by(Task.state_since.desc()).limit(limit))


def returned_to(actor: Actor) -> list[ReturnedLine]:
    """Return the questions whose answer by this person came back, with the words of the newest review."""
    rows = db.session.execute(
        select(
            Question.public_id, Question.number, QuestionVersion.text, Review.comment, Review.reasons, Review.created_at
        )
        .join(Task, Task.question_id == Question.id)
        .join(QuestionVersion, is_newest())
        .join(AnswerRow, AnswerRow.question_id == Question.id)
        .join(Review, Review.answer_version_id == AnswerRow.id)
        .where(
            Task.project_id == actor.project_id,
            Task.state == "returned",
            AnswerRow.author_id == actor.user_id,
            Review.verdict == "return",
        )
        .order_by(Review.created_at.desc())
    )
    newest: dict[str, ReturnedLine] = {}
    for public_id, number, text, comment, reasons, at in rows:
        line = ReturnedLine(public_id=public_id, number=number, text=text, comment=comment, reasons=reasons, at=at)
        newest.setdefault(public_id, line)
    return list(newest.values())


def _question_lines(actor: Actor) -> Select[Any]:
    author, holder = aliased(User), aliased(User)
    return (
        select(
            Question.public_id,
            Question.number,
            QuestionVersion.text,
            QuestionVersion.form,
            QuestionVersion.temporal,
            QuestionVersion.topic,
            Task.state,
            Task.state_since,
            Question.author_id,
            author.name.label("author"),
            holder.id.label("holder_id"),
            holder.name.label("holder"),
            Lease.until.label("held_until"),
        )
        .join(Task, Task.question_id == Question.id)
        .join(QuestionVersion, is_newest())
        .join(author, author.id == Question.author_id)
        .outerjoin(Lease, and_(Lease.task_id == Task.id, Lease.ended_at.is_(None)))
        .outerjoin(holder, holder.id == Lease.user_id)
        .where(Task.project_id == actor.project_id)
    )


def _lines(query: Select[Any]) -> list[QuestionLine]:
    return [QuestionLine(**row) for row in db.session.execute(query).mappings()]


def is_newest() -> ColumnElement[bool]:
    """Join a question to what it says now."""
    return and_(QuestionVersion.question_id == Question.id, QuestionVersion.version == Question.version)


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
