"""Who did what when: one chain a project, each entry holding the hash of the one before."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotator_server.database import Base, JsonText, UtcDateTime


class AuditEntry(Base):
    """One deed. People are named by id only, so that a name can be erased without breaking the chain."""

    __tablename__ = "audit_entry"
    __table_args__ = (UniqueConstraint("project_id", "seq"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    seq: Mapped[int]
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    verb: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(120))
    details: Mapped[dict[str, Any]] = mapped_column(JsonText)
    previous: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))
