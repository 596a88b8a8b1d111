"""The bytes of a question file come in, one record a question goes out; what is wrong is named with its line.

One JSON object a line, as published: `id`, `answer_type`, and where known `question_type` (stable or live) and `topic`.
Beside these a row may carry `schema` or a whole `answer_format`, and `truth_encoding`. Everything else, the question
itself included, is left out: a run of many questions stays small.
"""

from __future__ import annotations

import codecs
import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from browser_capture.errors import RecordError
from verifier.answers.answer_format import AnswerFormat, AnswerType
from verifier.errors import AnswerFormatError, QuestionsUnreadable
from verifier.scoring.answer_schema import COLUMN_MEMBERS, NO_SCHEMA, SCHEMA_MEMBERS, AnswerSchema, read_schema

ANSWER_TYPES: tuple[str, ...] = get_args(AnswerType)
_SHOWN_PROBLEMS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """What scoring needs of a question. `answer_type` stands as it was written; `kind` is what it means."""

    question_id: str
    answer_type: str
    temporal: str = ""
    topic: str = ""
    schema: AnswerSchema = NO_SCHEMA
    answer_format: AnswerFormat | None = None
    truth_encoding: str | None = None

    @property
    def kind(self) -> str:
        """The answer type without case; it may be one that nobody knows."""
        return self.answer_type.lower()


def read_questions(data: bytes) -> tuple[QuestionRow, ...]:
    """Read a question file, in its order. An unknown `answer_type` is kept: that question alone cannot be scored.

    Raises QuestionsUnreadable with the first problems and their lines: no JSON object, no or a second `id`, no
    `answer_type`, a schema that says nothing we know, what belongs into the schema beside it.

    >>> read_questions(b'{"id": 7, "answer_type": "Item"}')[0].question_id
    '7'
    """
    rows: list[QuestionRow] = []
    problems: list[str] = []
    lines: dict[str, int] = {}
    for number, line in _lines(data):
        try:
            row = _row(_object(line))
        except (QuestionsUnreadable, AnswerFormatError) as error:
            problems.append(f"line {number}: {error}")
            continue
        if row is None:
            continue
        first = lines.setdefault(id_key(row.question_id), number)
        if first != number:
            problems.append(
                f"line {number}: the id {row.question_id!r} stands in line {first} already; ids must differ"
            )
        rows.append(row)
    if problems:
        more = len(problems) - _SHOWN_PROBLEMS
        shown = "; ".join(problems[:_SHOWN_PROBLEMS])
        raise QuestionsUnreadable(shown + (f"; and {more} more lines" if more > 0 else ""))
    if not rows:
        raise QuestionsUnreadable(
            'there is no question; one line a question is expected: {"id": 1, "answer_type": ...}'
        )
    return tuple(rows)


