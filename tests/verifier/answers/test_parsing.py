"""What a reply says, whatever form it has, and which fault each deviation is."""

from __future__ import annotations

import pytest

from tests.verifier.builders import one_column, reply, table
from verifier.answers.parsing import FAULTS, parse_reply

SET, ITEM = one_column("set"), one_column("item")
PEOPLE = table(["Name", "Year"])

REPLIES = [
    ("as asked", SET, reply("Item\nA1\nB1"), [["A1"], ["B1"]], []),
    ("no tags", SET, "```tsv\nItem\nA1\n```", [["A1"]], ["no_answer_tag"]),
    ("no fence", ITEM, "<answer>\nValue\nParis\n</answer>", [["Paris"]], ["no_fence"]),
    ("draft before the tag", ITEM, "```tsv\nValue\nLyon\n```\n" + reply("Value\nParis"), [["Paris"]], []),
    ("two answers", ITEM, reply("Value\nLyon") + reply("Value\nParis"), [["Paris"]], ["multiple_answers"]),
    ("correction", ITEM, reply("Value\nLyon\n```\nNo:\n```tsv\nValue\nParis"), [["Paris"]], ["multiple_blocks"]),
    ("other label", SET, reply("Item\nA1", "csv"), [["A1"]], ["fence_label"]),
    ("label in capitals", SET, reply("Item\nA1", "TSV"), [["A1"]], []),
    ("python block first", ITEM, "```python\nprint(1)\n```\n```tsv\nValue\nParis\n```", [["Paris"]],
     ["no_answer_tag", "multiple_blocks"]),
    ("fence named in a sentence", ITEM, "<answer>\nIn a ```tsv block:\n```tsv\nValue\nParis\n```\n</answer>",
     [["Paris"]], []),
    ("cut off", SET, "<answer>\n```tsv\nItem\nA1\nB1", [["A1"], ["B1"]], ["truncated"]),
    ("fence closed on the last line", ITEM, "<answer>\n```tsv\nValue\nParis```\n</answer>", [["Paris"]], []),
    ("header missing", SET, reply("A1\nB1"), [["A1"], ["B1"]], ["header_missing"]),
    ("numbering column", SET, reply("No.\tItem\n1\tA1\n2\tB1"), [["A1"], ["B1"]], ["numbering"]),
    ("rank column", one_column("list"), reply("Rank\tItem\n1\tA1\n2\tB1"), [["A1"], ["B1"]], ["numbering"]),
    ("numbers in the cells", SET, reply("Item\n1. Ada\n2. Bob"), [["Ada"], ["Bob"]], ["numbering"]),
    ("bullets", SET, reply("Item\n- Ada\n- Bob"), [["Ada"], ["Bob"]], ["numbering"]),
    ("years are no numbering", SET, reply("Item\n1. FC Köln\n3. Liga"), [["1. FC Köln"], ["3. Liga"]], []),
    ("note column", SET, reply("Item\tNote\nA1\tok\nB1\tfine"), [["A1"], ["B1"]], ["extra_column"]),
    ("quote at the start", SET, reply('Item\n"Low\nLodger'), [['"Low'], ["Lodger"]], []),
    ("quotes of a name", ITEM, reply('Value\n"Weird Al" Yankovic'), [['"Weird Al" Yankovic']], []),
    ("quoted cell", ITEM, reply('Value\n"say ""hi"""'), [['say "hi"']], []),
    ("trailing tab", PEOPLE, reply("Name\tYear\nA\t2000\nB\t2001\t"), [["A", "2000"], ["B", "2001"]],
     ["trailing_separator"]),
    ("too long a row", PEOPLE, reply("Name\tYear\nA\t2000\tx"), [["A", "2000", "x"]], ["ragged_row"]),
    ("too short a row", PEOPLE, reply("Name\tYear\nA"), [["A", ""]], ["ragged_row"]),
    ("columns swapped", PEOPLE, reply("Year\tName\n2000\tA"), [["A", "2000"]], ["column_order"]),
    ("bold header", PEOPLE, reply("**Name**\t**Year**\nA\t2000"), [["A", "2000"]], []),
    ("other header", PEOPLE, reply("Who\tWhen\nA\t2000"), [["A", "2000"]], ["header_mismatch"]),
    ("table without header", PEOPLE, reply("A\t2000\nB\t2001"), [["A", "2000"], ["B", "2001"]], ["header_missing"]),
    ("pipes", PEOPLE, reply("| Name | Year |\n|---|---|\n| A | 2000 |"), [["A", "2000"]], ["separator"]),
    ("commas", PEOPLE, reply('Name,Year\n"A, B",2000', "csv"), [["A, B", "2000"]], ["fence_label", "separator"]),
    ("nothing", ITEM, "", [], ["no_answer_tag", "no_fence", "no_answer"]),
    ("None", ITEM, None, [], ["no_answer_tag", "no_fence", "no_answer"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "text", "rows", "faults"), [case[1:] for case in REPLIES], ids=[c[0] for c in REPLIES]
)
def test_reply_is_read_and_its_faults_named(asked, text, rows, faults) -> None:  # type: ignore[no-untyped-def]
    parsed = parse_reply(text, asked)
    assert [list(row) for row in parsed.rows] == rows
    assert list(parsed.faults) == faults


def test_every_fault_in_the_table_is_known() -> None:
    assert {fault for case in REPLIES for fault in case[4]} <= set(FAULTS)


def test_headers_that_differ_in_spaces_only_keep_their_columns() -> None:
    asked = table(["Start Date", "StartDate"])
    assert parse_reply(reply("StartDate\tStart Date\n2\t1"), asked).rows == (("1", "2"),)


@pytest.mark.parametrize(
    "text", ["\x00", "<answer>", "```", "</answer><answer>", "<answer>```tsv\n\n```</answer>", "\ud800"]
)
def test_odd_replies_never_raise(text: str) -> None:
    assert parse_reply(text, ITEM).header == ("Value",)


def test_a_huge_reply_is_read_in_bounded_time() -> None:
    text = reply("Item\n" + "\n".join(f"element {number}" for number in range(100_000)))
    assert len(parse_reply(text, SET).rows) == 100_000
