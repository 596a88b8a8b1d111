"""Projects, people, their roles, and every way to prove who one is. Secrets are kept as SHA-256 only."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from annotator_server.database import Base, JsonText, UtcDateTime


class Project(Base):
    """A body of work with its own people, questions and releases."""

    __tablename__ = "project"

    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(60), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    settings: Mapped[dict[str, Any]] = mapped_column(JsonText, default=dict)
    """What differs from the server's own settings, by the same names: start_url, allowed_engines, banned_hosts,
    start_sites, forget_minutes."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class User(Base):
    """A person. Records that leave the server name them by `pseudonym` only."""

    __tablename__ = "user"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    pseudonym: Mapped[str] = mapped_column(String(40), unique=True)
    password_hash: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    disabled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Membership(Base):
    """A role of a person in a project; one person may have several."""

    __tablename__ = "membership"
    __table_args__ = (UniqueConstraint("project_id", "user_id", "role"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    role: Mapped[str] = mapped_column(String(20))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    project: Mapped[Project] = relationship()
    user: Mapped[User] = relationship()


class WebSession(Base):
    """A signed-in browser. `task_id` is set where the session may show one task's panel and nothing else."""

    __tablename__ = "web_session"

    id: Mapped[int] = mapped_column(primary_key=True)
    sha: Mapped[str] = mapped_column(String(64), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    project_id: Mapped[int | None] = mapped_column(ForeignKey("project.id"))
    """The project the person is working in."""
    task_id: Mapped[int | None] = mapped_column(ForeignKey("task.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    user: Mapped[User] = relationship()


class ApiToken(Base):
    """A token of a program that acts for a person in one project. `prefix` is shown so that people can tell them."""

    __tablename__ = "api_token"

    id: Mapped[int] = mapped_column(primary_key=True)
    sha: Mapped[str] = mapped_column(String(64), unique=True)
    prefix: Mapped[str] = mapped_column(String(12))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    scopes: Mapped[list[str]] = mapped_column(JsonText)
    label: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    user: Mapped[User] = relationship()
    project: Mapped[Project] = relationship()


class PairingCode(Base):
    """A code shown on a page and typed on a machine, once, to give that machine a token."""

    __tablename__ = "pairing_code"

    id: Mapped[int] = mapped_column(primary_key=True)
    sha: Mapped[str] = mapped_column(String(64), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class PanelSession(Base):
    """A one-time address that signs the panel window in, for one task."""

    __tablename__ = "panel_session"

    id: Mapped[int] = mapped_column(primary_key=True)
    sha: Mapped[str] = mapped_column(String(64), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SignInAttempt(Base):
    """A failed proof (password or pairing code); counting them is the throttle, in the database for every worker."""

    __tablename__ = "sign_in_attempt"
    __table_args__ = (
        Index("ix_sign_in_attempt_account_at", "account", "at"),
        Index("ix_sign_in_attempt_address_at", "address", "at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    account: Mapped[str] = mapped_column(Text)
    """Hash of what was typed as the account: an address someone mistyped is nobody's business."""
    address: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
