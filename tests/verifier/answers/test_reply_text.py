"""Replies as agents write them: what is written is what is read."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.verifier.answers.nasty import FORMAT_COLUMNS, nasty_cells
from tests.verifier.builders import one_column, table
from verifier.answers.answer_format import AnswerFormat, AnswerType, Column, SortKey
from verifier.answers.normalization.normalise import normalise
from verifier.answers.parsing import parse_reply
from verifier.answers.reply_text import format_reply, prompt_rules

PEOPLE = table(["Name", "Year"])
TABLE = AnswerFormat(type="table", columns=FORMAT_COLUMNS)


@given(rows=st.lists(st.tuples(*[nasty_cells()] * len(FORMAT_COLUMNS)), min_size=1, max_size=3))
def test_a_written_table_is_parsed_again(rows: list[tuple[str, ...]]) -> None:
    parsed = parse_reply(format_reply(TABLE.header, rows), TABLE)
    assert parsed.faults == ()
    assert [list(map(normalise, row, FORMAT_COLUMNS)) for row in parsed.rows] == [
        list(map(normalise, map(in_one_line, row), FORMAT_COLUMNS)) for row in rows
    ]


@given(rows=st.lists(st.tuples(nasty_cells(), nasty_cells()), min_size=1, max_size=5))
def test_a_narrow_table_is_parsed_again(rows: list[tuple[str, str]]) -> None:
    parsed = parse_reply(format_reply(PEOPLE.header, rows), PEOPLE)
    assert parsed.faults == ()
    assert list(parsed.rows) == [tuple(map(in_one_line, row)) for row in rows]


@pytest.mark.parametrize("kind", ["item", "set", "list"])
@given(values=st.lists(nasty_cells(), min_size=1, max_size=5))
@example(values=["|", "|"])
@example(values=["| a |", "| b |"])
def test_written_values_are_parsed_again(kind: AnswerType, values: list[str]) -> None:
    asked = one_column(kind)
    parsed = parse_reply(format_reply(asked.header, [[value] for value in values]), asked)
    assert parsed.faults == ()
    assert [row[0] for row in parsed.rows] == list(map(in_one_line, values))


def in_one_line(cell: str) -> str:
    flat = re.sub(r"[\t\n\r]", " ", cell)
    return re.sub(r"<(?=/?answer>)", "&lt;", flat)


def test_line_ends_inside_a_cell_do_not_split_the_row() -> None:
    assert parse_reply(format_reply(["Name", "Year"], [["A\nB", "1\t2"]]), PEOPLE).rows == (("A B", "1 2"),)


ORDERS = [
    ("table", None, ", in the order the question asks for."),
    ("table", (), ", in any order."),
    ("table", (SortKey(column="Name"),), "one row a line."),
    ("list", None, ", in the order the question asks for."),
    ("list", (SortKey(column="Name"),), "one element a line."),
    ("set", None, ", in any order."),
]


@pytest.mark.parametrize(("kind", "sort", "ending"), ORDERS)
def test_prompt_rules_say_the_order_once(kind: AnswerType, sort: tuple[SortKey, ...] | None, ending: str) -> None:
    rules = prompt_rules(AnswerFormat(type=kind, columns=(Column(name="Name"),), sort=sort))
    shape = next(line for line in rules.splitlines() if line.startswith("Below it stands"))
    assert shape.endswith(ending)


def test_prompt_rules_state_header_form_and_order_but_no_type_name() -> None:
    day = Column(name="Day", type="date", date_format="YYYY-MM-DD", null_marker="none")
    asked = AnswerFormat(type="table", columns=(Column(name="Name"), day), sort=(SortKey(column="Day"),))
    rules = prompt_rules(asked)
    assert "Name <tab> Day" in rules
    assert "form YYYY-MM-DD" in rules
    assert 'sorted by "Day", ascending' in rules
