"""API: a machine asks where its person may look around, and hands in what was jotted down there."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from annotator_server.database import db
from annotator_server.errors import BadInput
from annotator_server.views.guard import actor, settings
from annotator_server.views.json_input import json_body
from annotator_server.workflow import seeds, tasks
from browser_capture.errors import RecordError
from browser_capture.events import Event
from browser_capture.json_records import from_json

blueprint = Blueprint("api_seeds", __name__, url_prefix="/api/v1")


@blueprint.get("/start-sites")
def start_sites() -> ResponseReturnValue:
    """Return where people of this project look around, by topic."""
    policy = tasks.capture_policy(db.session(), actor().project_id, settings())
    return {"topics": policy["start_sites"]}


@blueprint.post("/seeds")
def create() -> ResponseReturnValue:
    """Keep a `jot` event as a seed; the same one again finds it."""
    try:
        event = from_json(Event, json_body())
    except RecordError as error:
        raise BadInput(f"this is no event: {error}") from error
    seed, is_new = seeds.keep_seed(actor(), event)
    return {"id": seed.id, "session": seed.name}, 201 if is_new else 200
