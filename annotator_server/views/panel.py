"""The panel: the narrow window beside the browser. It shows the recording, holds the answer, and hands it in."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from annotator_server.clock import iso
from annotator_server.config import page_store
from annotator_server.database import db
from annotator_server.errors import BadInput, NotFound, RequestError
from annotator_server.jobs import jobs
from annotator_server.models.tasks import Task
from annotator_server.records.question_record import answer_format
from annotator_server.views.guard import actor, settings, start_session
from annotator_server.views.json_input import count_member, json_body
from annotator_server.workflow import drafts, pairing, signing_in, submission
from annotator_server.workflow.answer_reading import ReadAnswer, read_answer
from annotator_server.workflow.finding import task_of
from annotator_server.workflow.panel_pages import PanelPage, panel_page
from verifier.answers.csv_files import write_answer_csv

blueprint = Blueprint("panel", __name__, url_prefix="/panel")

FORM = "answer"


@blueprint.get("/enter/<secret>")
def enter(secret: str) -> ResponseReturnValue:
    """Sign this window in for one panel and show it. The address works once."""
    opened, public_id = pairing.enter_panel(secret)
    if not _is_signed_in_fully(opened):
        start_session(opened)
    return redirect(url_for("panel.show", public_id=public_id))


@blueprint.get("/<public_id>")
def show(public_id: str) -> ResponseReturnValue:
    """Show the panel with what was typed last."""
    page = _page(public_id)
    return _render(page, page.draft_body, read=_understood(page, page.draft_body.encode()))


@blueprint.post("/<public_id>/answer")
def answer(public_id: str) -> ResponseReturnValue:
    """Keep the answer as a draft, or hand it in. Whatever goes wrong, the text stays."""
    page = _page(public_id)
    data, text = _typed(page)
    problem: RequestError | None = None
    try:
        drafts.save_draft(actor(), public_id, FORM, text, request.form.get("base_seq", type=int, default=0))
        page = _page(public_id)
        if request.form.get("do") == "submit":
            handed = submission.submit_answer(
                actor(),
                public_id,
                data,
                request.form.get("question_version", type=int, default=0),
                request.form.get("key", ""),
                page_store(settings().home),
            )
            if handed.job_id is not None:
                jobs().ask_verification(handed.job_id)
            return redirect(url_for("panel.show", public_id=public_id))
    except RequestError as error:
        problem = error
    read = _understood(page, data)
    return _render(page, text, read=read, problem=problem), problem.status if problem else 200


@blueprint.post("/<public_id>/draft")
def autosave(public_id: str) -> ResponseReturnValue:
    """Keep what is being typed and answer with the server's number and time for it."""
    _refuse_other_panel(task_of(db.session(), actor(), public_id))
    data = json_body(limit=2 * drafts.LONGEST_DRAFT)
    body = data.get("body")
    if not isinstance(body, str) or "\x00" in body or any("\ud800" <= char <= "\udfff" for char in body):
        raise BadInput("the text holds a character that cannot be kept")
    kept = drafts.save_draft(actor(), public_id, FORM, body, count_member(data, "base_seq"))
    return {"seq": kept.seq, "saved_at": iso(kept.saved_at)}


@blueprint.post("/<public_id>/preview")
def preview(public_id: str) -> ResponseReturnValue:
    """Return how the typed answer is understood, as a piece of the page. Nothing is kept."""
    page = _page(public_id)
    data, _ = _typed(page)
    return render_template("_answer_preview.html", read=_understood(page, data), page=page)


def _is_signed_in_fully(panel_session: str) -> bool:
    # Someone who signed in by hand in this browser stays so: the panel's own sign-in would take that away.
    row = signing_in.session_of(panel_session)
    mine = current_user.row if current_user.is_authenticated else None
    return row is not None and mine is not None and mine.task_id is None and mine.user_id == row.user_id


def _page(public_id: str) -> PanelPage:
    page = panel_page(actor(), public_id, FORM)
    _refuse_other_panel(page.task)
    return page


def _refuse_other_panel(task: Task) -> None:
    if actor().panel_task not in (None, task.id):
        raise NotFound(f"this window is signed in for another panel than {task.question.public_id!r}")


def _typed(page: PanelPage) -> tuple[bytes, str]:
    """Return the answer as bytes and as text for the box; a chosen file wins over the box."""
    file = request.files.get("answer_file")
    text = request.form.get("answer_csv", "").replace("\r\n", "\n")
    if file is None or not file.filename:
        return text.encode(), text
    data = file.read()
    try:
        wanted = answer_format(page.version.form)
        read = read_answer(data, wanted)
        return data, write_answer_csv(read.header, read.rows, wanted).decode()
    except BadInput:
        return data, text


def _understood(page: PanelPage, data: bytes) -> ReadAnswer | None:
    try:
        return read_answer(data, answer_format(page.version.form)) if data.strip() else None
    except BadInput as error:
        return ReadAnswer((), (), (str(error),), ())


def _render(page: PanelPage, text: str, *, read: ReadAnswer | None, problem: RequestError | None = None) -> str:
    return render_template(
        "panel.html", page=page, text=text, read=read, problem=problem, fields=getattr(problem, "fields", {})
    )
