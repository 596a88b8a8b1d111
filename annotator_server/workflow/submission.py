"""An answer handed in: read, kept as it came, made a version, and put before the verifier. Once, however often sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotator_server.clock import utc_now
from annotator_server.database import writing
from annotator_server.errors import BadInput, Conflict, StaleVersion
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import QuestionVersion
from annotator_server.models.recordings import CaptureSession
from annotator_server.models.reports import VerificationJob
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor, require
from annotator_server.records.question_record import answer_format
from annotator_server.workflow.answer_reading import ReadAnswer, read_answer
from annotator_server.workflow.audit import note
from annotator_server.workflow.cell_origins import CellOrigin, fitted_origins, origins_json
from annotator_server.workflow.claiming import end_lease, hold
from annotator_server.workflow.finding import newest_version, task_of
from annotator_server.workflow.lifecycle import move
from annotator_server.workflow.once import earlier_result, remember
from browser_capture.page_store import PageStore


class HandedIn(NamedTuple):
    """What a submission made: the answer's version, and the job that will check it."""

    answer_id: int
    version: int
    job_id: int | None


def submit_answer(
    actor: Actor,
    public_id: str,
    data: bytes,
    question_version: int,
    key: str,
    store: PageStore,
    note_text: str = "",
    origins: Sequence[CellOrigin] = (),
) -> HandedIn:
    """Make the next answer version of a task this person holds, and end the lease.

    `origins` says where its cells came from; what no longer speaks of a cell handed in is left out.

    Raises BadInput for an answer of another shape, Conflict while the recording is not complete, StaleVersion when the
    question was changed since it was shown. The typed text is kept as a draft by the caller in every case.
    """
    raw_sha = store.put(data)  # before the transaction: writing files must not hold the lock
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        done = earlier_result(session, actor.user_id, key)
        if done is not None:
            return _again(session, done)
        lease = hold(session, actor, task)
        require(actor, "submit", state=task.state, is_holder=True)
        version = newest_version(session, task.question)
        if version.version != question_version:
            raise StaleVersion("the question was changed since this panel was opened; reload it", version.version)
        parsed = _fitting(data, version)
        recording = complete_recording(session, task, actor.user_id)
        answer = _answer_row(session, task, actor, parsed, recording)
        answer.raw_sha, answer.question_version, answer.note = raw_sha, question_version, note_text
        answer.origins = origins_json(fitted_origins(origins, parsed.header, parsed.rows))
        session.add(answer)
        move(task, "submit")
        end_lease(lease, "submitted")
        session.flush()
        job = VerificationJob(answer_version_id=answer.id, state="waiting", error="", created_at=utc_now())
        session.add(job)
        note(session, actor.project_id, actor.user_id, "answer_submitted", public_id, version=answer.version)
        remember(session, actor.user_id, key, "submit_answer", answer.id)
        session.flush()
        return HandedIn(answer.id, answer.version, job.id)


def complete_recording(session: Session, task: Task, user_id: int) -> CaptureSession:
    """Return the newest recording of a person for a task. Raises Conflict while there is none that is complete."""
    newest = session.scalar(
        select(CaptureSession)
        .where(CaptureSession.task_id == task.id, CaptureSession.user_id == user_id)
        .order_by(CaptureSession.id.desc())
        .limit(1)
    )
    if newest is None:
        raise Conflict("there is no recording of this search yet; record it before handing in the answer")
    if newest.state != "complete":
        raise Conflict(
            f"the recording is not all here yet (event {newest.highest_seq} arrived); press Stop and let it upload"
        )
    if newest.question_version != task.question.version:
        raise Conflict("the question was changed since this recording was made; record the search again")
    return newest


def _fitting(data: bytes, version: QuestionVersion) -> ReadAnswer:
    answer = read_answer(data, answer_format(version.form))
    if answer.refusals:
        raise BadInput(
            "the answer does not have the shape this question asks for", {"answer_csv": " ".join(answer.refusals)}
        )
    return answer


def _answer_row(session: Session, task: Task, actor: Actor, parsed: ReadAnswer, recording: CaptureSession) -> AnswerRow:
    question, now = task.question, utc_now()
    highest = session.scalar(select(func.max(AnswerRow.version)).where(AnswerRow.question_id == question.id)) or 0
    return AnswerRow(
        question_id=question.id,
        version=highest + 1,
        capture_session_id=recording.id,
        author_id=actor.user_id,
        header=list(parsed.header),
        rows=[list(cells) for cells in parsed.rows],
        # The answer holds from the day of its search on, whenever it is handed in or approved.
        valid_from=recording.created_at.date().isoformat(),
        created_at=now,
    )


def _again(session: Session, answer_id: int) -> HandedIn:
    return HandedIn(answer_id, session.get_one(AnswerRow, answer_id).version, None)
