"""Where a question stands, who works on it, and what they have typed but not handed in."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, JsonText, UtcDateTime
from annotator_server.models.accounts import User
from annotator_server.models.questions import Question


class Task(Base):
    """The work on one question. `state` is changed by `workflow.lifecycle` only."""

    __tablename__ = "task"
    __table_args__ = (Index("ix_task_project_state", "project_id", "state"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"), unique=True)
    state: Mapped[str] = mapped_column(String(20))
    state_since: Mapped[datetime] = mapped_column(UtcDateTime)
    question: Mapped[Question] = relationship()


class Lease(Base):
    """A claim. It holds while `ended_at` is empty and `until` lies ahead; nobody has to come and unlock it."""

    __tablename__ = "lease"
    # One open lease a task, held by the database itself: two people can never both win a race.
    __table_args__ = (
        Index(
            "uq_lease_open",
            "task_id",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    claimed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    until: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    end_reason: Mapped[str] = mapped_column(String(20), default="")
    user: Mapped[User] = relationship()


class Draft(Base):
    """Text a person has typed into a form of a task. `seq` only grows, so that a late autosave cannot win.

    `origins` says where the cells of an answer came from, as the panel told it.
    """

    __tablename__ = "draft"
    __table_args__ = (UniqueConstraint("task_id", "user_id", "form"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    form: Mapped[str] = mapped_column(String(40))
    body: Mapped[str] = mapped_column(Text)
    seq: Mapped[int]
    saved_at: Mapped[datetime] = mapped_column(UtcDateTime)
    origins: Mapped[list[dict[str, Any]]] = mapped_column(JsonText, default=list, server_default="[]")
