"""Values come in, what chance would do to them goes out: bootstrap bounds of a mean, the sign-flip p of differences.

Both are seeded: a seed gives the same figures every time, whatever the order of hashes.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import getitem, truediv
from typing import NamedTuple

RESAMPLES = 10_000
MAX_SUMS = 2**16
"""Up to this many different sums of flipped differences the sign-flip p is exact: any 16 differences, or any number of
questions of which each is right or wrong."""
SCALE = 10**12
"""Differences are compared in whole numbers of this part of 1."""
BLOCK = 8


class Bounds(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


def bootstrap_bounds(
    sums: Sequence[float], sizes: Sequence[int], *, resamples: int = RESAMPLES, seed: int = 0, confidence: float = 0.95
) -> Bounds:
    """Return the percentile bootstrap interval of a mean over clusters, given by the sum and size of each.

    As many clusters as there are get drawn with replacement; the mean is over the values in them (Efron 1979). The
    interval leaves out equally many of the resampled means at each end: it has no interpolation, so that negated sums
    give the negated interval. The order of the clusters matters.

    >>> bootstrap_bounds([0, 0, 1, 1], [1, 1, 1, 1])
    Bounds(low=0.0, high=1.0)
    """
    if resamples < 1 or not 0 < confidence < 1:
        raise ValueError(f"expected a resample and a confidence between 0 and 1, found {resamples} and {confidence}")
    draw, count = random.Random(seed), len(sums)  # noqa: S311
    if len(set(sizes)) == 1:
        n = count * sizes[0]
        means = [sum(draw.choices(sums, k=count)) / n for _ in range(resamples)]
    else:
        clusters = list(zip(sums, sizes, strict=True))
        drawn = (zip(*draw.choices(clusters, k=count), strict=True) for _ in range(resamples))
        means = [truediv(*map(sum, columns)) for columns in drawn]
    means.sort()
    cut = min(round((1 - confidence) / 2 * resamples), (resamples - 1) // 2)
    return Bounds(means[cut], means[-1 - cut])


def sign_flip_p(differences: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0) -> float:
    """Return how often chance alone moves a mean as far from 0, either way, if each difference may have either sign.

    The paired permutation test of Fisher 1935. It is exact where few differences are not 0 or few are of different
    size; else 10,000 flips are drawn and p = (b + 1) / (m + 1) for b of m flips at least as far (Phipson and Smyth
    2010), which is never 0. The order of the differences changes nothing.

    >>> sign_flip_p([1, 1, 1, 0]), sign_flip_p([0.5, -0.5]), sign_flip_p([])
    (0.25, 1.0, 1.0)
    """
    parts = whole_parts(differences)
    sizes = Counter(abs(part) for part in parts if part)
    far = abs(sum(parts))
    if math.prod(times + 1 for times in sizes.values()) <= MAX_SUMS:
        ways = _flipped_sums(sizes)
        return sum(times for total, times in ways.items() if abs(total) >= far) / (1 << sizes.total())
    whole = sum(sizes.elements())
    flips = _drawn_sums(sorted(sizes.elements()), resamples, seed)
    return (sum(abs(2 * kept - whole) >= far for kept in flips) + 1) / (resamples + 1)


def whole_parts(differences: Sequence[float]) -> list[int]:
    """Return differences as whole numbers of 1e-12, so that those that only the last digits tell apart are equal.

    >>> 0.3 - 0.1 == 0.4 - 0.2, whole_parts([0.3 - 0.1, 0.4 - 0.2])
    (False, [200000000000, 200000000000])
    """
    return [round(difference * SCALE) for difference in differences]


def _flipped_sums(sizes: Counter[int]) -> dict[int, int]:
    """Return each sum that the differences can have with any signs, with the number of ways to it."""
    ways = {0: 1}
    for size, times in sizes.items():
        more: dict[int, int] = defaultdict(int)
        for total, before in ways.items():
            for kept in range(times + 1):
                more[total + (2 * kept - times) * size] += before * math.comb(times, kept)
        ways = more
    return ways


def _drawn_sums(sizes: Sequence[int], resamples: int, seed: int) -> list[int]:
    """Return sums of randomly kept sizes. A table of the sums of every eight of them makes eight steps one."""
    tables = []
    for start in range(0, len(sizes), BLOCK):
        table = [0]
        for size in sizes[start : start + BLOCK]:
            table += [size + before for before in table]
        # A short last block: the bits beyond it change nothing.
        tables.append(table * (2**BLOCK // len(table)))
    draw = random.Random(seed)  # noqa: S311
    return [sum(map(getitem, tables, draw.randbytes(len(tables)))) for _ in range(resamples)]
