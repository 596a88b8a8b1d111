"""API: what a recorder must know about the task it records, and its sign of life."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from annotator_server.clock import iso
from annotator_server.views.guard import actor, settings
from annotator_server.workflow import claiming, tasks

blueprint = Blueprint("api_tasks", __name__, url_prefix="/api/v1/tasks")


@blueprint.get("/<task_id>")
def show(task_id: str) -> ResponseReturnValue:
    """Return the question, its answer's type and the rules of recording, to the person who claimed it."""
    brief = tasks.brief_for_recorder(actor(), task_id, settings())
    return {
        "task_id": brief.task_id,
        "version": brief.version,
        "question": brief.question,
        "answer_type": brief.answer_type,
        "guidelines": brief.guidelines,
        "held_by_me": True,
        "lease_until": iso(brief.lease_until),
        "policy": {
            "allowed_engines": list(brief.allowed_engines),
            "banned_hosts": list(brief.banned_hosts),
            "start_url": brief.start_url,
            "forget_minutes": brief.forget_minutes,
            "inspect_first": brief.inspect_first,
        },
    }


@blueprint.post("/<task_id>/heartbeat")
def heartbeat(task_id: str) -> ResponseReturnValue:
    """Keep a claimed task for a while longer."""
    return {"lease_until": iso(claiming.heartbeat(actor(), task_id, settings().lease_minutes))}
