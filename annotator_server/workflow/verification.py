"""An answer version in, a report row out: what the job does, in two short transactions around the long work."""

from __future__ import annotations

import dataclasses
import logging

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from annotator_server.clock import iso, utc_now
from annotator_server.config import Settings
from annotator_server.database import db, writing
from annotator_server.errors import NotFound
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import Question
from annotator_server.models.recordings import CaptureSession
from annotator_server.models.reports import VerificationJob
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor, require
from annotator_server.records.answer_record import answer_record
from annotator_server.records.question_record import task_record
from annotator_server.records.report_record import report_record, report_row
from annotator_server.records.trajectory_record import trajectory_record
from annotator_server.workflow.audit import note
from annotator_server.workflow.cell_origins import read_origins
from annotator_server.workflow.declared_evidence import declared_links
from annotator_server.workflow.finding import newest_answer, task_of, version_of
from annotator_server.workflow.lifecycle import move, states_open_to
from annotator_server.workflow.tasks import capture_policy
from browser_capture.banned import whole_list
from browser_capture.errors import TrailbenchError
from browser_capture.page_store import PageStore
from browser_capture.policy import Policy
from verifier.pipeline import verify
from verifier.report import VerificationReport

logger = logging.getLogger(__name__)


def run_verification(job_id: int, store: PageStore, settings: Settings) -> None:
    """Verify the answer of a waiting job and keep the report; a job that ended already is left alone.

    An error of ours or of the infrastructure marks the job failed with its sentence, and a reviewer may ask again.
    """
    job = db.session.get(VerificationJob, job_id)
    if job is None or job.state != "waiting":
        return
    answer_id = job.answer_version_id
    try:
        report = make_report(answer_id, store, settings)
        row = report_row(answer_id, report, utc_now())
        report_record(row)  # what cannot be read back must not be kept
    except TrailbenchError as error:
        logger.warning("verification job %s failed: %s", job_id, error)
        _end(job_id, "failed", str(error))
        return
    except Exception as error:
        # The job must not stay "waiting" for ever; the log has the traceback, the page the kind.
        logger.exception("verification job %s broke", job_id)
        _end(job_id, "failed", f"the verifier broke ({type(error).__name__}); the server's log says where")
        return
    with writing() as session:
        session.add(row)
        ended = session.get_one(VerificationJob, job_id)
        ended.state, ended.ended_at = "done", utc_now()
        task = _task_of_answer(answer_id)
        if task.state in states_open_to("verified"):  # a reviewer may have returned the answer meanwhile
            move(task, "verified")
        note(session, task.project_id, None, "answer_verified", task.question.public_id, verdict=report.verdict)


def make_report(answer_id: int, store: PageStore, settings: Settings) -> VerificationReport:
    """Run the pipeline over one answer version, its recording and its pages, by the project's rules. Nothing is stored.

    What its cells were pasted or marked from goes in as links, as far as the recorded pages bear it out.
    """
    session = db.session()
    answer = session.scalars(
        select(AnswerRow)
        .where(AnswerRow.id == answer_id)
        .options(
            joinedload(AnswerRow.question),
            joinedload(AnswerRow.author),
            joinedload(AnswerRow.capture_session).joinedload(CaptureSession.user),
        )
    ).one()
    task = task_record(answer.question, version_of(session, answer.question, answer.question_version))
    trajectory = trajectory_record(session, answer.capture_session) if answer.capture_session else None
    record, origins = answer_record(answer), read_origins(answer.origins)
    rules = capture_policy(session, answer.question.project_id, settings)
    session.rollback()  # the work below may take long; no read transaction stays open meanwhile
    if trajectory is not None:
        record = dataclasses.replace(record, evidence=declared_links(origins, trajectory, store))
    policy = Policy(allowed_engines=tuple(rules["allowed_engines"]), banned_hosts=whole_list(rules["banned_hosts"]))
    return verify(task, record, trajectory, store, now=iso(utc_now()), policy=policy)


def ask_again(actor: Actor, public_id: str) -> int:
    """Put the newest answer before the verifier once more and return the job's id; a waiting job is not doubled."""
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        require(actor, "verify_again", state=task.state)
        answer = newest_answer(session, task.question)
        if answer is None:
            raise NotFound("no answer was handed in for this question yet")
        waiting = session.scalar(
            select(VerificationJob.id).where(
                VerificationJob.answer_version_id == answer.id, VerificationJob.state == "waiting"
            )
        )
        if waiting is not None:
            return waiting
        job = VerificationJob(answer_version_id=answer.id, state="waiting", error="", created_at=utc_now())
        session.add(job)
        session.flush()
        return job.id


def waiting_jobs() -> list[int]:
    """Return the jobs that were asked for and not done, oldest first: what a killed server left behind."""
    return list(
        db.session.scalars(
            select(VerificationJob.id).where(VerificationJob.state == "waiting").order_by(VerificationJob.id)
        )
    )


def _end(job_id: int, state: str, error: str) -> None:
    with writing() as session:
        job = session.get_one(VerificationJob, job_id)
        job.state, job.error, job.ended_at = state, error[:2000], utc_now()


def _task_of_answer(answer_id: int) -> Task:
    return db.session.scalars(
        select(Task)
        .join(Question)
        .join(AnswerRow, AnswerRow.question_id == Question.id)
        .where(AnswerRow.id == answer_id)
    ).one()
