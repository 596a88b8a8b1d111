"""Which row of an answer speaks of which gold row: the key columns decide, then what makes most cells right."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from operator import eq, itemgetter

Pairing = tuple[tuple[int, int], ...]
"""Pairs of (gold row, found row)."""

FoundRow = Sequence[str | None]

BEST_ROWS, ALIKE_PAIRS = 100, 250_000
"""Rows of one key that are not wholly right: up to 100 on a side they are paired so that most cells are right; up to
500 by 500 the most alike first; beyond that in the order of their texts. The order of the rows never counts."""


def pair_rows(
    gold: Sequence[Sequence[str]],
    found: Sequence[FoundRow],
    keys: Sequence[int],
    hits: Callable[[int, int], int] | None = None,
) -> Pairing:
    """Pair rows that agree on all key columns; each row is used once. A missing key column pairs nothing.

    `hits` counts the right cells of a gold row and a found row; without it, the equal ones.

    >>> pair_rows([("a", "1"), ("b", "2")], [("b", "2"), ("a", "9")], [0])
    ((0, 1), (1, 0))
    """
    waiting = _by_key(found, keys)
    pairs: list[tuple[int, int]] = []
    for key, golds in _by_key(gold, keys).items():
        founds = waiting.get(key)
        if founds is None:
            continue
        if len(golds) == len(founds) == 1:
            pairs.append((golds[0], founds[0]))
        else:
            pairs.extend(_pair_ties(gold, golds, found, founds, hits or equal_cells(gold, found)))
    return tuple(sorted(pairs))


def equal_cells(gold: Sequence[Sequence[str]], found: Sequence[FoundRow]) -> Callable[[int, int], int]:
    """Return the function that counts the equal cells of a gold row and a found row.

    >>> equal_cells([("a", "1")], [("b", "1")])(0, 0)
    1
    """
    return lambda g, f: sum(map(eq, gold[g], found[f]))


def _by_key(rows: Sequence[FoundRow], keys: Sequence[int]) -> dict[Hashable, list[int]]:
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(map(itemgetter(*keys), rows)):
        places[key].append(place)
    return places


def _pair_ties(
    gold: Sequence[Sequence[str]],
    golds: Sequence[int],
    found: Sequence[FoundRow],
    founds: Sequence[int],
    hits: Callable[[int, int], int],
) -> list[tuple[int, int]]:
    # Equal rows first: no pairing that parts them has more right cells.
    waiting: dict[Hashable, deque[int]] = defaultdict(deque)
    for f in founds:
        waiting[tuple(found[f])].append(f)
    pairs = [(g, waiting[row].popleft()) for g in golds if waiting.get(row := tuple(gold[g]))]
    if len(pairs) == min(len(golds), len(founds)):
        return pairs
    used, other_used = {g for g, _ in pairs}, {f for _, f in pairs}
    left = sorted((g for g in golds if g not in used), key=lambda g: tuple(gold[g]))
    other_left = sorted(
        (f for f in founds if f not in other_used), key=lambda f: [(cell is None, cell or "") for cell in found[f]]
    )
    if max(len(left), len(other_left)) <= BEST_ROWS:
        places = best_pairs([[hits(g, f) for f in other_left] for g in left])
    elif len(left) * len(other_left) <= ALIKE_PAIRS:
        places = _alike_pairs([[hits(g, f) for f in other_left] for g in left])
    else:
        places = list(zip(range(len(left)), range(len(other_left)), strict=False))
    return pairs + [(left[one], other_left[other]) for one, other in places]


def best_pairs(hits: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Pair rows with columns of a matrix so that the sum of the chosen figures is greatest (Hungarian method).

    >>> best_pairs([[3, 2], [2, 0]])
    [(0, 1), (1, 0)]
    """
    if not hits or not hits[0]:
        return []
    if len(hits) > len(hits[0]):
        return sorted((one, other) for other, one in best_pairs(list(zip(*hits, strict=True))))
    # Rows and columns carry prices; `owner[c]` is the row that holds column c, column 0 is the row being placed.
    width = len(hits[0])
    row_price, price, owner = [0] * (len(hits) + 1), [0] * (width + 1), [0] * (width + 1)
    for row in range(1, len(hits) + 1):
        owner[0], at = row, 0
        slack, came_from, seen = [1 << 60] * (width + 1), [0] * (width + 1), [False] * (width + 1)
        while owner[at]:
            seen[at] = True
            holder, step, nearest = owner[at], 1 << 60, 0
            for column in range(1, width + 1):
                if seen[column]:
                    continue
                cost = -hits[holder - 1][column - 1] - row_price[holder] - price[column]
                if cost < slack[column]:
                    slack[column], came_from[column] = cost, at
                if slack[column] < step:
                    step, nearest = slack[column], column
            for column in range(width + 1):
                if seen[column]:
                    row_price[owner[column]] += step
                    price[column] -= step
                else:
                    slack[column] -= step
            at = nearest
        while at:
            owner[at], at = owner[came_from[at]], came_from[at]
    return sorted((owner[column] - 1, column - 1) for column in range(1, width + 1) if owner[column])


def _alike_pairs(hits: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    ranked = sorted((-figure, one, other) for one, row in enumerate(hits) for other, figure in enumerate(row))
    pairs, used, other_used = [], set(), set()
    for _, one, other in ranked:
        if one not in used and other not in other_used:
            pairs.append((one, other))
            used.add(one)
            other_used.add(other)
    return pairs
