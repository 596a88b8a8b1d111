"""What a reply says, whatever form it has, and which fault each deviation is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.answers.nasty import nasty_cells
from tests.verifier.builders import one_column, reply, table
from tests.verifier.tables.parsing import FILES, REPLIES, FileExample, ReplyExample
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.parsing import FAULTS, parse_reply

SET, ITEM = one_column("set"), one_column("item")
PEOPLE = table(["Name", "Year"])


@pytest.mark.parametrize("example", REPLIES, ids=lambda example: example.note)
def test_reply_is_read_and_its_faults_named(example: ReplyExample) -> None:
    parsed = parse_reply(example.reply, example.asked)
    assert [list(row) for row in parsed.rows] == list(map(list, example.rows))
    assert list(parsed.faults) == list(example.faults)
    assert list(parsed.header) == list(example.header or example.asked.header)


def test_every_fault_has_an_example_in_the_tables() -> None:
    examples: list[ReplyExample | FileExample] = [*REPLIES, *FILES]
    assert {fault for example in examples for fault in example.faults} == set(FAULTS)


def test_no_reply_is_no_answer() -> None:
    assert parse_reply(None, ITEM).faults == ("no_answer_tag", "no_fence", "no_answer")


def test_headers_that_differ_in_spaces_only_keep_their_columns() -> None:
    asked = table(["Start Date", "StartDate"])
    assert parse_reply(reply("StartDate\tStart Date\n2\t1"), asked).rows == (("1", "2"),)


@pytest.mark.parametrize(
    "text", ["\x00", "<answer>", "```", "</answer><answer>", "<answer>```tsv\n\n```</answer>", "\ud800", "|", '"', "[{"]
)
def test_odd_replies_never_raise(text: str) -> None:
    assert parse_reply(text, ITEM).header == ("Value",)


_PIECES = st.sampled_from(
    ["<answer>", "</answer>", "```", "```tsv", "~~~", "````md", "\n", "\r\n", "\t", "|", "|---|", ",", ";", "  ", '"',
     "Name", "Year", "Item", "1. ", "- ", "2000", "A", '{"a": [1]}', "[", "\\t", "\\n", ">", "\ufeff", "\x00", "\ud800"]
)  # fmt: skip


@pytest.mark.parametrize("asked", [SET, ITEM, PEOPLE, one_column("list")], ids=lambda asked: asked.type)
@given(text=st.lists(_PIECES, max_size=25).map("".join) | nasty_cells())
def test_any_reply_is_read_into_a_sound_answer(asked: AnswerFormat, text: str) -> None:
    parsed = parse_reply(text, asked)
    assert set(parsed.faults) <= set(FAULTS)
    assert len(set(parsed.header)) == len(parsed.header)
    assert all(type(cell) is str for row in parsed.rows for cell in row)
    assert asked.type != "table" or all(len(row) >= len(parsed.header) for row in parsed.rows)
    assert ("no_answer" in parsed.faults) == (not parsed.rows)
