"""The `schema` of a question row comes in; with a truth file's header it becomes the answer format.

    {"types": {"ZIP": "text", "Share": {"type": "number", "tolerance": "0.5"}, "*": "untyped"},
     "key": ["Town"], "sort": ["Year", {"column": "Name", "direction": "descending"}]}

`types` names columns, `*` stands for the others. `sort: []` lets rows stand in any order; without `sort` the order of
the truth file counts. Names are compared as headers are: without case, spaces and markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, get_args

from verifier.answers.alignment import same_header
from verifier.answers.answer_format import (
    DATE_FORMATS,
    DEFAULT_HEADERS,
    AnswerFormat,
    AnswerType,
    Column,
    ColumnType,
    SortKey,
)
from verifier.answers.normalization.date import is_date_format
from verifier.errors import AnswerFormatError

SCHEMA_MEMBERS = ("types", "key", "keys", "sort")
"""What a schema may say; `keys` is another word for `key`."""
OTHERS = "*"
"""The name in `types` that stands for every column not named."""
_UNTYPED = Column(name=OTHERS)


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """What a question row says about its answer. Columns here may be none of the truth file's: `format_of` tells."""

    columns: tuple[Column, ...] = ()
    others: Column = _UNTYPED
    keys: tuple[str, ...] = ()
    sort: tuple[SortKey, ...] | None = None


NO_SCHEMA = AnswerSchema()


def read_schema(data: Any) -> AnswerSchema:
    """Read the member `schema` of a question row. Raises AnswerFormatError, naming the place and what it may be.

    >>> read_schema({"types": {"ZIP": "text"}, "sort": ["Year"]}).columns[0].type
    'text'
    """
    members = _object(data, "schema", SCHEMA_MEMBERS)
    if members.get("key") and members.get("keys"):
        raise AnswerFormatError("schema has key and keys, which mean the same; write key alone")
    columns = [_column(name, rule) for name, rule in _object(members.get("types") or {}, "schema.types").items()]
    sort = members.get("sort")
    return AnswerSchema(
        columns=tuple(column for column in columns if column.name != OTHERS),
        others=next((column for column in columns if column.name == OTHERS), _UNTYPED),
        keys=tuple(_text(name, "schema.key") for name in _many(members.get("key") or members.get("keys") or ())),
        sort=None if sort is None else tuple(_sort_key(key) for key in _many(sort)),
    )


@lru_cache(maxsize=1024)
def format_of(kind: AnswerType, schema: AnswerSchema, header: tuple[str, ...] = ()) -> AnswerFormat:
    """Return the answer format of a question; `header` is a table's, from its truth file.

    Raises AnswerFormatError when the schema names a column that is not there, or two columns have one name.

    >>> format_of("set", NO_SCHEMA).header
    ('Item',)
    """
    if kind == "table":
        return AnswerFormat(
            type=kind,
            columns=tuple(_typed(name, schema) for name in header),
            keys=tuple(_written(name, header) for name in schema.keys),
            sort=_sort_in(schema, header),
        )
    # An item, set or list has one column, whatever it is called: a single name in the schema is its name.
    named = schema.columns[0] if len(schema.columns) == 1 else None
    header = (named.name if named else DEFAULT_HEADERS[kind],)
    # Its order is that of the truth file in a list, and none in the others, whatever `sort` says.
    for column in schema.columns:
        _written(column.name, header)
    return AnswerFormat(type=kind, columns=(named or _typed(header[0], schema),))


def _sort_in(schema: AnswerSchema, header: Sequence[str]) -> tuple[SortKey, ...] | None:
    for column in schema.columns:
        _written(column.name, header)
    if schema.sort is None:
        return None
    return tuple(replace(key, column=_written(key.column, header)) for key in schema.sort)


def _typed(name: str, schema: AnswerSchema) -> Column:
    for same in (str.__eq__, same_header):
        for column in schema.columns:
            if same(column.name, name):
                return replace(column, name=name)
    return replace(schema.others, name=name)


