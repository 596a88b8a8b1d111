"""What the panel of one task shows to the person who holds it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from annotator_server.clock import utc_now
from annotator_server.config import Settings
from annotator_server.database import db
from annotator_server.errors import NotHeld
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import QuestionVersion
from annotator_server.models.recordings import CaptureSession
from annotator_server.models.reviews import Review
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor, require
from annotator_server.records.question_record import answer_format
from annotator_server.workflow.drafts import draft_of
from annotator_server.workflow.finding import newest_version, open_lease, task_of
from annotator_server.workflow.tasks import capture_policy, guidelines_for
from verifier.answers.answer_format import AnswerFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelPage:
    """The panel: the question, the recording so far, and the draft of the answer."""

    task: Task
    version: QuestionVersion
    answer_format: AnswerFormat
    guidelines: str
    lease_until: datetime | None
    lease_ran_out: bool
    recording: CaptureSession | None
    is_recorded: bool
    """Whether a complete recording of the question as it stands is here, so that an answer may be handed in."""
    returned: Review | None
    """The review that sent this person's last answer back."""
    draft_body: str
    draft_origins: list[dict[str, Any]]
    draft_seq: int
    draft_saved_at: datetime | None
    handed_in: int | None
    """Version of the answer this person has handed in for good, where the task waits for its check or review."""
    lost: bool
    """The claim ran out and was ended; what was typed is still here, to be copied."""


def panel_page(actor: Actor, public_id: str, form: str, settings: Settings) -> PanelPage:
    """Gather the panel. Raises NotHeld for someone who has nothing to do with the task."""
    require(actor, "see_panel")
    session, now = db.session(), utc_now()
    task = task_of(session, actor, public_id)
    lease = open_lease(session, task)
    mine = lease is not None and lease.user_id == actor.user_id
    handed_in = None if mine else _handed_in(task, actor)
    draft = draft_of(actor, task.id, form)
    if not mine and handed_in is None and draft is None:
        raise NotHeld("this question is not claimed by you; claim it on its page first")
    version = newest_version(session, task.question)
    recording = _newest_recording(task, actor)
    return PanelPage(
        task=task,
        version=version,
        answer_format=answer_format(version.form),
        guidelines=guidelines_for(capture_policy(session, actor.project_id, settings)["allowed_engines"]),
        lease_until=lease.until if lease and mine else None,
        lease_ran_out=bool(lease and mine and lease.until <= now),
        recording=recording,
        is_recorded=recording is not None
        and recording.state == "complete"
        and recording.question_version == version.version,
        returned=_return_of(task, actor),
        draft_body=draft.body if draft else "",
        draft_origins=draft.origins if draft else [],
        draft_seq=draft.seq if draft else 0,
        draft_saved_at=draft.saved_at if draft else None,
        handed_in=handed_in,
        lost=not mine and handed_in is None,
    )


def question_text(page: PanelPage, version: int | None) -> str | None:
    """Return how a version of the question read; None for a version that never was."""
    return db.session.scalar(
        select(QuestionVersion.text).where(
            QuestionVersion.question_id == page.task.question_id, QuestionVersion.version == version
        )
    )


def _newest_recording(task: Task, actor: Actor) -> CaptureSession | None:
    return db.session.scalar(
        select(CaptureSession)
        .where(CaptureSession.task_id == task.id, CaptureSession.user_id == actor.user_id)
        .order_by(CaptureSession.id.desc())
        .limit(1)
    )


def _return_of(task: Task, actor: Actor) -> Review | None:
    newest = db.session.scalar(
        select(AnswerRow.id)
        .where(AnswerRow.question_id == task.question_id, AnswerRow.author_id == actor.user_id)
        .order_by(AnswerRow.version.desc())
        .limit(1)
    )
    sent_back = select(Review).where(Review.answer_version_id == newest, Review.verdict == "return")
    return db.session.scalar(sent_back.limit(1))


def _handed_in(task: Task, actor: Actor) -> int | None:
    return db.session.scalar(
        select(AnswerRow.version)
        .where(AnswerRow.question_id == task.question_id, AnswerRow.author_id == actor.user_id)
        .order_by(AnswerRow.version.desc())
        .limit(1)
    )
