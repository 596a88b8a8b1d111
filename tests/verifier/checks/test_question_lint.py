"""What a question leaves open about its answer."""

from __future__ import annotations

import pytest

from tests.verifier.builders import one_column
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.checks.question_lint import lint_question

TEXT = Column(name="Moon", type="text")
ASK = "List all moons of Saturn found before 1900 with the columns Moon, Day, Law, Mass. Sort by Moon, ascending. "


def with_column(column: Column) -> AnswerFormat:
    return AnswerFormat(type="table", columns=(TEXT, column), keys=("Moon",), sort=(SortKey(column="Moon"),))


OPEN = [
    ("", one_column("item"), "question_empty", "fail"),
    ("How many?", one_column("item"), "question_short", "warn"),
    ("Who is the current mayor of Geneva?", one_column("item"), "moving_date", "warn"),
    ("List the moons of Saturn with all their data.", with_column(Column(name="Found")), "column_unnamed", "warn"),
    ("Name the kings of the country in a list.", one_column("list"), "order_unstated", "warn"),
    (ASK, with_column(Column(name="Day", type="date")), "date_form_undeclared", "fail"),
    (ASK, with_column(Column(name="Day", type="date", date_format="YYYY-MM-DD")), "date_form_unstated", "warn"),
    (ASK, with_column(Column(name="Law", type="boolean")), "vocabulary_unstated", "warn"),
    (ASK, with_column(Column(name="Mass", type="number", unit="kg")), "unit_unstated", "warn"),
    (ASK, with_column(Column(name="Mass", type="number", null_marker="unknown")), "null_unstated", "warn"),
    (ASK, with_column(Column(name="Mass ", type="number")), "header_spaces", "fail"),
    (ASK, with_column(Column(name="M oon", type="text")), "headers_alike", "fail"),
    (ASK, AnswerFormat(type="table", columns=(TEXT,)), "sort_undeclared", "warn"),
    (ASK, AnswerFormat(type="table", columns=(TEXT,), sort=()), "keys_undeclared", "info"),
    (ASK, one_column("item"), "type_undeclared", "info"),
]


@pytest.mark.parametrize(("question", "asked", "code", "severity"), OPEN)
def test_an_open_point_is_found(question: str, asked: AnswerFormat, code: str, severity: str) -> None:
    assert (code, severity) in {(finding.code, finding.severity) for finding in lint_question(question, asked)}


def test_a_question_that_says_all_raises_nothing() -> None:
    asked = with_column(Column(name="Day", type="date", date_format="YYYY-MM-DD"))
    assert lint_question(ASK + "Write days as YYYY-MM-DD.", asked) == ()
