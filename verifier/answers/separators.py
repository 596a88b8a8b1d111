"""How the cells of a reply's lines are parted: tabs as asked, else what fits the declared columns best.

Only tables are split at anything but tabs: a separator of a one-column answer would cut its values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from verifier.answers.answer_format import AnswerFormat
from verifier.answers.headers import header_key
from verifier.answers.written_cells import (
    MAX_CELLS,
    MAX_COLUMNS,
    Literal,
    is_quote_open,
    split_line,
)

Split = Callable[[str], list[str]]

_SAMPLE = 200
"""Lines by which a separator is judged."""
_HEADER_LINES = 20
"""Lines among which the header is looked for."""
_RULER_CELL = re.compile(r"\s*:?-+:?\s*")
_LONG_RULER_CELL = re.compile(r"\s*(?::?-{3,}:?|={3,})\s*")
_GRID = re.compile(r"[\s|+=:-]*\+[\s|+=:-]*")
_PIPE = re.compile(r"(?<!\\)\|")
_GAP = re.compile(r"[^\S\t]{2,}")
_GLUED_LINES = 20
"""Lines a quoted cell of a reply may span."""


@dataclass(frozen=True, slots=True)
class Separator:
    """What parts the cells of an answer's lines, and which fault it is."""

    split: Split
    sign: str
    """What stands in every line that it parts."""
    fault: str = ""
    in_sentences: bool = False
    """Whether sentences hold it too, so that a line with it may be none of the answer's."""
    quote_mark: str = ""
    """The sign before which a cell in quotes may end, where one may span lines."""

    def holds(self, line: str, row: Sequence[str]) -> bool:
        """Tell whether a line is parted by it."""
        if self.split is not _split_pipes:
            return len(row) > 1
        bare = line.strip()
        return bare.startswith("|") or bare.endswith("|")


def best_separator(lines: Sequence[str], asked: AnswerFormat) -> Separator:
    """Return what parts the cells: tabs as asked, else what fits the columns asked for, by their names or their number.

    >>> from verifier.answers.columns import Column
    >>> two = AnswerFormat(type="table", columns=(Column(name="A"), Column(name="B")))
    >>> best_separator(["See:", "|A|B|", "|-|-|", "|1|2|"], two).sign
    '|'
    """
    sample = lines[:_SAMPLE]
    names = {header_key(name) for name in asked.header}
    if len(names) > 1 and _names_place([split_line(line) for line in sample[:1]], names) is not None:
        return TABS
    is_piped = _is_pipe_table(sample)
    if len(asked.columns) == 1 or not sample:
        return PIPES if is_piped else TABS
    best, found = (0, 0.5), PIPES if is_piped else TABS
    for separator in (TABS, _ESCAPED, PIPES, _BARS, _SEMICOLONS, _COMMAS, _GAPS):
        if (separator is PIPES and not is_piped) or not any(separator.sign in line for line in sample):
            continue
        fits = _fitness([separator.split(line) for line in sample], names, separator)
        if fits > best:
            best, found = fits, separator
            if fits == (True, 1.0):
                break
    return found


def _fitness(rows: Sequence[Sequence[str]], names: Set[str], separator: Separator) -> tuple[int, float]:
    """Return whether all names stand in a row, and the share of the rows that have its cells, else one for each name.

    Prose beside the rows does not count, where the separator stands in no sentence.
    """
    named = _names_place(rows, names)
    width = len(names) if named is None else len(rows[named])
    others = len(rows) if separator.in_sentences else sum(len(row) > 1 for row in rows)
    return named is not None, sum(len(row) == width for row in rows) / max(others, 1)


def _names_place(rows: Sequence[Sequence[str]], names: Set[str]) -> int | None:
    return next((place for place, row in enumerate(rows[:_HEADER_LINES])
                 if len(row) >= len(names) and names <= set(map(header_key, row))), None)  # fmt: skip


def split_rows(lines: Sequence[str], separator: Separator, faults: list[str]) -> list[list[str]]:
    """Split lines into rows of cells, as many as are read.

    >>> split_rows(["a\\tb", "c"], TABS, [])
    [['a', 'b'], ['c']]
    """
    rows: list[list[str]] = []
    cells = 0
    for line in lines:
        row = separator.split(line)
        if len(row) > MAX_COLUMNS:
            faults.append("oversized")
            del row[MAX_COLUMNS:]
        cells += len(row)
        if cells > MAX_CELLS:
            faults.append("oversized")
            break
        rows.append(row)
    return rows


