"""Seeds: what somebody jotted down while reading, before any task. Each leads to one question at most."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, UtcDateTime
from annotator_server.models.questions import Question


class Seed(Base):
    """A jotted seed. `question_id` is the question it became, `set_aside_at` when its author wanted none of it."""

    __tablename__ = "seed"
    __table_args__ = (UniqueConstraint("author_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    author_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    name: Mapped[str] = mapped_column(String(80))
    """Drawn by the machine it was jotted on: the same one sent again makes no second."""
    url: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    quote: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    """As it came to mind; may be empty."""
    topic: Mapped[str] = mapped_column(String(200))
    jotted_at: Mapped[datetime] = mapped_column(UtcDateTime)
    """By the clock of the machine."""
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)
    question_id: Mapped[int | None] = mapped_column(ForeignKey("question.id"), unique=True)
    set_aside_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    became: Mapped[Question | None] = relationship()
