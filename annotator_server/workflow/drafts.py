"""What a person is typing, kept on the server as they type; only growing, so that a late message cannot win."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.errors import BadInput, StaleVersion
from annotator_server.models.tasks import Draft
from annotator_server.policy import Actor, require
from annotator_server.workflow.cell_origins import CellOrigin, origins_json
from annotator_server.workflow.finding import task_of

LONGEST_DRAFT = 1_000_000


def save_draft(
    actor: Actor, public_id: str, form: str, body: str, base_seq: int, origins: Sequence[CellOrigin] | None = None
) -> Draft:
    """Keep the text of a form and return the draft with its new number and time.

    `base_seq` is the number the text was typed upon; without `origins`, those known before stay. Raises StaleVersion
    when another window saved meanwhile. A lease that ran out does not matter: typed text is kept in any case.
    """
    if len(body) > LONGEST_DRAFT:
        raise BadInput(f"a draft has at most {LONGEST_DRAFT:,} characters, found {len(body):,}")
    require(actor, "see_panel")
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        draft = _find(session, task.id, actor.user_id, form)
        if draft is None:
            draft = Draft(
                task_id=task.id, user_id=actor.user_id, form=form, body="", origins=[], seq=0, saved_at=utc_now()
            )
            session.add(draft)
        known = draft.origins if origins is None else origins_json(origins)
        if body == draft.body and known == draft.origins and draft.seq:
            return draft
        if base_seq != draft.seq:
            raise StaleVersion("another window saved this answer meanwhile", draft.seq)
        draft.body, draft.origins, draft.seq, draft.saved_at = body, known, draft.seq + 1, utc_now()
        return draft


def draft_of(actor: Actor, task_id: int, form: str) -> Draft | None:
    """Return what this person has typed into a form of a task."""
    return _find(db.session(), task_id, actor.user_id, form)


def _find(session: Session, task_id: int, user_id: int, form: str) -> Draft | None:
    return session.scalar(select(Draft).where(Draft.task_id == task_id, Draft.user_id == user_id, Draft.form == form))
