"""Answer files: what people hand in is read, what is written is the published layout."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.verifier.answers.nasty import FORMAT_COLUMNS, nasty_cells
from tests.verifier.builders import one_column, table
from tests.verifier.tables.parsing import FILES, FileExample
from verifier.answers.answer_format import AnswerFormat, AnswerType
from verifier.answers.csv_files import read_answer_csv, write_answer_csv
from verifier.errors import AnswerUnreadable

SET, ITEM = one_column("set"), one_column("item")
PEOPLE = table(["Name", "Year"])


@pytest.mark.parametrize("example", [example for example in FILES if not example.refusal], ids=lambda e: e.note)
def test_file_is_read_and_its_faults_named(example: FileExample) -> None:
    parsed = read_answer_csv(example.data, example.asked, example.encoding, separator=example.separator)
    assert [list(row) for row in parsed.rows] == list(map(list, example.rows))
    assert list(parsed.faults) == list(example.faults)


@pytest.mark.parametrize("example", [example for example in FILES if example.refusal], ids=lambda e: e.note)
def test_file_is_refused_by_name(example: FileExample) -> None:
    with pytest.raises(AnswerUnreadable, match=example.refusal):
        read_answer_csv(example.data, example.asked, example.encoding, separator=example.separator)


def test_a_refusal_says_what_to_do_and_shows_what_it_may_be() -> None:
    with pytest.raises(AnswerUnreadable, match=r"truth_encoding.*'Café' in cp1252"):
        read_answer_csv("A\nCaf\u00e9\n".encode("cp1252"), SET)


@pytest.mark.parametrize("data", [b"", b"\n \n", b",,\n", b"\xef\xbb\xbf\n"])
def test_a_file_without_a_value_is_refused(data: bytes) -> None:
    with pytest.raises(AnswerUnreadable, match="at least one value"):
        read_answer_csv(data, PEOPLE)


@pytest.mark.parametrize("name", ["klingon", "base64", "a\x00b"])
def test_an_encoding_nobody_knows_is_refused(name: str) -> None:
    with pytest.raises(AnswerUnreadable, match="no encoding is called"):
        read_answer_csv(b"A", ITEM, name)


def test_a_mark_decides_against_the_named_encoding() -> None:
    assert read_answer_csv(b"\xef\xbb\xbfK\xc3\xb6ln\n", ITEM, "cp1252").rows == (("Köln",),)


def test_a_cell_longer_than_csv_readers_take_is_one_cell() -> None:
    long = "x, " * 100_000
    assert read_answer_csv(f'Name,Year\n"{long}",2000\n'.encode(), PEOPLE).rows == ((long, "2000"),)


def test_a_table_is_written_with_its_header_and_a_set_without() -> None:
    assert write_answer_csv(["Name", "Year"], [["Lee, Ann", "2000"]], PEOPLE) == b'Name,Year\n"Lee, Ann",2000\n'
    assert write_answer_csv(["Item"], [["Köln"]], SET) == "Köln\n".encode()


def line_feeds(cell: str) -> str:
    return cell.replace("\r\n", "\n").replace("\r", "\n")


TABLE = AnswerFormat(type="table", columns=FORMAT_COLUMNS)


@given(rows=st.lists(st.tuples(*[nasty_cells()] * len(FORMAT_COLUMNS)), min_size=1, max_size=3))
def test_a_written_table_is_read_again(rows: list[tuple[str, ...]]) -> None:
    expected = [tuple(map(line_feeds, row)) for row in rows]
    assert list(read_answer_csv(write_answer_csv(TABLE.header, rows, TABLE), TABLE).rows) == expected


@given(rows=st.lists(st.tuples(nasty_cells(), nasty_cells()), min_size=1, max_size=5))
def test_a_narrow_table_is_read_again(rows: list[tuple[str, str]]) -> None:
    expected = [tuple(map(line_feeds, row)) for row in rows]
    assert list(read_answer_csv(write_answer_csv(PEOPLE.header, rows, PEOPLE), PEOPLE).rows) == expected


@pytest.mark.parametrize("kind", ["item", "set", "list"])
@given(values=st.lists(nasty_cells(), min_size=1, max_size=5))
def test_written_values_are_read_again(kind: AnswerType, values: list[str]) -> None:
    asked = one_column(kind)
    data = write_answer_csv(asked.header, [(value,) for value in values], asked)
    # Where everything is in quotes, a first value that says what the header says cannot be told from one.
    assume(len(values) == 1 or "\n" in data.decode("utf-8", "surrogatepass").replace('"\n', ""))
    assert [row[0] for row in read_answer_csv(data, asked).rows] == list(map(line_feeds, values))


def test_a_first_value_that_says_what_the_header_says_stays() -> None:
    data = write_answer_csv(SET.header, [("Item",), ("A",)], SET)
    assert data == b'"Item"\nA\n'
    assert read_answer_csv(data, SET).rows == (("Item",), ("A",))


@given(
    data=st.binary(max_size=60)
    | st.lists(st.sampled_from([b'"', b",", b"\n", b"\t", b";", b"A", b"Name", b"Year", b"\r"]), max_size=20).map(
        b"".join
    )
)
def test_any_bytes_are_read_or_refused_by_name(data: bytes) -> None:
    for asked in (SET, PEOPLE):
        try:
            rows = read_answer_csv(data, asked).rows
        except AnswerUnreadable:
            continue
        assert all(type(cell) is str for row in rows for cell in row)
