"""An answer beside its evidence, as the review page shows it: cells by doubt, passages, checks, the path."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from annotator_server.database import db
from annotator_server.errors import NotFound
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import QuestionVersion
from annotator_server.models.recordings import CaptureSession
from annotator_server.models.reports import VerificationJob
from annotator_server.models.reviews import Review
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor, allows
from annotator_server.records.report_record import report_record
from annotator_server.records.trajectory_record import trajectory_record
from annotator_server.workflow.cell_sources import CellSource, cell_sources
from annotator_server.workflow.film_strip import Chip, Jotted, Step, film_strip, policy_chips
from annotator_server.workflow.finding import task_of, version_of
from annotator_server.workflow.reviewing import DOUBT, newest_report
from annotator_server.workflow.seeds import seed_behind
from browser_capture.errors import RecordError
from browser_capture.trajectory import Trajectory
from verifier.report import CellEvidence, VerificationReport

logger = logging.getLogger(__name__)

CellKey = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage:
    """Everything the review page shows."""

    task: Task
    version: QuestionVersion
    answer: AnswerRow
    report: VerificationReport | None
    job: VerificationJob | None
    cells: Mapping[CellKey, CellEvidence]
    counts: Mapping[str, int]
    row_order: tuple[int, ...]
    chosen: CellKey
    trajectory: Trajectory | None
    steps: tuple[Step, ...]
    reviews: tuple[Review, ...]
    may_decide: bool

    @property
    def chips(self) -> tuple[Chip, ...]:
        """How the search touched the project's rules."""
        return policy_chips(self.trajectory) if self.trajectory else ()

    def step_of(self, event: int) -> Step | None:
        """Return the step of the path at which an event stands: its own, or the last one before it."""
        return max((step for step in self.steps if step.seq <= event), key=lambda step: step.seq, default=None)

    @property
    def evidence(self) -> CellEvidence | None:
        """What the report says about the chosen cell."""
        return self.cells.get(self.chosen)

    @property
    def sources(self) -> tuple[CellSource, ...]:
        """Where the chosen cell came from, as far as no passage shows it."""
        return cell_sources(self.answer, self.chosen, self.evidence, self.trajectory)


class CellPage(NamedTuple):
    """What one cell's evidence is shown with."""

    evidence: CellEvidence | None
    queries: Mapping[int, str]
    sources: tuple[CellSource, ...]


def review_page(actor: Actor, public_id: str, *, order: str, cell: CellKey | None) -> ReviewPage:
    """Gather the review page of a task's newest answer. Raises NotFound while nothing was handed in."""
    session = db.session()
    task = task_of(session, actor, public_id)
    answer = _answer(task)
    row = newest_report(session, answer.id)
    report = report_record(row) if row else None
    cells = {(found.row, found.column): found for found in report.cells} if report else {}
    trajectory = _trajectory(answer)
    row_order = _by_doubt(answer, cells) if order == "doubt" else tuple(range(len(answer.rows)))
    return ReviewPage(
        task=task,
        version=version_of(session, task.question, answer.question_version),
        answer=answer,
        report=report,
        job=_job(answer),
        cells=cells,
        counts=row.counts if row else {},
        row_order=row_order,
        chosen=cell if cell in _keys(answer) else _first(answer, cells, row_order),
        trajectory=trajectory,
        steps=film_strip(trajectory, _jotted(task)) if trajectory else (),
        reviews=_reviews(answer),
        may_decide=allows(actor, "approve", state=task.state, is_author=answer.author_id == actor.user_id),
    )


def cell_page(actor: Actor, public_id: str, cell: CellKey) -> CellPage:
    """Gather the evidence of one cell of a task's newest answer."""
    answer = _answer(task_of(db.session(), actor, public_id))
    row = newest_report(db.session(), answer.id)
    cells = report_record(row).cells if row else ()
    found = next((found for found in cells if (found.row, found.column) == cell), None)
    trajectory = _trajectory(answer)
    return CellPage(found, query_words(trajectory), cell_sources(answer, cell, found, trajectory))


def query_words(trajectory: Trajectory | None) -> dict[int, str]:
    """Return the text of each query by the number of its event, by which passages name it."""
    return {query.seq: query.text for query in trajectory.queries} if trajectory else {}


def _answer(task: Task) -> AnswerRow:
    found = db.session.scalar(
        select(AnswerRow)
        .where(AnswerRow.question_id == task.question_id)
        .order_by(AnswerRow.version.desc())
        .limit(1)
        .options(
            joinedload(AnswerRow.author),
            joinedload(AnswerRow.capture_session).joinedload(CaptureSession.user),
            joinedload(AnswerRow.capture_session).joinedload(CaptureSession.task).joinedload(Task.question),
        )
    )
    if found is None:
        raise NotFound("no answer was handed in for this question yet")
    return found


def _trajectory(answer: AnswerRow) -> Trajectory | None:
    if answer.capture_session is None:
        return None
    try:
        return trajectory_record(db.session(), answer.capture_session)
    except RecordError as error:
        # A damaged log must not hide the answer; its check has failed and says why.
        logger.warning("the path of answer %s cannot be shown: %s", answer.id, error)
        return None


def _jotted(task: Task) -> Jotted | None:
    seed = seed_behind(db.session(), task.question)
    return Jotted(seed.jotted_at, seed.question or seed.title, seed.url) if seed is not None else None


def _keys(answer: AnswerRow) -> set[CellKey]:
    return {(row, column) for row in range(len(answer.rows)) for column in answer.header}


def _by_doubt(answer: AnswerRow, cells: Mapping[CellKey, CellEvidence]) -> tuple[int, ...]:
    def doubts(row: int) -> tuple[int, ...]:
        return tuple(sorted(_rank(cells.get((row, column))) for column in answer.header))

    return tuple(sorted(range(len(answer.rows)), key=lambda row: (doubts(row), row)))


def _first(answer: AnswerRow, cells: Mapping[CellKey, CellEvidence], row_order: tuple[int, ...]) -> CellKey:
    """Return the cell to look at first: in the first row, the most doubtful one."""
    row = row_order[0] if row_order else 0
    return row, min(answer.header, key=lambda column: _rank(cells.get((row, column))), default="")


def _rank(cell: CellEvidence | None) -> int:
    return DOUBT.index(cell.state) if cell else len(DOUBT)


def _job(answer: AnswerRow) -> VerificationJob | None:
    return db.session.scalar(
        select(VerificationJob)
        .where(VerificationJob.answer_version_id == answer.id)
        .order_by(VerificationJob.id.desc())
        .limit(1)
    )


def _reviews(answer: AnswerRow) -> tuple[Review, ...]:
    return tuple(
        db.session.scalars(
            select(Review)
            .where(Review.answer_version_id == answer.id)
            .options(joinedload(Review.reviewer))
            .order_by(Review.id)
        )
    )
