"""A draft of an answer in; how it is understood and what the scorer will object to out. Nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from annotator_server.errors import BadInput
from annotator_server.workflow.answer_reading import ReadAnswer, read_answer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.normalization.normalise import normalise
from verifier.checks.answer_shape import check_answer_shape
from verifier.checks.check_result import Finding
from verifier.scoring.row_order import READINGS

MOST_FINDINGS = 500

UNSORTED = frozenset({"sort_order"})


class LintedAnswer(NamedTuple):
    """A draft as it was understood. `order` is the rows' places in the order asked for, None where they stand in it."""

    read: ReadAnswer
    findings: tuple[Finding, ...]
    order: tuple[int, ...] | None

    def to_json(self) -> dict[str, Any]:
        """Return what the panel shows."""
        return {
            "header": self.read.header,
            "rows": self.read.rows,
            "refusals": self.read.refusals,
            "notices": self.read.notices,
            "findings": [
                {"code": one.code, "message": one.message, "severity": one.severity, "row": one.row,
                 "column": one.column}
                for one in self.findings[:MOST_FINDINGS]
            ],
            "more": max(0, len(self.findings) - MOST_FINDINGS),
            "order": self.order,
        }  # fmt: skip


def lint_answer(data: bytes, asked: AnswerFormat) -> LintedAnswer:
    """Lint a draft by the rules the verifier applies later. An empty one has no findings yet.

    >>> from verifier.answers.answer_format import Column
    >>> found = lint_answer(b"x", AnswerFormat(type="item", columns=(Column(name="Value", type="integer"),)))
    >>> [one.code for one in found.findings]
    ['type']
    """
    if not data.strip():
        return LintedAnswer(ReadAnswer(asked.header, (), (), ()), (), None)
    try:
        read = read_answer(data, asked)
    except BadInput as error:
        return LintedAnswer(ReadAnswer((), (), (str(error),), ()), (), None)
    if read.refusals:
        return LintedAnswer(read, (), None)
    findings = check_answer_shape(read.header, read.rows, asked).findings
    is_unsorted = any(one.code in UNSORTED for one in findings)
    return LintedAnswer(read, findings, sorted_places(read.rows, asked) if is_unsorted else None)


def sorted_places(rows: Sequence[Sequence[str]], asked: AnswerFormat) -> tuple[int, ...] | None:
    """Return the places of the rows in the order asked for; rows that tie keep theirs, blanks come last.

    None when no order is asked for, or when a cell cannot be read as the order needs it.

    >>> from verifier.answers.answer_format import Column, SortKey
    >>> asked = AnswerFormat(type="table", columns=(Column(name="A"),), sort=(SortKey(column="A"),))
    >>> sorted_places([["b"], ["A"], [""]], asked)
    (1, 0, 2)
    """
    places: list[int] = list(range(len(rows)))
    for key in reversed(asked.sort or ()):
        at = asked.header.index(key.column)
        column = asked.columns[at]
        read = READINGS[key.collation][0]
        values = [read(row[at], column) if normalise(row[at], column) else "" for row in rows]
        if any(value is None for value in values):
            return None
        known = [place for place in places if values[place] != ""]
        known.sort(key=lambda place: values[place], reverse=key.direction == "descending")
        places = known + [place for place in places if values[place] == ""]
    return tuple(places) if asked.sort else None
