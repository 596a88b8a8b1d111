"""Several answers to one question come in as canonical rows, the rows that enough of them hold go out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Literal

Row = tuple[str | None, ...]
Share = Literal["half", "majority"]

_NEEDED: Mapping[Share, int] = {"half": 0, "majority": 1}
"""Twice the holders of a row must be at least the number of answers and this."""


def row_consensus(
    answers: Sequence[Sequence[Row]], keys: Sequence[int] = (0,), share: Share = "half"
) -> tuple[Row, ...]:
    """Return the rows that at least half of the answers hold, or more than half with `share="majority"`.

    Rows are canonical; `keys` are the places of the key columns. An answer without rows is among the answers. A row
    that enough answers hold twice comes out twice. Where one half of the answers holds a row and the other half another
    one under the same key, they contradict each other and neither is consensus. A row stands at the median of its
    places in the answers that hold it; rows at one place are sorted by their cells. The order of the answers changes
    nothing.

    >>> row_consensus([[("a", "1"), ("b", "2")], [("a", "1"), ("b", "9")], [("a", "1")]])
    (('a', '1'),)
    """
    places: dict[tuple[Row, int], dict[int, int]] = defaultdict(dict)
    for number, rows in enumerate(answers):
        seen: dict[Row, int] = defaultdict(int)
        for place, row in enumerate(rows):
            # The second of two equal rows is a row of its own: enough answers must hold it twice.
            places[row, seen[row]][number] = place
            seen[row] += 1
    held = {copy: at for copy, at in places.items() if 2 * len(at) >= len(answers) + _NEEDED[share]}
    split = {(_key(row, keys), frozenset(at)) for (row, _), at in held.items() if 2 * len(at) == len(answers)}
    everyone = frozenset(range(len(answers)))
    agreed = [
        (median(at.values()), row_order(row), copy, row)
        for (row, copy), at in held.items()
        if (_key(row, keys), everyone - frozenset(at)) not in split
    ]
    return tuple(row for _, _, _, row in sorted(agreed))


def row_order(row: Row) -> tuple[tuple[bool, str], ...]:
    """Return a key that sorts canonical rows; a column that is not there comes last.

    >>> sorted([("b",), (None,), ("",)], key=row_order)
    [('',), ('b',), (None,)]
    """
    return tuple((cell is None, cell or "") for cell in row)


def _key(row: Row, keys: Sequence[int]) -> Row:
    return tuple(row[key] if key < len(row) else None for key in keys)
