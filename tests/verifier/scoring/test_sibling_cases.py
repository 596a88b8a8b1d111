"""More answers of every kind: the right figures as the facts say, and those the published evaluator itself gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verifier.errors import AnswerUnreadable
from verifier.scoring.prediction_files import Prediction
from verifier.scoring.question_file import read_questions
from verifier.scoring.run_scores import score_question
from verifier.statistics.breakdown import ScoredQuestion

CASE_FILE = Path(__file__).parents[2] / "cases" / "answer_siblings.jsonl"
CASES = [json.loads(line) for line in CASE_FILE.read_text(encoding="utf-8").splitlines()]
PUBLISHED = [case for case in CASES if "published" in case]
_OF_A_QUESTION = ("id", "answer_type", "schema", "truth_encoding")


class OneCase:
    """The files of a run of one question."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.truth: bytes = case["truth_csv"].encode(case.get("written_in", "utf-8"))
        self.reply: str | None = case["prediction"]

    def truth_path(self, question_id: str) -> Path | None:
        return None

    def read_truth(self, question_id: str) -> bytes:
        return self.truth

    def read_prediction(self, question_id: str) -> Prediction:
        if self.reply is None:
            raise AnswerUnreadable("the prediction is null")
        return Prediction(self.reply)


def scored(case: dict[str, Any], profile: str) -> ScoredQuestion:
    question = {name: case[name] for name in _OF_A_QUESTION if name in case}
    (row,) = read_questions(json.dumps(question).encode())
    return score_question(row, OneCase(case), [profile])[profile]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_strict_gives_the_right_figures(case: dict[str, Any]) -> None:
    found = scored(case, "strict")
    assert (found.status == "error") == (case["right"] is None), found.error
    right = case["right"] or {}
    assert {name: found.metrics[name] for name in right} == pytest.approx(right, abs=1e-5)


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["id"])
def test_the_other_profile_gives_the_published_figures_to_the_last_bit(case: dict[str, Any]) -> None:
    assert scored(case, "gisa-compat").metrics == case["published"]
