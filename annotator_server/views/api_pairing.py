"""API: a machine trades the code shown to its person for a token."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from annotator_server.views.json_input import json_body, text_member
from annotator_server.workflow import pairing

blueprint = Blueprint("api_pairing", __name__, url_prefix="/api/v1")


@blueprint.post("/pairing")
def pair() -> ResponseReturnValue:
    """Return a token for a pairing code; the only call that needs none."""
    data = json_body()
    made = pairing.redeem_code(text_member(data, "code", 40), text_member(data, "machine"), request.remote_addr or "")
    return {"token": made.token, "user": made.user, "project": made.project}, 201
