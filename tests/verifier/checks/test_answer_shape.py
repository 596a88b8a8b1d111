"""Faults of an answer's shape are found, and a clean answer raises none."""

from __future__ import annotations

import pytest

from tests.verifier.builders import one_column, table
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.checks.answer_shape import check_answer_shape

PEOPLE = AnswerFormat(
    type="table",
    columns=(
        Column(name="Name", type="text"),
        Column(name="Born", type="integer"),
        Column(name="Alive", type="boolean"),
    ),
    sort=(SortKey(column="Born", collation="number"), SortKey(column="Name")),
)
HEADER = PEOPLE.header
DAYS = AnswerFormat(
    type="list",
    columns=(Column(name="Item", type="date", date_format="MM-DD-YYYY"),),
    sort=(SortKey(column="Item", collation="date", direction="descending"),),
)

CLEAN = [
    (PEOPLE, HEADER, [["Ada", "1815", "No"], ["bob", "1900", "Yes"], ["Eve", "1900", "Yes"]]),
    (PEOPLE, (), [["Ada", "1,815", "No"]]),
    (PEOPLE, HEADER, [["Émile", "1900", "No"], ["Eve", "1900", "No"]]),
    (DAYS, ("Item",), [["12-31-2001"], ["01-05-2001"]]),
    (one_column("set"), ("Item",), [["b"], ["a"]]),
]

FAULTY = [
    (PEOPLE, ("Name", "Year", "Alive"), [["Ada", "1815", "No"]], "header", "fail"),
    (PEOPLE, ("Born", "Name", "Alive"), [["1815", "Ada", "No"]], "column_order", "warn"),
    (PEOPLE, HEADER, [], "empty", "fail"),
    (PEOPLE, HEADER, [["Ada", "1815"]], "ragged_row", "fail"),
    (PEOPLE, HEADER, [["Ada", "about 1815", "No"]], "type", "fail"),
    (PEOPLE, HEADER, [["Ada", "1815.5", "No"]], "type", "fail"),
    (PEOPLE, HEADER, [["Ada", "1815", "dead"]], "type", "fail"),
    (PEOPLE, HEADER, [["", "1815", "No"]], "blank", "fail"),
    (PEOPLE, HEADER, [["Ada", "1900", "No"], ["Bob", "1815", "No"]], "sort_order", "fail"),
    (PEOPLE, HEADER, [["Eve", "1900", "No"], ["Bob", "1900", "No"]], "sort_order", "fail"),
    (PEOPLE, HEADER, [["Ada", "1815", "No"], ["Ada", "1815", "Yes"]], "duplicate_key", "warn"),
    (PEOPLE, HEADER, [["Ada", "1815", "No"], ["ada", "1815", "no"]], "duplicate_row", "warn"),
    (PEOPLE, HEADER, [["Ada", "1815", "No"], ["Bob", "1816", "false"]], "mixed_vocabulary", "warn"),
    (table(["A", "B"], sort=["B"]), (), [["x", "1"], ["y", "1"]], "sort_tie", "warn"),
    (DAYS, ("Item",), [["01-05-2001"], ["12-31-2001"]], "sort_order", "fail"),
    (DAYS, ("Item",), [["2001-12-31"]], "type", "fail"),
    (one_column("item"), ("Value",), [["a"], ["b"]], "not_one_item", "fail"),
    (one_column("set"), ("Item",), [["a"], ["A"]], "duplicate_row", "warn"),
]


@pytest.mark.parametrize(("asked", "header", "rows"), CLEAN)
def test_a_clean_answer_passes(asked: AnswerFormat, header: tuple[str, ...], rows: list[list[str]]) -> None:
    result = check_answer_shape(header, rows, asked)
    assert (result.verdict, result.findings) == ("pass", ())


@pytest.mark.parametrize(("asked", "header", "rows", "code", "verdict"), FAULTY)
def test_a_fault_is_found(
    asked: AnswerFormat, header: tuple[str, ...], rows: list[list[str]], code: str, verdict: str
) -> None:
    result = check_answer_shape(header, rows, asked)
    assert code in {finding.code for finding in result.findings}
    assert result.verdict == verdict


def test_an_allowed_blank_is_counted_and_nothing_more() -> None:
    result = check_answer_shape(HEADER, [["Ada", "", "No"]], PEOPLE)
    assert (result.verdict, result.figures["blanks"]) == ("pass", 1)


def test_a_repeated_list_element_is_no_fault() -> None:
    result = check_answer_shape((), [["a"], ["a"]], one_column("list"))
    assert (result.verdict, [finding.severity for finding in result.findings]) == ("pass", ["info"])
