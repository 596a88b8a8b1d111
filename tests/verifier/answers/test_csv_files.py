"""Answer files: what people hand in is read, what is written is the published layout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.builders import one_column, table
from verifier.answers.csv_files import read_answer_csv, write_answer_csv
from verifier.errors import AnswerUnreadable

SET, ITEM, LIST = one_column("set"), one_column("item"), one_column("list")
PEOPLE = table(["Name", "Year"])

FILES = [
    ("set", SET, b"Smith\nJones\n", [["Smith"], ["Jones"]], []),
    ("set with a header", SET, b"Item\nSmith\n", [["Smith"]], ["header_row"]),
    ("comma not quoted", SET, b"Smith\nLee, Ann\n", [["Smith"], ["Lee, Ann"]], ["unquoted_comma"]),
    ("quoted pair", ITEM, b'"1994,5"\n', [["1994,5"]], []),
    ("quotes in a name", ITEM, b'"""Weird Al"" Yankovic"\n', [['"Weird Al" Yankovic']], []),
    ("quote never closed", SET, b'"Low\nLodger\n', [['"Low'], ["Lodger"]], ["unbalanced_quote"]),
    ("windows line ends", SET, b"A\r\nB\r\n", [["A"], ["B"]], []),
    ("byte order mark", SET, b"\xef\xbb\xbfA\nB\n", [["A"], ["B"]], []),
    ("UTF-16", SET, "A\nB\n".encode("utf-16"), [["A"], ["B"]], ["wrong_encoding"]),
    ("table", PEOPLE, b"Name,Year\nA,2000\n", [["A", "2000"]], []),
    ("trailing commas", PEOPLE, b"Name,Year,\nA,2000,\n", [["A", "2000"]], ["trailing_separator"]),
    ("semicolons", PEOPLE, b"Name;Year\nA;2000\n", [["A", "2000"]], ["separator"]),
    ("tabs", PEOPLE, b"Name\tYear\nA\t2000\n", [["A", "2000"]], ["separator"]),
    ("empty rows", PEOPLE, b"Name,Year\nA,2000\n,\n\n", [["A", "2000"]], []),
    ("columns swapped", PEOPLE, b"Year,Name\n2000,A\n", [["A", "2000"]], ["column_order"]),
]


@pytest.mark.parametrize(("asked", "data", "rows", "faults"), [case[1:] for case in FILES], ids=[c[0] for c in FILES])
def test_file_is_read_and_its_faults_named(asked, data, rows, faults) -> None:  # type: ignore[no-untyped-def]
    parsed = read_answer_csv(data, asked)
    assert [list(row) for row in parsed.rows] == rows
    assert list(parsed.faults) == faults


def test_another_encoding_is_read_only_when_named() -> None:
    data = "King’s Day\n".encode("cp1252")
    with pytest.raises(AnswerUnreadable, match="byte 0x92 at position 4"):
        read_answer_csv(data, ITEM)
    assert read_answer_csv(data, ITEM, "cp1252").rows == (("King’s Day",),)


@pytest.mark.parametrize("data", [b"", b"\n \n", b",,\n"])
def test_a_file_without_a_value_is_refused(data: bytes) -> None:
    with pytest.raises(AnswerUnreadable, match="at least one value"):
        read_answer_csv(data, PEOPLE)


def test_an_unknown_encoding_is_refused_by_name() -> None:
    with pytest.raises(AnswerUnreadable, match="klingon"):
        read_answer_csv(b"A", ITEM, "klingon")


def test_a_table_is_written_with_its_header_and_a_set_without() -> None:
    assert write_answer_csv(["Name", "Year"], [["Lee, Ann", "2000"]], PEOPLE) == b'Name,Year\n"Lee, Ann",2000\n'
    assert write_answer_csv(["Item"], [["Köln"]], SET) == "Köln\n".encode()


_CELL = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12).map(str.strip)
_WORD = _CELL.filter(lambda cell: cell.casefold() not in ("", "item", "name", "year"))


@given(rows=st.lists(st.tuples(_WORD, _CELL), min_size=1, max_size=6))
def test_a_written_table_is_read_again(rows: list[tuple[str, str]]) -> None:
    assert list(read_answer_csv(write_answer_csv(PEOPLE.header, rows, PEOPLE), PEOPLE).rows) == rows


@given(values=st.lists(_WORD, min_size=1, max_size=6))
def test_a_written_list_is_read_again(values: list[str]) -> None:
    rows = [(value,) for value in values]
    assert list(read_answer_csv(write_answer_csv(LIST.header, rows, LIST), LIST).rows) == rows
