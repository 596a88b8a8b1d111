"""A task as its recorder and its panel need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from annotator_server.config import Settings
from annotator_server.database import db
from annotator_server.errors import NotHeld
from annotator_server.models.accounts import Project
from annotator_server.policy import Actor
from annotator_server.workflow.claiming import hold
from annotator_server.workflow.finding import newest_version, task_of
from browser_capture.banned import whole_list

GUIDELINES = (
    "Search with {engines} only, without chat assistants.\n"
    "Every value of the answer must be readable on a page you visited while recording.\n"
    "Copy values from the pages where you can; do not answer from memory.\n"
    "Press Stop when the answer is complete, then hand it in."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What a recorder is told about a task."""

    task_id: str
    version: int
    question: str
    answer_type: str
    guidelines: str
    lease_until: datetime
    allowed_engines: tuple[str, ...]
    banned_hosts: tuple[str, ...]
    start_url: str
    forget_minutes: int
    inspect_first: bool


def brief_for_recorder(actor: Actor, public_id: str, settings: Settings) -> Brief:
    """Return the brief of a task this person holds. Raises NotFound, or NotHeld while it is not claimed by them."""
    session = db.session()
    task = task_of(session, actor, public_id)
    lease = hold(session, actor, task)
    if task.state not in ("claimed", "recording"):
        raise NotHeld("this question is not claimed by you; claim it on its page first")
    version = newest_version(session, task.question)
    policy = capture_policy(session, actor.project_id, settings)
    return Brief(
        task_id=public_id,
        version=version.version,
        question=version.text,
        answer_type=str(version.form.get("type") or ""),
        guidelines=guidelines_for(policy["allowed_engines"]),
        lease_until=lease.until,
        allowed_engines=tuple(policy["allowed_engines"]),
        banned_hosts=whole_list(policy["banned_hosts"]),
        start_url=policy["start_url"],
        forget_minutes=policy["forget_minutes"],
        inspect_first=policy["inspect_first"],
    )


def guidelines_for(engines: Sequence[str]) -> str:
    """Return the guidelines with the engines the project allows.

    >>> guidelines_for(["google", "brave"]).partition(",")[0]
    'Search with Google or Brave only'
    """
    return GUIDELINES.format(engines=" or ".join(name.capitalize() for name in engines))


def capture_policy(session: Session, project_id: int, settings: Settings) -> dict[str, Any]:
    """Return the rules of recording: the server's, with what the project says instead."""
    general = {
        "allowed_engines": list(settings.allowed_engines),
        "banned_hosts": list(settings.banned_hosts),
        "start_sites": {topic: list(sites) for topic, sites in settings.start_sites.items()},
        "start_url": settings.start_url,
        "forget_minutes": settings.forget_minutes,
        "inspect_first": settings.inspect_first,
    }
    project = session.get_one(Project, project_id)
    return general | {name: value for name, value in project.settings.items() if name in general}
