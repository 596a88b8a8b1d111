"""Rows as written come in, columns in the format's order go out: header found, numbering dropped, cells padded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat
from verifier.answers.normalization.rules import fold
from verifier.answers.normalization.text import canonical_text

Row = tuple[str, ...]


class WrittenCell(Protocol):
    """A cell as a parser read it: its text, and whether it stood in quotes."""

    @property
    def text(self) -> str: ...
    @property
    def quoted(self) -> bool: ...


class ParsedAnswer(NamedTuple):
    """An answer as read. `header` holds the format's names in its order, then unknown columns; rows may be longer."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    faults: tuple[str, ...]


_NUMBERING_HEADERS = frozenset({"", "#", "no", "no.", "nr", "nr.", "n", "num", "number", "rank", "index", "idx", "s/n"})
_GENERIC_HEADERS = frozenset({"value", "item", "items", "answer", "answers", "result", "results"})
_ORDINAL = re.compile(r"\(?(\d{1,6})[.)]\s+(?=\S)", re.ASCII)
_PLAIN_ORDINAL = re.compile(r"\(?(\d{1,6})[.)]?", re.ASCII)
_BULLET = re.compile(r"[-*•–]\s+(?=\S)")


def align(written: Sequence[Sequence[WrittenCell]], answer_format: AnswerFormat, faults: list[str]) -> ParsedAnswer:
    """Turn written rows into an answer of this format; `faults` found before come first in the result."""
    rows = [_without_empty_end(row, answer_format, faults) for row in written]
    header = _take_header(rows, answer_format, faults)
    body = _without_numbering_column(header, rows, answer_format, faults)
    if answer_format.type == "table":
        parsed = _table(header, body, answer_format, faults)
    else:
        parsed = _one_column(header, body, answer_format, faults)
    return ParsedAnswer(parsed[0], parsed[1], tuple(dict.fromkeys(faults)))


def same_header(one: str, other: str) -> bool:
    """Tell whether two headers are the same but for case, spaces and markdown.

    >>> same_header("**First Name**", "first\\u00a0name")
    True
    """
    return _header_key(one) == _header_key(other)


def _header_key(name: str) -> str:
    return canonical_text(fold(name))


def _without_empty_end(row: Sequence[WrittenCell], answer_format: AnswerFormat, faults: list[str]) -> list[WrittenCell]:
    cells = list(row)
    while len(cells) > len(answer_format.columns) and not cells[-1].text and not cells[-1].quoted:
        cells.pop()
        faults.append("trailing_separator")
    return cells


def _take_header(rows: list[list[WrittenCell]], answer_format: AnswerFormat, faults: list[str]) -> list[str] | None:
    if not _is_header(rows[0], rows[1:], answer_format):
        faults.append("header_missing")
        return None
    return [cell.text for cell in rows.pop(0)]


def _is_header(first: Sequence[WrittenCell], rest: Sequence[Sequence[WrittenCell]], asked: AnswerFormat) -> bool:
    names = {_header_key(name) for name in asked.header}
    found = [_header_key(cell.text) for cell in first]
    if any(name in names for name in found):
        return True
    if asked.type != "table":
        generic = _GENERIC_HEADERS | {DEFAULT_HEADERS[asked.type].lower()}
        return bool(rest) and any(name in generic for name in found)
    return _unlike_the_rest([cell.text for cell in first], [[cell.text for cell in row] for row in rest])


