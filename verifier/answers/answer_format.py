"""What shape an answer must have: its type, columns, keys and order. One record for people, lint and scorer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from verifier.answers.columns import Column, ColumnType
from verifier.answers.normalization.date import is_date_format
from verifier.answers.normalization.normalise import alias_conflict
from verifier.answers.normalization.tolerance import tolerance_of
from verifier.errors import AnswerFormatError

__all__ = ["DEFAULT_HEADERS", "AnswerFormat", "AnswerType", "Column", "ColumnType", "SortKey"]

AnswerType = Literal["item", "set", "list", "table"]

DEFAULT_HEADERS: dict[AnswerType, str] = {"item": "Value", "set": "Item", "list": "Item"}
"""The header an item, set or list answer gets where the task names none (GISA, prompt contract)."""

WITH_TOLERANCE: tuple[ColumnType, ...] = ("integer", "number", "percent", "untyped")
"""Types whose numbers may be off. Of a date no unit is stated, and a text has no distance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SortKey:
    """A column the rows are ordered by. `collation`: casefold (text), number, date, or codepoint.

    Raises AnswerFormatError for a direction or collation nobody knows.
    """

    column: str
    direction: Literal["ascending", "descending"] = "ascending"
    collation: Literal["casefold", "codepoint", "number", "date"] = "casefold"

    def __post_init__(self) -> None:
        for member, known in _SORT_WORDS.items():
            if (value := getattr(self, member)) not in known:
                raise AnswerFormatError(
                    f"the {member} of the sort key {self.column!r} is {value!r}; expected one of {', '.join(known)}"
                )


_SORT_WORDS = {
    "direction": ("ascending", "descending"),
    "collation": ("casefold", "codepoint", "number", "date"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFormat:
    """The answer format of a task.

    `sort=()` lets rows stand in any order; `sort=None` asks for the order of the gold answer. Sets ignore it.
    `keys` are the columns that identify a row; empty means the first column.
    Raises AnswerFormatError when it contradicts itself or says what nobody knows.
    """

    type: AnswerType
    columns: tuple[Column, ...]
    keys: tuple[str, ...] = ()
    sort: tuple[SortKey, ...] | None = None

    def __post_init__(self) -> None:
        if self.type not in get_args(AnswerType):
            raise AnswerFormatError(
                f"the answer type is {self.type!r}; expected one of {', '.join(get_args(AnswerType))}"
            )
        for member, kind in (("columns", Column), ("keys", str), ("sort", SortKey)):
            _refuse_others(member, getattr(self, member), kind)
        names = [column.name for column in self.columns]
        if not names:
            raise AnswerFormatError("an answer needs at least one column; add one")
        if self.type != "table" and len(names) != 1:
            raise AnswerFormatError(
                f"an answer of type {self.type} has exactly one column, found {len(names)}: {names}"
            )
        if len(set(names)) != len(names):
            raise AnswerFormatError(f"column names must differ, found {names}")
        named = [*self.keys, *(key.column for key in self.sort or ())]
        if unknown := [name for name in named if name not in names]:
            raise AnswerFormatError(f"key or sort column {unknown[0]!r} is not among the columns {names}")
        for column in self.columns:
            if column.type == "date" and column.date_format and not is_date_format(column.date_format):
                raise AnswerFormatError(
                    f"the date_format of column {column.name!r} is {column.date_format!r}; {DATE_FORMATS}"
                )
            if column.aliases and (conflict := alias_conflict(column)):
                raise AnswerFormatError(f"column {column.name!r}: {conflict}")
            if column.tolerance is not None and column.type not in WITH_TOLERANCE:
                raise AnswerFormatError(
                    f"column {column.name!r} is of type {column.type} and has a tolerance; only a number may be off: "
                    f"leave it out, or declare the column one of {', '.join(WITH_TOLERANCE)}"
                )
            if column.tolerance is not None and tolerance_of(column) is None:
                raise AnswerFormatError(f"the tolerance of column {column.name!r} is no amount: {column.tolerance!r}")

    @property
    def header(self) -> tuple[str, ...]:
        """The exact header row."""
        return tuple(column.name for column in self.columns)

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that identify a row: the declared keys, else the first column."""
        return self.keys or self.header[:1]


DATE_FORMATS = (
    "expected are the words YYYY, YY, Month, Mon, MM, M, DD, D, each part once, such as YYYY-MM-DD or D Month YYYY"
)
"""What a date format may say, for messages."""


def _refuse_others(member: str, value: Any, kind: type) -> None:
    if value is None and member == "sort":
        return
    if not isinstance(value, tuple):
        raise AnswerFormatError(f"{member} is {value!r}; expected a tuple of {kind.__name__}, such as ({_LIKE[kind]},)")
    for one in value:
        if not isinstance(one, kind):
            raise AnswerFormatError(f"{member} holds {one!r}; expected a {kind.__name__}, such as {_LIKE[kind]}")


_LIKE: dict[type, str] = {Column: 'Column(name="Year")', str: '"Year"', SortKey: 'SortKey(column="Year")'}
