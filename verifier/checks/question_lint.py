"""Does the question say all that its answer is judged by: columns, order, forms, units. The editor shows the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.answers.alignment import same_header
from verifier.answers.answer_format import AnswerFormat, Column
from verifier.answers.normalization.date import format_words
from verifier.checks.check_result import CheckResult, Finding
from verifier.checks.verdicts import result
from verifier.evidence.folded_text import fold_needle

CHECK, VERSION = "question_lint", "1"

_ORDER = re.compile(
    r"\b(?:sort|order|rank|alphabetic|chronologic|ascending|descending|earliest|latest first|oldest|newest|from .* to)",
    re.IGNORECASE,
)
_MOVING = re.compile(
    r"\b(?:today|currently|current|now|so far|to date|latest|most recent|this (?:year|month|week|season))\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"\b(?:yes|no|true|false)\b", re.IGNORECASE)
SHORT = 20


def check_question(question: str, answer_format: AnswerFormat) -> CheckResult:
    """Run the lint as a check of the pipeline."""
    return result(
        CHECK, VERSION, lint_question(question, answer_format), "the question states how its answer is judged"
    )


def lint_question(question: str, answer_format: AnswerFormat) -> tuple[Finding, ...]:
    """Return what a question leaves open about its answer, the gravest first in each group.

    >>> one = AnswerFormat(type="item", columns=(Column(name="Value", type="text"),))
    >>> [finding.code for finding in lint_question("", one)]
    ['question_empty']
    """
    if not question.strip():
        return (Finding(code="question_empty", message="the question is empty; write it", severity="fail"),)
    return (*_text(question), *_headers(question, answer_format), *_order(question, answer_format),
            *(finding for column in answer_format.columns for finding in _column(question, column)))  # fmt: skip


def _text(question: str) -> Iterator[Finding]:
    if len(question.strip()) < SHORT:
        message = f"the question has {len(question.strip())} characters; say what is asked for and how it is written"
        yield Finding(code="question_short", message=message)
    if moving := _MOVING.search(question):
        message = f"{moving[0]!r} changes its meaning with time; name a date, or make the task live"
        yield Finding(code="moving_date", message=message)


def _headers(question: str, asked: AnswerFormat) -> Iterator[Finding]:
    names = asked.header
    for place, name in enumerate(names):
        if name != name.strip() or not name.strip():
            message = f"the column name {name!r} has outer spaces or is empty"
            yield Finding(code="header_spaces", message=message, severity="fail", column=name)
        if twin := next((other for other in names[:place] if same_header(name, other)), None):
            message = f"the column names {twin!r} and {name!r} are read as the same"
            yield Finding(code="headers_alike", message=message, severity="fail", column=name)
        if asked.type == "table" and fold_needle(name) not in fold_needle(question):
            message = f"the question does not name the column {name!r}; an answer needs its exact name"
            yield Finding(code="column_unnamed", message=message, column=name)
    if asked.type == "table" and not asked.keys:
        message = f"no key columns are declared; rows are matched on {names[0]!r}"
        yield Finding(code="keys_undeclared", message=message, severity="info", column=names[0])


def _order(question: str, asked: AnswerFormat) -> Iterator[Finding]:
    if asked.type not in ("list", "table") or asked.sort == ():
        return
    if not _ORDER.search(question):
        message = "the order of the rows counts, but the question does not state it"
        yield Finding(code="order_unstated", message=message)
    if asked.type == "table" and asked.sort is None:
        message = "no sort keys are declared: the exact order of the stored answer is asked for"
        yield Finding(code="sort_undeclared", message=message)


def _column(question: str, column: Column) -> Iterator[Finding]:
    if column.type == "untyped":
        message = f"{column.name} has no type; 3.10 and 3.1 count as the same there"
        yield Finding(code="type_undeclared", message=message, severity="info", column=column.name)
    if column.type == "date" and not (column.date_format and format_words(column.date_format)):
        message = f"{column.name} is a date without a form; declare one such as YYYY-MM-DD"
        yield Finding(code="date_form_undeclared", message=message, severity="fail", column=column.name)
    elif column.date_format and column.date_format.casefold() not in question.casefold():
        message = f"the question does not state the form {column.date_format} of {column.name}"
        yield Finding(code="date_form_unstated", message=message, column=column.name)
    if column.type == "boolean" and not _YES_NO.search(question):
        message = f"the question does not say how {column.name} is written (Yes or No)"
        yield Finding(code="vocabulary_unstated", message=message, column=column.name)
    if column.unit and column.unit.casefold() not in f"{question} {column.name}".casefold():
        message = f"neither the question nor the header names the unit {column.unit} of {column.name}"
        yield Finding(code="unit_unstated", message=message, column=column.name)
    if column.null_marker and column.null_marker.casefold() not in question.casefold():
        message = f"the question does not say that {column.null_marker!r} stands for no value in {column.name}"
        yield Finding(code="null_unstated", message=message, column=column.name)
