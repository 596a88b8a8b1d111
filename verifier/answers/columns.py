"""A column of an answer: its header and what its cells may say. Normalising stands on it, and so does the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ColumnType = Literal["text", "integer", "number", "percent", "date", "boolean", "url", "untyped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of an answer. `date_format` in the words of the question (YYYY-MM-DD); `null_marker` means no value."""

    name: str
    type: ColumnType = "untyped"
    date_format: str | None = None
    unit: str | None = None
    null_marker: str = ""
    tolerance: str | None = None
    """How far a number may be off, as a decimal text; only where the question states one."""
    aliases: tuple[tuple[str, ...], ...] = ()
    """Accepted spellings: each inner tuple is a value, then other spellings that count as it."""
