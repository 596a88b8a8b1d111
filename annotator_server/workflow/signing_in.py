"""Proof of a person in, a session out. Sessions are rows, so that one can be ended from anywhere at once."""

from __future__ import annotations

import secrets
from datetime import timedelta

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session, joinedload

from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.errors import BadInput, NotAllowed, NotFound
from annotator_server.models.accounts import Membership, Project, SignInAttempt, User, WebSession
from annotator_server.policy import ROLES, Actor
from annotator_server.workflow import passwords
from browser_capture.json_records import sha256

WINDOW = timedelta(minutes=15)
ACCOUNT_LIMIT, ADDRESS_LIMIT = 8, 40
"""Failed attempts within the window before an account, or an address, has to wait."""

WRONG = "That e-mail and password do not belong together."
"""One sentence for an unknown account, a wrong password and a disabled person."""


def sign_in(email: str, password: str, address: str, days: int) -> str:
    """Check a person's password and return the secret of a new session.

    Raises NotAllowed, in the same words and about the same time, whether the account, the password or the permission
    is missing; and BadInput while the throttle holds.
    """
    account = sha256("account:" + email.strip().lower())
    refuse_when_throttled(db.session(), account, address)
    user = db.session.scalar(select(User).where(User.email == email.strip().lower()))
    right = passwords.is_right(password[: passwords.LONGEST], user.password_hash if user else None)
    if user is None or not right or user.disabled_at is not None:
        with writing() as session:
            count_failure(session, account, address)
        raise NotAllowed(WRONG)
    with writing() as session:
        session.execute(delete(SignInAttempt).where(SignInAttempt.account == account))
        return open_session(session, user.id, _first_project(session, user.id), timedelta(days=days))


def open_session(
    session: Session, user_id: int, project_id: int | None, lasts: timedelta, task_id: int | None = None
) -> str:
    """Insert a session and return its secret, which only the browser keeps."""
    secret, now = secrets.token_urlsafe(32), utc_now()
    session.add(
        WebSession(
            sha=sha256(secret),
            user_id=user_id,
            project_id=project_id,
            task_id=task_id,
            created_at=now,
            expires_at=now + lasts,
        )
    )
    return secret


def session_of(secret: str) -> WebSession | None:
    """Return the open session a secret belongs to; None once it ran out, was ended or its person was disabled."""
    found = db.session.scalar(
        select(WebSession).where(WebSession.sha == sha256(secret)).options(joinedload(WebSession.user))
    )
    if found is None or found.ended_at is not None or found.expires_at <= utc_now() or found.user.disabled_at:
        return None
    return found


def end_session(secret: str) -> None:
    """End a session; an unknown one is no error."""
    with writing() as session:
        found = session.scalar(select(WebSession).where(WebSession.sha == sha256(secret)))
        if found is not None and found.ended_at is None:
            found.ended_at = utc_now()


def actor_of_session(row: WebSession) -> Actor | None:
    """Return who a session acts for; None for a person who is in no project."""
    return None if row.project_id is None else actor_in(row.user, row.project_id, row.task_id)


def actor_in(user: User, project_id: int, panel_task: int | None = None) -> Actor | None:
    """Return a person as they stand in one project, None when they have no role in it."""
    memberships = db.session.scalars(
        select(Membership)
        .where(Membership.user_id == user.id, Membership.project_id == project_id)
        .options(joinedload(Membership.project))
    ).all()
    if not memberships:
        return None
    project, held = memberships[0].project, {membership.role for membership in memberships}
    return Actor(
        user_id=user.id,
        name=user.name,
        pseudonym=user.pseudonym,
        project_id=project.id,
        project=project.slug,
        project_name=project.name,
        roles=frozenset(role for role in ROLES if role in held),
        panel_task=panel_task,
    )


def projects_of(user_id: int) -> list[Project]:
    """Return the projects a person has a role in, oldest first."""
    return list(
        db.session.scalars(
            select(Project).join(Membership).where(Membership.user_id == user_id).distinct().order_by(Project.id)
        )
    )


def choose_project(secret: str, slug: str) -> None:
    """Make a session work in another project of the same person. Raises NotFound for any other project."""
    with writing() as session:
        row = session.scalars(select(WebSession).where(WebSession.sha == sha256(secret))).one()
        chosen = session.scalar(
            select(Project.id).join(Membership).where(Membership.user_id == row.user_id, Project.slug == slug).limit(1)
        )
        if chosen is None:
            raise NotFound(f"there is no project {slug!r} of yours")
        row.project_id = chosen


def refuse_when_throttled(session: Session, account: str, address: str) -> None:
    """Raise BadInput while an account or an address has failed too often."""
    since = utc_now() - WINDOW
    counts = session.execute(
        select(
            func.count().filter(SignInAttempt.account == account),
            func.count().filter(SignInAttempt.address == address),
        ).where(SignInAttempt.at > since, or_(SignInAttempt.account == account, SignInAttempt.address == address))
    ).one()
    if counts[0] >= ACCOUNT_LIMIT or counts[1] >= ADDRESS_LIMIT:
        raise BadInput("Too many failed attempts. Wait 15 minutes and try again.")


def count_failure(session: Session, account: str, address: str) -> None:
    """Keep a failed attempt, and drop those that no longer count."""
    now = utc_now()
    session.execute(delete(SignInAttempt).where(SignInAttempt.at < now - WINDOW))
    session.add(SignInAttempt(account=account, address=address[:64], at=now))


def _first_project(session: Session, user_id: int) -> int | None:
    return session.scalar(
        select(Membership.project_id).where(Membership.user_id == user_id).order_by(Membership.project_id).limit(1)
    )
