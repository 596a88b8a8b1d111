"""A gold answer that does not do what its own format says is told, and scored all the same."""

from __future__ import annotations

import pytest

from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.scoring.truth_notes import truth_notes

YEAR = Column(name="Year", type="number")
DAY = Column(name="Day", type="date", date_format="YYYY-MM-DD")


def table(*sort: SortKey) -> AnswerFormat:
    return AnswerFormat(type="table", columns=(Column(name="Name"), YEAR), sort=sort or None)


@pytest.mark.parametrize(
    ("rows", "asked", "says"),
    [
        ([["a", "2"], ["b", "1"]], table(SortKey(column="Year", collation="number")), "Year (ascending, number)"),
        ([["a", "2"], ["b", "10"]], table(SortKey(column="Year")), "not sorted by Year (ascending, casefold)"),
        ([["a", "about 5"], ["b", "many"]], table(), "row 1, Year: 'about 5' is no number (1 more)"),
        ([["1996-01-01"], ["1/2/96"]], AnswerFormat(type="set", columns=(DAY,)), "row 2, Day: '1/2/96' is no date"),
        ([["a"]], AnswerFormat(type="list", columns=(Column(name="A"),), sort=()), "the order of a list always counts"),
    ],
)
def test_what_the_truth_breaks_of_its_own_format_is_said(rows: list[list[str]], asked: AnswerFormat, says: str) -> None:
    (note,) = truth_notes(rows, asked)
    assert says in note


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        ([["a", "2"], ["b", "1"]], table()),
        ([["a", "2"], ["b", "1"]], table(SortKey(column="Year", direction="descending", collation="number"))),
        ([["a", "-"], ["b", "1,000"]], table()),
        ([["b"], ["a"]], AnswerFormat(type="set", columns=(Column(name="A"),), sort=(SortKey(column="A"),))),
    ],
)
def test_nothing_is_said_of_a_truth_that_keeps_to_its_format(rows: list[list[str]], asked: AnswerFormat) -> None:
    assert truth_notes(rows, asked) == ()