def joined_quotes(lines: Sequence[str], rows: list[list[str]], mark: str) -> list[list[str]]:
    """Join the lines of a quoted cell that spans several: only where the row gets exactly the header's cells so.

    >>> joined_quotes(["A;B", 'x;"1', '2"'], [["A", "B"], ["x", '"1'], ['2"']], ";")
    [['A', 'B'], ['x', '1\\n2']]
    """
    if not any('"' in line for line in lines):
        return rows
    wanted = len(rows[0]) if rows else 0
    joined: list[list[str]] = []
    place = 0
    while place < len(rows):
        row, used = rows[place], 1
        short = len(row) < wanted or (place + 1 < len(rows) and len(rows[place + 1]) < wanted)
        if short and is_quote_open(row[-1]):
            used = _lines_of_quote(lines, place)
            together = split_line("\n".join(lines[place : place + used]), mark)
            row, used = (together, used) if len(together) == wanted else (row, 1)
        joined.append(row)
        place += used
    return joined


def _lines_of_quote(lines: Sequence[str], place: int) -> int:
    quotes = 0
    for used, line in enumerate(lines[place : place + _GLUED_LINES], start=1):
        quotes += line.count('"')
        if quotes % 2 == 0:
            return used
    return 1


def _is_pipe_table(lines: Sequence[str]) -> bool:
    """Tell whether a table between pipes stands in the lines: most of them are, or a ruler stands below a header."""
    between = sum(line.strip().startswith("|") and line.rstrip().endswith("|") for line in lines)
    if between > 1 and between * 2 >= sum(not is_grid(line) for line in lines):
        return True
    return any(line.lstrip()[:1] == "|" and is_piped_header(line, below) for line, below in pairwise(lines))


def is_piped_header(line: str, below: str) -> bool:
    """Tell whether a line heads a table of markdown: the line below it is a ruler.

    >>> is_piped_header("| A | B |", "|---|:-:|"), is_piped_header("Name: A|B", "x")
    (True, False)
    """
    return "|" in line and "|" in below and all(map(_RULER_CELL.fullmatch, _split_pipes(below)))


def is_grid(line: str) -> bool:
    """Tell whether a line only draws the grid of a table.

    >>> is_grid("+----+----+"), is_grid("+5")
    (True, False)
    """
    return "+" in line and _GRID.fullmatch(line) is not None


def without_piped_rulers(rows: Sequence[list[str]]) -> list[list[str]]:
    """Leave out the rulers of a table of markdown: a short one only below the header, where no data can stand.

    >>> without_piped_rulers([["A"], ["-"], ["-"], ["---"]])
    [['A'], ['-']]
    """
    return [
        row
        for place, row in enumerate(rows)
        if not (
            (place == 1 and all(map(_RULER_CELL.fullmatch, row)))
            or (row[0][-1:] in "-:=" and all(map(_LONG_RULER_CELL.fullmatch, row)))
        )
    ]


def without_ruler(rows: list[list[str]], faults: list[str]) -> list[list[str]]:
    """Leave out a line of dashes directly below the header.

    >>> without_ruler([["A", "B"], ["---", "---"], ["1", "2"]], [])
    [['A', 'B'], ['1', '2']]
    """
    if len(rows) > 1 and len(rows[1]) == len(rows[0]) and all(map(_is_ruler, rows[1])):
        faults.append("ruler")
        return [rows[0], *rows[2:]]
    return rows


def _is_ruler(cell: str) -> bool:
    return not isinstance(cell, Literal) and _LONG_RULER_CELL.fullmatch(cell) is not None


def _split_escaped(line: str) -> list[str]:
    return split_line(line.replace("\\t", "\t"))


def _split_pipes(line: str) -> list[str]:
    text = line.strip()
    cells = [cell.replace("\\|", "|").strip() for cell in _PIPE.split(text)]
    if text.startswith("|"):
        cells = cells[1:]
    return cells[:-1] if text.endswith("|") and not text.endswith("\\|") and len(cells) > 1 else cells


def _split_bars(line: str) -> list[str]:
    return [cell.strip() for cell in _PIPE.split(line)]


def _split_semicolons(line: str) -> list[str]:
    return split_line(line, ";")


def _split_commas(line: str) -> list[str]:
    return split_line(line, ",")


def _split_gaps(line: str) -> list[str]:
    return [cell for cell in _GAP.split(line.strip()) if cell]


TABS = Separator(split_line, "\t", quote_mark="\t")
PIPES = Separator(_split_pipes, "|", "separator")
_ESCAPED = Separator(_split_escaped, "\\t", "escaped_signs")
_BARS = Separator(_split_bars, "|", "separator", in_sentences=True)
_SEMICOLONS = Separator(_split_semicolons, ";", "separator", in_sentences=True, quote_mark=";")
_COMMAS = Separator(_split_commas, ",", "separator", in_sentences=True, quote_mark=",")
_GAPS = Separator(_split_gaps, "  ", "separator", in_sentences=True)
