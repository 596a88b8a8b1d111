"""Questions and their versions. A version is inserted whenever someone saves; nothing is changed in place."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, JsonText, UtcDateTime
from annotator_server.models.accounts import User


class Question(Base):
    """A question of a project. `version` is the number of its newest version, and the guard of every write."""

    __tablename__ = "question"
    __table_args__ = (UniqueConstraint("project_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    number: Mapped[int]
    public_id: Mapped[str] = mapped_column(String(80), unique=True)
    """The task's id in records, addresses and commands."""
    author_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    version: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    author: Mapped[User] = relationship()


class QuestionVersion(Base):
    """What a question said at one time. `form` holds the answer format as typed, which a draft may leave unfinished."""

    __tablename__ = "question_version"
    __table_args__ = (UniqueConstraint("question_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"))
    version: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    form: Mapped[dict[str, Any]] = mapped_column(JsonText)
    language: Mapped[str] = mapped_column(String(20), default="en")
    topic: Mapped[str] = mapped_column(String(200), default="")
    temporal: Mapped[str] = mapped_column(String(10), default="stable")
    cadence_days: Mapped[int | None]
    seed_url: Mapped[str] = mapped_column(Text, default="")
    seed_quote: Mapped[str] = mapped_column(Text, default="")
    author_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    question: Mapped[Question] = relationship()
