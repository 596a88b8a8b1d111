"""Replies as agents write them: what is written is what is read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.builders import one_column, table
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.answers.parsing import parse_reply
from verifier.answers.reply_text import format_reply, prompt_rules

PEOPLE = table(["Name", "Year"])
LIST = one_column("list")

# A cell that holds the tags themselves cannot be told from them.
_CELL = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12)
_TRAPS = st.sampled_from(["1. Ada", "- Bob", '"x"', '"', "```", " a ", "", "1.", "a\u00a0", "Item", "Name", "'"])


@given(rows=st.lists(st.tuples(_CELL | _TRAPS, _CELL | _TRAPS), min_size=1, max_size=6))
def test_a_written_table_is_parsed_again(rows: list[tuple[str, str]]) -> None:
    parsed = parse_reply(format_reply(PEOPLE.header, rows), PEOPLE)
    assert list(parsed.rows) == rows
    assert parsed.faults == ()


@given(values=st.lists(_CELL | _TRAPS, min_size=1, max_size=6))
def test_a_written_list_is_parsed_again(values: list[str]) -> None:
    parsed = parse_reply(format_reply(LIST.header, [[value] for value in values]), LIST)
    assert [row[0] for row in parsed.rows] == values


def test_line_ends_inside_a_cell_do_not_split_the_row() -> None:
    assert parse_reply(format_reply(["Name", "Year"], [["A\nB", "1\t2"]]), PEOPLE).rows == (("A B", "1 2"),)


def test_prompt_rules_state_header_form_and_order_but_no_type_name() -> None:
    day = Column(name="Day", type="date", date_format="YYYY-MM-DD", null_marker="none")
    asked = AnswerFormat(type="table", columns=(Column(name="Name"), day), sort=(SortKey(column="Day"),))
    rules = prompt_rules(asked)
    assert "Name <tab> Day" in rules
    assert "form YYYY-MM-DD" in rules
    assert 'sorted by "Day", ascending' in rules
