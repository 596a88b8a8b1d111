"""Values come in, the mean goes out with the digits that the published figures have.

The published figures are column means of a pandas table, rounded to four decimals. Both steps show in the last digit:
the sum is taken pairwise, and the rounding scales first and rounds half to even then (0.00625 gives 0.0062, while
Python's own `round` gives 0.0063). Over 48 lists, whose figures have four decimals, one mean in 48 is such a tie.
"""

from __future__ import annotations

from collections.abc import Sequence

DIGITS = 4
BLOCK = 128
"""From this many values on, halves are summed apart."""
LANES = 8


def published_mean(values: Sequence[float]) -> float:
    """Return the mean of some values as published: a pairwise sum, rounded to four decimals, half to even.

    The order of the values may decide the last digit. Raises ZeroDivisionError when there are none.

    >>> published_mean([1, 0, 0]), published_mean([1, *[0] * 159])
    (0.3333, 0.0062)
    """
    return round_half_even(pairwise_sum(values) / len(values))


def round_half_even(value: float, digits: int = DIGITS) -> float:
    """Round by scaling up, to the nearest whole number, and down again.

    >>> round_half_even(0.00625), round(0.00625, 4)
    (0.0062, 0.0063)
    """
    scale = 10.0**digits
    return round(value * scale) / scale


def pairwise_sum(values: Sequence[float]) -> float:
    """Return the sum as numpy's `add.reduce` takes it: eight lanes side by side, long sequences in halves.

    >>> pairwise_sum([0.1] * 10)
    1.0
    """
    n = len(values)
    if n < LANES:
        return _in_order(0.0, values)
    if n > BLOCK:
        half = n // 2 - n // 2 % LANES
        return pairwise_sum(values[:half]) + pairwise_sum(values[half:])
    whole = n - n % LANES
    a, b, c, d, e, f, g, h = (_in_order(values[lane], values[lane + LANES : whole : LANES]) for lane in range(LANES))
    return _in_order(((a + b) + (c + d)) + ((e + f) + (g + h)), values[whole:])


def _in_order(total: float, values: Sequence[float]) -> float:
    # Not `sum`, which adds with a correction from Python 3.12 on.
    for value in values:
        total += value
    return total
