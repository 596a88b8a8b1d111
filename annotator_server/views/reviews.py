"""Review: the queue, one answer beside its evidence, and the verdict."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from annotator_server.errors import BadInput, RequestError
from annotator_server.jobs import jobs
from annotator_server.views.guard import actor, settings
from annotator_server.views.passages import MOST, shown_passages
from annotator_server.workflow import lists, reviewing, verification
from annotator_server.workflow.review_pages import CellKey, cell_page, query_words, review_page
from annotator_server.workflow.review_queue import review_queue

blueprint = Blueprint("reviews", __name__, url_prefix="/reviews")


@blueprint.get("")
def queue() -> ResponseReturnValue:
    """Show the answers that wait for a verdict, the longest waiting first."""
    return render_template("queue.html", lines=review_queue(actor()), limit=lists.PAGE)


@blueprint.get("/<public_id>")
def show(public_id: str) -> ResponseReturnValue:
    """Show an answer left, its evidence right, the path below."""
    return _render(public_id)


@blueprint.get("/<public_id>/evidence")
def evidence(public_id: str) -> ResponseReturnValue:
    """Return the evidence of one cell, as a piece of the page."""
    cell = _cell() or (0, "")
    page = cell_page(actor(), public_id, cell)
    passages = shown_passages(page.evidence, settings().home)
    return render_template(
        "_evidence.html",
        evidence=page.evidence,
        queries=page.queries,
        sources=page.sources,
        chosen=cell,
        passages=passages,
        most_passages=MOST,
    )


@blueprint.post("/<public_id>/decide")
def decide(public_id: str) -> ResponseReturnValue:
    """Approve or return. What was typed stays on the page when the verdict cannot be kept."""
    version = request.form.get("answer_version", type=int, default=0)
    comment, reasons = request.form.get("comment", "")[:10_000], request.form.getlist("reasons")
    try:
        if request.form.get("do") == "approve":
            reviewing.approve(actor(), public_id, version, comment)
        elif request.form.get("do") == "return":
            reviewing.return_answer(actor(), public_id, version, reasons, comment)
        else:
            raise BadInput("choose Approve or Return")
    except RequestError as error:
        if error.status in (403, 404):
            raise
        return _render(public_id, error=error, comment=comment, reasons=reasons), error.status
    return redirect(url_for("reviews.queue"))


@blueprint.post("/<public_id>/verify")
def verify_again(public_id: str) -> ResponseReturnValue:
    """Have the answer checked once more."""
    jobs().ask_verification(verification.ask_again(actor(), public_id))
    return redirect(url_for("reviews.show", public_id=public_id))


def _render(
    public_id: str, *, error: RequestError | None = None, comment: str = "", reasons: list[str] | None = None
) -> str:
    order = "answered" if request.args.get("order") == "answered" else "doubt"
    page = review_page(actor(), public_id, order=order, cell=_cell())
    return render_template(
        "review.html",
        page=page,
        order=order,
        chosen=page.chosen,
        evidence=page.evidence,
        queries=query_words(page.trajectory),
        sources=page.sources,
        passages=shown_passages(page.evidence, settings().home),
        most_passages=MOST,
        error=error,
        fields=getattr(error, "fields", {}),
        comment=comment,
        reasons=reasons or [],
    )


def _cell() -> CellKey | None:
    row = request.args.get("row", type=int)
    return None if row is None else (row, request.args.get("column", ""))
