"""Every deed leaves an entry in its project's chain, inside the deed's own transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotator_server.clock import iso, utc_now
from annotator_server.models.accounts import Project
from annotator_server.models.audit import AuditEntry
from browser_capture.json_records import dumps, sha256

GENESIS = "0" * 64


def note(session: Session, project_id: int, user_id: int | None, verb: str, subject: str, **details: Any) -> None:
    """Append an entry to a project's chain: its hash covers the entry and the hash before it."""
    # The chain grows by one at a time: on PostgreSQL the project's row is the lock of its end.
    session.execute(select(Project.id).where(Project.id == project_id).with_for_update())
    last = session.scalar(
        select(AuditEntry).where(AuditEntry.project_id == project_id).order_by(AuditEntry.seq.desc()).limit(1)
    )
    entry = AuditEntry(
        project_id=project_id,
        seq=last.seq + 1 if last else 1,
        at=utc_now(),
        user_id=user_id,
        verb=verb,
        subject=subject,
        details=details,
        previous=last.hash if last else GENESIS,
    )
    entry.hash = entry_hash(entry)
    session.add(entry)
    session.flush()  # the next entry of this transaction must find this one


def entry_hash(entry: AuditEntry) -> str:
    """Return the hash an entry must have, from its members and the hash of the entry before it."""
    told = [entry.seq, iso(entry.at), entry.user_id, entry.verb, entry.subject, entry.details]
    return sha256(entry.previous + dumps(told))
