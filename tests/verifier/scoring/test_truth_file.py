"""A truth file is read by what its question says, or the reason why it cannot be is named."""

from __future__ import annotations

from typing import Any

import pytest

from verifier.answers.written_cells import MAX_ROWS
from verifier.errors import AnswerUnreadable
from verifier.scoring.answer_schema import read_schema
from verifier.scoring.question_file import QuestionRow
from verifier.scoring.truth_file import read_truth


def question(kind: str = "table", schema: dict[str, Any] | None = None, encoding: str | None = None) -> QuestionRow:
    return QuestionRow(question_id="1", answer_type=kind, schema=read_schema(schema or {}), truth_encoding=encoding)


@pytest.mark.parametrize(
    "data",
    [
        b"Name,Year\nA,1\nB,2\n",
        b"\xef\xbb\xbfName,Year\r\nA,1\r\nB,2\r\n",
        b"Name,Year,\nA,1,\nB,2,\n",
        b"Name,Year\nA,1,\nB,2,\n",
        b'"Name","Year"\n"A","1"\nB,2',
        b"Name;Year\nA;1\nB;2\n",
        b"Name\tYear\nA\t1\nB\t2\n",
        b"\n\nName,Year\nA,1\n\nB,2\n",
        "Name,Year\nA,1\nB,2\n".encode("utf-16"),
        "Name,Year\nA,1\nB,2\n".encode("utf-16-le"),
        "Name,Year\nA,1\nB,2\n".encode("utf-32"),
        b"sep=;\nName;Year\nA;1\nB;2\n",
    ],
)
def test_table_takes_its_columns_from_the_header(data: bytes) -> None:
    truth = read_truth(question(), data)
    assert (truth.answer_format.header, truth.gold.rows) == (("Name", "Year"), (("A", "1"), ("B", "2")))


def test_short_row_ends_in_blanks_and_is_named() -> None:
    truth = read_truth(question(), b"Name,Year\nA\nB,2\n")
    assert (truth.gold.rows[0], truth.faults) == (("A", ""), ("ragged_row",))


def test_encoding_is_read_where_the_question_names_it() -> None:
    truth = read_truth(question("set", encoding="cp1252"), b"Caf\xe9\n")
    assert truth.gold.rows == (("Café",),)


def test_schema_reaches_the_columns() -> None:
    truth = read_truth(question(schema={"types": {"ZIP": "text"}, "sort": []}), b"Town,ZIP\nA,01\n")
    assert (truth.answer_format.columns[1].type, truth.answer_format.sort) == ("text", ())


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        ("rank", b"Paris\n", "^unknown answer_type rank$"),
        ("set", b"Caf\xe9\n", "^truth file undecodable: .*byte 0xe9 in line 1"),
        ("table", b"Name,Caf\xe9\nA,1\n", "^truth file undecodable"),
        ("table", b"Name,Year\nA,1\nB,2,3\n", "^truth file ragged: row 2 has 3 cells, the header 2$"),
        ("table", b"Name,Year\n", "^truth file has a header and no row$"),
        ("table", b"Name,Name\nA,1\n", "^truth file does not fit the question: column names must differ"),
        ("table", b",,\n,,\n", "^truth file does not fit the question"),
        ("set", b",,\n,,\n", "^truth file unreadable: .*no value"),
        ("item", b"Paris\nLyon\n", "^truth file has 2 values; an item has one$"),
    ],
)  # fmt: skip
def test_truth_that_cannot_be_used_is_named(kind: str, data: bytes, says: str) -> None:
    with pytest.raises(AnswerUnreadable, match=says):
        read_truth(question(kind), data)


def test_truth_that_is_longer_than_is_read_is_named() -> None:
    with pytest.raises(AnswerUnreadable, match="truth file oversized"):
        read_truth(question("set"), b"a\n" * (MAX_ROWS + 1))


def test_declared_column_that_the_file_lacks_is_named() -> None:
    asked = read_truth(question(), b"Name,Year\nA,1\n").answer_format
    row = QuestionRow(question_id="1", answer_type="table", answer_format=asked)
    with pytest.raises(AnswerUnreadable, match="truth file lacks the column 'Year'; it has 'Name', 'Age'"):
        read_truth(row, b"Name,Age\nA,1\n")


def test_schema_that_names_another_column_costs_this_question_alone() -> None:
    with pytest.raises(AnswerUnreadable, match="the schema names the column 'City'"):
        read_truth(question(schema={"key": ["City"]}), b"Name,Year\nA,1\n")
