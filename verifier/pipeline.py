"""A task, its answer, its recording and its pages come in; a report comes out. Cheap checks first, the model last.

A check that says no is a result, never an error. The report is the same for the same inputs and versions, but for
what a language model says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from browser_capture.page_store import PageStore
from browser_capture.policy import Policy
from browser_capture.trajectory import Trajectory
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion, EvidenceLink
from verifier.checks import answer_shape, log_quality, memorization, question_lint, solvability
from verifier.checks.check_result import CheckResult
from verifier.checks.log_quality import DEFAULT_POLICY
from verifier.checks.memorization import check_memorization
from verifier.checks.verdicts import skipped, worst
from verifier.evidence.cell_evidence import find_evidence
from verifier.evidence.passages import recorded_pages
from verifier.language_model.client import ModelClient
from verifier.report import CellEvidence, VerificationReport
from verifier.tasks import Task
from verifier.version import VERIFIER_VERSION

GivenHow = Literal["paste", "mark", "review"]
_GIVEN: Mapping[str, GivenHow] = {"paste": "paste", "mark": "mark", "review": "review"}


def verify(
    task: Task,
    answer: AnswerVersion,
    trajectory: Trajectory | None,
    store: PageStore,
    *,
    now: str,
    policy: Policy = DEFAULT_POLICY,
    model: ModelClient | None = None,
    tries: int = memorization.TRIES,
) -> VerificationReport:
    """Verify one answer version by the project's policy. `now` (ISO 8601 UTC) is when the report says it was made.

    With a model this starts an event loop: it is for commands and jobs. Inside a running loop, call
    `verify_offline` and then `with_memorization`.
    """
    report = verify_offline(task, answer, trajectory, store, now=now, policy=policy)
    if model is None:
        return report
    return asyncio.run(with_memorization(report, task, answer, model, tries=tries))


def verify_offline(
    task: Task,
    answer: AnswerVersion,
    trajectory: Trajectory | None,
    store: PageStore,
    *,
    now: str,
    policy: Policy = DEFAULT_POLICY,
) -> VerificationReport:
    """Run every check that needs no model. The memorization check stands in the report as skipped."""
    asked = task.answer_format
    cells = _evidence(task, answer, trajectory, store)
    checks = (
        _lint(task, asked),
        _shape(answer, asked),
        _log(task, answer, trajectory, store, policy),
        _solvability(cells, asked, trajectory),
        skipped(memorization.CHECK, memorization.VERSION, "no language model was given to ask"),
    )
    return VerificationReport(
        task_id=task.task_id,
        task_version=task.version,
        answer_version=answer.version,
        trajectory=None if trajectory is None else trajectory.id,
        created_at=now,
        verifier_version=VERIFIER_VERSION,
        verdict=worst(check.verdict for check in checks),
        checks=checks,
        cells=cells,
    )


async def with_memorization(
    report: VerificationReport,
    task: Task,
    answer: AnswerVersion,
    model: ModelClient,
    *,
    tries: int = memorization.TRIES,
) -> VerificationReport:
    """Return the report with the memorization check done by this model."""
    done = await check_memorization(task, answer, model, tries=tries)
    checks = (*(check for check in report.checks if check.check != memorization.CHECK), done)
    return replace(report, checks=checks, verdict=worst(check.verdict for check in checks))


def evidence_links(report: VerificationReport) -> tuple[EvidenceLink, ...]:
    """Return the best passage of each cell as a link.

    A `consulted` cell has none: its passages name the row, nothing on those pages says the value.
    """
    return tuple(_link(cell) for cell in report.cells if cell.passages and cell.state != "consulted")


def _link(cell: CellEvidence) -> EvidenceLink:
    best = cell.passages[0]
    return EvidenceLink(
        row=cell.row,
        column=cell.column,
        quote=best.quote,
        url=best.url,
        snapshot=best.snapshot,
        text_sha=best.text_sha,
        start=best.start,
        end=best.end,
        prefix=best.prefix,
        suffix=best.suffix,
        state=cell.state,
        how=_GIVEN.get(best.how, "match"),
        note=cell.note,
    )


def _evidence(
    task: Task, answer: AnswerVersion, trajectory: Trajectory | None, store: PageStore
) -> tuple[CellEvidence, ...]:
    if task.answer_format is None:
        return ()
    pages = () if trajectory is None else recorded_pages(trajectory, store)
    return find_evidence(answer, task.answer_format, pages, task.question)


def _lint(task: Task, asked: AnswerFormat | None) -> CheckResult:
    if asked is None:
        return skipped(question_lint.CHECK, question_lint.VERSION, f"a {task.kind} task has no answer format")
    return question_lint.check_question(task.question, asked)


def _shape(answer: AnswerVersion, asked: AnswerFormat | None) -> CheckResult:
    if asked is None:
        return skipped(answer_shape.CHECK, answer_shape.VERSION, "the task has no answer format")
    return answer_shape.check_answer_shape(answer.header, answer.rows, asked)


def _log(
    task: Task, answer: AnswerVersion, trajectory: Trajectory | None, store: PageStore, policy: Policy
) -> CheckResult:
    if trajectory is None:
        return skipped(log_quality.CHECK, log_quality.VERSION, "the answer has no recording")
    about = (task.question, *(cell for row in answer.rows for cell in row))
    return log_quality.check_log(trajectory, store, about=about, policy=policy)


def _solvability(
    cells: tuple[CellEvidence, ...], asked: AnswerFormat | None, trajectory: Trajectory | None
) -> CheckResult:
    if asked is None or trajectory is None:
        reason = "the task has no answer format" if asked is None else "the answer has no recording"
        return skipped(solvability.CHECK, solvability.VERSION, reason)
    return solvability.check_solvability(cells)
