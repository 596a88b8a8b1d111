"""Is the answer in the shape the question asks for: header, types, order with tie-breaks, duplicates, blanks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.answers.normalization.normalise import misfit, normalise
from verifier.checks.check_result import CheckResult, Finding
from verifier.checks.verdicts import count, result
from verifier.scoring.row_order import READINGS

CHECK, VERSION = "answer_shape", "1"

Rows = Sequence[Sequence[str]]


def check_answer_shape(header: Sequence[str], rows: Rows, answer_format: AnswerFormat) -> CheckResult:
    """Check an answer as handed in. An empty header means the format's own."""
    findings = [*_header(header, answer_format), *_size(rows, answer_format)]
    if not any(finding.severity == "fail" for finding in findings):
        ordered = _ordered(header, rows, answer_format)
        findings += _widths(rows, answer_format)
        findings += _cells(ordered, answer_format)
        findings += _duplicates(ordered, answer_format)
        findings += _order(ordered, answer_format)
    blanks = sum(finding.code == "blank" for finding in findings)
    figures = {
        "rows": float(len(rows)),
        "cells": float(len(rows) * len(answer_format.columns)),
        "blanks": float(blanks),
    }
    return result(
        CHECK, VERSION, findings, f"{count(len(rows), 'row', 'rows')} in the shape the question asks for", figures
    )


def _header(header: Sequence[str], asked: AnswerFormat) -> Iterator[Finding]:
    if not header or tuple(header) == asked.header:
        return
    if sorted(header) == sorted(asked.header):
        message = f"the columns stand in the order {list(header)}, expected {list(asked.header)}"
        yield Finding(code="column_order", message=message, severity="warn")
    else:
        message = f"the header is {list(header)}, expected {list(asked.header)}"
        yield Finding(code="header", message=message, severity="fail")


def _size(rows: Rows, asked: AnswerFormat) -> Iterator[Finding]:
    if not rows:
        yield Finding(code="empty", message="the answer has no rows", severity="fail")
    elif asked.type == "item" and len(rows) != 1:
        message = f"an item answer is one value, found {len(rows)} rows"
        yield Finding(code="not_one_item", message=message, severity="fail")


def _widths(rows: Rows, asked: AnswerFormat) -> Iterator[Finding]:
    for place, row in enumerate(rows):
        if len(row) != len(asked.columns):
            message = f"row {place + 1} has {len(row)} cells, expected {len(asked.columns)}"
            yield Finding(code="ragged_row", message=message, severity="fail", row=place)


def _ordered(header: Sequence[str], rows: Rows, asked: AnswerFormat) -> list[tuple[str, ...]]:
    places = [(header or asked.header).index(name) for name in asked.header]
    return [tuple(row[place] if place < len(row) else "" for place in places) for row in rows]


def _cells(rows: Rows, asked: AnswerFormat) -> Iterator[Finding]:
    keys = set(asked.key_columns)
    for place, row in enumerate(rows):
        for cell, column in zip(row, asked.columns, strict=True):
            where: dict[str, Any] = {"row": place, "column": column.name}
            if not normalise(cell, column):
                grave = column.name in keys
                message = f"row {place + 1} has no {column.name}"
                yield Finding(code="blank", message=message, severity="fail" if grave else "info", **where)
            elif reason := misfit(cell, column):
                yield Finding(code="type", message=f"row {place + 1}: {reason}", severity="fail", **where)
    yield from _mixed_words(rows, asked)


def _mixed_words(rows: Rows, asked: AnswerFormat) -> Iterator[Finding]:
    for place, column in enumerate(asked.columns):
        if column.type != "boolean":
            continue
        words = {row[place] for row in rows if normalise(row[place], column)}
        if len(words) > len({normalise(word, column) for word in words}):
            message = f"{column.name} says the same thing in several words: {sorted(words)}"
            yield Finding(code="mixed_vocabulary", message=message, column=column.name)


def _duplicates(rows: Rows, asked: AnswerFormat) -> Iterator[Finding]:
    canonical = [tuple(map(normalise, row, asked.columns)) for row in rows]
    seen = Counter[tuple[str, ...]]()
    keys = [asked.header.index(name) for name in asked.key_columns]
    seen_keys = Counter[tuple[str, ...]]()
    for place, row in enumerate(canonical):
        key = tuple(row[at] for at in keys)
        if seen[row] and asked.type != "list":
            message = f"row {place + 1} repeats an earlier row: {list(rows[place])}"
            yield Finding(code="duplicate_row", message=message, severity="warn", row=place)
        elif seen[row]:
            message = f"row {place + 1} repeats an earlier element; a list may do so"
            yield Finding(code="duplicate_row", message=message, severity="info", row=place)
        elif seen_keys[key]:
            message = f"row {place + 1} has the same {', '.join(asked.key_columns)} as an earlier row"
            yield Finding(code="duplicate_key", message=message, severity="warn", row=place)
        seen[row] += 1
        seen_keys[key] += 1


def _order(rows: Rows, asked: AnswerFormat) -> Iterator[Finding]:
    if asked.type not in ("list", "table"):
        return
    keys = asked.sort or ()
    for place in range(1, len(rows)):
        broken = _broken_key(rows[place - 1], rows[place], keys, asked)
        if broken is not None:
            cells = [row[asked.header.index(broken.column)] for row in rows[place - 1 : place + 1]]
            message = f"row {place + 1} is out of order: {cells[1]!r} after {cells[0]!r} in {broken.column}"
            yield Finding(code="sort_order", message=message, severity="fail", row=place, column=broken.column)
        elif keys and all(_same(rows[place - 1], rows[place], key, asked) for key in keys):
            message = f"rows {place} and {place + 1} tie on all sort keys; add a key that decides"
            yield Finding(code="sort_tie", message=message, severity="warn", row=place)


def _broken_key(
    one: Sequence[str], other: Sequence[str], keys: Sequence[SortKey], asked: AnswerFormat
) -> SortKey | None:
    for key in keys:
        if _same(one, other, key, asked):
            continue
        column = _column(asked, key)
        first, second = (row[asked.header.index(key.column)] for row in (one, other))
        return key if _falls(first, second, key, column) else None
    return None


def _same(one: Sequence[str], other: Sequence[str], key: SortKey, asked: AnswerFormat) -> bool:
    column = _column(asked, key)
    place = asked.header.index(key.column)
    return normalise(one[place], column) == normalise(other[place], column)


def _column(asked: AnswerFormat, key: SortKey) -> Column:
    return asked.columns[asked.header.index(key.column)]


def _falls(first: str, second: str, key: SortKey, column: Column) -> bool:
    """Tell whether two cells stand against the key's direction in every reading of the collation."""
    if key.direction == "descending":
        first, second = second, first
    pairs = [(read(first, column), read(second, column)) for read in READINGS[key.collation]]
    # A blank, or a cell of another type, has no place in the order; the type finding names it.
    return all(one is not None and other is not None and one > other for one, other in pairs)
