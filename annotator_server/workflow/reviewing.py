"""Verdicts: approve, or return with reasons. One a reviewer and answer version; never on an answer of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotator_server.clock import utc_now
from annotator_server.database import writing
from annotator_server.errors import BadInput, Conflict, StaleVersion
from annotator_server.models.answers import AnswerRow
from annotator_server.models.reports import ReportRow
from annotator_server.models.reviews import Review
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor, require
from annotator_server.workflow.audit import note
from annotator_server.workflow.finding import newest_answer, task_of
from annotator_server.workflow.lifecycle import move
from verifier.answers.answer_version import EvidenceState

REASONS: Mapping[str, str] = {
    "wrong_cell": "Wrong cell",
    "missing_rows": "Rows missing",
    "no_evidence": "No evidence",
    "format": "Wrong format",
    "ambiguous": "Ambiguous question",
    "recording": "Faulty recording",
    "other": "Other",
}
"""Why an answer goes back, in the order of the keys 1 to 7."""

DOUBT: Sequence[EvidenceState] = ("conflict", "none", "near", "consulted", "derived", "proven")
"""Evidence states as a reviewer meets them, the most doubtful first."""

NEEDS_A_WORD = frozenset({"none", "conflict"})
"""Evidence states that block approval unless the reviewer writes why the cell is right."""


def approve(actor: Actor, public_id: str, answer_version: int, comment: str) -> None:
    """Approve the newest answer. Raises BadInput while cells lack evidence and the reviewer gave no reason."""
    with writing() as session:
        task, answer, earlier = _reviewed(session, actor, public_id, answer_version, "approve")
        if earlier:
            return
        report = newest_report(session, answer.id)
        if report is None:
            raise Conflict("this answer has no report yet; wait for its check or ask for it again")
        doubtful = sum(report.counts.get(state, 0) for state in NEEDS_A_WORD)
        if doubtful and not comment.strip():
            raise BadInput(
                f"{doubtful} of {sum(report.counts.values())} cells have no evidence or conflicting evidence",
                {"comment": f"Say why the {doubtful} cells without clear evidence are right, or return the answer."},
            )
        _keep(session, actor, answer, report, "approve", (), comment)
        move(task, "approve")
        note(session, actor.project_id, actor.user_id, "answer_approved", public_id, version=answer.version)


def return_answer(actor: Actor, public_id: str, answer_version: int, reasons: Sequence[str], comment: str) -> None:
    """Send the newest answer back to be done again. Raises BadInput without a known reason and a comment."""
    with writing() as session:
        task, answer, earlier = _reviewed(session, actor, public_id, answer_version, "return")
        if earlier:
            return
        problems = {}
        if not reasons or not set(reasons) <= set(REASONS):
            problems["reasons"] = "Choose at least one reason."
        if not comment.strip():
            problems["comment"] = "Say in a sentence what has to change."
        if problems:
            raise BadInput("a returned answer needs a reason and a sentence", problems)
        _keep(session, actor, answer, newest_report(session, answer.id), "return", reasons, comment)
        move(task, "return")
        note(
            session,
            actor.project_id,
            actor.user_id,
            "answer_returned",
            public_id,
            version=answer.version,
            reasons=list(reasons),
        )


def newest_report(session: Session, answer_id: int) -> ReportRow | None:
    """Return the report that counts for an answer version."""
    return session.scalar(
        select(ReportRow).where(ReportRow.answer_version_id == answer_id).order_by(ReportRow.id.desc()).limit(1)
    )


def _reviewed(
    session: Session, actor: Actor, public_id: str, answer_version: int, verdict: str
) -> tuple[Task, AnswerRow, bool]:
    """Find what is being reviewed and refuse what the policy or a newer answer forbids; True when done before."""
    task = task_of(session, actor, public_id, to_change=True)
    answer = newest_answer(session, task.question)
    if answer is None:
        raise Conflict("there is no answer to review yet")
    if answer.version != answer_version:
        raise StaleVersion(f"answer {answer.version} was handed in meanwhile; look at it first", answer.version)
    mine = session.scalar(
        select(Review).where(Review.answer_version_id == answer.id, Review.reviewer_id == actor.user_id)
    )
    if mine is not None and mine.verdict == verdict:
        return task, answer, True
    require(actor, verdict, state=task.state, is_author=answer.author_id == actor.user_id)
    return task, answer, False


def _keep(
    session: Session,
    actor: Actor,
    answer: AnswerRow,
    report: ReportRow | None,
    verdict: str,
    reasons: Sequence[str],
    comment: str,
) -> None:
    session.add(
        Review(
            answer_version_id=answer.id,
            reviewer_id=actor.user_id,
            report_id=report.id if report else None,
            verdict=verdict,
            reasons=list(reasons),
            comment=comment.strip(),
            created_at=utc_now(),
        )
    )
