"""Leases on tasks: claimed, kept alive by a heartbeat, handed back. A lease that ran out is free for anyone."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from annotator_server.clock import iso, utc_now
from annotator_server.database import writing
from annotator_server.errors import Conflict, NotHeld
from annotator_server.models.tasks import Lease, Task
from annotator_server.policy import Actor, require
from annotator_server.workflow.audit import note
from annotator_server.workflow.finding import open_lease, task_of
from annotator_server.workflow.lifecycle import move


def claim(actor: Actor, public_id: str, minutes: int) -> datetime:
    """Claim a task and return until when it is held. Claiming one's own task again renews the lease.

    Raises Conflict, naming the holder and the time, while someone else holds it.
    """
    with writing() as session:
        return _claim(session, actor, public_id, timedelta(minutes=minutes))


def heartbeat(actor: Actor, public_id: str, minutes: int) -> datetime:
    """Renew the lease of a task this person holds and return its new end.

    A lease that ran out is renewed too as long as nobody else took the task. Raises NotHeld otherwise.
    """
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        lease = hold(session, actor, task)
        lease.until = max(lease.until, utc_now() + timedelta(minutes=minutes))
        return lease.until


def hand_back(actor: Actor, public_id: str) -> None:
    """Give a claimed task back to the queue; a maintainer may do so for someone else."""
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        lease = open_lease(session, task)
        is_holder = lease is not None and lease.user_id == actor.user_id
        require(actor, "hand_back", state=task.state, is_holder=is_holder)
        end_lease(lease, "handed_back" if is_holder else "released")
        move(task, "hand_back")
        note(session, actor.project_id, actor.user_id, "task_handed_back", public_id)


def hold(session: Session, actor: Actor, task: Task) -> Lease:
    """Return this person's open lease on a task. Raises NotHeld when there is none."""
    lease = open_lease(session, task)
    if lease is None:
        raise NotHeld("this question is not claimed by you; claim it on its page first")
    if lease.user_id != actor.user_id:
        raise NotHeld(f"this question is held by {lease.user.name} until {iso(lease.until)[:16]} UTC")
    return lease


def end_lease(lease: Lease | None, reason: str) -> None:
    """Close a lease; the row stays, as history."""
    if lease is not None:
        lease.ended_at, lease.end_reason = utc_now(), reason


def _claim(session: Session, actor: Actor, public_id: str, lasts: timedelta) -> datetime:
    task, now = task_of(session, actor, public_id, to_change=True), utc_now()
    require(actor, "claim", state=task.state)
    lease = open_lease(session, task)
    if lease is not None and lease.user_id == actor.user_id:
        lease.until = max(lease.until, now + lasts)
        return lease.until
    if lease is not None and lease.until > now:
        raise Conflict(f"this question is held by {lease.user.name} until {iso(lease.until)[:16]} UTC")
    end_lease(lease, "ran_out")
    session.flush()  # the old lease must be closed before the index lets a new one in
    session.add(Lease(task_id=task.id, user_id=actor.user_id, claimed_at=now, until=now + lasts, end_reason=""))
    session.flush()
    move(task, "claim")
    note(session, actor.project_id, actor.user_id, "task_claimed", public_id)
    return now + lasts
