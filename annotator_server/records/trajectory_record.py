"""A recording's rows become events, and the events a trajectory: always derived here, never taken from the client."""

from __future__ import annotations

import dataclasses
import json
from functools import lru_cache

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotator_server.models.recordings import CaptureSession, EventRow
from browser_capture.derivation import derive_trajectory
from browser_capture.events import Event
from browser_capture.json_records import from_json
from browser_capture.trajectory import Actor, Trajectory


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
    return derive_trajectory([from_json(Event, json.loads(line)) for line in lines])
