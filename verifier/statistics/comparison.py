"""The figures of two runs by question come in, how they differ and how sure that is goes out.

Two runs are compared on the questions that both have, question by question, because questions differ far more than
runs do: unpaired, most neighbours of a leaderboard cannot be told apart (spec/evaluation.md 1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from verifier.statistics.breakdown import id_order
from verifier.statistics.resampling import RESAMPLES, bootstrap_bounds, sign_flip_p, whole_parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How one run differs from another. Figures are None where the questions in common say nothing of them."""

    n: int
    """Questions in both runs."""
    only_one: tuple[str, ...]
    """Questions dropped because the other run lacks them, by id."""
    only_other: tuple[str, ...]
    """Questions dropped because the first run lacks them, by id."""
    mean_one: float | None
    mean_other: float | None
    difference: float | None
    """Mean of the first minus the other, over questions in both."""
    low: float | None
    high: float | None
    """The difference's percentile bootstrap interval at 95%, questions drawn in pairs."""
    sign_flip_p: float | None
    """How often chance alone gives a difference as large, either way."""
    better: int
    """Discordant questions: the first run scores higher."""
    worse: int
    """Discordant questions: the other run scores higher."""
    mcnemar_p: float | None
    """McNemar's exact p over the discordant questions; None unless every figure is 0 or 1."""
    minimum_detectable: float | None
    """The smallest true difference that as many questions would show in 80 of 100 such comparisons."""


def compare(
    one: Mapping[str, float], other: Mapping[str, float], *, seed: int = 0, resamples: int = RESAMPLES
) -> Comparison:
    """Compare two runs, given as question id -> figure; where a question ran several times, as the mean of its runs.

    Swapping the runs negates the difference and swaps the rest. A seed gives the same bytes every time; the order of
    the questions changes nothing.

    >>> seen = compare({"1": 1.0, "2": 1.0, "3": 0.0}, {"1": 0.0, "2": 1.0, "4": 1.0})
    >>> seen.n, seen.difference, (seen.better, seen.worse), seen.only_one, seen.only_other
    (2, 0.5, (1, 0), ('3',), ('4',))
    """
    # By id: the same draws of questions serve both directions, so that the interval of a swap is the negated one.
    shared = sorted(one.keys() & other.keys(), key=id_order)
    differences = [one[name] - other[name] for name in shared]
    n, parts = len(shared), whole_parts(differences)
    better, worse = sum(part > 0 for part in parts), sum(part < 0 for part in parts)
    bounds = bootstrap_bounds(differences, [1] * n, resamples=resamples, seed=seed) if n > 1 else None
    right_or_wrong = all(figure in (0, 1) for name in shared for figure in (one[name], other[name]))
    return Comparison(
        n=n,
        only_one=tuple(sorted(one.keys() - other.keys(), key=id_order)),
        only_other=tuple(sorted(other.keys() - one.keys(), key=id_order)),
        mean_one=_mean([one[name] for name in shared]),
        mean_other=_mean([other[name] for name in shared]),
        difference=_mean(differences),
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        sign_flip_p=sign_flip_p(differences, resamples=resamples, seed=seed) if n else None,
        better=better,
        worse=worse,
        mcnemar_p=mcnemar_p(better, worse) if n and right_or_wrong else None,
        minimum_detectable=minimum_detectable_effect(differences),
    )


def mcnemar_p(better: int, worse: int) -> float:
    """Return the exact two-sided p of McNemar 1947: of the discordant questions, either run wins half by chance.

    Twice the binomial tail, at most 1; 1 where no question is discordant.

    >>> mcnemar_p(5, 0), mcnemar_p(3, 3)
    (0.0625, 1.0)
    """
    discordant = better + worse
    tail = sum(math.comb(discordant, wins) for wins in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / (1 << discordant))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return p-values corrected for their number, smallest first (Holm 1979).

    The i-th smallest of m is multiplied by m - i + 1, at least the one before it, at most 1. Names that are equally
    sure are sorted. Raises ValueError for what is no probability.

    >>> holm({"b": 0.04, "a": 0.01, "c": 0.03})
    {'a': 0.03, 'c': 0.06, 'b': 0.06}
    """
    if wrong := [name for name, p in p_values.items() if not 0 <= p <= 1]:
        raise ValueError(f"expected p-values between 0 and 1, found {p_values[wrong[0]]} for {wrong[0]}")
    corrected: dict[str, float] = {}
    least = 0.0
    for place, (p, name) in enumerate(sorted((p, name) for name, p in p_values.items())):
        least = max(least, min(1.0, (len(p_values) - place) * p))
        corrected[name] = least
    return corrected


def minimum_detectable_effect(differences: Sequence[float], power: float = 0.8, alpha: float = 0.05) -> float | None:
    """Return the smallest true mean difference found with this power by a two-sided test at level alpha.

    (z(1 - alpha/2) + z(power)) s / sqrt(n), with s the standard deviation of the paired differences (Bloom 1995;
    spec/evaluation.md 1). None with fewer than two differences, and where all are equal: no spread is known then.

    >>> round(minimum_detectable_effect([1, 0, 0, 0, -1, 0, 0, 1]), 3), minimum_detectable_effect([0, 0, 0])
    (0.635, None)
    """
    n = len(differences)
    if len(set(differences)) < 2:
        return None
    mean = math.fsum(differences) / n
    error = math.sqrt(math.fsum((difference - mean) ** 2 for difference in differences) / (n - 1) / n)
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * error


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