def _unlike_the_rest(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    # A line of words above a column of figures is a header under another name.
    for place, name in enumerate(first):
        below = [row[place] for row in rest if len(row) > place and row[place]]
        if below and name and not re.search(r"\d", name) and all(re.search(r"\d", cell) for cell in below):
            return True
    return False


def _without_numbering_column(
    header: list[str] | None, rows: list[list[WrittenCell]], answer_format: AnswerFormat, faults: list[str]
) -> list[list[WrittenCell]]:
    wide = all(len(row) > len(answer_format.columns) for row in rows)
    if header is None:
        named = wide and answer_format.type != "item"
    else:
        asked = {_header_key(name) for name in answer_format.header}
        named = _header_key(header[0]) in _NUMBERING_HEADERS - asked
    if not (rows and named and _counts_up([row[0].text if row else "" for row in rows], _PLAIN_ORDINAL)):
        return rows
    faults.append("numbering")
    if header is not None:
        header.pop(0)
    return [row[1:] for row in rows]


def _counts_up(cells: Sequence[str], pattern: re.Pattern[str]) -> bool:
    numbers = [pattern.match(cell) for cell in cells]
    whole = pattern is _PLAIN_ORDINAL
    return all(
        found is not None and int(found[1]) == place and (not whole or found.end() == len(cell))
        for place, (found, cell) in enumerate(zip(numbers, cells, strict=True), start=1)
    )


def _one_column(
    header: list[str] | None, rows: list[list[WrittenCell]], asked: AnswerFormat, faults: list[str]
) -> tuple[Row, tuple[Row, ...]]:
    place = _answer_place(header, asked)
    if place is None and asked.type == "item" and any(len(row) > 1 for row in rows):
        # Which of the cells is the answer cannot be told: all stay, and no single value is found.
        faults.append("header_mismatch")
        return asked.header, tuple(tuple(cell.text for cell in row) for row in rows)
    if any(len(row) > 1 for row in rows):
        faults.append("extra_column")
    cells = [row[place or 0] if len(row) > (place or 0) else None for row in rows]
    texts = _without_marks(cells, faults)
    return asked.header, tuple((text,) for text in texts)


def _answer_place(header: list[str] | None, asked: AnswerFormat) -> int | None:
    if header is None:
        return None
    keys = [_header_key(name) for name in header]
    for wanted in ({_header_key(asked.header[0])}, _GENERIC_HEADERS):
        for place, key in enumerate(keys):
            if key in wanted:
                return place
    return 0 if len(header) == 1 else None


def _without_marks(cells: Sequence[WrittenCell | None], faults: list[str]) -> list[str]:
    texts = ["" if cell is None else cell.text for cell in cells]
    if len(texts) < 2 or any(cell is None or cell.quoted for cell in cells):
        return texts
    for pattern, all_marked in (
        (_ORDINAL, _counts_up(texts, _ORDINAL)),
        (_BULLET, all(_BULLET.match(text) for text in texts)),
    ):
        if all_marked:
            faults.append("numbering")
            return [pattern.sub("", text, count=1) for text in texts]
    return texts


def _table(
    header: list[str] | None, rows: list[list[WrittenCell]], asked: AnswerFormat, faults: list[str]
) -> tuple[Row, tuple[Row, ...]]:
    names = list(asked.header[: max((len(row) for row in rows), default=0)]) if header is None else header
    places = _column_places(names, asked)
    known = [name for name in asked.header if name in places]
    unknown = [place for place in range(len(names)) if place not in places.values()]
    if len(known) < len(asked.header) or unknown:
        faults.append("header_mismatch")
    order = [places[name] for name in known] + unknown
    if [place for place in order if place not in unknown] != sorted(places.values()):
        faults.append("column_order")
    if known:
        first = places[known[0]]
        marked = [row[first] if len(row) > first else None for row in rows]
        for row, text in zip(rows, _without_marks(marked, faults), strict=True):
            if len(row) > first and row[first].text != text:
                row[first] = _Mended(text)
    return tuple(known + [names[place] for place in unknown]), tuple(_in_order(row, order, faults) for row in rows)


class _Mended(NamedTuple):
    text: str
    quoted: bool = False


def _column_places(names: Sequence[str], asked: AnswerFormat) -> dict[str, int]:
    # Exact spelling first: a format may have two headers that differ in spaces only.
    places: dict[str, int] = {}
    for same in (lambda one, other: one == other, same_header):
        for name in asked.header:
            for place, found in enumerate(names):
                if name not in places and place not in places.values() and same(name, found):
                    places[name] = place
    return places


def _in_order(row: Sequence[WrittenCell], order: Sequence[int], faults: list[str]) -> Row:
    if len(row) != len(order):
        faults.append("ragged_row")
    cells = [row[place].text if place < len(row) else "" for place in order]
    return (*cells, *(cell.text for cell in row[len(order) :]))
