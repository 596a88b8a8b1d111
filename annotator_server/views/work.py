"""The landing page, which says what waits for whom, and the people of a project."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from annotator_server.clock import utc_now
from annotator_server.policy import role_allows
from annotator_server.views.guard import actor
from annotator_server.workflow import lists, people
from annotator_server.workflow.review_queue import review_queue
from annotator_server.workflow.seeds import waiting_seeds

blueprint = Blueprint("work", __name__)


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Show what waits for this person, the most urgent first."""
    who = actor()
    writes, reviews = role_allows(who.roles, "claim"), role_allows(who.roles, "approve")
    queue = review_queue(who) if reviews else []
    return render_template(
        "work.html",
        writes=writes,
        reviews=reviews,
        held=lists.held_by(who) if writes else [],
        next_ones=lists.next_ones(who) if writes else [],
        returned=lists.returned_to(who) if writes else [],
        seeds=waiting_seeds(who) if writes else [],
        drafts=lists.drafts_of(who) if writes else [],
        passed=lists.passed_since(who, utc_now() - timedelta(days=31)) if writes else [],
        queue=[line for line in queue if line.author_id != who.user_id],
    )


@blueprint.get("/people")
def people_page() -> ResponseReturnValue:
    """Show who is in the project, with which roles."""
    return render_template("people.html", memberships=people.people_of(actor()))
