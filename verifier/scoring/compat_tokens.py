"""A text comes in, rows of cells as pandas 2.3 cuts them go out; what the cells mean is not looked at.

pandas' own tokeniser (spec/gisa.md 3.3, rule 2, and faults C04-C06): quotes count at the start of a cell only, a quote
that is never closed loses everything, blank lines vanish, lines end with a line feed, a carriage return or both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.errors import AnswerUnreadable

_BLOCK = 2**20
"""Signs that are cut into lines at once: a large text need not stand in memory a second time, line by line."""

MOST_COLUMNS = 2**20
"""A row of more cells is cut off there; tables that wide are refused."""


def plain_rows(text: str, separator: str) -> Iterator[list[str]]:
    """Yield the rows of a text without quotes, carriage returns and NULs. Lines of spaces are blank; so are lines of
    tabs, where tabs do not part cells.

    >>> list(plain_rows("A,B\\n \\t\\n1", ","))
    [['A', 'B'], ['1']]
    """
    blank = _blanks(separator)
    start, end = 0, len(text)
    while start < end:
        cut = text.find("\n", start + _BLOCK) if end - start > _BLOCK else -1
        cut = cut if cut >= 0 else end
        yield from [line.split(separator, MOST_COLUMNS) for line in text[start:cut].split("\n") if line.strip(blank)]
        start = cut + 1


def careful_rows(text: str, separator: str, first_read: int) -> Iterator[list[str]]:
    """Yield the rows of any text. Raises AnswerUnreadable for a quote that is never closed.

    `first_read` is the number of rows that pandas reads for its header. It matters for a line that begins with a space
    after a lone carriage return: pandas then reads again from the last line feed, though not from before the rows that
    it has worked off. So a row comes twice; beyond the first rows it comes for ever, and pandas gives up.

    >>> list(careful_rows('A\\n"x" y\\r\\n\\r1"', "\\t", first_read=2))
    [['A'], ['x y'], ['1"']]
    """
    tokens = _Tokens(text, separator)
    place, worked_off, count = 0, 0, 0
    while (start := tokens.after_blank_lines(place)) < len(text):
        if tokens.is_blank(start):
            again = max(text.rfind("\n", 0, start) + 1, worked_off)
            if again < start and count >= first_read:
                raise AnswerUnreadable("it mixes kinds of line ends, and a line begins with a space")
            start = again
        row, place = tokens.row(start)
        # A NUL ends a text in C.
        yield [cell.partition("\0")[0] for cell in row]
        count += 1
        if count == first_read:
            worked_off = place


def _blanks(separator: str) -> str:
    return " " if separator == "\t" else " \t"


class _Tokens:
    """A text that is read from given places on."""

    def __init__(self, text: str, separator: str) -> None:
        self._text, self._separator, self._blanks = text, separator, _blanks(separator)
        self._bare_cell = re.compile(f"[^{separator}\r\n]*")
        self._blank_run = re.compile(f"[{self._blanks}]*")

    def is_blank(self, place: int) -> bool:
        return self._text[place] in self._blanks

    def after_blank_lines(self, place: int) -> int:
        """Return where the next line starts that holds more than blanks; the length of the text where none does."""
        text, end = self._text, len(self._text)
        while place < end:
            after = _end(self._blank_run.match(text, place))
            if after == end:
                return end
            if text[after] == "\n":
                place = after + 1
            elif text[after] == "\r":
                # A line feed goes with it, and so does a separator, by mistake.
                place = after + 1 + text.startswith(("\n", self._separator), after + 1)
            else:
                return place
        return end

    def row(self, place: int) -> tuple[list[str], int]:
        """Return the cells of the line that starts here, and where the next line starts."""
        text, row = self._text, []
        while True:
            cell, place = self._cell(place)
            row.append(cell)
            if not text.startswith(self._separator, place) or len(row) > MOST_COLUMNS:
                break
            place += 1
        return row, place + 1 + text.startswith("\r\n", place)

    def _cell(self, place: int) -> tuple[str, int]:
        text = self._text
        quoted: list[str] = []
        while text.startswith('"', place):
            closing = text.find('"', place + 1)
            if closing < 0:
                raise AnswerUnreadable("it opens a quote that is never closed")
            # The second of two quotes opens the rest of the cell and stands for a quote.
            quoted += ['"' if quoted else "", text[place + 1 : closing]]
            place = closing + 1
        # What follows a closing quote belongs to the cell, quotes included.
        end = _end(self._bare_cell.match(text, place))
        return "".join(quoted) + text[place:end], end


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found else -1
