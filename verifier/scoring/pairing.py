"""Which row of an answer speaks of which gold row: the key columns decide, the other cells break ties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

Pairing = tuple[tuple[int, int], ...]
"""Pairs of (gold row, found row)."""

MAX_TIES = 40
"""Beyond this many rows under one key, rows are paired in their order instead of by likeness (quadratic otherwise)."""


def pair_rows(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str | None]], keys: Sequence[int]) -> Pairing:
    """Pair rows that agree on all key columns; each row is used once. Under an equal key the most alike come first.

    >>> pair_rows([("a", "1"), ("b", "2")], [("b", "2"), ("a", "9")], [0])
    ((0, 1), (1, 0))
    """
    by_key: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(found):
        by_key[tuple(row[key] for key in keys)].append(place)
    gold_by_key: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for place, gold_row in enumerate(gold):
        gold_by_key[tuple(gold_row[key] for key in keys)].append(place)
    pairs: list[tuple[int, int]] = []
    for key, places in gold_by_key.items():
        pairs.extend(_pair_ties(gold, found, places, by_key.get(key, [])))
    return tuple(sorted(pairs))


def _pair_ties(
    gold: Sequence[Sequence[str]],
    found: Sequence[Sequence[str | None]],
    golds: Sequence[int],
    founds: Sequence[int],
) -> list[tuple[int, int]]:
    if len(golds) <= 1 >= len(founds) or len(golds) * len(founds) > MAX_TIES**2:
        return list(zip(golds, founds, strict=False))
    likeness = sorted(
        ((-sum(map(str.__eq__, gold[g], map(str, found[f]))), g, f) for g in golds for f in founds),
    )
    pairs, used_gold, used_found = [], set(), set()
    for _, g, f in likeness:
        if g not in used_gold and f not in used_found:
            pairs.append((g, f))
            used_gold.add(g)
            used_found.add(f)
    return pairs
