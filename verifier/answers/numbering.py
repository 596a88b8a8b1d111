"""Numbers and bullets that a reply puts before its rows: decoration, taken away where every row has it.

A column or a mark is numbering only when it counts 1, 2, 3 ... over all rows; a column the format asks for stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.answers.headers import header_key
from verifier.answers.written_cells import Literal

NUMBERING_HEADERS = frozenset(
    {"", "#", "no", "no.", "nr", "nr.", "n", "num", "number", "rank", "ranking", "position", "pos", "pos.", "index",
     "idx", "id", "s/n", "s.no", "s.no.", "sno", "sr.no.", "row", "line"}
)  # fmt: skip

_PLAIN = re.compile(r"\(?#?(\d{1,7})[.):]?", re.ASCII)
_BEFORE_TEXT = re.compile(
    r"\*{0,2}[(\[]?#?(\d{1,7})(?:[.):\]]\*{0,2}(?:\s+(?=\S)|(?=[^\W\d_]))|\s+[-–—:]\s+(?=\S))", re.ASCII
)
_BULLET = re.compile(r"(?:[-*+•‣◦▪·–—]\s+|[•‣◦▪·]\s*)(?=\S)")
_SURE_BULLET = re.compile(r"[-*+•‣◦▪]\s+(?=[^\W\d_])|[•‣◦▪]\s*(?=\S)")


def is_numbering_column(header: str | None, cells: Sequence[str]) -> bool:
    """Tell whether the first cells of all rows only number them: 1, 2, 3 ... or 0, 1, 2 ...

    >>> [is_numbering_column(header, ["1", "2."]) for header in ("Rank", "Wins", "", None)]
    [True, False, True, True]
    """
    if not cells or (header is not None and header_key(header) not in NUMBERING_HEADERS):
        return False
    numbers = [_PLAIN.fullmatch(cell) for cell in cells]
    return _counts_up(numbers)


def without_marks(cells: Sequence[str]) -> list[str] | None:
    """Return cells without the numbers or bullets before each of them; None when not all of them are marked.

    >>> without_marks(["1. Ada", "2. Bob"]), without_marks(["1. FC Köln", "3. Liga"]), without_marks(["- Ada"])
    (['Ada', 'Bob'], None, ['Ada'])
    """
    if not cells or any(isinstance(cell, Literal) for cell in cells):
        return None
    if len(cells) == 1:
        return [_SURE_BULLET.sub("", cells[0], count=1)] if _SURE_BULLET.match(cells[0]) else None
    numbers = [_BEFORE_TEXT.match(cells[0])]
    if numbers[0]:
        numbers = [_BEFORE_TEXT.match(cell) for cell in cells]
        if _counts_up(numbers):
            return [cell[found.end() :] for cell, found in zip(cells, numbers, strict=True) if found]
    if _BULLET.match(cells[0]) and all(map(_BULLET.match, cells)):
        return [_BULLET.sub("", cell, count=1) for cell in cells]
    return None


def _counts_up(numbers: Sequence[re.Match[str] | None]) -> bool:
    first = int(numbers[0][1]) if numbers[0] else 2
    return first <= 1 and all(
        found is not None and int(found[1]) == place for place, found in enumerate(numbers, start=first)
    )
