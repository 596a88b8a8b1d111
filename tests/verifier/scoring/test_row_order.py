"""When rows stand in the order of their keys, and what is left open."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.verifier.builders import table
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.scoring.row_order import in_order, same_order

Direction = Literal["ascending", "descending"]
Collation = Literal["casefold", "codepoint", "number", "date"]

ASKED = AnswerFormat(
    type="table",
    columns=(Column(name="City"), Column(name="Year", type="number"), Column(name="Day", date_format="DD-MM-YYYY")),
)

IN_ORDER = [
    ("ties may stand either way", "City", "ascending", "casefold", ["a", "A", "b"]),
    ("case does not count", "City", "ascending", "casefold", ["a", "B", "c"]),
    ("it does by code point", "City", "ascending", "codepoint", ["B", "a", "c"]),
    ("accents beside", "City", "ascending", "casefold", ["Evian", "Évry", "Zug"]),
    ("accents last", "City", "ascending", "casefold", ["Evian", "Zug", "Évry"]),
    ("punctuation left out", "City", "ascending", "casefold", ["Obama", "O'Brien"]),
    ("punctuation counted", "City", "ascending", "casefold", ["O'Brien", "Obama"]),
    ("numbers", "Year", "ascending", "number", ["9", "10", "1,000"]),
    ("falling numbers", "Year", "descending", "number", ["1,000", "10", "9"]),
    ("days, not their first figures", "Day", "ascending", "date", ["31-01-2001", "01-02-2001"]),
    ("blanks first", "Year", "ascending", "number", ["-", "N/A", "1", "2"]),
    ("blanks last", "Year", "descending", "number", ["2", "1", ""]),
    ("no row", "Year", "ascending", "number", []),
]

OUT_OF_ORDER = [
    ("words", "City", "ascending", "casefold", ["b", "a"]),
    ("a blank between", "Year", "ascending", "number", ["1", "", "2"]),
    ("accents both ways at once", "City", "ascending", "casefold", ["Évian", "Ewa", "Zug", "Évry"]),
    ("a point is no punctuation beside figures", "City", "descending", "casefold", ["1.5", "12"]),
    ("a number that is none", "Year", "ascending", "number", ["1", "many", "2"]),
]


def rows_of(column: str, cells: list[str]) -> list[list[str]]:
    return [[cell if name == column else "same" for name in ASKED.header] for cell in cells]


@pytest.mark.parametrize(("why", "column", "direction", "collation", "cells"), IN_ORDER)
def test_rows_in_order(why: str, column: str, direction: Direction, collation: Collation, cells: list[str]) -> None:
    key = SortKey(column=column, direction=direction, collation=collation)
    assert in_order(rows_of(column, cells), [key], ASKED), why


@pytest.mark.parametrize(("why", "column", "direction", "collation", "cells"), OUT_OF_ORDER)
def test_rows_out_of_order(why: str, column: str, direction: Direction, collation: Collation, cells: list[str]) -> None:
    key = SortKey(column=column, direction=direction, collation=collation)
    assert not in_order(rows_of(column, cells), [key], ASKED), why


def test_a_second_key_decides_ties_of_the_first() -> None:
    asked = table(["A", "B"])
    keys = [SortKey(column="A"), SortKey(column="B", direction="descending", collation="number")]
    assert in_order([["x", "10"], ["x", "9"], ["y", "11"]], keys, asked)
    assert not in_order([["x", "9"], ["x", "10"], ["y", "11"]], keys, asked)


def test_a_gold_answer_out_of_its_stated_order_makes_no_other_order_right() -> None:
    keys = [SortKey(column="Year", collation="number")]
    rising, falling = rows_of("Year", ["1", "2"]), rows_of("Year", ["2", "1"])
    assert same_order(rising, rising, keys, ASKED)
    assert not same_order(falling, rising, keys, ASKED)
