"""A column of an answer: its header and what its cells may say. Normalising stands on it, and so does the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from verifier.errors import AnswerFormatError

ColumnType = Literal["text", "integer", "number", "percent", "date", "boolean", "url", "untyped"]
COLUMN_TYPES: tuple[str, ...] = get_args(ColumnType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of an answer. `date_format` in the words of the question (YYYY-MM-DD); `null_marker` means no value.

    Raises AnswerFormatError for a type nobody knows and for aliases of another shape.
    """

    name: str
    type: ColumnType = "untyped"
    date_format: str | None = None
    unit: str | None = None
    null_marker: str = ""
    tolerance: str | None = None
    """How far a number may be off, as a decimal text; only where the question states one."""
    aliases: tuple[tuple[str, ...], ...] = ()
    """Accepted spellings: each inner tuple is a value, then other spellings that count as it."""

    def __post_init__(self) -> None:
        if self.type not in COLUMN_TYPES:
            raise AnswerFormatError(
                f"the type of column {self.name!r} is {self.type!r}; expected one of {', '.join(COLUMN_TYPES)}"
            )
        if not isinstance(self.aliases, tuple) or not all(isinstance(group, tuple) for group in self.aliases):
            raise AnswerFormatError(
                f"the aliases of column {self.name!r} are {self.aliases!r}; expected a tuple of tuples, each a value "
                'and then its other spellings: (("Netherlands", "Holland"),)'
            )
