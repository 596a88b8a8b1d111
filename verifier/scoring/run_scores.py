"""The questions and files of a run come in, one scored question a profile goes out, one question at a time.

No file of one question costs another its score: a truth that cannot be read makes that question an `error`, a
prediction that is none makes it `agent_failed`, which counts 0. Texts are let go once scored; only figures stay.
"""

from __future__ import annotations

import logging
import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any, Protocol

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.csv_files import read_answer_csv
from verifier.answers.parsing import parse_reply
from verifier.errors import AnswerFormatError, AnswerUnreadable
from verifier.scoring.answer_score import PROFILES, Scorer
from verifier.scoring.compat_score import judge_as_published
from verifier.scoring.compat_tables import CompatTable, prediction_file_table, prediction_table, truth_table
from verifier.scoring.prediction_files import AnswerFiles, Prediction
from verifier.scoring.question_file import QuestionRow
from verifier.scoring.truth_file import read_truth
from verifier.scoring.truth_notes import truth_notes
from verifier.statistics.breakdown import ScoredQuestion, Status, summarise

logger = logging.getLogger(__name__)

Scored = dict[str, ScoredQuestion]
"""A question's scores by profile."""

CHUNK = 100
"""Questions that are sent to another process at once."""


class Files(Protocol):
    """Where truths and predictions come from. Both readers raise AnswerUnreadable with the reason."""

    def truth_path(self, question_id: str) -> Path | None: ...
    def read_truth(self, question_id: str) -> bytes: ...
    def read_prediction(self, question_id: str) -> Prediction: ...


def score_question(row: QuestionRow, files: Files, profiles: Sequence[str]) -> Scored:
    """Score one question in each profile. Raises nothing: what cannot be scored says why in `error`."""
    try:
        truth = files.read_truth(row.question_id)
    except AnswerUnreadable as error:
        return {profile: _scored(row, "error", {}, error=str(error)) for profile in profiles}
    try:
        prediction: Prediction | AnswerUnreadable = files.read_prediction(row.question_id)
    except AnswerUnreadable as error:
        prediction = error
    path = files.truth_path(row.question_id)
    return {profile: _score_guarded(profile, row, truth, path, prediction) for profile in profiles}


def score_run(
    rows: Sequence[QuestionRow], files: AnswerFiles, profiles: Sequence[str], executor: Executor | None = None
) -> Iterator[Scored]:
    """Score the questions of a run, in their order. With an executor chunks of them are scored side by side."""
    if executor is None:
        for row in rows:
            yield score_question(row, files, profiles)
        return
    waiting: deque[Future[list[Scored]]] = deque()
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        part = files.only([row.question_id for row in chunk])
        waiting.append(executor.submit(_score_chunk, chunk, part, tuple(profiles)))
        if len(waiting) >= _IN_FLIGHT:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


