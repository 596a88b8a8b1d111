"""Questions: written, refined, marked ready. Every save is a new version; a stale one is refused and loses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotator_server.clock import utc_now
from annotator_server.database import writing
from annotator_server.errors import BadInput, StaleVersion
from annotator_server.models.accounts import Project
from annotator_server.models.questions import Question, QuestionVersion
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor, require
from annotator_server.workflow.audit import note
from annotator_server.workflow.finding import newest_version, task_of
from annotator_server.workflow.lifecycle import move
from annotator_server.workflow.linting import lint
from annotator_server.workflow.once import earlier_result, remember
from annotator_server.workflow.seeds import use_seed

LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionText:
    """What the editor holds. `form` is the answer format as typed; a draft may leave it unfinished."""

    text: str
    form: Mapping[str, Any]
    language: str = "en"
    topic: str = ""
    temporal: str = "stable"
    cadence_days: int | None = None
    seed_url: str = ""
    seed_quote: str = ""
    problems: Mapping[str, str] = field(default_factory=dict)
    """What could not be read from the form, by field."""


def write_question(actor: Actor, content: QuestionText, key: str, seed_id: int | None = None) -> str:
    """Insert a question with its first version and return its public id; the same form again makes no second.

    The seed it came from becomes this question; raises Conflict when it has become another one.
    """
    require(actor, "write_question")
    _refuse_unfit(content)
    with writing() as session:
        done = earlier_result(session, actor.user_id, key)
        if done is not None:
            return session.get_one(Question, done).public_id
        question = _new_question(session, actor)
        if seed_id is not None:
            use_seed(session, actor, seed_id, question)
        session.add(_version(question, 1, actor, content))
        session.add(
            Task(project_id=actor.project_id, question_id=question.id, state="draft", state_since=question.created_at)
        )
        note(session, actor.project_id, actor.user_id, "question_written", question.public_id, version=1)
        remember(session, actor.user_id, key, "write_question", question.id)
        return question.public_id


def refine_question(actor: Actor, public_id: str, content: QuestionText, base_version: int, key: str) -> int:
    """Insert the next version of a question and return its number; a ready or returned one becomes a draft again.

    Raises StaleVersion when `base_version` is no longer the newest.
    """
    _refuse_unfit(content)
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        done = earlier_result(session, actor.user_id, key)
        if done is not None:
            return session.get_one(QuestionVersion, done).version
        question = task.question
        require(actor, "edit", state=task.state, is_author=question.author_id == actor.user_id)
        if _says(newest_version(session, question), content):
            return question.version
        if base_version != question.version:
            raise StaleVersion(
                f"this question was saved by someone else meanwhile: version {question.version} is the newest, "
                f"you started from version {base_version}",
                question.version,
            )
        move(task, "edit")
        question.version += 1
        version = _version(question, question.version, actor, content)
        session.add(version)
        session.flush()
        note(session, actor.project_id, actor.user_id, "question_refined", public_id, version=question.version)
        remember(session, actor.user_id, key, "refine_question", version.id)
        return question.version


def mark_ready(actor: Actor, public_id: str, base_version: int) -> None:
    """Let a draft be claimed. Raises BadInput, with a sentence a field, while lint finds a fault in it."""
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        question = task.question
        if task.state == "ready" and question.version == base_version:
            return  # the second click of a double click
        require(actor, "mark_ready", state=task.state, is_author=question.author_id == actor.user_id)
        if base_version != question.version:
            raise StaleVersion(f"version {question.version} is the newest; look at it first", question.version)
        faults = [finding for finding in lint(newest_version(session, question)) if finding.severity == "fail"]
        if faults:
            raise BadInput(
                "this question is not ready yet: " + "; ".join(fault.message.rstrip(".") for fault in faults)
            )
        move(task, "mark_ready")
        note(session, actor.project_id, actor.user_id, "question_ready", public_id, version=question.version)


def _refuse_unfit(content: QuestionText) -> None:
    problems = dict(content.problems)
    if not content.text.strip():
        problems["text"] = "Write the question first."
    for name in ("text", "seed_quote", "seed_url"):
        if len(getattr(content, name)) > LONGEST_TEXT:
            problems[name] = f"At most {LONGEST_TEXT:,} characters, please."
    if content.seed_url and not content.seed_url.startswith(("http://", "https://")):
        problems["seed_url"] = "A page's address starts with http:// or https://."
    if content.temporal == "live" and not content.cadence_days:
        problems.setdefault("cadence_days", "Say after how many days a live question is due again.")
    if problems:
        raise BadInput("something in this form needs another look", problems)


def _new_question(session: Session, actor: Actor) -> Question:
    # Locked on PostgreSQL: two new questions must not get one number.
    slug = session.scalars(select(Project.slug).where(Project.id == actor.project_id).with_for_update()).one()
    highest = session.scalar(select(func.max(Question.number)).where(Question.project_id == actor.project_id)) or 0
    question = Question(
        project_id=actor.project_id,
        number=highest + 1,
        public_id=f"{slug}-{highest + 1}",
        author_id=actor.user_id,
        version=1,
        created_at=utc_now(),
    )
    session.add(question)
    session.flush()
    return question


def _says(version: QuestionVersion, content: QuestionText) -> bool:
    # Saving what is there already makes no version: the same text twice is no history.
    return all(
        getattr(version, name) == getattr(content, name)
        for name in ("text", "form", "language", "topic", "temporal", "cadence_days", "seed_url", "seed_quote")
    )


def unsaved_version(content: QuestionText) -> QuestionVersion:
    """Return a version that stands in no table: what is typed, for a preview."""
    return QuestionVersion(
        text=content.text,
        form=dict(content.form),
        language=content.language,
        topic=content.topic,
        temporal=content.temporal,
        cadence_days=content.cadence_days if content.temporal == "live" else None,
        seed_url=content.seed_url,
        seed_quote=content.seed_quote,
        version=1,
    )


def _version(question: Question, number: int, actor: Actor, content: QuestionText) -> QuestionVersion:
    version = unsaved_version(content)
    version.question_id, version.version = question.id, number
    version.author_id, version.created_at = actor.user_id, utc_now()
    return version
