"""An answer given as JSON, though a table was asked for: read as the table it means. Numbers keep their spelling."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_LONGEST = 5_000_000
"""Longer texts are not read as JSON."""
_HEADER_NAMES, _ROW_NAMES = ("columns", "header", "headers"), ("rows", "data", "values")
_WORDS: Mapping[object, str] = {None: "", True: "true", False: "false"}

Rows = list[list[str]]


def json_rows(text: str) -> Rows | None:
    """Return the rows a JSON text means, its header first where it has one; None when it is no JSON list or object.

    >>> json_rows('[{"Name": "A", "Year": 2000}, {"Year": 3.10, "Name": "B"}]')
    [['Name', 'Year'], ['A', '2000'], ['B', '3.10']]
    >>> json_rows('["Paris"]'), json_rows("[citation needed]")
    ([['Paris']], None)
    """
    bare = text.strip()
    if not bare.startswith(("[", "{")) or len(bare) > _LONGEST:
        return None
    try:
        data = json.loads(bare, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    for shape in _SHAPES:
        rows = shape(data)
        if rows is not None:
            return rows
    return None


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


def _wrapped(data: Any) -> Rows | None:
    if not isinstance(data, dict) or len(data) != 1:
        return None
    inner = next(iter(data.values()))
    # One name over a list of plain values is a column; over anything else it only wraps the answer.
    if not isinstance(inner, (list, dict)) or (isinstance(inner, list) and not any(map(_is_nested, inner))):
        return None
    return next((rows for shape in _SHAPES if (rows := shape(inner)) is not None), None)


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


_SHAPES: Sequence[Callable[[Any], Rows | None]] = (_header_and_rows, _wrapped, _columns, _objects, _lists)
"""What JSON may look like; the first shape that fits counts."""


def _is_nested(value: Any) -> bool:
    return isinstance(value, (list, dict))


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return json.dumps(value, ensure_ascii=False) if _is_nested(value) else _WORDS[value]
