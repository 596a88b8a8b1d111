"""Means with the interval that says how sure they are."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from verifier.statistics.resampling import RESAMPLES, bootstrap_bounds


class Interval(NamedTuple):
    """A mean and its confidence interval; `low` and `high` are None where too few values say nothing."""

    mean: float | None
    low: float | None
    high: float | None
    n: int


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Interval:
    """Return the mean with Student's t-interval. One value has a mean and no interval; no value has neither.

    The interval is not cut to [0, 1]: for shares of a few tasks it may leave it, which says how little is known.

    >>> interval = mean_interval([1, 2, 3, 4])
    >>> interval.mean, round(interval.low, 3), round(interval.high, 3)
    (2.5, 0.446, 4.554)
    """
    n = len(values)
    if n == 0:
        return Interval(None, None, None, 0)
    mean = math.fsum(values) / n
    if n == 1:
        return Interval(mean, None, None, 1)
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    half = t_quantile((1 + confidence) / 2, n - 1) * math.sqrt(variance / n)
    return Interval(mean, mean - half, mean + half, n)


def cluster_interval(values: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.95) -> Interval:
    """Return the mean with an interval that knows that values of one cluster move together.

    `clusters` names each value's cluster, such as the page its question came from. The standard error is the
    cluster-robust one of Liang and Zeger 1986, sqrt(C/(C-1) sum_c u_c^2) / n with u_c the sum of a cluster's deviations
    from the mean; the quantile is Student's t with C-1 degrees (spec/evaluation.md 1). Where every value is its own
    cluster it is the t-interval. One cluster has a mean and no interval. The order of the values changes nothing.

    >>> interval = cluster_interval([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])
    >>> interval.mean, round(interval.low, 3), round(interval.high, 3)
    (0.5, -0.742, 1.742)
    """
    groups = _grouped(values, clusters)
    n, count = len(values), len(groups)
    mean = math.fsum(values) / n if n else None
    if mean is None or count < 2:
        return Interval(mean, None, None, n)
    squares = math.fsum(math.fsum(value - mean for value in group) ** 2 for group in groups)
    half = t_quantile((1 + confidence) / 2, count - 1) * math.sqrt(squares * count / (count - 1)) / n
    return Interval(mean, mean - half, mean + half, n)


def cluster_bootstrap(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    confidence: float = 0.95,
) -> Interval:
    """Return the mean with the percentile interval over whole clusters drawn with replacement: a check on the other.

    With few clusters it is too narrow; one cluster has a mean and no interval. A seed gives the same interval every
    time; the order of the values changes nothing.

    >>> cluster_bootstrap([1, 1, 0, 0], ["a", "a", "b", "b"])
    Interval(mean=0.5, low=0.0, high=1.0, n=4)
    """
    groups = sorted((math.fsum(group), len(group)) for group in _grouped(values, clusters))
    n = len(values)
    mean = math.fsum(values) / n if n else None
    if len(groups) < 2:
        return Interval(mean, None, None, n)
    sums, sizes = zip(*groups, strict=True)
    low, high = bootstrap_bounds(sums, sizes, resamples=resamples, seed=seed, confidence=confidence)
    return Interval(mean, low, high, n)


def wilson_interval(hits: int, n: int, confidence: float = 0.95) -> Interval:
    """Return the share of hits among n with the score interval of Wilson 1927, which never leaves [0, 1].

    >>> interval = wilson_interval(10, 10)
    >>> interval.mean, round(interval.low, 3), interval.high
    (1.0, 0.722, 1.0)
    """
    if not 0 <= hits <= n:
        raise ValueError(f"expected 0 to {n} hits, found {hits}")
    if n == 0:
        return Interval(None, None, None, 0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = hits / n, z * z / n
    middle, half = share + weight / 2, z * math.sqrt(share * (1 - share) / n + weight / (4 * n))
    low, high = (middle - half) / (1 + weight), (middle + half) / (1 + weight)
    return Interval(share, 0.0 if hits == 0 else low, 1.0 if hits == n else high, n)


def _grouped(values: Sequence[float], clusters: Sequence[Hashable]) -> list[list[float]]:
    if len(values) != len(clusters):
        raise ValueError(f"expected a cluster for each of {len(values)} values, found {len(clusters)}")
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for value, cluster in zip(values, clusters, strict=True):
        groups[cluster].append(value)
    return list(groups.values())


@lru_cache(maxsize=1024)
def t_quantile(p: float, degrees: int) -> float:
    """Return the quantile of Student's t, by bisection over its distribution function. For p in (0.5, 1).

    >>> round(t_quantile(0.975, 3), 4)
    3.1824
    """
    if not 0.5 < p < 1:
        raise ValueError(f"expected a probability between 0.5 and 1, found {p}")
    low, high = 0.0, 1.0
    while _t_below(high, degrees) < p:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_below(middle, degrees) < p else (low, middle)
    return (low + high) / 2


def _t_below(t: float, degrees: int) -> float:
    x = degrees / (degrees + t * t)
    return 1 - _beta_share(degrees / 2, 0.5, x) / 2


def _beta_share(a: float, b: float, x: float) -> float:
    """Regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    fraction = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction / a
