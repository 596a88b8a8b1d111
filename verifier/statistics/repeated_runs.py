"""Several runs of one question come in, what k of them would give goes out: Pass@k, All-of-k, Best@k, Majority@k.

Every figure is the mean over all ways to take k of the n runs, without putting any back (spec/evaluation.md 1):
drawing with replacement gives 0.644 instead of 1 for one success in 16 at k = 16. The order of runs changes nothing.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from verifier.errors import TooFewRuns

MAX_DRAWS = 2000
"""Up to this many different draws of k runs all are weighed, beyond it this many are drawn."""


def pass_at_k(successes: int, n: int, k: int) -> float:
    """Return how probable it is that one of k runs succeeds: 1 - C(n-c, k) / C(n, k).

    The unbiased estimator of Chen et al. 2021 (Evaluating Large Language Models Trained on Code), in whole numbers.
    Raises TooFewRuns when k is more than n.

    >>> pass_at_k(1, 4, 1), pass_at_k(1, 4, 2), pass_at_k(1, 16, 16)
    (0.25, 0.5, 1.0)
    """
    _check(k, n)
    _check_successes(successes, n)
    ways = math.comb(n, k)
    return (ways - math.comb(n - successes, k)) / ways


def all_of_k(successes: int, n: int, k: int) -> float:
    """Return how probable it is that all of k runs succeed: C(c, k) / C(n, k) (spec/evaluation.md 1).

    Raises TooFewRuns when k is more than n.

    >>> all_of_k(2, 4, 2), all_of_k(4, 4, 4)
    (0.16666666666666666, 1.0)
    """
    _check(k, n)
    _check_successes(successes, n)
    return math.comb(successes, k) / math.comb(n, k)


def best_at_k(values: Sequence[float], k: int) -> float:
    """Return the mean best of k runs: the sum of x_(i) C(i-1, k-1) / C(n, k), x sorted upward (spec/evaluation.md 1).

    For values 0 and 1 it is Pass@k, to the last digit. Raises TooFewRuns when k is more than there are values.

    >>> best_at_k([0.5, 0.0, 1.0], 1), best_at_k([0.5, 0.0, 1.0], 2)
    (0.5, 0.8333333333333334)
    """
    n = len(values)
    _check(k, n)
    total = sum((Fraction(value) * math.comb(place, k - 1) for place, value in enumerate(sorted(values))), Fraction(0))
    return float(total / math.comb(n, k))


def majority_at_k(answers: Sequence[Hashable], values: Sequence[float], k: int, *, seed: int = 0) -> float:
    """Return the mean score of the answer that most of k runs give (spec/evaluation.md 1).

    `answers` are canonical, so that two spellings of one answer are equal; `values` are their scores, in one order.
    Empty answers (None, "", or a container of such) do not vote, but are among the k; where none of the k votes the
    score is 0. Answers that tie for most votes give the mean of their scores.

    Draws that take as many runs of each answer are one draw, weighed by how often it happens. Up to 2,000 different
    ones all are weighed, so that the figure is exact, as it always is where C(n, k) is at most 2,000; beyond that 2,000
    are drawn, the same ones for a seed. Raises TooFewRuns when k is more than n.

    >>> majority_at_k(["a", "a", "b"], [1.0, 1.0, 0.0], 3), majority_at_k(["a", "b"], [1.0, 0.0], 2)
    (1.0, 0.5)
    >>> majority_at_k(["a", "", ""], [1.0, 0.0, 0.0], 2)
    0.6666666666666666
    """
    n = len(answers)
    if len(values) != n:
        raise ValueError(f"expected a value for each of {n} answers, found {len(values)}")
    _check(k, n)
    ballots = _ballots(answers, values)
    if len(ballots) == 1:
        return 0.0 if ballots[0].empty else ballots[0].value
    sizes = [ballot.size for ballot in ballots]
    if _different_draws(sizes, k) <= MAX_DRAWS:
        weighed = [
            math.prod(map(math.comb, sizes, taken)) * _winning_value(ballots, taken) for taken in _draws(sizes, k)
        ]
        return math.fsum(weighed) / math.comb(n, k)
    runs = [place for place, size in enumerate(sizes) for _ in range(size)]
    draw = random.Random(seed)  # noqa: S311
    drawn = (Counter(draw.sample(runs, k)) for _ in range(MAX_DRAWS))
    return math.fsum(_winning_value(ballots, [one[place] for place in range(len(sizes))]) for one in drawn) / MAX_DRAWS


class _Ballot(NamedTuple):
    """Runs with equal answers (a group) and equal values."""

    group: int
    value: float
    empty: bool
    size: int


def _ballots(answers: Sequence[Hashable], values: Sequence[float]) -> list[_Ballot]:
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for answer, value in zip(answers, values, strict=True):
        groups[None if is_empty(answer) else answer].append(value)
    # Groups with equal values do the same in every vote, so this order needs none among answers, which may be of any
    # kind, and what is drawn depends neither on the order of the runs nor on hashes.
    ordered = sorted((answer is None, sorted(group)) for answer, group in groups.items())
    return [
        _Ballot(at, value, empty, size)
        for at, (empty, group) in enumerate(ordered)
        for value, size in sorted(Counter(group).items())
    ]


def is_empty(answer: object) -> bool:
    """Tell whether an answer says nothing: None, blank text, or a container of nothing else.

    >>> is_empty(""), is_empty((("", ""),)), is_empty(frozenset({"a"})), is_empty(0)
    (True, True, False, False)
    """
    if isinstance(answer, (tuple, frozenset)):
        return all(map(is_empty, answer))
    return answer is None or answer == ""


def _different_draws(sizes: Sequence[int], k: int) -> int:
    ways = [1] + [0] * k
    for size in sizes:
        ways = [sum(ways[max(0, taken - size) : taken + 1]) for taken in range(k + 1)]
    return ways[k]


def _draws(sizes: Sequence[int], k: int) -> Iterator[tuple[int, ...]]:
    """Yield how many may be taken of each size so that k are taken in all."""
    if not sizes:
        yield ()
        return
    first, *rest = sizes
    for taken in range(max(0, k - sum(rest)), min(k, first) + 1):
        for others in _draws(rest, k - taken):
            yield (taken, *others)


def _winning_value(ballots: Sequence[_Ballot], taken: Sequence[int]) -> float:
    votes: dict[int, int] = defaultdict(int)
    for ballot, times in zip(ballots, taken, strict=True):
        if not ballot.empty:
            votes[ballot.group] += times
    most = max(votes.values(), default=0)
    if most == 0:
        return 0.0
    won = [
        (ballot.value, times) for ballot, times in zip(ballots, taken, strict=True) if votes.get(ballot.group) == most
    ]
    return math.fsum(value * times for value, times in won) / sum(times for _, times in won)


def _check(k: int, n: int) -> None:
    if k < 1:
        raise ValueError(f"expected k of at least 1, found {k}")
    if k > n:
        raise TooFewRuns(f"an estimate for k = {k} needs at least {k} runs of each question, found {n}; lower k")


def _check_successes(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"expected between 0 and {n} successes, found {successes}")
