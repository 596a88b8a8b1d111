"""Projects, people and their roles. There is no open sign-up: people are added by name."""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.errors import BadInput
from annotator_server.models.accounts import Membership, Project, User
from annotator_server.policy import ROLES, Actor
from annotator_server.workflow import passwords
from annotator_server.workflow.audit import note


class Added(NamedTuple):
    """What `add_person` did. `password` is set only where one was made up; it can never be shown again."""

    email: str
    role: str
    project: str
    is_new: bool
    password: str | None


def slug_of(name: str) -> str:
    """Turn a project's name into the word that stands in task ids.

    >>> slug_of("Search Tasks, 2026!")
    'search-tasks-2026'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]


def ensure_project(name: str) -> bool:
    """Make a project unless one with the same slug is there; tell whether it was made."""
    slug = slug_of(name)
    if not slug:
        raise BadInput(f"a project's name needs at least one letter a-z or digit, found {name!r}")
    with writing() as session:
        if session.scalar(select(Project.id).where(Project.slug == slug)) is not None:
            return False
        project = Project(slug=slug, name=name.strip(), settings={}, created_at=utc_now())
        session.add(project)
        session.flush()
        note(session, project.id, None, "project_created", slug)
    return True


def add_person(
    email: str, role: str, *, name: str = "", password: str | None = None, project: str | None = None
) -> Added:
    """Add a person or a role of a known person. A new person without a password gets a made-up one.

    Raises BadInput for a role, an address, a password or a project that cannot be; a known person's password is left
    as it is unless a new one is given.
    """
    email = _checked_email(email)
    if role not in ROLES:
        raise BadInput(f"there is no role {role!r}; the roles are {', '.join(ROLES)}")
    if password is not None:
        passwords.refuse_weak(password)
    with writing() as session:
        place = _project(session, project)
        user = session.scalar(select(User).where(User.email == email))
        made_up = None
        if is_new := user is None:
            made_up = secrets.token_urlsafe(12) if password is None else None
            user = _new_user(session, email, name, password or made_up or "")
        elif password is not None:
            user.password_hash = passwords.hash_password(password)
        known = select(Membership.id).where(
            Membership.project_id == place.id, Membership.user_id == user.id, Membership.role == role
        )
        if session.scalar(known) is None:
            session.add(Membership(project_id=place.id, user_id=user.id, role=role, created_at=utc_now()))
            note(session, place.id, None, "role_given", f"user {user.id}", role=role)
    return Added(email, role, place.slug, is_new, made_up)


def people_of(actor: Actor) -> list[Membership]:
    """Return the roles of everyone in the actor's project, by name."""
    return list(
        db.session.scalars(
            select(Membership)
            .join(User)
            .where(Membership.project_id == actor.project_id)
            .options(joinedload(Membership.user))
            .order_by(User.name, User.id, Membership.role)
        )
    )


def _checked_email(email: str) -> str:
    email = email.strip().lower()
    if len(email) > 254 or not re.fullmatch(r"[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+", email):
        raise BadInput(f"{email!r} is not an e-mail address; expected something like ana@example.org")
    return email


def _project(session: Session, slug: str | None) -> Project:
    if slug is not None:
        found = session.scalar(select(Project).where(Project.slug == slug_of(slug)))
        if found is None:
            raise BadInput(f"there is no project {slug!r}; the projects are: {_known_projects(session)}")
        return found
    projects = session.scalars(select(Project).order_by(Project.id).limit(2)).all()
    if not projects:
        raise BadInput("there is no project yet; type: trailbench server init --project NAME")
    if len(projects) > 1:
        raise BadInput(f"there are several projects; name one with --project: {_known_projects(session)}")
    return projects[0]


def _known_projects(session: Session) -> str:
    return ", ".join(session.scalars(select(Project.slug).order_by(Project.slug))) or "none"


def _new_user(session: Session, email: str, name: str, password: str) -> User:
    number = (session.scalar(select(func.max(User.id))) or 0) + 1
    user = User(
        email=email,
        name=name.strip() or email.partition("@")[0],
        # Says nothing about the person and stays the same in every release.
        pseudonym=f"p{number:03d}-{secrets.token_hex(2)}",
        password_hash=passwords.hash_password(password),
        created_at=utc_now(),
    )
    session.add(user)
    session.flush()
    return user
