"""A recording's rows become events, and the events a trajectory: always derived here, never taken from the client."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotator_server.models.recordings import CaptureSession, EventRow
from browser_capture.derivation import derive_trajectory
from browser_capture.events import Event, iso_utc
from browser_capture.json_records import from_json
from browser_capture.trajectory import Actor, Notice, Trajectory


def trajectory_record(session: Session, recording: CaptureSession) -> Trajectory:
    """Derive a recording's trajectory. It names its searcher by pseudonym and its task by public id."""
    lines = session.scalars(
        select(EventRow.line).where(EventRow.capture_session_id == recording.id).order_by(EventRow.seq)
    )
    derived = _derived(tuple(lines))
    return dataclasses.replace(
        derived,
        id=recording.session,
        task=recording.task.question.public_id,
        actor=Actor(kind=derived.actor.kind, name=recording.user.pseudonym),
    )


@lru_cache(maxsize=16)
def _derived(lines: tuple[str, ...]) -> Trajectory:
    # The lines decide the trajectory, so they need not be checked and followed again for every view of a page.
    events = [from_json(Event, json.loads(line)) for line in lines]
    derived = derive_trajectory(events)
    notices = sorted([*derived.notices, *_taken_back(events)], key=lambda notice: notice.seq)
    return dataclasses.replace(derived, notices=tuple(notices))


def _taken_back(events: Sequence[Event]) -> Iterator[Notice]:
    """Yield a notice of what was taken back on the server: what was forgotten before it was sent has its own."""
    spans = [(event.data["from_seq"], event.data["to_seq"]) for event in events if event.type == "forget"]
    left = [event for event in events if event.type == "forgotten"]
    lone = [event for event in left if not any(first <= event.seq <= last for first, last in spans)]
    if lone:
        detail = f"{len(lone)} {'entry was' if len(lone) == 1 else 'entries were'} taken back after they were sent"
        yield Notice(seq=lone[0].seq, at=iso_utc(lone[0].t_wall), kind="forgotten", detail=detail)
