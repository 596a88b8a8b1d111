"""Tables of HTML, where tab-separated lines were asked for: each becomes such lines, and the text around it stays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from verifier.answers.written_cells import MAX_COLUMNS

_LONGEST = 2_000_000
"""In longer texts no HTML is read."""
_MOST_CELLS = 200_000
"""So many cells of a table are read: spans make many of a few signs."""
_MOST_TABLES = 1000
"""So many tables of a text are read; the others stay as they are."""
_TABLE = re.compile(r"<table(?:\s[^<>]{0,500})?>(?=\s*<(?:caption|colgroup|thead|tbody|tr|!--))", re.IGNORECASE)
"""The start of a table that has rows; where one is only mentioned it is text."""
_TABLE_TAG = re.compile(r"<(/?)table(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_OWN_LINES = ("br", "p", "div", "li")


class _Cell(NamedTuple):
    text: str
    columns: int
    rows: int


def without_html_tables(text: str, faults: list[str]) -> str:
    """Write the HTML tables of a text as tab-separated lines between empty ones; `faults` says that there were any.

    A cell that spans rows or columns stands in each of them, except where it is alone in its row. A table inside a cell
    is text of the cell. No further is read than the limits above say.

    >>> without_html_tables("So:<table><tr><th>A<th>B<tr><td>1<br>2<td>&lt;3</table>Done.", [])
    'So:\\n\\nA\\tB\\n1 2\\t<3\\n\\nDone.'
    """
    if len(text) > _LONGEST or (found := _TABLE.search(text)) is None:
        return text
    faults.append("html_table")
    parts, at, count = [], 0, 0
    while found:
        if count == _MOST_TABLES:
            faults.append("oversized")
            break
        end = _end_of_table(text, found.end(), faults)
        rows = _spread(_cells(text[found.start() : end]), faults)
        parts += [text[at : found.start()], "\n\n", "\n".join(map("\t".join, rows)), "\n\n"]
        at, count, found = end, count + 1, _TABLE.search(text, end)
    return "".join([*parts, text[at:]])


def _end_of_table(text: str, start: int, faults: list[str]) -> int:
    depth = 1
    for tag in _TABLE_TAG.finditer(text, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    faults.append("truncated")
    return len(text)


def _cells(table: str) -> Iterator[list[_Cell]]:
    # Loaded late: scoring itself needs no package, and hardly any reply is HTML.
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    tree = etree.fromstring(table.encode("utf-8", "replace").replace(b"\0", b""), parser)
    for element in tree.iter(*_OWN_LINES):
        element.tail = f" {element.tail or ''}"
    for element in tree.iter("sup"):
        element.text = (element.text or "").translate(_RAISED)
    outer = next(tree.iter("table"), tree)
    for row in outer.iter("tr"):
        if next(row.iterancestors("table"), outer) is outer:
            yield [
                _Cell(_text(cell), _span(cell, "colspan"), _span(cell, "rowspan"))
                for cell in row.iterchildren("td", "th")
            ]


def _text(cell: Any) -> str:
    return " ".join("".join(cell.itertext()).split())


def _span(cell: Any, name: str) -> int:
    said = cell.get(name, "").strip()
    return min(max(int(said), 1), MAX_COLUMNS) if said.isascii() and said.isdigit() and len(said) < 7 else 1


def _spread(written: Iterable[list[_Cell]], faults: list[str]) -> list[list[str]]:
    """Return the rows of a table, with every cell in each row and column that it spans."""
    rows: list[list[str]] = []
    above: dict[int, _Cell] = {}
    count = 0
    for cells in written:
        if len(cells) == 1 and not above:
            # A title across the table; written once it can be told from a row.
            cells = [cells[0]._replace(columns=1)]
        row, above = _row(cells, above)
        count += len(row) + 1
        if count > _MOST_CELLS:
            faults.append("oversized")
            break
        rows.append(row)
    return rows


def _row(cells: Sequence[_Cell], above: Mapping[int, _Cell]) -> tuple[list[str], dict[int, _Cell]]:
    """Return the texts of a row, given the cells that hang into it from above, and those that hang into the next."""
    row: list[str] = []
    below: dict[int, _Cell] = {}
    waiting = iter(cells)
    while len(row) <= MAX_COLUMNS and (cell := above.get(len(row)) or next(waiting, None)):
        for _ in range(min(cell.columns, MAX_COLUMNS + 1 - len(row))):
            if cell.rows > 1:
                below[len(row)] = _Cell(cell.text, 1, cell.rows - 1)
            row.append(cell.text)
    return row, below
