"""API: the recorder asks for an address that signs its panel window in, once."""

from __future__ import annotations

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from annotator_server.views.guard import actor
from annotator_server.views.json_input import json_body, text_member
from annotator_server.workflow import pairing

blueprint = Blueprint("api_panels", __name__, url_prefix="/api/v1")


@blueprint.post("/panel-sessions")
def make() -> ResponseReturnValue:
    """Return a panel address that works once, within a minute."""
    # The recorder names its session too; it is not opened before Start, so nothing can hang on it here.
    secret = pairing.make_panel_address(actor(), text_member(json_body(), "task_id", 80))
    return {"url": url_for("panel.enter", secret=secret, _external=True)}, 201
