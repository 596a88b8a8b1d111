"""The case file: kinds of answers with their right score, set by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat, Column, SortKey
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.csv_files import read_answer_csv
from verifier.errors import AnswerUnreadable
from verifier.scoring.answer_score import score_answer

CASE_FILE = Path(__file__).parents[2] / "cases" / "answer_scoring.jsonl"
CASES = [json.loads(line) for line in CASE_FILE.read_text(encoding="utf-8").split("\n") if line]

WHOLE_RUNS = {"F01", "F02", "F03", "F04", "F05"}
"""Cases about a whole run of questions: their files, their groups, an unknown type."""

SINGLE = [case for case in CASES if case["id"] not in WHOLE_RUNS and "error" not in case["right_result"]]


def format_of(case: dict[str, Any]) -> AnswerFormat:
    kind, schema = case["answer_type"], case.get("schema", {})
    header = next(csv.reader(io.StringIO(case["truth_csv"]))) if kind == "table" else [DEFAULT_HEADERS[kind]]
    types = schema.get("types", {})
    columns = tuple(Column(name=name, type=types.get(name, types.get("*", "untyped"))) for name in header if name)
    sort = tuple(SortKey(column=name) for name in schema["sort"]) if "sort" in schema else None
    return AnswerFormat(type=kind, columns=columns, sort=sort)


def gold_of(case: dict[str, Any], asked: AnswerFormat) -> AnswerVersion:
    encoding = case.get("truth_encoding")
    parsed = read_answer_csv(case["truth_csv"].encode(encoding or "utf-8"), asked, encoding)
    return AnswerVersion(
        task_id="t", task_version=1, version=1, valid_from="2026-01-01", header=parsed.header, rows=parsed.rows
    )


@pytest.mark.parametrize("case", SINGLE, ids=[case["id"] for case in SINGLE])
def test_strict_gives_the_right_result(case: dict[str, Any]) -> None:
    asked = format_of(case)
    score = score_answer(gold_of(case, asked), case["prediction"], asked)
    found = {name: score.metrics.get(name) for name in case["right_result"]}
    assert found == pytest.approx(case["right_result"], abs=1e-4), case["why"]


def test_an_empty_truth_file_is_refused() -> None:
    case = next(case for case in CASES if case["id"] == "F06")
    asked = AnswerFormat(type="set", columns=(Column(name="Item"),))
    with pytest.raises(AnswerUnreadable, match="empty"):
        gold_of(case, asked)
