"""A question's row becomes the `Task` that agents, people and scorers read; a form becomes its answer format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from annotator_server.errors import BadInput
from annotator_server.models.questions import Question, QuestionVersion
from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat, AnswerType, Column, ColumnType, SortKey
from verifier.errors import AnswerFormatError
from verifier.tasks import Grading, Task

ANSWER_TYPES: tuple[AnswerType, ...] = get_args(AnswerType)
COLUMN_TYPES: tuple[ColumnType, ...] = get_args(ColumnType)

Collation = Literal["casefold", "codepoint", "number", "date"]

_COLLATIONS: Mapping[str, Collation] = {
    "integer": "number",
    "number": "number",
    "percent": "number",
    "date": "date",
}
"""How a column of a type is ordered; any other type is ordered as text, ignoring case."""


def answer_format(form: Mapping[str, Any]) -> AnswerFormat:
    """Build the answer format from a form. Raises BadInput with the field that keeps it from being one."""
    kind = form.get("type")
    if kind not in ANSWER_TYPES:
        raise BadInput("choose what kind of answer this is", {"type": "Choose item, set, list or table."})
    columns = _columns(kind, form.get("columns", []))
    types = {column.name: column.type for column in columns}
    try:
        return AnswerFormat(
            type=kind,
            columns=columns,
            keys=tuple(str(c["name"]) for c in form.get("columns", []) if c.get("key") and c.get("name")),
            sort=_sort(form, types),
        )
    except AnswerFormatError as error:
        field = "sort" if "sort" in str(error) else "columns"
        raise BadInput(str(error), {field: f"{str(error)[:1].upper()}{str(error)[1:]}."}) from error


def task_record(question: Question, version: QuestionVersion) -> Task:
    """Build the task as agents and scorers see it. Raises BadInput for a draft whose answer format is unfinished."""
    source = {"seed_url": version.seed_url, "seed_quote": version.seed_quote}
    return Task(
        task_id=question.public_id,
        version=version.version,
        kind="structured",
        question=version.text,
        grading=Grading(method="answer_score"),
        language=version.language,
        topic=version.topic,
        temporal="live" if version.temporal == "live" else "stable",
        cadence_days=version.cadence_days,
        answer_format=answer_format(version.form),
        source={name: value for name, value in source.items() if value},
    )


def _columns(kind: AnswerType, typed: list[Mapping[str, Any]]) -> tuple[Column, ...]:
    named = [column for column in typed if column.get("name")]
    if not named and kind != "table":
        named = [{"name": DEFAULT_HEADERS[kind], **(typed[0] if typed else {})} | {"name": DEFAULT_HEADERS[kind]}]
    return tuple(_column(column) for column in named)


def _column(typed: Mapping[str, Any]) -> Column:
    kind = typed.get("type") or "untyped"
    if kind not in COLUMN_TYPES:
        raise BadInput(f"there is no column type {kind!r}", {"columns": f"There is no column type {kind!r}."})
    return Column(
        name=str(typed["name"]),
        type=kind,
        date_format=typed.get("date_format") or None,
        unit=typed.get("unit") or None,
        null_marker=str(typed.get("null_marker") or ""),
    )


def _sort(form: Mapping[str, Any], types: Mapping[str, str]) -> tuple[SortKey, ...] | None:
    # An item or a set has no order; a list's rows stand as the question asks unless a key says how.
    if form["type"] in ("item", "set"):
        return ()
    keys = [key for key in form.get("sort", []) if key.get("column")]
    if not keys:
        return None if form["type"] == "list" or form.get("order") == "as_asked" else ()
    return tuple(
        SortKey(
            column=str(key["column"]),
            direction="descending" if key.get("direction") == "descending" else "ascending",
            collation=_COLLATIONS.get(types.get(key["column"], ""), "casefold"),
        )
        for key in keys
    )
