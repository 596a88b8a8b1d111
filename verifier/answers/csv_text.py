"""The text of a file of separated values in, rows of cells out. A row that cannot be read as meant costs itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from verifier.answers.answer_format import AnswerFormat
from verifier.answers.headers import header_key
from verifier.answers.written_cells import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, Literal, closing_quote

SEPARATORS = (",", "\t", ";")
_SAMPLE = 50
"""Rows by which the separator is judged."""


def separated_rows(text: str, separator: str, faults: list[str]) -> list[list[str]]:
    """Read rows of cells. A cell in quotes is a `Literal` and may span lines; a quote that is never closed is text.

    >>> separated_rows('Name,Born\\n"Lee, Ann",1990\\n"Low,1977\\n', ",", faults := []), faults
    ([['Name', 'Born'], ['Lee, Ann', '1990'], ['"Low', '1977']], ['unbalanced_quote'])
    """
    return _limited(_rows(text, separator, faults), faults)


def single_values(text: str, faults: list[str]) -> list[list[str]]:
    """Read one value a line. Only separators at the end of a line are taken away: nothing cuts a value.

    >>> single_values('Smith\\nLee, Ann\\n"1994,5"\\nBo,,\\n', faults := []), faults
    ([['Smith'], ['Lee, Ann'], ['1994,5'], ['Bo']], ['unquoted_comma', 'trailing_separator'])
    """
    return _limited(([_one_value(row, faults)] for row in _rows(text, ",", faults, _whole_line)), faults)


def best_separator(text: str, asked: AnswerFormat) -> str:
    """Return the separator that fits the declared columns: by their names in the first row, then by their number.

    >>> from verifier.answers.answer_format import Column
    >>> best_separator("Name;Year\\nLee, Ann;1990", AnswerFormat(type="table", columns=(Column(name="Name"),)))
    ';'
    """
    names = {header_key(name) for name in asked.header}
    if len(names) > 1 and names <= {header_key(cell) for cell in next(_rows(text, SEPARATORS[0], []), [])}:
        return SEPARATORS[0]  # The layout's own: most files, and nothing else would name every column.

    def fitness(separator: str) -> tuple[int, int]:
        rows = [row for row, _ in zip(_rows(text, separator, []), range(_SAMPLE), strict=False)]
        named = len(names & {header_key(cell) for cell in rows[0]}) if rows else 0
        return named, sum(len(row) == len(names) for row in rows)

    return max(SEPARATORS, key=fitness)


def _limited(rows: Iterator[list[str]], faults: list[str]) -> list[list[str]]:
    read: list[list[str]] = []
    cells = 0
    for row in rows:
        if not any(cell or isinstance(cell, Literal) for cell in row):
            continue
        if len(row) > MAX_COLUMNS:
            faults.append("oversized")
            del row[MAX_COLUMNS:]
        cells += len(row)
        if len(read) >= MAX_ROWS or cells > MAX_CELLS:
            faults.append("oversized")
            break
        read.append(row)
    return read


def _rows(
    text: str, separator: str, faults: list[str], plain: Callable[[str, str], list[str]] | None = None
) -> Iterator[list[str]]:
    split = plain or _split
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if text.find('"', at, end) < 0:
            yield split(text[at:end], separator)
            at = end + 1
        else:
            row, at = _row_with_quotes(text, at, separator, faults)
            yield row


def _split(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in line.split(separator, MAX_COLUMNS)]


def _whole_line(line: str, separator: str) -> list[str]:
    return [line.strip()]


def _row_with_quotes(text: str, at: int, separator: str, faults: list[str]) -> tuple[list[str], int]:
    """Return the row that begins at a place, and where the next one begins."""
    cells: list[str] = []
    line_end = _line_end(text, at)
    while True:
        start = at
        while start < line_end and text[start] in " \t" and text[start] != separator:
            start += 1
        close = closing_quote(text, start + 1, separator, line_end=True) if text.startswith('"', start) else -1
        if close >= 0:
            cells.append(Literal(text[start + 1 : close].replace('""', '"')))
            line_end = _line_end(text, close) if close > line_end else line_end
            at = close
        stop = text.find(separator, at, line_end)
        if close < 0:
            cell = text[at : stop if stop >= 0 else line_end].strip()
            if cell.startswith('"') and cell.count('"') % 2:
                faults.append("unbalanced_quote")
            cells.append(cell)
        if stop < 0:
            return cells, line_end + 1
        at = stop + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _one_value(row: Sequence[str], faults: list[str]) -> str:
    cells = list(row)
    while len(cells) > 1 and not cells[-1] and not isinstance(cells[-1], Literal):
        cells.pop()
        faults.append("trailing_separator")
    if len(cells) == 1 and isinstance(cells[0], Literal):
        return cells[0]
    value = ",".join(cells)
    bare = value.rstrip(",\t ")
    if bare != value:
        faults.append("trailing_separator")
    if "," in bare:
        faults.append("unquoted_comma")
    return bare
