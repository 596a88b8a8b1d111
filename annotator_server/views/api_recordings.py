"""API: a recording is opened, its lines and blobs arrive in any order and any number of times, and it is finished."""

from __future__ import annotations

import re

from flask import Blueprint
from flask.typing import ResponseReturnValue

from annotator_server.config import page_store
from annotator_server.database import db
from annotator_server.errors import BadInput, Conflict
from annotator_server.models.recordings import CaptureSession
from annotator_server.views.guard import actor, settings
from annotator_server.views.json_input import count_member, json_body, plain_bytes, text_member
from annotator_server.workflow import recording
from annotator_server.workflow.finding import recording_of

blueprint = Blueprint("api_recordings", __name__, url_prefix="/api/v1/recordings")

LARGEST_BATCH = 20_000_000


@blueprint.post("")
def open_recording() -> ResponseReturnValue:
    """Open a recording; asking again for the same one finds it."""
    data = json_body()
    opened, is_new = recording.open_recording(
        actor(), text_member(data, "session", 80), text_member(data, "task_id", 80)
    )
    return _state(opened), 201 if is_new else 200


@blueprint.get("/<session>")
def show(session: str) -> ResponseReturnValue:
    """Tell how far a recording has arrived."""
    found = recording_of(db.session(), actor(), session)
    return {**_state(found), "task_id": found.task.question.public_id}


@blueprint.post("/<session>/events")
def events(session: str) -> ResponseReturnValue:
    """Keep a batch of lines; those that are there already are counted and left alone."""
    recording_of(db.session(), actor(), session)  # an unknown recording is said before a long body is read
    try:
        body = plain_bytes(LARGEST_BATCH).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"the lines are not UTF-8: {error}") from error
    kept = recording.ingest(actor(), session, recording.read_lines(body, session))
    return kept._asdict()


@blueprint.post("/<session>/finish")
def finish(session: str) -> ResponseReturnValue:
    """Close a recording when nothing is missing; else say what is."""
    data = json_body()
    last_seq, digest = count_member(data, "last_seq"), text_member(data, "digest", 64)
    if not re.fullmatch("[0-9a-f]{64}", digest):
        raise BadInput("'digest' must be a SHA-256 in hexadecimal")
    message, code, missing = "pages of this recording have not arrived yet", "incomplete", list[str]()
    try:
        missing = recording.finish(actor(), session, last_seq, digest, page_store(settings().home))
    except Conflict as error:
        message, code = str(error), error.code
    else:
        if not missing:
            # The digest of what is here; the recorder deletes its own copy only when it is the same.
            return {"state": "complete", "digest": recording_of(db.session(), actor(), session).digest}
    found = recording_of(db.session(), actor(), session)
    missing = missing or recording.missing_blobs(db.session(), found, page_store(settings().home))
    answer = {"error": {"code": code, "message": message}, "highest_seq": found.highest_seq, "missing_blobs": missing}
    return answer, 409


def _state(found: CaptureSession) -> dict[str, object]:
    return {"session": found.session, "state": found.state, "highest_seq": found.highest_seq}