def id_key(text: str) -> str:
    """Return what an id is compared by: some file systems spell accents in two signs where the id has one.

    >>> id_key("e\\u0301") == id_key("\\u00e9")
    True
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    # Only a line feed ends a line: JSON texts may hold the other line ends of Unicode as they are.
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        place = data[: error.start].count(b"\n") + 1
        raise QuestionsUnreadable(
            f"line {place} is not UTF-8: byte {data[error.start]:#04x}; save the file as UTF-8"
        ) from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except RecursionError:
        raise QuestionsUnreadable("the JSON is nested too deeply") from None
    except ValueError as error:
        hint = "; write one JSON object a line" if line.strip() in ("[", "{") else ""
        # The line is named outside; that of the JSON alone is always 1.
        what = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise QuestionsUnreadable(f"no JSON: {what}{hint}") from error
    if not isinstance(data, dict):
        raise QuestionsUnreadable(f"found {_kind_of(data)}; one JSON object a line is expected")
    return data


def _row(data: dict[str, Any]) -> QuestionRow | None:
    if "canary" in data and not data.keys() & {"id", "answer_type"}:
        return None  # The line that tells a training set what it swallowed.
    _refuse_mistyped(data)
    answer_format = _answer_format(data.get("answer_format"))
    kind = data.get("answer_type", None if answer_format is None else answer_format.type)
    if not isinstance(kind, str) or not kind.strip():
        raise QuestionsUnreadable(f"answer_type is {_kind_of(kind)}; expected one of {', '.join(ANSWER_TYPES)}")
    if answer_format is not None and kind.strip().lower() != answer_format.type:
        raise QuestionsUnreadable(f"answer_type is {kind!r}, but answer_format says {answer_format.type!r}")
    return QuestionRow(
        question_id=_id(data.get("id")),
        answer_type=kind.strip(),
        # Compared without case, like answer types: Live and live are one group.
        temporal=_word(data.get("question_type")).lower(),
        topic=_word(data.get("topic")),
        schema=NO_SCHEMA if data.get("schema") is None else read_schema(data["schema"]),
        answer_format=answer_format,
        truth_encoding=_encoding(data.get("truth_encoding")),
    )


def _refuse_mistyped(data: dict[str, Any]) -> None:
    # A row may hold members that are not ours; one that is nearly ours would silently change the score.
    for name, value in data.items():
        if name in _DECISIVE:
            continue
        if name.lower() in SCHEMA_MEMBERS and isinstance(value, str | list | dict):
            raise QuestionsUnreadable(
                f"found the member {name!r} in the row itself; expected it in the schema: "
                f'{{"schema": {{"{name.lower()}": ...}}}}; move it there, or rename it if it is meant for others'
            )
        if name.lower() in COLUMN_MEMBERS:
            example = f'{{"schema": {{"types": {{COLUMN: {{"type": ..., "{name.lower()}": ...}}}}}}}}'
            raise QuestionsUnreadable(
                f"found the member {name!r} in the row itself; expected it at its column in the schema: {example}; "
                "`*` stands for every column. Rename it if it is meant for others"
            )
        if meant := get_close_matches(name.lower().replace("-", "_"), _DECISIVE - data.keys(), 1, 0.8):
            raise QuestionsUnreadable(f"found the member {name!r}; expected {meant[0]!r}")


_DECISIVE = {"schema", "answer_format", "truth_encoding"}
"""Members that may be left out and change a score; those that must be there are missed anyway."""


def _id(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise QuestionsUnreadable(f"the id is {_kind_of(value)}; a text or a whole number is expected")
    if "\0" in value or any(0xD800 <= ord(sign) <= 0xDFFF for sign in value):
        raise QuestionsUnreadable(f"the id {value!r} holds a character that no file name can have")
    return value


def _word(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _encoding(value: Any) -> str | None:
    if value is None:
        return None
    try:
        "a".encode(value)
    except (LookupError, TypeError, ValueError):
        raise QuestionsUnreadable(f"no encoding is called {value!r}; say for example cp1252 or gb18030") from None
    assert isinstance(value, str)  # noqa: S101 - nothing else names an encoding
    return value


def _answer_format(data: Any) -> AnswerFormat | None:
    if data is None:
        return None
    # Checked as a member of the task record that it is; jsonschema is slow to load and most files need none of it.
    from browser_capture.json_records import from_json
    from verifier.tasks import Task

    around = {"schema": Task.SCHEMA, "task_id": "", "version": 1, "kind": "structured", "question": ""}
    try:
        task = from_json(Task, {**around, "grading": {"method": "answer_score"}, "answer_format": data})
    except RecordError as error:
        raise QuestionsUnreadable(str(error)) from error
    return task.answer_format


def _kind_of(value: Any) -> str:
    for kind, name in _KINDS.items():
        if isinstance(value, kind):
            return name
    return "missing" if value is None else "a number"


_KINDS: dict[type, str] = {bool: "true or false", str: "an empty text", list: "a list", dict: "an object"}
