"""Replies of any size are read in time and memory that grow with their length, and no further than the limits say."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping

import pytest

from tests.verifier.builders import one_column, reply, table
from verifier.answers.csv_files import read_answer_csv
from verifier.answers.parsing import parse_reply
from verifier.answers.written_cells import MAX_COLUMNS, MAX_ROWS
from verifier.errors import AnswerUnreadable

SET, PEOPLE = one_column("set"), table(["Name", "Year"])

HUGE: Mapping[str, Callable[[int], str]] = {
    "no line end": lambda size: "x" * size,
    "only line ends": lambda size: "\n" * size,
    "only spaces": lambda size: " " * size,
    "only fences": lambda size: "```tsv\n" * (size // 7),
    "fences in a line": lambda size: "``` " * (size // 4),
    "only ticks": lambda size: "`" * size,
    "only tags": lambda size: "<answer>" * (size // 8),
    "only thoughts": lambda size: "<think>" * (size // 7),
    "thoughts in between": lambda size: "a\n<think>b</think>" * (size // 18),
    "closed thoughts": lambda size: "<think>a</think>" * (size // 16),
    "only pairs": lambda size: "<answer>x</answer>" * (size // 18),
    "deep nesting": lambda size: "<answer>" * (size // 17) + "x" + "</answer>" * (size // 17),
    "only quotes": lambda size: '"' * size,
    "only tabs": lambda size: "\t" * size,
    "quotes and tabs": lambda size: reply('"\t' * (size // 2)),
    "open quotes": lambda size: reply("Name\tYear\n" + '"a\n' * (size // 3)),
    "many rows": lambda size: reply("Name\tYear\n" + "a\tb\n" * (size // 4)),
    "one cell": lambda size: reply("Item\n" + "word " * (size // 5)),
    "only pipes": lambda size: "|a|b|\n" * (size // 6),
    "only commas": lambda size: "," * size,
    "open JSON": lambda size: "[" * size,
    "HTML rows": lambda size: "<table>" + "<tr><td>a<td>b" * (size // 14),
    "HTML tables": lambda size: "<table><tr><td>x</table>" * (size // 24),
    "deep HTML": lambda size: "<table><tr><td>" * (size // 15),
    "wide HTML": lambda size: "<table><tr>" + "<td rowspan=999999 colspan=1000>x<tr>" * (size // 36),
    "open HTML": lambda size: "<table " * (size // 7),
    "zero bytes": lambda size: "\0" * size,
    "lone surrogates": lambda size: "\ud800" * size,
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_large_reply_is_read_at_once(kind: str) -> None:
    text = HUGE[kind](200_000)
    start = time.process_time()
    for asked in (SET, PEOPLE):
        parse_reply(text, asked)
        try:
            read_answer_csv(text.encode("utf-8", "surrogatepass"), asked)
        except AnswerUnreadable:
            continue
    assert time.process_time() - start < 8


def test_rows_beyond_the_limit_are_left_out_and_named() -> None:
    parsed = parse_reply(reply("Item\n" + "a\n" * (MAX_ROWS + 5)), SET)
    assert len(parsed.rows) == MAX_ROWS - 1
    assert "oversized" in parsed.faults


def test_columns_beyond_the_limit_are_left_out_and_named() -> None:
    parsed = read_answer_csv(b"Name,Year\nA,2000" + b",x" * MAX_COLUMNS + b"\n", PEOPLE)
    assert len(parsed.rows[0]) == MAX_COLUMNS
    assert "oversized" in parsed.faults


def test_one_huge_cell_stays_one_cell() -> None:
    assert parse_reply(reply("Item\n" + "word " * 200_000), SET).rows == (("word " * 199_999 + "word",),)


def test_a_cell_of_html_over_more_rows_than_there_are_makes_no_rows() -> None:
    text = "<table><tr><td>Name<td>Year<tr><td rowspan=999999>A<td colspan=999999>2000<tr><td>1</table>"
    assert [row[:2] for row in parse_reply(text, PEOPLE).rows] == [("A", "2000"), ("A", "1")]


@pytest.mark.parametrize(
    "cell", ["<!--", "a\0", "\ud800", "&#0;", "<html><body></table><table>", "<svg><title>", "<tr"]
)
def test_no_html_makes_a_score_stop(cell: str) -> None:
    parsed = parse_reply(f"<table><tr><td>Item<tr><td>{cell}</table>", SET)
    assert "html_table" in parsed.faults


_IN_A_PROCESS = """
import resource, sys
from tests.verifier.answers.test_huge_replies import HUGE, PEOPLE
from verifier.answers.parsing import parse_reply
text = HUGE[sys.argv[1]](int(sys.argv[2]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
parse_reply(text, PEOPLE)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / sys.getsizeof(text))
"""


@pytest.mark.long
@pytest.mark.parametrize("kind", HUGE)
def test_a_hundred_megabytes_take_bounded_memory(kind: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS, kind, "100000000"], capture_output=True, text=True, check=True
    )
    assert float(run.stdout) < 8


@pytest.mark.long
@pytest.mark.parametrize("kind", HUGE)
def test_time_grows_with_the_length(kind: str) -> None:
    def seconds(size: int) -> float:
        text = HUGE[kind](size)
        taken = []
        for _ in range(3):
            start = time.process_time()
            parse_reply(text, PEOPLE)
            taken.append(time.process_time() - start)
        return min(taken)

    assert seconds(8_000_000) < 3.5 * seconds(4_000_000) + 0.1
