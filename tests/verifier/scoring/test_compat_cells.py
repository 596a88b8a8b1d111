"""Cells as the published evaluator normalises them, and what pandas makes of a column of numbers before that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.scoring.compat_cells import NO_VALUE, published_cell, published_cells

CELLS: list[tuple[str, str]] = [
    # By the published rule 4; the ids are those of spec/gisa.md 5.
    ("007", "7"),  # A01
    ("9007199254740993", "9007199254740992"),  # A03
    ("1E5", "100000"),  # A05
    ("12_34", "1234"),  # A06
    ("Infinity", "inf"),  # A07
    ("-inf", "-inf"),
    ("1e400", "inf"),
    ("3.10", "3.1"),  # A11
    ("3,14", "314"),  # A12
    ("1.234.567", "1.234.567"),  # A14
    ("€1,000", "€1,000"),  # A15
    ("$1,500", "1500"),
    ("US$1,500", "us$1,500"),  # A17
    ("12.5%", "0.125"),
    ("$%", "$%"),
    ("5%%", "5%%"),
    ("nan%", "nan"),
    ("**1,234**", "1,234"),  # A19
    ("−5", "−5"),  # A21
    ("0.0000004", "0"),  # A22
    ("-0.0000004", "-0"),
    ("-0.0", "0"),
    ("12％", "12％"),  # A23
    ("1 234", "1234"),
    ("1\u202f234", "1\u202f234"),  # A24
    ("１２", "12"),
    ("\u00a012\u3000", "12"),
    ("1e23", "99999999999999991611392"),
    ("99.9999999", "100"),
    ("  Nan ", ""),  # A08
    ("NONE", ""),
    ("NA", "na"),
    ("A*", "a"),  # B09
    ("New\nYork", "newyork"),
    ("New\u00a0York", "new\u00a0york"),  # B04
    ("Straße", "straße"),  # B07
    ("İ", "i̇"),
    ("*", ""),
]

COLUMNS: list[tuple[str, list[str], list[str]]] = [
    # What pandas does to a column of words, and why.
    ("words for no value, spelled exactly", ["NA", "N/A", "<NA>", " NA", "na"], ["", "", "", "na", "na"]),
    ("17 digits are read", ["0.30000000000000004999", "1"], ["0.3", "1"]),
    ("beyond 17 digits nothing is rounded", ["1234567890.1234565999", "1"], ["1234567890.123456", "1"]),
    ("beside a text Python reads the number", ["1234567890.1234565999", "x"], ["1234567890.123457", "x"]),
    ("leading zeros are digits", ["00000000000000000001.5"], ["0"]),
    ("beside a text they are none", ["00000000000000000001.5", "x"], ["1.5", "x"]),
    ("a large exponent is rounded twice", ["123e23"], ["12299999999999998129340416"]),
    ("beside a text it is rounded once", ["123e23", "x"], ["12300000000000000276824064", "x"]),
    ("an exponent beyond 308 is no number", ["1e400", "1.5"], ["inf", "1.5"]),
    ("an exponent below -616 is 0", ["1e-700", "1.5"], ["0", "1.5"]),
    ("a number too large is a text", ["1.8e308", "12345678901234567.5"], ["inf", "12345678901234568"]),
    ("whole numbers up to 2^64 are exact", ["18446744073709551615"], ["18446744073709551616"]),
    ("beside one no value is a word", ["18446744073709551615", "NA", "null"], ["18446744073709551616", "na", ""]),
    ("a negative number does the same", ["9223372036854775808", "-1", "<NA>"], ["9223372036854775808", "-1", "<na>"]),
    ("whatever follows the sign", ["9223372036854775808", "-x", "NA"], ["9223372036854775808", "-x", "na"]),
    ("a decimal above undoes that", ["1.5", "9223372036854775808", "NA"], ["1.5", "9223372036854777856", ""]),
    ("beyond 2^64 no value is blank", ["18446744073709551616", "-1", "NA"], ["18446744073709551616", "-1", ""]),
    ("below -2^63 too", ["-9223372036854775809", "NA"], ["-9223372036854775808", ""]),
    ("a large number with a tail is a text", ["9223372036854775808x", "NA"], ["9223372036854775808x", ""]),
    ("a large number without digits after it", ["9223372036854775808", "+", "NA"], ["9223372036854775808", "+", ""]),
    ("a large decimal is a number", ["9223372036854775808.5", "NA"], ["9223372036854777856", ""]),
    ("a larger one is none", ["123456789012345678901.5", "NA"], ["123456789012345683968", ""]),
    ("beside a gap the smallest is a gap", ["-9223372036854775808", "7", ""], ["", "7", ""]),
    ("without a gap it is not", ["-9223372036854775808", "7"], ["-9223372036854775808", "7"]),
    ("infinite ones are numbers", ["-Infinity", "+inf", "1.00000000000000001"], ["-inf", "inf", "1"]),
    ("not with a space", [" inf", "1234567890.1234565999"], ["inf", "1234567890.123457"]),
    ("spaces around numbers", ["\t1234567890.1234565999 ", " 1"], ["1234567890.123456", "1"]),
    ("a digit of another script is none", ["1234567890.1234565999", "１"], ["1234567890.123457", "1"]),
    ("an exponent of ten digits wraps around", ["1e4294967297", "1"], ["10", "1"]),
    ("an exponent of 18 digits is a text", ["1e000000000000000001", "NA"], ["10", ""]),
    ("thousands of digits", ["9" * 5000, "NA"], ["inf", ""]),
    ("thousands of zeros", ["0" * 5000 + "7", "NA"], ["7", ""]),
]


@pytest.mark.parametrize(("word", "cell"), CELLS, ids=[ascii(word) for word, _ in CELLS])
def test_word_becomes_the_published_cell(word: str, cell: str) -> None:
    assert published_cell(word) == cell


@pytest.mark.parametrize(("words", "cells"), [row[1:] for row in COLUMNS], ids=[row[0] for row in COLUMNS])
def test_column_becomes_the_published_cells(words: list[str], cells: list[str]) -> None:
    assert published_cells(words) == cells


@pytest.mark.parametrize("word", sorted(NO_VALUE))
def test_pandas_word_for_no_value_is_blank(word: str) -> None:
    assert published_cells([word, "x"]) == ["", "x"]


@given(st.lists(st.sampled_from(["a", "NA", "1", "1.5", "0.1234567890123456789", "9223372036854775808"]), max_size=4))
def test_what_was_looked_up_before_changes_nothing(words: list[str]) -> None:
    before = published_cells(words)
    published_cells([*words, "x"])
    assert published_cells(words) == before


@given(st.text())
def test_any_text_is_a_cell(word: str) -> None:
    (cell,) = published_cells([word])
    assert not {" ", "*", "\n"} & set(cell)
