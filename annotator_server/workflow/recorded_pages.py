"""Who may look at a recorded page: its recorder, and reviewers of the same project."""

from __future__ import annotations

from sqlalchemy import select

from annotator_server.database import db
from annotator_server.errors import NotFound
from annotator_server.models.recordings import CaptureSession, RecordedBlob
from annotator_server.policy import Actor, require


def refuse_foreign_page(actor: Actor, snapshot: str) -> None:
    """Raise NotFound unless a recording of this project names the page, NotAllowed unless the actor may see it."""
    recorders = set(
        db.session.scalars(
            select(CaptureSession.user_id)
            .join(RecordedBlob, RecordedBlob.capture_session_id == CaptureSession.id)
            .where(
                CaptureSession.project_id == actor.project_id,
                RecordedBlob.sha == snapshot,
                RecordedBlob.kind == "page",
            )
        )
    )
    if not recorders:
        raise NotFound("there is no such recorded page in this project")
    require(actor, "see_page", is_author=actor.user_id in recorders)
