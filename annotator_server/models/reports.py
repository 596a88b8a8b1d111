"""Verification: what is to be checked, and every report that was made."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, JsonText, UtcDateTime
from annotator_server.models.answers import AnswerRow


class VerificationJob(Base):
    """A wish to have an answer checked. It stands in the database, so that a killed job is seen and done again."""

    __tablename__ = "verification_job"

    id: Mapped[int] = mapped_column(primary_key=True)
    answer_version_id: Mapped[int] = mapped_column(ForeignKey("answer_version.id"), index=True)
    state: Mapped[str] = mapped_column(String(10), index=True)
    """waiting, done or failed"""
    error: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    answer: Mapped[AnswerRow] = relationship()


class ReportRow(Base):
    """A verification report, whole. The newest one of an answer is the one that counts."""

    __tablename__ = "report"

    id: Mapped[int] = mapped_column(primary_key=True)
    answer_version_id: Mapped[int] = mapped_column(ForeignKey("answer_version.id"), index=True)
    verdict: Mapped[str] = mapped_column(String(10))
    counts: Mapped[dict[str, int]] = mapped_column(JsonText)
    """Cells by evidence state, so that lists need not open the body."""
    body: Mapped[str] = mapped_column(Text, deferred=True)
    """The record as JSON text."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
