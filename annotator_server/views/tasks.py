"""Claiming a question and handing it back: two buttons on its page."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from flask.typing import ResponseReturnValue

from annotator_server.views.guard import actor, settings
from annotator_server.workflow import claiming

blueprint = Blueprint("tasks", __name__, url_prefix="/questions")


@blueprint.post("/<public_id>/claim")
def claim(public_id: str) -> ResponseReturnValue:
    """Hold the question for this person."""
    claiming.claim(actor(), public_id, settings().lease_minutes)
    return redirect(url_for("questions.show", public_id=public_id))


@blueprint.post("/<public_id>/hand-back")
def hand_back(public_id: str) -> ResponseReturnValue:
    """Let others claim the question."""
    claiming.hand_back(actor(), public_id)
    return redirect(url_for("questions.show", public_id=public_id))
