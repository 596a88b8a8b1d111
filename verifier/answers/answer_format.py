"""What shape an answer must have: its type, columns, keys and order. One record for people, lint and scorer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from verifier.answers.columns import Column, ColumnType
from verifier.answers.normalization.normalise import alias_conflict
from verifier.answers.normalization.tolerance import tolerance_of
from verifier.errors import AnswerFormatError

__all__ = ["DEFAULT_HEADERS", "AnswerFormat", "AnswerType", "Column", "ColumnType", "SortKey"]

AnswerType = Literal["item", "set", "list", "table"]

DEFAULT_HEADERS: dict[AnswerType, str] = {"item": "Value", "set": "Item", "list": "Item"}
"""The header an item, set or list answer gets where the task names none (GISA, prompt contract)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SortKey:
    """A column the rows are ordered by. `collation`: casefold (text), number, date, or codepoint."""

    column: str
    direction: Literal["ascending", "descending"] = "ascending"
    collation: Literal["casefold", "codepoint", "number", "date"] = "casefold"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFormat:
    """The answer format of a task.

    `sort=()` lets rows stand in any order; `sort=None` asks for the order of the gold answer. Sets ignore it.
    `keys` are the columns that identify a row; empty means the first column.
    """

    type: AnswerType
    columns: tuple[Column, ...]
    keys: tuple[str, ...] = ()
    sort: tuple[SortKey, ...] | None = None

    def __post_init__(self) -> None:
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
            if column.aliases and (conflict := alias_conflict(column)):
                raise AnswerFormatError(f"column {column.name!r}: {conflict}")
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
