"""Random questions score in profile `gisa-compat` what they score with pandas, or are refused by both."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.scoring import pandas_evaluator
from verifier.errors import AnswerUnreadable
from verifier.scoring.compat_score import judge_as_published
from verifier.scoring.compat_tables import prediction_table, truth_table

Rows = list[list[str]]

TEXTS = ["Paris", "New York", "A*", '"Weird Al" Yankovic', '12" disc', "é", "北京", "a\u00a0b", "x\u2028y", "-abc", "İ"]
BLANKS = ["NA", "N/A", "null", "None", "nan", " NA", "Nan", "", " ", "#N/A", "<NA>", "TRUE", "False"]
FIGURES = ["007", "3.10", "1,000", "$1,500", "12.5%", "%", "1e5", "1E-7", "1e400", "12_34", "inf", "-Infinity", "１２"]
WHOLE = ["9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616"]
LONG = [
    "0.1234567890123456789",
    "123456789012345678901234.5",
    "12345678901234567.89",
    "0000000000000000001.5",
    "1.8e308",
]
WORD = st.one_of(
    st.sampled_from([*TEXTS, *BLANKS, *FIGURES, *WHOLE, *LONG]),
    st.sampled_from(["a", "b", "1", "2"]),
    st.from_regex(r"\A[-+]?[0-9]{1,24}(\.[0-9]{0,24})?\Z"),
    st.floats(allow_nan=False).map(repr),
    st.text('ab1.,"\t\n%$-', max_size=5),
)
NAME = st.sampled_from(["Name", "Year", "A", "a", "A.1", "Start Date", "StartDate", "", "Unnamed: 1", "1", '"q"'])
LINE_END = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\r\r\n"])
FENCE = st.sampled_from(
    ["{}", "```tsv\n{}\n```", "<answer>\n```tsv\n{}```\n</answer>", "```csv\n{}\n```", "```\n{}```x```y```"]
)
STRAY = st.sampled_from(['"', ",", "\t", "\n", "\r", "\0", "\ufeff", "`", "x", "\ud800"])
ENCODING = st.sampled_from(["utf-8"] * 8 + ["gbk", "cp1252", "utf-8-sig", "utf-16"])


def _put_junk_first(rows: Rows) -> None:
    for row in rows:
        row.insert(0, "junk")


MISTAKES: list[Callable[[Rows], object]] = [
    lambda rows: rows[0].append("x"),
    lambda rows: rows[-1].append(""),
    lambda rows: rows[-1].clear(),
    _put_junk_first,
    lambda rows: rows.append(list(rows[0])),
    lambda rows: rows.pop(),
    lambda rows: rows.reverse(),
]
"""What a model or a spreadsheet does to rows."""


@st.composite
def texts(draw: st.DrawFn, rows: Sequence[Sequence[str]], separator: str) -> str:
    """Write rows, quoted on need or not, with a stray sign or two."""
    quote = draw(st.sampled_from(["on need", "always", "never"]))

    def cell(text: str) -> str:
        needed = any(sign in text for sign in ('"', "\n", separator))
        return '"' + text.replace('"', '""') + '"' if quote == "always" or (quote == "on need" and needed) else text

    text = draw(LINE_END).join([*(separator.join(map(cell, row)) for row in rows), ""])
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(STRAY) + text[place:]
    # After a carriage return alone a line that begins with a space can make pandas read without end.
    return re.sub("\r[ \t]+", "\r", text)


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, bytes, str]:
    """Make up an answer type, a truth file and a reply that is more or less right."""
    kind = draw(st.sampled_from(["item", "set", "list", "table", "table", "Table", "rank"]))
    width = draw(st.integers(1, 4 if kind == "table" else 2))
    names = draw(st.lists(NAME, min_size=width, max_size=width))
    rows = draw(st.lists(st.lists(WORD, min_size=width, max_size=width), max_size=6))
    truth = draw(texts([names, *rows] if kind.lower() == "table" else rows, ","))
    found = [list(row) for row in rows]
    for mistake in draw(st.lists(st.sampled_from(MISTAKES), max_size=2)):
        if found:
            mistake(found)
    header = draw(st.sampled_from([names, names, names, names[::-1], [*names, "Note"], names[:-1] or names]))
    reply = draw(FENCE).format(draw(texts([header, *found], "\t")))
    encoding = draw(ENCODING)
    return kind, truth.encode(encoding, "surrogatepass" if encoding.startswith("utf") else "replace"), reply


def here(kind: str, truth: bytes, reply: str) -> dict[str, float] | None:
    """Score a reply; None for a truth that cannot be read."""
    try:
        return judge_as_published(truth_table(truth, kind), prediction_table(reply), kind)
    except AnswerUnreadable:
        return None


def by_pandas(kind: str, truth: bytes, reply: str) -> dict[str, float] | None:
    """The same, by the oracle."""
    try:
        gold = pandas_evaluator.read_file(truth, kind)
    except ValueError:
        return None
    return pandas_evaluator.judge(gold, pandas_evaluator.read_reply(reply), kind)


@settings(max_examples=300)
@given(question=questions())
def test_figures_are_those_of_pandas(question: tuple[str, bytes, str]) -> None:
    assert here(*question) == by_pandas(*question)


@pytest.mark.long
@settings(max_examples=10_000)
@given(question=questions())
def test_figures_of_10_000_questions_are_those_of_pandas(question: tuple[str, bytes, str]) -> None:
    assert here(*question) == by_pandas(*question)
