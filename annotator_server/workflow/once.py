"""A form sent twice is carried out once. Each form carries a key; a second sending gets the first's result."""

from __future__ import annotations

import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotator_server.clock import utc_now
from annotator_server.errors import BadInput
from annotator_server.models.answers import OnceKey


def new_key() -> str:
    """Return a key for a form that is about to be shown."""
    return secrets.token_urlsafe(16)


def earlier_result(session: Session, user_id: int, key: str) -> int | None:
    """Return the id of what this person's form made before, or None when it comes for the first time."""
    if not 8 <= len(key) <= 80:
        raise BadInput("this form has lost its key; reload the page and send it again")
    return session.scalar(select(OnceKey.result).where(OnceKey.user_id == user_id, OnceKey.key == key))


def remember(session: Session, user_id: int, key: str, verb: str, result: int) -> None:
    """Keep what a form made. The unique key makes a race of two sendings fail for one of them, never both pass."""
    session.add(OnceKey(user_id=user_id, key=key, verb=verb, result=result, created_at=utc_now()))
