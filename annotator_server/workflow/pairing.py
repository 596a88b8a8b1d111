"""How a machine that records gets its token, and its panel window a sign-in for one task."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.errors import BadInput, NotAllowed
from annotator_server.models.accounts import ApiToken, PairingCode, PanelSession, Project, User
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor, require
from annotator_server.workflow import signing_in
from annotator_server.workflow.audit import note
from annotator_server.workflow.finding import live_lease, task_of
from browser_capture.json_records import sha256

CODE_LASTS = timedelta(minutes=10)
TOKEN_LASTS = timedelta(days=90)
PANEL_ADDRESS_LASTS = timedelta(seconds=60)
PANEL_SESSION_LASTS = timedelta(hours=24)
CAPTURE_SCOPE = "capture:write"

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without the pairs people misread: O/0, I/L/1


class NewCode(NamedTuple):
    """A code to show, once."""

    code: str
    expires_at: datetime


class NewToken(NamedTuple):
    """A token to hand over, once."""

    token: str
    user: str
    project: str


def show_code(actor: Actor) -> NewCode:
    """Make a pairing code that works once, within ten minutes."""
    require(actor, "pair")
    raw, now = "".join(secrets.choice(_LETTERS) for _ in range(8)), utc_now()
    with writing() as session:
        session.add(
            PairingCode(
                sha=sha256(raw),
                user_id=actor.user_id,
                project_id=actor.project_id,
                created_at=now,
                expires_at=now + CODE_LASTS,
            )
        )
    return NewCode(f"{raw[:4]}-{raw[4:]}", now + CODE_LASTS)


def redeem_code(code: str, machine: str, address: str) -> NewToken:
    """Trade a pairing code for a token of its person and project. Raises NotAllowed for one that is wrong or spent."""
    sha, now = sha256(code.replace("-", "").replace(" ", "").upper()), utc_now()
    signing_in.refuse_when_throttled(db.session(), "pairing", address)
    with writing() as session:
        found = session.scalar(select(PairingCode).where(PairingCode.sha == sha))
        if found is not None and found.used_at is None and found.expires_at > now:
            found.used_at = now
            token = "tb_" + secrets.token_urlsafe(32)
            session.add(
                ApiToken(
                    sha=sha256(token),
                    prefix=token[:8],
                    user_id=found.user_id,
                    project_id=found.project_id,
                    scopes=[CAPTURE_SCOPE],
                    label=machine[:200],
                    created_at=now,
                    expires_at=now + TOKEN_LASTS,
                )
            )
            note(session, found.project_id, found.user_id, "machine_paired", f"user {found.user_id}")
            user, project = session.get_one(User, found.user_id), session.get_one(Project, found.project_id)
            return NewToken(token, user.name, project.slug)
        signing_in.count_failure(session, "pairing", address)
    raise NotAllowed("this code is wrong, used or older than ten minutes; show a new one on the server's pairing page")


def actor_of_token(token: str, scope: str = CAPTURE_SCOPE) -> Actor | None:
    """Return who a token acts for; None when it is unknown, revoked, run out or lacks the scope."""
    row = db.session.scalar(select(ApiToken).where(ApiToken.sha == sha256(token)).options(joinedload(ApiToken.user)))
    if row is None or row.revoked_at or row.expires_at <= utc_now() or row.user.disabled_at or scope not in row.scopes:
        return None
    return signing_in.actor_in(row.user, row.project_id)


def make_panel_address(actor: Actor, public_id: str) -> str:
    """Return the secret of a one-time panel address for a task this person holds."""
    now, secret = utc_now(), secrets.token_urlsafe(32)
    with writing() as session:
        task = task_of(session, actor, public_id)
        lease = live_lease(session, task, now)
        require(actor, "see_panel")
        if lease is None or lease.user_id != actor.user_id:
            raise NotAllowed("claim this question before opening its panel")
        session.add(
            PanelSession(
                sha=sha256(secret),
                user_id=actor.user_id,
                project_id=actor.project_id,
                task_id=task.id,
                created_at=now,
                expires_at=now + PANEL_ADDRESS_LASTS,
            )
        )
    return secret


def enter_panel(secret: str) -> tuple[str, str]:
    """Spend a panel address: return the secret of a session that shows this one panel, and the task's public id."""
    now = utc_now()
    with writing() as session:
        found = session.scalar(select(PanelSession).where(PanelSession.sha == sha256(secret)))
        if found is None or found.used_at is not None or found.expires_at <= now:
            raise BadInput("this panel address was used already or is older than a minute; start the recording again")
        found.used_at = now
        opened = signing_in.open_session(
            session, found.user_id, found.project_id, PANEL_SESSION_LASTS, task_id=found.task_id
        )
        return opened, session.get_one(Task, found.task_id).question.public_id
