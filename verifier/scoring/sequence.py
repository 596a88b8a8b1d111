"""How alike two sequences are in order: the published matching-blocks ratio, and the longest common subsequence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher


def order_ratio(gold: Sequence[Hashable], found: Sequence[Hashable]) -> float:
    """Return 2M/T over the matching blocks of difflib, without its shortcut for popular elements.

    The measure is greedy and not symmetric: the gold sequence comes first, always.

    >>> round(order_ratio(["a", "b", "c"], ["c", "a", "b"]), 4)
    0.6667
    """
    if not gold or not found:
        return 0.0
    return SequenceMatcher(None, gold, found, autojunk=False).ratio()


def lcs_length(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence, in bit-parallel steps: 5,000 elements take milliseconds.

    >>> lcs_length("abcd", "acbd")
    3
    """
    places: dict[Hashable, int] = {}
    for place, element in enumerate(one):
        places[element] = places.get(element, 0) | 1 << place
    everything = (1 << len(one)) - 1
    # A zero bit is a place where the common subsequence grew (Hyyrö's form of the bit-vector algorithm).
    row = everything
    for element in other:
        hit = row & places.get(element, 0)
        row = ((row + hit) | (row - hit)) & everything
    return len(one) - row.bit_count()


def lcs_ratio(gold: Sequence[Hashable], found: Sequence[Hashable]) -> float:
    """Return 2 LCS / T; unlike the published ratio it is symmetric."""
    return 2 * lcs_length(gold, found) / (len(gold) + len(found)) if gold and found else 0.0


def longest_rise(numbers: Sequence[int]) -> frozenset[int]:
    """Return the places of a longest strictly rising subsequence: the elements that stand in order.

    >>> sorted(longest_rise([2, 0, 1, 3]))
    [1, 2, 3]
    """
    tails: list[int] = []
    ends: list[int] = []
    before: list[int | None] = []
    for place, number in enumerate(numbers):
        at = bisect_left(tails, number)
        before.append(ends[at - 1] if at else None)
        if at == len(tails):
            tails.append(number)
            ends.append(place)
        else:
            tails[at], ends[at] = number, place
    chosen = set()
    at_place: int | None = ends[-1] if ends else None
    while at_place is not None:
        chosen.add(at_place)
        at_place = before[at_place]
    return frozenset(chosen)
