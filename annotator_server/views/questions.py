"""Pages of questions: the list, one question, the editor with its live preview."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from annotator_server.database import db
from annotator_server.errors import BadInput, Conflict, RequestError, StaleVersion
from annotator_server.models.questions import Question, QuestionVersion
from annotator_server.models.seeds import Seed
from annotator_server.policy import require
from annotator_server.records.question_record import ANSWER_TYPES, COLUMN_TYPES
from annotator_server.views import question_form
from annotator_server.views.guard import actor, settings
from annotator_server.workflow import lists, writing
from annotator_server.workflow.finding import newest_version, task_of
from annotator_server.workflow.linting import lint
from annotator_server.workflow.question_pages import as_agents_read_it, question_page
from annotator_server.workflow.seeds import seed_behind, seed_of

blueprint = Blueprint("questions", __name__, url_prefix="/questions")


@blueprint.get("")
def listing() -> ResponseReturnValue:
    """Show the project's questions, filtered by what stands in the address."""
    state, words = request.args.get("state") or None, request.args.get("q", "")[:200]
    found = lists.questions(actor(), state=state, words=words)
    return render_template("questions.html", lines=found, state=state, words=words, limit=lists.PAGE)


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """Show an empty editor, or one that begins with a seed."""
    seed = _seed(request.args.get("seed", type=int))
    if seed is not None and seed.became is not None:
        return redirect(url_for("questions.show", public_id=seed.became.public_id))
    return _editor(question_form.seeded_question(seed) if seed else question_form.empty_question(), seed=seed)


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Keep a new question; on Mark ready, let it be claimed too."""
    content = question_form.read_question_form(request.form)
    seed = _seed(request.form.get("seed", type=int))
    if request.form.get("do") not in ("save", "ready"):
        return _editor(content, extra=_more(), seed=seed)
    try:
        key, seed_id = request.form.get("key", ""), seed.id if seed else None
        public_id = writing.write_question(actor(), content, key, seed_id)
    except (BadInput, Conflict) as error:
        return _editor(content, error=error, seed=seed), error.status
    return _saved(public_id, 1)


@blueprint.get("/<public_id>")
def show(public_id: str) -> ResponseReturnValue:
    """Show a question: where it stands, what can be done next."""
    page = question_page(actor(), public_id, settings())
    return render_template("question.html", page=page, server=request.host_url.rstrip("/"))


@blueprint.get("/<public_id>/edit")
def editor(public_id: str) -> ResponseReturnValue:
    """Show the editor with the newest version."""
    task = task_of(db.session(), actor(), public_id)
    mine = task.question.author_id == actor().user_id
    require(actor(), "edit", state=task.state, is_author=mine)
    return _editor(question_form.stored_question(newest_version(db.session(), task.question)), task.question)


@blueprint.post("/<public_id>/edit")
def save(public_id: str) -> ResponseReturnValue:
    """Keep a new version; what was typed stays in the form when it cannot be kept."""
    content = question_form.read_question_form(request.form)
    question = task_of(db.session(), actor(), public_id).question
    base = request.form.get("base_version", type=int, default=0)
    if request.form.get("do") not in ("save", "ready"):
        return _editor(content, question, base=base, extra=_more())
    try:
        version = writing.refine_question(actor(), public_id, content, base, request.form.get("key", ""))
    except StaleVersion as error:
        theirs = newest_version(db.session(), question)
        return _editor(content, question, error=error, theirs=theirs, base=error.current), error.status
    except BadInput as error:
        return _editor(content, question, error=error, base=base), error.status
    return _saved(public_id, version)


@blueprint.post("/preview")
def preview() -> ResponseReturnValue:
    """Return the preview and the findings about what is typed, for the editor's right side. Nothing is kept."""
    content = question_form.read_question_form(request.form)
    return render_template("_question_preview.html", **_preview(content, request.form.get("public_id", "")))


def _seed(seed_id: int | None) -> Seed | None:
    return seed_of(db.session(), actor(), seed_id) if seed_id is not None else None


def _more() -> int:
    return int(request.form.get("do") == "more")


def _saved(public_id: str, version: int) -> ResponseReturnValue:
    if request.form.get("do") != "ready":
        return redirect(url_for("questions.editor", public_id=public_id, saved=version))
    try:
        writing.mark_ready(actor(), public_id, version)
    except BadInput as error:
        question = task_of(db.session(), actor(), public_id).question
        stored = question_form.stored_question(newest_version(db.session(), question))
        return _editor(stored, question, error=error), error.status
    return redirect(url_for("questions.show", public_id=public_id))


def _editor(
    content: writing.QuestionText,
    question: Question | None = None,
    *,
    error: RequestError | None = None,
    theirs: QuestionVersion | None = None,
    base: int | None = None,
    extra: int = 0,
    seed: Seed | None = None,
) -> str:
    return render_template(
        "question_edit.html",
        content=content,
        form=question_form.with_free_lines(content.form, extra),
        question=question,
        seed=seed or (seed_behind(db.session(), question) if question else None),
        base_version=base if base is not None else question.version if question else 0,
        saved=newest_version(db.session(), question) if question else None,
        error=error,
        fields=getattr(error, "fields", {}),
        theirs=theirs,
        answer_types=ANSWER_TYPES,
        column_types=COLUMN_TYPES,
        **_preview(content, question.public_id if question else ""),
    )


def _preview(content: writing.QuestionText, public_id: str) -> dict[str, object]:
    draft = Question(public_id=public_id[:80] or "new", version=1)
    version = writing.unsaved_version(content)
    return {"findings": lint(version) if content.text else None, "agent_text": as_agents_read_it(draft, version)}