_REPLY_START = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,100}(?:<(?:answer|think)|`{3}|~{3})", re.IGNORECASE)
_IN_FLIGHT = 4 * (os.cpu_count() or 1)
"""Chunks that may be under way: enough that nobody waits, few enough that results do not pile up."""


def _score_chunk(rows: Sequence[QuestionRow], files: AnswerFiles, profiles: Sequence[str]) -> list[Scored]:
    return [score_question(row, files, profiles) for row in rows]


def run_data(questions: Mapping[str, Scored], profiles: Sequence[str], warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Return the scores of a run as plain data, as `trailbench score answers --json` writes them."""
    return {
        "profiles": {profile: PROFILES[profile] for profile in profiles},
        "summary": {profile: summarise([scored[profile] for scored in questions.values()]) for profile in profiles},
        "questions": {
            question_id: {profile: _as_data(one) for profile, one in scored.items()}
            for question_id, scored in questions.items()
        },
        "warnings": list(warnings),
    }


def notes_of(questions: Mapping[str, Scored]) -> tuple[str, ...]:
    """Return what a person should look at in the truth files, one line a question."""
    noted = {question_id: dict.fromkeys(note for one in scored.values() for note in one.notes)
             for question_id, scored in questions.items()}  # fmt: skip
    return tuple(f"truth of question {question_id}: {note}" for question_id, said in noted.items() for note in said)


def parse_prediction(prediction: Prediction, answer_format: AnswerFormat) -> ParsedAnswer:
    """Read a prediction by the strict rules. Raises AnswerUnreadable for a file that holds no cells.

    A file of cells that begins with a tag or a fence is a reply that was saved under another name.
    """
    if prediction.file is None:
        return parse_reply(prediction.reply, answer_format)
    if _REPLY_START.match(prediction.file):
        return parse_reply(prediction.file.decode("utf-8-sig", "replace"), answer_format)
    try:
        return read_answer_csv(prediction.file, answer_format, separator="\t" if prediction.ending == ".tsv" else ",")
    except AnswerUnreadable as error:
        raise AnswerUnreadable(f"prediction file unreadable: {_why(error, prediction.file)}") from error


def _why(error: AnswerUnreadable, data: bytes) -> str:
    cause = error.__cause__
    if not isinstance(cause, UnicodeDecodeError):
        return str(error)
    # A question's truth_encoding is that of its truth: what helps here is to save the prediction anew.
    line = data.count(b"\n", 0, cause.start) + 1
    return f"found byte {data[cause.start]:#04x} in line {line}, expected {cause.encoding.upper()}; save it as UTF-8"


def _as_data(one: ScoredQuestion) -> dict[str, Any]:
    plain = {"status": one.status, "metrics": one.metrics, "faults": list(one.faults)}
    return plain | ({"error": one.error} if one.error else {}) | ({"notes": list(one.notes)} if one.notes else {})


def _scored(
    row: QuestionRow,
    status: Status,
    metrics: Mapping[str, float],
    faults: Sequence[str] = (),
    error: str = "",
    notes: tuple[str, ...] = (),
) -> ScoredQuestion:
    return ScoredQuestion(
        question_id=row.question_id, answer_type=row.kind, status=status, metrics=metrics, faults=tuple(faults),
        error=error, temporal=row.temporal, topic=row.topic, notes=notes,
    )  # fmt: skip


def _score_guarded(
    profile: str, row: QuestionRow, truth: bytes, path: Path | None, prediction: Prediction | AnswerUnreadable
) -> ScoredQuestion:
    try:
        return _SCORERS[profile](row, truth, path, prediction)
    except (AnswerUnreadable, AnswerFormatError) as error:
        return _scored(row, "error", {}, error=str(error))
    except Exception as error:
        # Ours to mend; but a fault that one question brings out must not cost the others their scores.
        logger.exception("question %r could not be scored in profile %s", row.question_id, profile)
        return _scored(row, "error", {}, error=f"the scorer itself failed: {type(error).__name__}: {error}")


def _strict(
    row: QuestionRow, data: bytes, path: Path | None, prediction: Prediction | AnswerUnreadable
) -> ScoredQuestion:
    truth = read_truth(row, data)
    scorer = Scorer(truth.gold, truth.answer_format, "strict")
    notes = truth_notes(truth.gold.rows, truth.answer_format)
    try:
        if isinstance(prediction, AnswerUnreadable):
            raise prediction
        parsed = parse_prediction(prediction, truth.answer_format)
    except AnswerUnreadable as error:
        nothing = dict.fromkeys(scorer.score(None, diff=False).metrics, 0.0)
        return _scored(row, "agent_failed", nothing, error=str(error), notes=notes)
    score = scorer.score_parsed(parsed, diff=False)
    return _scored(row, "scored", score.metrics, score.faults, notes=notes)


def _as_published(
    row: QuestionRow, data: bytes, path: Path | None, prediction: Prediction | AnswerUnreadable
) -> ScoredQuestion:
    gold = truth_table(data, row.kind)
    try:
        if isinstance(prediction, AnswerUnreadable):
            raise prediction
        found = published_table(prediction, data, path, row.kind)
    except AnswerUnreadable as error:
        nothing = judge_as_published(gold, None, row.kind)
        return _scored(row, "agent_failed", dict.fromkeys(nothing, 0.0), error=str(error))
    return _scored(row, "scored", judge_as_published(gold, found, row.kind))


def published_table(prediction: Prediction, truth: bytes, path: Path | None, kind: str) -> CompatTable | None:
    """Read a prediction by the published rules; None where they find nothing. `truth` is the file at `path`.

    Raises AnswerUnreadable for a CSV file that the published evaluator cannot read.
    """
    if prediction.ending == ".csv":
        return prediction_file_table(prediction.file or b"", kind)
    if prediction.file is not None:
        return prediction_table(prediction.file.decode("utf-8-sig", "replace"))
    if path is not None and names_file(prediction.reply, path):
        # The published evaluator opens a reply that is a path. This one path costs no look at the disk.
        return prediction_file_table(truth, kind)
    return prediction_table(prediction.reply)


def names_file(text: str, path: Path) -> bool:
    """Tell whether a text is the path of this very file. Compared as text: what a prediction names is never touched.

    >>> names_file("a/../truth/1.csv", Path("truth/1.csv")), names_file("truth/2.csv", Path("truth/1.csv"))
    (True, False)
    """
    if not text.endswith(path.name) or len(text) > 4096 or "\0" in text:
        return False
    return os.path.abspath(text) in (os.path.abspath(path), os.path.realpath(path))


_SCORERS: Mapping[str, Callable[[QuestionRow, bytes, Path | None, Prediction | AnswerUnreadable], ScoredQuestion]] = {
    "strict": _strict,
    "gisa-compat": _as_published,
}
"""Profile -> how a question is scored in it."""
