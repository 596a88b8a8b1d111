"""The page of a person's seeds: begin a question from one, set one aside, take it back."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from annotator_server.views.guard import actor
from annotator_server.workflow import seeds

blueprint = Blueprint("seeds", __name__, url_prefix="/seeds")


@blueprint.get("")
def listing() -> ResponseReturnValue:
    """Show what this person jotted down, and what became of it."""
    return render_template("seeds.html", page=seeds.seeds_page(actor()), limit=seeds.PAGE)


@blueprint.post("/<int:seed_id>/aside")
def set_aside(seed_id: int) -> ResponseReturnValue:
    """Set a seed aside."""
    seeds.set_aside(actor(), seed_id, aside=True)
    return redirect(url_for("seeds.listing"))


@blueprint.post("/<int:seed_id>/back")
def take_back(seed_id: int) -> ResponseReturnValue:
    """Take back a seed that was set aside."""
    seeds.set_aside(actor(), seed_id, aside=False)
    return redirect(url_for("seeds.listing"))
