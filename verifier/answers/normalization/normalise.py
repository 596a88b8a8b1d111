"""A cell and its column in, canonical text out: two cells are equal when their canonical texts are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from verifier.answers.columns import Column, ColumnType
from verifier.answers.normalization.boolean import canonical_boolean
from verifier.answers.normalization.date import canonical_date
from verifier.answers.normalization.number import canonical_number, says_percent
from verifier.answers.normalization.rules import LONG, MOST_ROUNDS, NOTHING, Skip, fold, is_plain
from verifier.answers.normalization.text import canonical_text
from verifier.answers.normalization.untyped import has_digit, undoubted_number, words_with_numbers
from verifier.answers.normalization.url import canonical_url

BLANKS = frozenset({"", "-", "--", "---", "n/a"})
"""No value, in every column. `NA`, `None` and `null` are words of their own where a text may stand."""

TYPED_BLANKS = BLANKS | {"na", "n.a.", "none", "null", "nan"}
"""No value in columns where none of these can be one."""

_BY_TYPE: Mapping[ColumnType, Callable[[str, Column, Skip], str | None]] = {
    "text": canonical_text,
    "integer": canonical_number,
    "number": canonical_number,
    "percent": canonical_number,
    "date": lambda folded, column, skip: canonical_date(folded, column.date_format, skip),
    "boolean": lambda folded, column, skip: canonical_boolean(folded, skip),
    "url": lambda cell, column, skip: canonical_url(cell, skip),
    "untyped": undoubted_number,
}

_FALLBACK: Mapping[ColumnType, Callable[[str, Column, Skip], str]] = dict.fromkeys(
    ("integer", "number", "percent", "untyped"), words_with_numbers
)
"""How a cell that misses its type is read; where nothing stands here, as text."""

_FIGURES = frozenset({"text", "untyped", "integer", "number", "percent"})
"""Types whose cells of figures alone are their own canonical text."""

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
    # Columns that normalise alike share a memory: of the name only what it says about percent matters.
    return _memo(replace(column, name="%" if says_percent(column) else "", tolerance=None)).__getitem__


@lru_cache(maxsize=32)
def _memo(column: Column) -> _Memo:
    return _Memo(column)


class _Memo(dict[str, str]):
    """The cells of a column seen so far; a look-up that hits is one step of the dict, without Python code."""

    def __init__(self, column: Column) -> None:
        super().__init__()
        self._column = column

    def __missing__(self, cell: str) -> str:
        text = canonical(cell, self._column)
        if len(cell) <= _MEMO_LENGTH:
            if len(self) >= _MEMO_CELLS:
                self.clear()
            self[cell] = text
        return text


def canonical(cell: str, column: Column, skip: Skip = NOTHING) -> str:
    """Return what `normalise` returns, without its memory, with some rules left out by their ids.

    >>> canonical("New York", Column(name="City"), frozenset({"case"}))
    'NewYork'
    """
    text, settled = _once(cell, column, skip) if skip else _quick(cell, column) or _once(cell, column, skip)
    for _ in range(MOST_ROUNDS):
        if settled or text == cell:
            break
        # Taking spaces away can complete another rule's pattern: repeated, so that canonical text is its own.
        cell = text
        text, settled = _once(cell, column, skip)
    if column.null_marker and "null" not in skip and text in blank_texts(column):
        return ""
    if column.aliases and "alias" not in skip:
        return _alias_values(column, skip).get(text, text)
    return text


def _quick(cell: str, column: Column) -> tuple[str, bool] | None:
    # Most cells are plain letters or plain figures; what `_once` would make of them is known.
    letters = cell.replace(" ", "")
    if not letters.isascii():
        return None
    if letters.isalpha() and column.type in ("text", "untyped"):
        text = letters.lower()
        return ("" if text in blank_texts(column) else text), True
    if cell.isdigit() and cell[0] != "0" and column.type in _FIGURES and not column.null_marker and not column.unit:
        return cell, True
    return None


def _once(cell: str, column: Column, skip: Skip) -> tuple[str, bool]:
    """Return the text of one pass, and whether another pass would surely change nothing."""
    plain = is_plain(cell)
    folded = cell if plain else fold(cell, skip)
    text = canonical_text(folded)
    if text in blank_texts(column) and "null" not in skip:
        return "", True
    if skip:
        text = canonical_text(folded, None, skip)
    kind = column.type
    if kind == "text" or (kind == "untyped" and not has_digit(folded)) or len(folded) > LONG:
        return text, plain and (text.isascii() or is_plain(text))
    # An address is read as it was written: folding would take it apart.
    typed = _BY_TYPE[kind](cell if kind == "url" else folded, column, skip)
    if typed is None:
        other = _FALLBACK.get(kind, canonical_text)(folded, column, skip)
        return other, plain and other == text and kind == "untyped"
    return typed, kind != "url"


def blank_texts(column: Column) -> frozenset[str]:
    """Return the canonical texts that hold no value in a column, its null marker among them."""
    if column.null_marker:
        return _with_null_marker(column)
    return BLANKS if column.type in ("text", "untyped") else TYPED_BLANKS


@lru_cache(maxsize=256)
def _with_null_marker(column: Column) -> frozenset[str]:
    plain = replace(column, null_marker="", aliases=())
    return blank_texts(plain) | {canonical_text(fold(column.null_marker)), canonical(column.null_marker, plain)}


@lru_cache(maxsize=256)
def _alias_values(column: Column, skip: Skip) -> Mapping[str, str]:
    plain = replace(column, aliases=())
    values: dict[str, str] = {}
    for spellings in column.aliases:
        for spelling in spellings:
            values.setdefault(canonical(spelling, plain, skip), canonical(spellings[0], plain, skip))
    return values


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
        value = canonical(spellings[0], plain)
        for spelling in spellings:
            text = canonical(spelling, plain)
            if value and not text:
                return f"the spelling {spelling!r} of {spellings[0]!r} means no value"
            first = values.setdefault(text, spellings[0])
            if canonical(first, plain) != value:
                return f"the spelling {spelling!r} names two values: {first!r} and {spellings[0]!r}"
    return None


def is_blank(cell: str, column: Column) -> bool:
    """Tell whether a cell holds no value: empty, `-`, `N/A`, or the column's own null marker.

    >>> is_blank("–", Column(name="End")), is_blank("None", Column(name="End"))
    (True, False)
    """
    return not canonical(cell, column)


def misfit(cell: str, column: Column) -> str | None:
    """Say why a cell does not fit its column's type, or return None when it does. Blanks and aliases fit every type.

    >>> misfit("about 5", Column(name="Age", type="integer"))
    "'about 5' is no integer"
    """
    if column.type in ("text", "untyped") or is_blank(cell, column):
        return None
    if column.aliases and canonical(cell, replace(column, aliases=())) in _alias_values(column, NOTHING):
        return None
    typed = _BY_TYPE[column.type](cell if column.type == "url" else fold(cell), column, NOTHING)
    if typed is None and column.type == "date":
        return f"{cell!r} is no date in the form {column.date_format or 'YYYY-MM-DD'}"
    if typed is None or (column.type == "integer" and "." in typed):
        return f"{cell!r} is no {column.type}"
    return None
