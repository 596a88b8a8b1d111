"""A cell and its column in, canonical text out: two cells are equal when their canonical texts are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from verifier.answers.columns import Column, ColumnType
from verifier.answers.normalization.boolean import canonical_boolean
from verifier.answers.normalization.date import canonical_date
from verifier.answers.normalization.number import canonical_number, read_number
from verifier.answers.normalization.rules import fold
from verifier.answers.normalization.text import canonical_text
from verifier.answers.normalization.untyped import canonical_untyped
from verifier.answers.normalization.url import canonical_url

_BLANKS = frozenset({"", "-", "n/a"})
"""No value, in every column. `NA`, `None` and `null` are words of their own where a text may stand."""

_TYPED_BLANKS = _BLANKS | {"na", "none", "null", "nan"}
"""No value in columns where none of these can be one."""

_BY_TYPE: Mapping[ColumnType, Callable[[str, Column], str | None]] = {
    "text": canonical_text,
    "integer": canonical_number,
    "number": canonical_number,
    "percent": canonical_number,
    "date": lambda folded, column: canonical_date(folded, column.date_format),
    "boolean": lambda folded, column: canonical_boolean(folded),
    "url": lambda folded, column: canonical_url(folded),
    "untyped": canonical_untyped,
}


_MEMO_CELLS, _MEMO_LENGTH = 16384, 128
"""How many cells a column remembers, and how long a remembered cell may be."""


def normalise(cell: str, column: Column) -> str:
    """Return the canonical text of a cell; "" when it holds no value. A cell that misses its type stays text.

    >>> normalise("$1,000", Column(name="Price", type="number")), normalise("n/a", Column(name="Price"))
    ('1000', '')
    """
    return normaliser(column)(cell)


@lru_cache(maxsize=256)
def normaliser(column: Column) -> Callable[[str], str]:
    """Return the function that normalises the cells of a column. It remembers cells, so map it over a whole column.

    >>> list(map(normaliser(Column(name="Price")), ["$1,000", "1000"]))
    ['1000', '1000']
    """
    return _memo(_behaviour(column)).__getitem__


def alias_conflict(column: Column) -> str | None:
    """Say which spelling of a column's aliases names two values, or no value; None when each names one.

    >>> alias_conflict(Column(name="City", aliases=(("Bonn", "B"), ("Berlin", "b"))))
    "the spelling 'b' names two values: 'Bonn' and 'Berlin'"
    """
    plain = replace(column, aliases=())
    values: dict[str, str] = {}
    for spellings in column.aliases:
        if not spellings:
            return "a value of the aliases is missing; write the value, then its other spellings"
        value = normalise(spellings[0], plain)
        for spelling in spellings:
            canonical = normalise(spelling, plain)
            if not canonical and value:
                return f"the spelling {spelling!r} of {spellings[0]!r} means no value"
            if normalise(values.setdefault(canonical, spellings[0]), plain) != value:
                return f"the spelling {spelling!r} names two values: {values[canonical]!r} and {spellings[0]!r}"
    return None


class _Memo(dict[str, str]):
    """The cells of a column seen so far; a look-up that hits is one step of the dict, without Python code."""

    def __init__(self, column: Column) -> None:
        super().__init__()
        self._column = column
        plain = replace(column, aliases=())
        self._aliases = {
            _canonical(spelling, plain): _canonical(spellings[0], plain)
            for spellings in column.aliases
            for spelling in spellings
        }

    def __missing__(self, cell: str) -> str:
        canonical = _canonical(cell, self._column)
        canonical = self._aliases.get(canonical, canonical)
        if len(cell) <= _MEMO_LENGTH:
            if len(self) >= _MEMO_CELLS:
                self.clear()
            self[cell] = canonical
        return canonical


def _behaviour(column: Column) -> Column:
    # Columns that normalise alike share a memory: of the name only its percent sign matters.
    return replace(column, name="%" if "%" in column.name else "", tolerance=None)


@lru_cache(maxsize=32)
def _memo(behaviour: Column) -> _Memo:
    return _Memo(behaviour)


def _canonical(cell: str, column: Column) -> str:
    while True:
        # Taking spaces away can complete another rule's pattern: repeated, so that canonical text is its own.
        canonical = _once(cell, column)
        if canonical == cell:
            return canonical
        cell = canonical


def _once(cell: str, column: Column) -> str:
    folded = fold(cell)
    if is_blank(folded, column):
        return ""
    typed = _typed(cell, folded, column)
    return canonical_text(folded) if typed is None else typed


def _typed(cell: str, folded: str, column: Column) -> str | None:
    # An address is read as it stands: folding would take its quotes and links apart.
    return canonical_url(cell) if column.type == "url" else _BY_TYPE[column.type](folded, column)


def is_blank(folded: str, column: Column) -> bool:
    """Tell whether a folded cell holds no value: empty, `-`, `N/A`, or the column's own null marker."""
    plain = folded.casefold()
    blanks = _BLANKS if column.type in ("text", "untyped") else _TYPED_BLANKS
    return plain in blanks or (column.null_marker != "" and plain == fold(column.null_marker).casefold())


def misfit(cell: str, column: Column) -> str | None:
    """Say why a cell does not fit its column's type, or return None when it does. Blanks fit every type.

    >>> misfit("about 5", Column(name="Age", type="integer"))
    "'about 5' is no integer"
    """
    folded = fold(cell)
    if is_blank(folded, column) or column.type in ("text", "untyped"):
        return None
    typed = _typed(cell, folded, column)
    if typed is None and column.type == "date":
        return f"{cell!r} is no date in the form {column.date_format or 'YYYY-MM-DD'}"
    if typed is None or (column.type == "integer" and "." in typed):
        return f"{cell!r} is no {column.type}"
    return None


def within_tolerance(canonical: str, gold: str, column: Column) -> bool:
    """Tell whether two canonical numbers differ by no more than the column's tolerance.

    >>> within_tolerance("10.2", "10", Column(name="Mass", type="number", tolerance="0.25"))
    True
    """
    if column.tolerance is None:
        return False
    one, other = read_number(canonical), read_number(gold)
    try:
        allowed = Decimal(column.tolerance)
    except InvalidOperation:
        return False
    return one is not None and other is not None and abs(one.value - other.value) <= allowed
