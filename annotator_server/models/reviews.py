"""What reviewers decided, once a reviewer and answer version, and never changed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, JsonText, UtcDateTime
from annotator_server.models.accounts import User
from annotator_server.models.answers import AnswerRow


class Review(Base):
    """A verdict on one answer version: approve, or return with reasons."""

    __tablename__ = "review"
    __table_args__ = (UniqueConstraint("answer_version_id", "reviewer_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    answer_version_id: Mapped[int] = mapped_column(ForeignKey("answer_version.id"))
    reviewer_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    report_id: Mapped[int | None] = mapped_column(ForeignKey("report.id"))
    """The report the reviewer had before them."""
    verdict: Mapped[str] = mapped_column(String(10))
    reasons: Mapped[list[str]] = mapped_column(JsonText)
    comment: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    answer: Mapped[AnswerRow] = relationship()
    reviewer: Mapped[User] = relationship()
