"""How the cells of a reply's lines are parted: tabs as asked, else what fits the declared columns best.

Only tables are split at anything but tabs: a separator of a one-column answer would cut its values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from verifier.answers.answer_format import AnswerFormat
from verifier.answers.headers import header_key
from verifier.answers.written_cells import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    Literal,
    is_quote_open,
    solid_lines,
    split_line,
)

Split = Callable[[str], list[str]]

_SAMPLE = 200
"""Lines by which a separator is judged."""
_RULER_CELL = re.compile(r"\s*:?-+:?\s*")
_LONG_RULER_CELL = re.compile(r"\s*(?::?-{3,}:?|={3,})\s*")
_GRID = re.compile(r"[\s|+=:-]*\+[\s|+=:-]*")
_PIPE = re.compile(r"(?<!\\)\|")
_GAP = re.compile(r"[^\S\t]{2,}")
_GLUED_LINES = 20
"""Lines a quoted cell of a reply may span."""


def written_rows(text: str, asked: AnswerFormat, faults: list[str]) -> list[list[str]]:
    """Return the lines of an answer as lists of cells, empty lines left out; what parts them beside tabs is a fault.

    >>> from verifier.answers.answer_format import Column
    >>> two = AnswerFormat(type="table", columns=(Column(name="A"), Column(name="B")))
    >>> written_rows("|A|B|\\n|-|-|\\n|1|2|", two, faults := []), faults
    ([['A', 'B'], ['1', '2']], ['separator'])
    """
    lines = solid_lines(text)
    if len(lines) > MAX_ROWS:
        faults.append("oversized")
        lines = lines[:MAX_ROWS]
    if "\t" in text:
        rows = _limited(lines, split_line, faults)
        return _joined_quotes(lines, rows) if '"' in text and len(asked.columns) > 1 else rows
    if _is_pipe_table(lines):
        faults.append("separator")
        return _limited(_without_rulers(lines), _split_pipes, faults)
    if len(asked.columns) == 1:
        return _limited(lines, split_line, faults)
    return _split_otherwise(lines, asked, faults)


def _split_otherwise(lines: list[str], asked: AnswerFormat, faults: list[str]) -> list[list[str]]:
    split = _best_split(lines[:_SAMPLE], asked) if lines else None
    if split is None:
        return _limited(lines, split_line, faults)
    faults.append("escaped_signs" if split is _split_escaped else "separator")
    if split is _split_commas or split is _split_semicolons:
        mark = "," if split is _split_commas else ";"
        return _joined_quotes(lines, _limited(lines, split, faults), mark)
    return _limited(lines, split, faults)


def _limited(lines: Sequence[str], split: Split, faults: list[str]) -> list[list[str]]:
    rows: list[list[str]] = []
    cells = 0
    for line in lines:
        row = split(line)
        if len(row) > MAX_COLUMNS:
            faults.append("oversized")
            del row[MAX_COLUMNS:]
        cells += len(row)
        if cells > MAX_CELLS:
            faults.append("oversized")
            break
        rows.append(row)
    return rows


def _joined_quotes(lines: Sequence[str], rows: list[list[str]], mark: str = "\t") -> list[list[str]]:
    """Join the lines of a quoted cell that spans several: only where the row gets exactly the header's cells so."""
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
    if len(lines) < 2:
        return False
    if "|" in lines[0] and "|" in lines[1] and all(_RULER_CELL.fullmatch(cell) for cell in _split_pipes(lines[1])):
        return True
    return all(
        line.strip().startswith("|") and line.rstrip().endswith("|")
        for line in lines[:_SAMPLE]
        if not _GRID.fullmatch(line)
    )


def _without_rulers(lines: Sequence[str]) -> list[str]:
    return [
        line
        for place, line in enumerate(lines)
        if not (
            (place == 1 and all(_RULER_CELL.fullmatch(cell) for cell in _split_pipes(line)))
            or all(_LONG_RULER_CELL.fullmatch(cell) for cell in _split_pipes(line))
            or _GRID.fullmatch(line)
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


def _best_split(lines: Sequence[str], asked: AnswerFormat) -> Split | None:
    """Return the split that fits the declared columns: their names in the first line, or their number in most lines."""
    names = {header_key(name) for name in asked.header}
    best: tuple[float, Split | None] = (0.5, None)
    for split in (_split_escaped, _split_bars, _split_semicolons, _split_commas, _split_gaps):
        rows = [split(line) for line in lines]
        width, count = Counter(map(len, rows)).most_common(1)[0]
        named = names <= {header_key(cell) for cell in rows[0]}
        fitting = count if named and width > 1 else sum(len(row) == len(names) for row in rows)
        share = fitting / len(rows) + named
        if share > best[0]:
            best = share, split
    return best[1]


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