def _written(name: str, header: Sequence[str]) -> str:
    for same in (str.__eq__, same_header):
        for written in header:
            if same(name, written):
                return written
    raise AnswerFormatError(f"the schema names the column {name!r}; the truth file has {', '.join(map(repr, header))}")


def _column(name: str, rule: Any) -> Column:
    where = f"schema.types[{name!r}]"
    members = {"type": rule} if isinstance(rule, str) else _object(rule, where, tuple(_MEMBERS))
    column = Column(name=name, **{member: _MEMBERS[member](value, f"{where}.{member}")
                                  for member, value in members.items() if value is not None})  # fmt: skip
    if column.tolerance is not None and column.type not in _NUMERIC:
        raise AnswerFormatError(
            f"{where} has a tolerance and the type {column.type!r}; a tolerance needs one of {', '.join(_NUMERIC)}"
        )
    return column


_NUMERIC = ("integer", "number", "percent", "untyped")
"""Types whose cells may be numbers."""


def _date_format(value: Any, where: str) -> str:
    text = _text(value, where)
    if not is_date_format(text):
        raise AnswerFormatError(f"{where} is {text!r}; {DATE_FORMATS}")
    return text


def _column_type(value: Any, where: str) -> str:
    name = _text(value, where).strip().lower()
    if name not in get_args(ColumnType):
        raise AnswerFormatError(f"{where} is {value!r}; a column's type is one of {', '.join(get_args(ColumnType))}")
    return name


def _tolerance(value: Any, where: str) -> str:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if isinstance(value, bool) or not number.is_finite() or number < 0:
        raise AnswerFormatError(f"{where} is {value!r}; a tolerance is a number from 0 on, such as 0.5")
    return str(value)


def _aliases(value: Any, where: str) -> tuple[tuple[str, ...], ...]:
    # Two ways to say it: {"USA": ["United States"]} or [["USA", "United States"]].
    groups = [[one, *_many(others)] for one, others in value.items()] if isinstance(value, Mapping) else value
    if not isinstance(groups, list) or not all(isinstance(group, list) and group for group in groups):
        raise AnswerFormatError(f"{where} should be an object: each value with a list of its other spellings")
    return tuple(tuple(_text(spelling, where) for spelling in group) for group in groups)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise AnswerFormatError(f"{where} is {_shortly(value)}; a text is expected")
    return value


COLUMN_MEMBERS = frozenset({"date_format", "unit", "null_marker", "tolerance", "aliases"})
"""What a column's rule says beside its type."""

_MEMBERS: Mapping[str, Callable[[Any, str], Any]] = {
    "type": _column_type,
    "date_format": _date_format,
    "unit": _text,
    "null_marker": _text,
    "tolerance": _tolerance,
    "aliases": _aliases,
}
"""What may be said of a column, and how it is read."""

_SORT_WORDS: Mapping[str, Mapping[str, str]] = {
    "direction": {"ascending": "ascending", "asc": "ascending", "descending": "descending", "desc": "descending"},
    "collation": {name: name for name in ("casefold", "codepoint", "number", "date")},
}


def _sort_key(data: Any) -> SortKey:
    if isinstance(data, str):
        return SortKey(column=data)
    members = _object(data, "schema.sort", ("column", *_SORT_WORDS))
    said: dict[str, Any] = {}
    for member, words in _SORT_WORDS.items():
        if (value := members.get(member)) is not None:
            if not isinstance(value, str) or value.lower() not in words:
                raise AnswerFormatError(f"schema.sort.{member} is {_shortly(value)}; it is one of {', '.join(words)}")
            said[member] = words[value.lower()]
    return SortKey(column=_text(members.get("column"), "schema.sort.column"), **said)


def _many(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _object(data: Any, where: str, known: Sequence[str] = ()) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise AnswerFormatError(f"{where} is {_shortly(data)}; an object is expected")
    if known and (unknown := [name for name in data if name not in known]):
        # A member that is spelled wrong would silently change the score.
        raise AnswerFormatError(f"{where} has the member {unknown[0]!r}; it may have {', '.join(known)}")
    return data


def _shortly(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
