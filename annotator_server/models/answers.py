"""Answers as they were handed in. A correction is a new version by whoever made it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, JsonText, UtcDateTime
from annotator_server.models.accounts import User
from annotator_server.models.questions import Question
from annotator_server.models.recordings import CaptureSession


class AnswerRow(Base):
    """One version of a question's answer. `raw_sha` names the file exactly as it came, in the page store.

    `origins` says where the cells came from, as handed in; what it is worth is found when the answer is verified.
    """

    __tablename__ = "answer_version"
    __table_args__ = (UniqueConstraint("question_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"))
    version: Mapped[int]
    question_version: Mapped[int]
    capture_session_id: Mapped[int | None] = mapped_column(ForeignKey("capture_session.id"))
    author_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    header: Mapped[list[str]] = mapped_column(JsonText)
    rows: Mapped[list[list[str]]] = mapped_column(JsonText)
    origins: Mapped[list[dict[str, Any]]] = mapped_column(JsonText, default=list, server_default="[]")
    raw_sha: Mapped[str] = mapped_column(String(64))
    valid_from: Mapped[str] = mapped_column(String(10))
    note: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    question: Mapped[Question] = relationship()
    author: Mapped[User] = relationship()
    capture_session: Mapped[CaptureSession | None] = relationship()


class OnceKey(Base):
    """A form or request that was already carried out, with what came of it: sending it again gives the same result."""

    __tablename__ = "once_key"
    __table_args__ = (UniqueConstraint("user_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    key: Mapped[str] = mapped_column(String(80))
    verb: Mapped[str] = mapped_column(String(40))
    result: Mapped[int]
    """Id of the row that was made."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
