"""Published means, held against pandas'."""

from __future__ import annotations

import pytest

from verifier.statistics.means import pairwise_sum, published_mean

# How many values, a factor that makes them, and pandas' `Series.mean().round(4)` (2.3.3, numpy 2.4.6). In every row
# the mean stands at a half of the fourth decimal, so that Python's own `sum` or `round` or an exact sum misses one.
MEANS = [
    (2, 2499, 0.1254),
    (2, 2503, 0.1264),
    (4, 1111, 0.3346),
    (8, 317, 0.3112),
    (16, 91, 0.3564),
    (20, 135, 0.4436),
    (48, 67, 0.4879),
    (48, 79, 0.4378),
    (50, 57, 0.4082),
    (128, 1063, 0.4952),
    (130, 323, 0.479),
    (300, 1851, 0.4976),
    (300, 2575, 0.5094),
]


def values_of(n: int, factor: int) -> list[float]:
    """Values of four decimals, as those of lists are, that any language can make again."""
    return [min(10000, (i * i * factor + 7 * i) % 10007) / 10000 for i in range(1, n + 1)]


@pytest.mark.parametrize(("n", "factor", "mean"), MEANS)
def test_means_agree_with_pandas_to_the_last_digit(n: int, factor: int, mean: float) -> None:
    assert published_mean(values_of(n, factor)) == mean


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 127, 128, 129, 300, 1000])
def test_every_value_is_summed_once(n: int) -> None:
    assert pairwise_sum([2.0**place for place in range(min(n, 50))] + [0.0] * max(0, n - 50)) == 2.0 ** min(n, 50) - 1
    assert pairwise_sum([1.0] * n) == n
