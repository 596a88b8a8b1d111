"""A text comes in, its cells as pandas 2.3 cuts them go out, some rows at a time; what they mean is not looked at.

pandas' own tokeniser (spec/gisa.md 3.3, rule 2, and faults C04-C06): quotes count at the start of a cell only, a quote
that is never closed loses everything, blank lines vanish, lines end with a line feed, a carriage return or both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from verifier.errors import AnswerUnreadable

_BLOCK = 2**20
"""Signs that are cut into lines at once: a large text need not stand in memory a second time, line by line."""

MOST_COLUMNS = 2**20
"""A text with a row of more cells is refused."""


class Cells(NamedTuple):
    """Some rows of a text: how many cells each has, and all their cells in one list, which saves a list a row."""

    widths: list[int]
    words: list[str]


Take = Callable[[int], Cells]
"""Reads so many rows more, or as many as there are. Raises AnswerUnreadable where they cannot be read."""


def cells_of(text: str, separator: str, first_read: int) -> Take:
    """Return what reads the rows of a text; `first_read` is explained with `careful_rows`.

    >>> take = cells_of('A,B\\n1\\n\\n"2,3",4', ",", first_read=2)
    >>> take(2), take(9)
    (Cells(widths=[2, 1], words=['A', 'B', '1']), Cells(widths=[2], words=['2,3', '4']))
    """
    if '"' not in text and "\0" not in text:
        unix = text.replace("\r\n", "\n")
        if "\r" not in unix:
            return _take_lines(plain_lines(unix, separator), separator)
    rows = careful_rows(text, separator, first_read)

    def take(count: int) -> Cells:
        cells = Cells([], [])
        for row in islice(rows, count):
            cells.widths.append(len(row))
            cells.words.extend(row)
        return cells

    return take


def _take_lines(lines: Iterator[str], separator: str) -> Take:
    def take(count: int) -> Cells:
        some = list(islice(lines, count))
        widths = [line.count(separator) + 1 for line in some]
        _refuse_wide(max(widths, default=0))
        return Cells(widths, separator.join(some).split(separator) if some else [])

    return take


def _refuse_wide(width: int) -> None:
    if width > MOST_COLUMNS:
        raise AnswerUnreadable(f"too wide: more than {MOST_COLUMNS:,} columns")


class _Signs(NamedTuple):
    """What pandas sees in a text with this separator. No expression looks back: all take one pass over any text."""

    blanks: str
    """Signs that alone make no line; a tab is one only where it does not part cells."""
    blank_lines: Callable[[str, int], re.Match[str] | None]
    """After a carriage return alone the separator goes with the blank line, by mistake."""
    cell: Callable[[str, int], re.Match[str] | None]
    """What stands in quotes, what follows (further quotes are text), and what ends the cell."""


def _signs(separator: str, blanks: str) -> _Signs:
    return _Signs(
        blanks,
        # Some at a time and not possessive as a whole: Python 3.11.2 goes wrong over that.
        re.compile(rf"(?:[{blanks}]*+[\n\r](?:(?<=\r)[\n{separator}])?){{0,1000}}(?:[{blanks}]*+\Z)?").match,
        re.compile(rf'(?:"([^"]*+(?:""[^"]*+)*+)")?([^{separator}\n\r]*)({separator}|\n|\r\n?|\Z)').match,
    )


_SIGNS = {"\t": _signs("\t", " "), ",": _signs(",", " \t")}


def plain_lines(text: str, separator: str) -> Iterator[str]:
    """Yield the lines of a text without quotes, carriage returns and NULs that are not blank.

    >>> list(plain_lines("A,B\\n \\t\\n1", ","))
    ['A,B', '1']
    """
    blanks = _SIGNS[separator].blanks
    start, end = 0, len(text)
    while start < end:
        cut = text.find("\n", start + _BLOCK) if end - start > _BLOCK else -1
        cut = cut if cut >= 0 else end
        yield from [line for line in text[start:cut].split("\n") if line.strip(blanks)]
        start = cut + 1


def careful_rows(text: str, separator: str, first_read: int) -> Iterator[list[str]]:
    """Yield the rows of any text. Raises AnswerUnreadable for a quote that is never closed.

    `first_read` is the number of rows that pandas reads for its header. It matters for a line that begins with a space
    after a lone carriage return: pandas then reads again from the last line feed, though not from before the rows that
    it has worked off. So a row comes twice; beyond the first rows it comes without end, which is refused here.

    >>> list(careful_rows('A\\n"x" y\\r\\n\\r1"', "\\t", first_read=2))
    [['A'], ['x y'], ['1"']]
    """
    signs = _SIGNS[separator]
    holds_nul = "\0" in text
    worked_off = count = 0
    place = _past_blank_lines(signs, text, 0)
    while place < len(text):
        if text[place] in signs.blanks:
            again = max(text.rfind("\n", 0, place) + 1, worked_off)
            if again < place and count >= first_read:
                raise AnswerUnreadable("it mixes kinds of line ends, and a line begins with a space")
            place = again
        row, place = _row(text, place, signs, separator)
        # A NUL ends a text in C.
        yield [cell.partition("\0")[0] for cell in row] if holds_nul else row
        count += 1
        if count == first_read:
            worked_off = place
        place = _past_blank_lines(signs, text, place)


def _past_blank_lines(signs: _Signs, text: str, place: int) -> int:
    while (end := _end(signs.blank_lines(text, place))) > place:
        place = end
    return place


def _row(text: str, place: int, signs: _Signs, separator: str) -> tuple[list[str], int]:
    """Return the cells of the line that starts here, and where the next line starts."""
    row: list[str] = []
    ending = separator
    while ending == separator:
        found = signs.cell(text, place)
        assert found is not None  # noqa: S101  # every text ends a cell somewhere
        quoted, rest, ending = found.groups()
        if quoted is not None:
            rest = quoted.replace('""', '"') + rest
        elif rest.startswith('"'):
            raise AnswerUnreadable("it opens a quote that is never closed")
        row.append(rest)
        _refuse_wide(len(row))
        place = found.end()
    return row, place


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found else 0
