"""Recordings as they arrived: every line of the log, exactly, and the pages it speaks of."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, UtcDateTime
from annotator_server.models.accounts import User
from annotator_server.models.tasks import Task


class CaptureSession(Base):
    """One recording, from Start to Stop. `highest_seq` is the newest event with none missing before it."""

    __tablename__ = "capture_session"

    id: Mapped[int] = mapped_column(primary_key=True)
    session: Mapped[str] = mapped_column(String(80), unique=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    question_version: Mapped[int]
    """The version of the question that was shown."""
    state: Mapped[str] = mapped_column(String(10))
    highest_seq: Mapped[int] = mapped_column(default=0)
    digest: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    task: Mapped[Task] = relationship()
    user: Mapped[User] = relationship()


class EventRow(Base):
    """A line of the log. The line itself is kept, so that the digest can be checked at any time."""

    __tablename__ = "event"
    __table_args__ = (UniqueConstraint("capture_session_id", "seq"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    capture_session_id: Mapped[int] = mapped_column(ForeignKey("capture_session.id"))
    seq: Mapped[int]
    type: Mapped[str] = mapped_column(String(30))
    line: Mapped[str] = mapped_column(Text)
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)


class RecordedBlob(Base):
    """A blob a recording names: a page, its text or a part. It says who may see it, and what has yet to come."""

    __tablename__ = "recorded_blob"
    __table_args__ = (UniqueConstraint("capture_session_id", "sha"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    capture_session_id: Mapped[int] = mapped_column(ForeignKey("capture_session.id"))
    sha: Mapped[str] = mapped_column(String(64), index=True)
    kind: Mapped[str] = mapped_column(String(10))
    """page, text or part"""
