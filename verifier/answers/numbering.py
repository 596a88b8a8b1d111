"""Numbers and bullets that a reply puts before its rows: decoration, taken away from the rows that carry it.

A mark or a column is numbering only when it counts 1, 2, 3 ... over the rows that carry it and these are nearly all: a
row without it, such as a total, stays as it is and does not change how the others are read. A column the format asks
for stays. Bullets below numbers are taken away with them: whether the numbered lines or the bulleted ones are the
elements cannot be told, so all stay.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from verifier.answers.headers import header_key
from verifier.answers.written_cells import Literal

NUMBERING_HEADERS = frozenset(
    {"", "#", "no", "no.", "nr", "nr.", "n", "num", "number", "rank", "ranking", "position", "pos", "pos.", "index",
     "idx", "id", "s/n", "s.no", "s.no.", "sno", "sr.no.", "row", "line"}
)  # fmt: skip

_PLAIN = re.compile(r"\(?#?(\d{1,7})[.):]?", re.ASCII)
_BEFORE_TEXT = re.compile(
    r"\s*\*{0,2}[(\[]?#?(\d{1,7})(?:[.):\]]\*{0,2}(?:\s+(?=\S)|(?=[^\W\d_]))|\s+[-–—:]\s+(?=\S))", re.ASCII
)
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪·–—]\s+|[•‣◦▪·]\s*)(?=\S)")
_SURE_BULLET = re.compile(r"\s*[-*+•‣◦▪]\s+(?=[^\W\d_])|\s*[•‣◦▪]\s*(?=\S)")

_BULLETS = frozenset("*-+•‣◦▪·–— \t")
_FIRST_SIGNS = _BULLETS | frozenset("0123456789([#")


def is_numbering_column(header: str | None, cells: Sequence[str]) -> bool:
    """Tell whether the first cells of all rows only number them: 1, 2, 3 ... or 0, 1, 2 ...

    Under a header of numbering a few rows may lack their number, such as a last row of totals.

    >>> [is_numbering_column(header, ["1", "2."]) for header in ("Rank", "Wins", "", None)]
    [True, False, True, True]
    >>> [is_numbering_column(header, ["1", "2", "Total"]) for header in ("Rank", None)]
    [True, False]
    """
    if not cells or (header is not None and header_key(header) not in NUMBERING_HEADERS):
        return False
    numbers = [_PLAIN.fullmatch(cell) for cell in cells]
    marked = [found is not None for found in numbers]
    if not all(marked) and (header is None or not _nearly_all(marked)):
        return False
    return _counts_up(numbers, (0, 1))


def without_marks(cells: Sequence[str]) -> list[str] | None:
    """Return cells without the numbers or bullets before them; None when it is not nearly all of them that are marked.

    Numbers are marks only when they count up over the cells that carry them. A cell without a mark stays as it is.

    >>> without_marks(["1. Ada", "2. Bob", "Total: 2"]), without_marks(["1. FC Köln", "3. Liga"])
    (['Ada', 'Bob', 'Total: 2'], None)
    """
    if len(cells) == 1 and not isinstance(cells[0], Literal):
        return [_SURE_BULLET.sub("", cells[0], count=1)] if _SURE_BULLET.match(cells[0]) else None
    marks = line_marks(cells)
    if not marks or not _nearly_all([mark > 0 for mark in marks]):
        return None
    return [_unmarked(cell, mark) for cell, mark in zip(cells, marks, strict=True)]


def line_marks(cells: Sequence[str]) -> list[int]:
    """Return how many signs of each cell are its number or bullet; an empty list when fewer than two cells have one.

    >>> line_marks(["Cities:", "1. Bern", "  - capital", "2. Rome"]), line_marks(["1984", "2001: A Space Odyssey"])
    ([0, 3, 4, 3], [])
    """
    if (
        len(cells) < 2
        or not any(cell[:1] in _FIRST_SIGNS for cell in cells)
        or any(isinstance(cell, Literal) for cell in cells)
    ):
        return []
    numbers = [_BEFORE_TEXT.match(cell) for cell in cells]
    if not _are_numbering(cells, numbers):
        numbers = [None] * len(cells)
    no_bullets: list[re.Match[str] | None] = [None] * len(cells)
    bullets = [_BULLET.match(cell) for cell in cells] if any(cell[:1] in _BULLETS for cell in cells) else no_bullets
    if not all(bullets) and not any(map(_SURE_BULLET.match, cells)):
        bullets = no_bullets  # A dash before a figure may be a minus.
    marks = [found.end() if (found := one or other) else 0 for one, other in zip(numbers, bullets, strict=True)]
    return marks if sum(mark > 0 for mark in marks) > 1 else []


def _are_numbering(cells: Sequence[str], numbers: Sequence[re.Match[str] | None]) -> bool:
    found = [number for number in numbers if number]
    if len(found) < 2:
        return False
    if not _counts_up(found, (0, 1)) and not (len(found) == len(cells) and len(found) > 2 and _counts_on(found)):
        return False
    # `1. Liga`, `2. Liga`: what is the same behind every number is told apart by it.
    return len({number.string[number.end() :] for number in found}) > 1


def _counts_on(numbers: Sequence[re.Match[str]]) -> bool:
    # A part of a longer list: 11. 12. 13. Years and the like have a colon or more figures.
    return _counts_up(numbers, range(2, 1000)) and all("." in number[0] or ")" in number[0] for number in numbers)


def _nearly_all(marked: Sequence[bool]) -> bool:
    """Tell whether so many lines are marked that the others are slips: one at an end, or one in five."""
    with_mark = sum(marked)
    without = len(marked) - with_mark
    return with_mark > 0 and (
        without == 0 or (with_mark > 1 and ((without == 1 and marked[0] + marked[-1] == 1) or without * 4 <= with_mark))
    )


def _unmarked(cell: str, mark: int) -> str:
    # `**1. Ada**`: the bold goes on behind the number.
    open_bold = cell.startswith("**") and cell[:mark].count("**") == 1
    return ("**" if open_bold else "") + cell[mark:]


def _counts_up(numbers: Sequence[re.Match[str] | None], first: Container[int]) -> bool:
    found = [int(number[1]) for number in numbers if number]
    return bool(found) and found[0] in first and found == list(range(found[0], found[0] + len(found)))
