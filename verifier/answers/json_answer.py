"""An answer given as JSON, though a table was asked for: read as the table it means. Numbers keep their spelling."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

_LONGEST = 5_000_000
"""Longer texts are not read as JSON."""
_HEADER_NAMES, _ROW_NAMES = ("columns", "header", "headers"), ("rows", "data", "values")
_START = re.compile(r"^[ \t]*([\[{])", re.MULTILINE)
_REST = re.compile(r"[ \t]*,?[ \t]*(?:\n|\Z)")
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_WORDS: Mapping[object, str] = {None: "", True: "true", False: "false"}

_MOST_STARTS = 5
"""Lines that begin as JSON does and are none, before no more are tried."""

Rows = list[list[str]]


class JsonAnswer(NamedTuple):
    """The rows some JSON means. `headed`: whether the first is a header, None where it may be one."""

    rows: Rows
    headed: bool | None
    alone: bool
    """Whether no other text stands beside the JSON."""


def json_answer(text: str) -> JsonAnswer | None:
    """Return the rows that the JSON of a text means; None when there is none, or more than one that are not objects.

    JSON is the answer when it fills its lines; the lines before and after it are left out. Objects one below the other
    are a list of objects.

    >>> json_answer('[{"Name": "A", "Year": 2000}, {"Year": 3.10, "Name": "B"}]').rows
    [['Name', 'Year'], ['A', '2000'], ['B', '3.10']]
    >>> json_answer('Here they are:\\n["Paris"]'), json_answer("[citation needed]")
    (JsonAnswer(rows=[['Paris']], headed=None, alone=False), None)
    """
    if len(text) > _LONGEST:
        return None
    values, alone = _values(text)
    if not values or not (alone or all(map(_is_substance, values))):
        return None
    if len(values) > 1 and not all(isinstance(value, dict) for value in values):
        return None
    data = _unwrapped(values[0]) if len(values) == 1 else values
    for shape, headed in _SHAPES.items():
        rows = shape(data)
        if rows is not None:
            return JsonAnswer([row for row in rows if any(row)], headed, alone)
    return None


def _values(text: str) -> tuple[list[Any], bool]:
    """Return the lists and objects that fill lines of a text, and whether nothing else stands in it."""
    values, at, failed, alone = [], 0, 0, True
    while found := _START.search(text, at):
        try:
            value, end = _DECODER.raw_decode(text, found.start(1))
        except (ValueError, RecursionError):
            value, end = None, found.end()
        stop = _REST.match(text, end)
        if value is None or stop is None:
            failed += 1
            if failed == _MOST_STARTS:
                return [], False
            at, alone = found.end(), False
            continue
        alone = alone and not text[at : found.start(1)].strip()
        values.append(value)
        at = stop.end()
    return values, alone and not text[at:].strip()


def _header_and_rows(data: Any) -> Rows | None:
    if not isinstance(data, dict):
        return None
    header = next((data[name] for name in _HEADER_NAMES if isinstance(data.get(name), list)), None)
    rows = next((data[name] for name in _ROW_NAMES if isinstance(data.get(name), list)), None)
    if header is None or rows is None:
        return None
    return [
        list(map(_cell, header)),
        *(list(map(_cell, row)) if isinstance(row, list) else [_cell(row)] for row in rows),
    ]


def _unwrapped(data: Any) -> Any:
    """Take away names that only wrap the answer. One name over a list of plain values is a column."""
    while isinstance(data, dict) and len(data) == 1:
        inner = next(iter(data.values()))
        if not isinstance(inner, (list, dict)) or (isinstance(inner, list) and not any(map(_is_nested, inner))):
            break
        data = inner
    return data


def _columns(data: Any) -> Rows | None:
    if not isinstance(data, dict) or not data or not all(isinstance(column, list) for column in data.values()):
        return None
    height = max(map(len, data.values()))
    rows = [
        [_cell(column[place]) if place < len(column) else "" for column in data.values()] for place in range(height)
    ]
    return [list(map(str, data)), *rows]


def _objects(data: Any) -> Rows | None:
    objects = [data] if isinstance(data, dict) else data
    if not isinstance(objects, list) or not objects or not all(isinstance(entry, dict) for entry in objects):
        return None
    names = list(dict.fromkeys(name for entry in objects for name in entry))
    return [names, *([_cell(entry.get(name)) for name in names] for entry in objects)]


def _lists(data: Any) -> Rows | None:
    if not isinstance(data, list):
        return None
    return [list(map(_cell, row)) if isinstance(row, list) else [_cell(row)] for row in data]


_SHAPES: Mapping[Callable[[Any], Rows | None], bool | None] = {
    _header_and_rows: True,
    _columns: True,
    _objects: True,
    _lists: None,
}
"""What JSON may look like, and whether its first row is a header; the first shape that fits counts."""


def _is_substance(value: Any) -> bool:
    # `[1]` beside a text is a mark of a source.
    return isinstance(value, dict) or not all(isinstance(one, str) and one.isdecimal() for one in value)


def _is_nested(value: Any) -> bool:
    return isinstance(value, (list, dict))


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return json.dumps(value, ensure_ascii=False) if _is_nested(value) else _WORDS[value]
