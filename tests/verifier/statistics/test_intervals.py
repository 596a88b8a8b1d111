"""Intervals, held against scipy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.statistics.intervals import Interval, mean_interval, t_quantile


@pytest.mark.parametrize("degrees", [1, 2, 3, 9, 30, 372, 5000])
@pytest.mark.parametrize("p", [0.6, 0.95, 0.975, 0.9995])
def test_t_quantile_agrees_with_scipy(p: float, degrees: int) -> None:
    from scipy import stats

    assert t_quantile(p, degrees) == pytest.approx(stats.t.ppf(p, degrees), rel=1e-9)


@pytest.mark.parametrize(
    ("values", "interval"),
    [([], Interval(None, None, None, 0)), ([0.5], Interval(0.5, None, None, 1)), ([1, 1, 1], Interval(1, 1, 1, 3))],
)
def test_few_or_equal_values_say_what_they_can(values: list[float], interval: Interval) -> None:
    assert mean_interval(values) == interval


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_the_mean_lies_inside_and_more_confidence_is_wider(values: list[float]) -> None:
    narrow, wide = mean_interval(values, 0.8), mean_interval(values, 0.99)
    assert narrow.low is not None
    assert wide.low is not None
    assert narrow.mean is not None
    assert wide.low <= narrow.low <= narrow.mean


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0])
def test_an_impossible_probability_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="between"):
        t_quantile(p, 3)
