"""Replies and files as the published evaluator sees them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import AnswerUnreadable
from verifier.scoring import compat_tables
from verifier.scoring.compat_tables import CompatTable, prediction_file_table, prediction_table, truth_table

Seen = tuple[str, list[str]] | None
"""Column names and rows, cells parted by a bar; None where nothing is found."""

FENCES: list[tuple[str, str, Seen]] = [
    ("no fence", "A\nb", ("a", ["b"])),
    ("tags are text", "<answer>\nA\n</answer>", ("<answer>", ["a", "</answer>"])),
    ("first fence wins", "```\nA\nb\n```\n```tsv\nC\nd\n```", ("a", ["b"])),
    ("another label is a header", "```csv\nA\nb\n```", ("csv", ["a", "b"])),
    ("a label in capitals too", "```TSV\nA\n```", ("tsv", ["a"])),
    ("no line break after the label", "```tsvA\nb```", ("a", ["b"])),
    ("a space before the label", "``` tsv\nA```", ("tsv", ["a"])),
    ("spaces after the label", "```tsv \n\n  A\nb```", ("a", ["b"])),
    ("never closed", "```tsv\nA\nb", ("```tsv", ["a", "b"])),
    ("closed by what opens the next", "```tsv\nA```tsv\nB```", ("a", [])),
    ("four marks", "````\nA\nb\n````", ("`", ["a", "b"])),
    ("six marks", "``````", None),
    ("empty fence", "```tsv\n\n```", None),
    ("nothing", "", None),
    ("blanks", " \n\t\n\u00a0", None),
]

ROWS: list[tuple[str, str, Seen]] = [
    # Text between tabs.
    ("header alone", "A\tB", ("a|b", [])),
    ("blank lines vanish", "A\n\n \t\nb\n\u00a0\n", ("a", ["b"])),
    ("short rows are filled", "A\tB\nc\nd\te", ("a|b", ["c|", "d|e"])),
    ("first row longer: pushed to the right", "A\tB\nx\tc\td\ne", ("a|b", ["c|d", "|"])),
    ("pushed by two", "A\n1\t2\t3\n4\t5\t6", ("a", ["3", "6"])),
    ("later row longer: nothing", "A\tB\nc\td\ne\tf\t", None),
    ("later row longer than a filled one", "A\tB\nc\nd\te\tf", None),
    ("quotes are eaten", '"Weird Al" Yankovic\nx', ("weirdalyankovic", ["x"])),
    ("quotes inside a cell stay", 'A\n12" "x"', ("a", ['12""x"'])),
    ("quotes after a space stay", 'A\n "x"', ("a", ['"x"'])),
    ("two quotes are one", 'A\n"x""y"', ("a", ['x"y'])),
    ("quote over lines", 'A\tB\n"c\nd"\te', ("a|b", ["cd|e"])),
    ("quoted tab", 'A\n"b\tc"', ("a", ["b\tc"])),
    ("quoted word for no value", 'A\n"NA"\nx', ("a", ["", "x"])),
    ("quote never closed", 'A\n"b\nc', None),
    ("quote at the end", 'A\n"', None),
    ("carriage return and line feed", "A\r\nb\r\n\r\nc\r\n", ("a", ["b", "c"])),
    ("carriage returns alone", "A\tB\rc\td\r\re\tf", ("a|b", ["c|d", "e|f"])),
    ("carriage return twice", "A\r\r\nb\r\r\n", ("a", ["b"])),
    ("carriage return inside a quoted cell", 'A\n"b\rc"', ("a", ["b\rc"])),
    ("carriage return, then a tab", "A\tB\r\tc", ("a|b", ["|c"])),
    ("blank carriage return eats a tab", "A\tB\n\r\tc\td", ("a|b", ["c|d"])),
    ("space after a carriage return: a row twice", "A\r  b\rc", ("a", ["a", "b", "c"])),
    ("the same without a name", "\r  A\rB", ("unnamed:0", ["", "a", "b"])),
    ("later it would never end", "A\nB\r  c\r  d", None),
    ("NUL ends a cell", "A\0x\tB\nc\0d\t\0", ("a|b", ["c|"])),
    ("byte order mark", "\ufeff\nA\nb", ("a", ["b"])),
    ("byte order mark before a quote", '\ufeff"A"\nb', ("a", ["b"])),
    ("byte order mark elsewhere", "A\n\ufeffb", ("a", ["\ufeffb"])),
    ("other line breaks are text", "A\nb\u2028c\x0bd\x85e", ("a", ["b\u2028c\x0bd\x85e"])),
    ("lone surrogate", "A\n\ud800", None),
    ("lone surrogate outside the fence", "\ud800```\nA\nb\n```", ("a", ["b"])),
    ("names that repeat", "A\tA\tA.1\ta", ("a|a.2|a.1|a", [])),
    ("names that are missing", "\tA\t", ("unnamed:0|a|unnamed:2", [])),
    ("a missing name that is taken", "\tUnnamed: 0", ("unnamed:0.1|unnamed:0", [])),
    ("spaces in names", "First  Name\t\u00a0x\u00a0y ", ("firstname|x\u00a0y", [])),
    ("names are no numbers", "1,000\tNA", ("1,000|na", [])),
]

FILES: list[tuple[str, bytes, str, Seen]] = [
    ("no header but for tables", b"A\nb\n", "list", ("0", ["a", "b"])),
    ("table", b"A\nb\n", "Table", ("a", ["b"])),
    ("unknown type", b"A\nb\n", "rank", ("0", ["a", "b"])),
    ("later rows are filled", b"a,b\nc\n", "set", ("0|1", ["a|b", "c|"])),
    ("commas at the end of a table's rows", b"A,B\nc,d,\n", "table", ("a|b", ["d|"])),
    ("blank lines hold tabs too", b"a\n \t\nb\n", "set", ("0", ["a", "b"])),
    ("GBK", "北京\n".encode("gbk"), "item", ("0", ["北京"])),
    ("cp1252 read as GBK", "King’s".encode("cp1252"), "item", ("0", ["king抯"])),
    ("UTF-8 with a mark", b"\xef\xbb\xbfParis\n", "item", ("0", ["paris"])),
    ("header alone", b"A,B\n", "table", ("a|b", [])),
    ("ragged", b"a\nb,c\n", "set", None),
    ("ragged table", b"A\nb\nc,d\n", "table", None),
    ("undecodable", b"Caf\xe9\n", "item", None),
    ("UTF-16", "Paris\n".encode("utf-16"), "item", None),
    ("empty", b"", "table", None),
    ("blank", b"\n \t\r\n", "item", None),
    ("mark alone", b"\xef\xbb\xbf", "item", None),
    ("quote never closed", b'"a\n', "item", None),
]


def seen(table: CompatTable | None) -> Seen:
    if table is None:
        return None
    return "|".join(table.columns), ["|".join(row) for row in table.rows]


@pytest.mark.parametrize(
    ("text", "expected"), [row[1:] for row in FENCES + ROWS], ids=[row[0] for row in FENCES + ROWS]
)
def test_reply_is_seen_as_published(text: str, expected: Seen) -> None:
    assert seen(prediction_table(text)) == expected


@pytest.mark.parametrize(("data", "kind", "expected"), [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_file_is_seen_as_published(data: bytes, kind: str, expected: Seen) -> None:
    for read in (truth_table, prediction_file_table):
        if expected is None:
            with pytest.raises(AnswerUnreadable):
                read(data, kind)
        else:
            assert seen(read(data, kind)) == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"a\nb,c\n", "row 2 has 2 cells where 1 are expected"),
        (b"Caf\xe9\n", "neither UTF-8 nor GBK, see byte 0xe9 at position 3"),
        (b'"a', "quote that is never closed"),
    ],
)
def test_unreadable_file_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(AnswerUnreadable, match=reason):
        truth_table(data, "set")


@given(data=st.binary(max_size=40), kind=st.sampled_from(["set", "table"]))
def test_any_bytes_are_a_table_or_unreadable(data: bytes, kind: str) -> None:
    try:
        table = truth_table(data, kind)
    except AnswerUnreadable:
        return
    assert len(table.cells) == len(table.columns) > 0


@given(text=st.text('A1", \t\n\r\0`\ufeff\ud800\u00a0é.-', max_size=30))
def test_any_text_is_a_table_or_nothing(text: str) -> None:
    table = prediction_table(text)
    assert table is None or len(table.cells) == len(table.columns) > 0


@given(
    rows=st.lists(st.lists(st.text("ab1 é", min_size=1, max_size=4), min_size=2, max_size=2), min_size=1, max_size=8)
)
def test_quotes_change_nothing_where_none_are_needed(rows: list[list[str]]) -> None:
    plain = "\n".join("\t".join(row) for row in rows)
    quoted = "\n".join("\t".join(f'"{cell}"' for cell in row) for row in rows)
    kept = [row for row in rows if "".join(row).strip()]
    assert prediction_table(plain) == prediction_table(quoted) or len(kept) < len(rows)


@pytest.fixture(params=["small", pytest.param("real", marks=pytest.mark.long)])
def batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], int]:
    """How many rows of a width are read in one go: four, and in the long suite as many as in truth."""
    if request.param == "small":
        monkeypatch.setattr(compat_tables, "batch_size", lambda width: 4)
    return compat_tables.batch_size


@pytest.mark.parametrize(("more", "expected"), [(-1, None), (0, "y"), (1, None)])
def test_first_row_of_a_batch_may_be_longer(batches: Callable[[int], int], more: int, expected: str | None) -> None:
    table = prediction_table("A\n" + "x\n" * (batches(1) + more) + "y\tz\nx\n")
    assert (table and table.cells[0][batches(1)]) == expected


def test_without_a_header_the_first_row_of_a_batch_decides(batches: Callable[[int], int]) -> None:
    rows = b"x,y\n" * batches(2)
    assert truth_table(rows + b"x,y\nz\n", "set").cells[1][-1] == ""
    with pytest.raises(AnswerUnreadable, match="ragged"):
        truth_table(rows + b"z\nx,y\n", "set")


def test_a_column_is_typed_anew_in_each_batch(batches: Callable[[int], int]) -> None:
    number = "1234567890.1234565999\n"
    table = prediction_table("A\n" + number * batches(1) + "x\n" + number)
    assert table is not None
    assert (table.cells[0][0], table.cells[0][-1]) == ("1234567890.123456", "1234567890.123457")


def test_table_too_wide_or_too_large_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat_tables, "MOST_CELLS", 5)
    assert (prediction_table("A\tB\n" + "c\n" * 2), prediction_table("A\tB\n" + "c\n" * 3)) == (
        CompatTable(("a", "b"), (("c", "c"), ("", ""))),
        None,
    )
    assert prediction_table("A" + "\t" * 2**20) is None


@pytest.mark.parametrize(
    "text",
    [
        "```" * 333_333,
        "```tsv\n" + "`` " * 333_333,
        "\n " * 500_000,
        "A\n" + '"' * 999_999,
        "\r" * 10**6,
        "A\n" + "9" * 10**6,
    ],
    ids=["fences", "open fence", "blank lines", "quotes", "carriage returns", "digits"],
)
def test_a_megabyte_of_anything_is_read_in_one_pass(text: str) -> None:
    prediction_table(text)
