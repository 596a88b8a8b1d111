"""Cells as they were written, and the limits of what is read. Lines come in, lists of cells go out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 200_000, 1000, 2_000_000
"""No answer is read further than this; what lies beyond is left out and named `oversized`."""

_SOLID = re.compile(r"\S")
_QUOTES = re.compile('"+')


class Literal(str):
    """A cell that stood in quotes: it is the author's own text, never mended and never taken for a header."""

    __slots__ = ()


class Lines(NamedTuple):
    """The lines of a text that hold something, and the places of those that stand below an empty line."""

    texts: list[str]
    gaps: frozenset[int]


def solid_lines(text: str) -> Lines:
    """Return the lines of a text that hold anything but white space; at most one more than is read.

    Only a line feed ends a line: other separators may stand inside a cell. In a text of more lines than are read no
    gaps are looked for.

    >>> solid_lines("a\\n \\nb\\u2028c\\n")
    Lines(texts=['a', 'b\\u2028c'], gaps=frozenset({1}))
    """
    texts: list[str] = []
    if text.count("\n") <= MAX_ROWS:
        lines = text.strip("\n").split("\n")
        texts = [line for line in lines if line and not line.isspace()]
        return Lines(texts, frozenset() if len(texts) == len(lines) else _gaps(lines))
    at = 0
    while len(texts) <= MAX_ROWS and (found := _SOLID.search(text, at)):
        start = text.rfind("\n", at, found.start()) + 1 or at
        end = text.find("\n", found.start())
        end = len(text) if end < 0 else end
        texts.append(text[start:end])
        at = end + 1
    return Lines(texts, frozenset())


def _gaps(lines: Sequence[str]) -> frozenset[int]:
    gaps, place, empty = set(), 0, False
    for line in lines:
        if not line or line.isspace():
            empty = True
            continue
        if empty and place:
            gaps.add(place)
        place, empty = place + 1, False
    return frozenset(gaps)


def split_line(line: str, mark: str = "\t") -> list[str]:
    """Split a line at a mark, into at most one cell more than is read.

    Quotes are text, except where they enclose a whole cell; such a cell is a `Literal`.

    >>> split_line('"Weird Al" Yankovic\\t"a\\tb"')
    ['"Weird Al" Yankovic', 'a\\tb']
    """
    if '"' not in line:
        return [cell.strip() for cell in line.split(mark, MAX_COLUMNS)]
    parts = line.split(mark, MAX_COLUMNS)
    if all('"' not in part or (part.count('"') == 2 and part[0] == part[-1] == '"') for part in parts):
        return [Literal(part[1:-1]) if '"' in part else part.strip() for part in parts]
    cells: list[str] = []
    at, end = 0, len(line)
    while at <= end and len(cells) <= MAX_COLUMNS:
        start = at
        while start < end and line[start].isspace() and line[start] != mark:
            start += 1
        close = closing_quote(line, start + 1, mark) if line.startswith('"', start) else -1
        if close >= 0:
            cells.append(Literal(line[start + 1 : close].replace('""', '"')))
            stop = line.find(mark, close)
        else:
            stop = line.find(mark, at)
            cells.append(line[at : stop if stop >= 0 else end].strip())
        at = stop + 1 if stop >= 0 else end + 1
    return cells


def closing_quote(text: str, at: int, mark: str, line_end: bool = False) -> int:
    """Return where the quote that closes a cell stands, from `at` on, or -1 when none does.

    Two quotes stand for one. Behind the closing quote only spaces may follow, up to the mark or the end of the text
    (with `line_end`, also the end of the line). Each sign is looked at once.

    >>> closing_quote('a""b" , c', 0, ","), closing_quote('a" b', 0, ",")
    (4, -1)
    """
    while found := _QUOTES.search(text, at):
        if (found.end() - found.start()) % 2:
            close = found.end() - 1
            behind = found.end()
            while behind < len(text) and text[behind] in " \r" and text[behind] != mark:
                behind += 1
            ends = behind == len(text) or text.startswith(mark, behind) or (line_end and text[behind] == "\n")
            return close if ends else -1
        at = found.end()
    return -1


def is_quote_open(cell: str) -> bool:
    """Tell whether a cell begins with a quote that is never closed."""
    return cell.startswith('"') and not isinstance(cell, Literal) and cell.count('"') % 2 == 1
