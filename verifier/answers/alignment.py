"""Rows as written come in, columns in the format's order go out: header found, numbering dropped, cells padded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier.answers.answer_format import AnswerFormat
from verifier.answers.headers import header_key, heads_a_column, is_header, same_header, shown_key
from verifier.answers.numbering import is_numbering_column, without_marks
from verifier.answers.written_cells import Literal

__all__ = ["ParsedAnswer", "align", "same_header"]

Row = tuple[str, ...]


class ParsedAnswer(NamedTuple):
    """An answer as read. `header` holds the format's names in its order, then unknown columns, no name twice.

    A row may be longer than the header: what is too much stays at its end.
    """

    header: Row
    rows: tuple[Row, ...]
    faults: tuple[str, ...]


def align(
    written: Sequence[Sequence[str]], asked: AnswerFormat, faults: list[str], *, headed: bool | None = None
) -> ParsedAnswer:
    """Turn written rows into an answer of this format; `faults` found before come first in the result.

    `headed` says whether the first row is a header, where that is known.

    >>> from verifier.answers.answer_format import Column
    >>> two = AnswerFormat(type="table", columns=(Column(name="Name"), Column(name="Year")))
    >>> align([["Year", "Name"], ["2000", "A"]], two, [])
    ParsedAnswer(header=('Name', 'Year'), rows=(('A', '2000'),), faults=('column_order',))
    """
    rows = _without_empty_ends(written, asked, faults)
    header = _take_header(rows, asked, faults, headed)
    rows = _without_numbering_column(header, rows, asked, faults)
    if rows:
        _mend_marks(header, rows, asked, faults)
    make = _table if asked.type == "table" else _one_column
    names, cells = make(header, rows, asked, faults)
    return ParsedAnswer(names, cells, tuple(dict.fromkeys(faults)))


def _without_empty_ends(written: Sequence[Sequence[str]], asked: AnswerFormat, faults: list[str]) -> list[list[str]]:
    wanted = len(asked.columns)
    rows = [list(row) for row in written]
    for row in rows:
        while len(row) > wanted and not row[-1] and not isinstance(row[-1], Literal):
            row.pop()
            faults.append("trailing_separator")
    return rows


def _take_header(
    rows: list[list[str]], asked: AnswerFormat, faults: list[str], headed: bool | None
) -> list[str] | None:
    if not (is_header(rows, asked) if headed is None else headed):
        faults.append("header_missing")
        return None
    header = rows.pop(0)
    if len(header) > 1:
        again = [row for row in rows if row == header and not any(isinstance(cell, Literal) for cell in row)]
        if again:
            faults.append("header_row")
            rows[:] = [row for row in rows if not any(row is other for other in again)]
    return header


def _without_numbering_column(
    header: list[str] | None, rows: list[list[str]], asked: AnswerFormat, faults: list[str]
) -> list[list[str]]:
    if not rows:
        return rows
    if header is None:
        candidate = asked.type != "item" and all(len(row) > len(asked.columns) for row in rows)
    else:
        candidate = len(header) > 1 and header_key(header[0]) not in {header_key(name) for name in asked.header}
    if not candidate:
        return rows
    firsts = [row[0] if row else "" for row in rows]
    if not is_numbering_column(header[0] if header else None, firsts):
        return rows
    faults.append("numbering")
    if header is not None:
        header.pop(0)
    # A row of one cell has no number beside it: it stays what it is.
    return [row[1:] if len(row) > 1 else row for row in rows]


def _mend_marks(header: list[str] | None, rows: list[list[str]], asked: AnswerFormat, faults: list[str]) -> None:
    """Take numbers and bullets away that stand before the rows; in one column, before the values."""
    place = 0 if asked.type == "table" else _answer_place(header, asked) or 0
    marked = [row for row in rows if len(row) > place]
    texts = without_marks([row[place] for row in marked])
    if texts is not None:
        faults.append("numbering")
        for row, text in zip(marked, texts, strict=True):
            row[place] = text


def _one_column(
    header: list[str] | None, rows: list[list[str]], asked: AnswerFormat, faults: list[str]
) -> tuple[Row, tuple[Row, ...]]:
    place = _answer_place(header, asked)
    wide = any(len(row) > 1 for row in rows)
    if header is not None and (place is None or shown_key(header[place]) != header_key(asked.header[0])):
        faults.append("header_mismatch")
    if wide:
        faults.append("extra_column")
    if wide and asked.type == "item":
        # Which of the cells is the answer cannot be told: all stay, and no single value is found.
        return asked.header, tuple(tuple(map(str, row)) for row in rows)
    at = place or 0
    return asked.header, tuple((str(row[at]) if len(row) > at else "",) for row in rows)


def _answer_place(header: list[str] | None, asked: AnswerFormat) -> int | None:
    """Return the column of a one-column answer: under its own name, else under a word that heads columns."""
    if header is None:
        return None
    wanted = header_key(asked.header[0])
    for is_answer in (lambda name: shown_key(name) == wanted, heads_a_column):
        for place, name in enumerate(header):
            if is_answer(name):
                return place
    return 0 if len(header) == 1 else None


def _table(
    header: list[str] | None, rows: list[list[str]], asked: AnswerFormat, faults: list[str]
) -> tuple[Row, tuple[Row, ...]]:
    names = list(asked.header[: max(map(len, rows), default=0)]) if header is None else header
    places = _column_places(names, asked)
    known = [name for name in asked.header if name in places]
    taken = set(places.values())
    unknown = [place for place in range(len(names)) if place not in taken]
    if len(known) < len(asked.header) or unknown:
        faults.append("header_mismatch")
    order = [places[name] for name in known]
    if order != sorted(order):
        faults.append("column_order")
    titles = [*known, *_other_names([names[place] for place in unknown], known, faults)]
    return tuple(titles), _in_order(rows, order + unknown, faults)


def _other_names(names: Sequence[str], known: Sequence[str], faults: list[str]) -> list[str]:
    """Name the unknown columns; a name that stands there already gets a number, so that no two are the same."""
    seen = list(known)
    for name in names:
        title, count = str(name), 1
        while title in seen:
            count += 1
            title = f"{name} ({count})"
        if any(same_header(name, other) for other in seen):
            faults.append("duplicate_header")
        seen.append(title)
    return seen[len(known) :]


def _column_places(names: Sequence[str], asked: AnswerFormat) -> dict[str, int]:
    # Exact spelling first: a format may have two headers that differ in spaces only.
    places: dict[str, int] = {}
    exact = [(name, name) for name in asked.header]
    alike = [(name, header_key(name)) for name in asked.header]
    for wanted, found in ((exact, names), (alike, [shown_key(name) for name in names])):
        for name, key in wanted:
            place = next((at for at, other in enumerate(found) if other == key and at not in places.values()), None)
            if name not in places and place is not None:
                places[name] = place
    return places


def _in_order(rows: Sequence[Sequence[str]], order: Sequence[int], faults: list[str]) -> tuple[Row, ...]:
    width = len(order)
    straight = list(order) == list(range(width))
    if any(len(row) != width for row in rows):
        faults.append("ragged_row")
    return tuple(
        tuple(map(str, row))
        if straight and len(row) >= width
        else (*(str(row[place]) if place < len(row) else "" for place in order), *map(str, row[width:]))
        for row in rows
    )
