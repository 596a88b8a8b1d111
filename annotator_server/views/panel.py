"""The panel: the narrow window beside the browser. It shows the recording, holds the answer, and hands it in."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from annotator_server.clock import iso, utc_now
from annotator_server.config import page_store
from annotator_server.database import db
from annotator_server.errors import BadInput, NotFound, RequestError, StaleVersion
from annotator_server.jobs import jobs
from annotator_server.models.tasks import Task
from annotator_server.records.question_record import answer_format
from annotator_server.views.guard import actor, settings, start_session
from annotator_server.views.json_input import count_member, json_body
from annotator_server.workflow import drafts, pairing, signing_in, submission
from annotator_server.workflow.answer_linting import LintedAnswer, lint_answer
from annotator_server.workflow.answer_reading import read_answer
from annotator_server.workflow.cell_origins import origins_json, read_origins
from annotator_server.workflow.finding import task_of
from annotator_server.workflow.panel_pages import PanelPage, panel_page, question_text
from verifier.answers.csv_files import write_answer_csv

blueprint = Blueprint("panel", __name__, url_prefix="/panel")

FORM = "answer"

LONGEST_MESSAGE = 4_000_000
"""Bytes of a draft with what is known of its cells."""


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
    return _render(page, page.draft_body, page.draft_origins)


@blueprint.post("/<public_id>/answer")
def answer(public_id: str) -> ResponseReturnValue:
    """Keep the answer as a draft, or hand it in. Whatever goes wrong, the text stays."""
    page = _page(public_id)
    data, text = _typed(page)
    told = _form_origins()
    origins = read_origins(page.draft_origins if told is None else told)
    step = "draft"
    try:
        base = request.form.get("base_seq", type=int, default=0)
        drafts.save_draft(actor(), public_id, FORM, text, base, origins)
        page, step = _page(public_id), "question"
        if request.form.get("do") == "submit":
            handed = submission.submit_answer(
                actor(),
                public_id,
                data,
                request.form.get("question_version", type=int, default=0),
                request.form.get("key", ""),
                page_store(settings().home),
                origins=origins,
            )
            if handed.job_id is not None:
                jobs().ask_verification(handed.job_id)
            return redirect(url_for("panel.show", public_id=public_id))
    except RequestError as error:
        stale = step if isinstance(error, StaleVersion) else ""
        return _render(page, text, origins_json(origins), problem=error, stale=stale), error.status
    return _render(page, text, origins_json(origins))


@blueprint.post("/<public_id>/draft")
def autosave(public_id: str) -> ResponseReturnValue:
    """Keep what is being typed and answer with the server's number and time for it; a stale one gets both sides."""
    _refuse_other_panel(task_of(db.session(), actor(), public_id))
    data = json_body(limit=LONGEST_MESSAGE)
    body = data.get("body")
    if not isinstance(body, str) or "\x00" in body or any("\ud800" <= char <= "\udfff" for char in body):
        raise BadInput("the text holds a character that cannot be kept")
    origins = read_origins(data["origins"]) if "origins" in data else None
    try:
        kept = drafts.save_draft(actor(), public_id, FORM, body, count_member(data, "base_seq"), origins)
    except StaleVersion as error:
        return {"error": {"code": error.code, "message": str(error)}, "theirs": _kept(public_id)}, error.status
    return {"seq": kept.seq, "saved_at": iso(kept.saved_at)}


@blueprint.post("/<public_id>/lint")
def lint(public_id: str) -> ResponseReturnValue:
    """Return how a draft is understood and what the scorer will object to. Nothing is kept."""
    page = _page(public_id)
    data, text = _typed(page)
    return {**lint_answer(data, page.answer_format).to_json(), "text": text}


def _kept(public_id: str) -> dict[str, Any]:
    """Return the draft the server holds, for a window that wrote upon an older one."""
    page = _page(public_id)
    return {
        "body": page.draft_body,
        "origins": page.draft_origins,
        "seq": page.draft_seq,
        "saved_at": iso(page.draft_saved_at or utc_now()),
    }


def _is_signed_in_fully(panel_session: str) -> bool:
    # Someone who signed in by hand in this browser stays so: the panel's own sign-in would take that away.
    row = signing_in.session_of(panel_session)
    mine = current_user.row if current_user.is_authenticated else None
    return row is not None and mine is not None and mine.task_id is None and mine.user_id == row.user_id


def _page(public_id: str) -> PanelPage:
    page = panel_page(actor(), public_id, FORM, settings())
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


def _form_origins() -> object:
    """Return what the panel's script told of the cells; None when the form came without a script."""
    try:
        return json.loads(request.form.get("origins", ""))
    except (ValueError, RecursionError):
        return None


def _render(
    page: PanelPage,
    text: str,
    origins: list[dict[str, Any]],
    *,
    problem: RequestError | None = None,
    stale: str = "",
) -> str:
    """Show the panel. `stale` says what was changed by someone else meanwhile: the draft or the question."""
    linted = lint_answer(text.encode(), page.answer_format)
    return render_template(
        "panel.html",
        page=page,
        text=text,
        linted=linted,
        known=_known(page, text, origins, linted),
        problem=problem,
        fields=getattr(problem, "fields", {}),
        stale=stale,
        earlier=question_text(page, request.form.get("question_version", type=int)) if stale == "question" else None,
    )


def _known(page: PanelPage, text: str, origins: list[dict[str, Any]], linted: LintedAnswer) -> dict[str, Any]:
    """Return what the panel's script begins with. Without rows, it shows the answer as text."""
    asked = page.answer_format
    readable = not text.strip() or not linted.read.refusals
    return {
        "type": asked.type,
        "header": asked.header,
        "keys": asked.key_columns,
        "rows": linted.read.rows if readable else None,
        "origins": origins,
        "sorts": bool(asked.sort),
    }
