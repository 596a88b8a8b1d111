"""A question and its files come in, its strict score cell by cell goes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verifier.answers.parsing import parse_reply
from verifier.errors import AnswerUnreadable
from verifier.scoring.answer_score import PROFILES, Scorer
from verifier.scoring.question_file import QuestionRow
from verifier.scoring.run_scores import Files, parse_prediction
from verifier.scoring.score import CellDiff
from verifier.scoring.truth_file import read_truth
from verifier.scoring.truth_notes import truth_notes
from verifier.statistics.breakdown import Status

PROFILE = "strict"

MOST_ROWS = 20_000
"""Rows of a reply that a diff looks at; a reply of millions of lines would fill the memory with cells too many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a question scored as it did. Without metrics where it could not be scored; then `error` says why."""

    question_id: str
    answer_type: str
    status: Status
    version: str = PROFILES[PROFILE]
    metrics: Mapping[str, float]
    faults: Sequence[str] = ()
    truth_faults: Sequence[str] = ()
    """What reading the truth file had to mend."""
    notes: Sequence[str] = ()
    """What a person should look at in the truth file."""
    error: str = ""
    header: Sequence[str] = ()
    cells: Sequence[CellDiff] = ()
    rows_left_out: int = 0
    """Rows at the end of the reply that count in the metrics and are not among the cells."""


def explain(row: QuestionRow, files: Files) -> Explanation:
    """Score one question with its diff. Raises nothing that a truth or a prediction could cause."""
    try:
        truth = read_truth(row, files.read_truth(row.question_id))
    except AnswerUnreadable as error:
        return Explanation(
            question_id=row.question_id, answer_type=row.answer_type, status="error", metrics={}, error=str(error)
        )
    said = ""
    try:
        parsed = parse_prediction(files.read_prediction(row.question_id), truth.answer_format)
    except AnswerUnreadable as error:
        said, parsed = str(error), parse_reply(None, truth.answer_format)
    scorer = Scorer(truth.gold, truth.answer_format, PROFILE)
    first = parsed._replace(rows=parsed.rows[:MOST_ROWS])
    seen = scorer.score_parsed(first)
    left_out = len(parsed.rows) - len(first.rows)
    return Explanation(
        question_id=row.question_id,
        answer_type=row.answer_type,
        status="agent_failed" if said else "scored",
        metrics=scorer.score_parsed(parsed, diff=False).metrics if left_out else seen.metrics,
        faults=() if said else parsed.faults,
        truth_faults=truth.faults,
        notes=truth_notes(truth.gold.rows, truth.answer_format),
        error=said,
        header=truth.answer_format.header,
        cells=seen.cells,
        rows_left_out=left_out,
    )
