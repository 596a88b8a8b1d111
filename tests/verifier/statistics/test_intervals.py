"""Intervals, held against scipy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.statistics.intervals import Interval, mean_interval, t_quantile

# Probability, degrees of freedom, quantile: scipy.stats.t.ppf, which takes seconds to import.
QUANTILES = [
    (0.6, 1, 0.32491969623290634),
    (0.95, 1, 6.313751514675037),
    (0.975, 1, 12.706204736174694),
    (0.9995, 1, 636.6192487687897),
    (0.6, 2, 0.2886751345948128),
    (0.95, 2, 2.9199855803537242),
    (0.975, 2, 4.302652729749462),
    (0.9995, 2, 31.599054576445365),
    (0.6, 3, 0.2766706623326898),
    (0.95, 3, 2.3533634348018233),
    (0.975, 3, 3.1824463052837078),
    (0.9995, 3, 12.923978636687961),
    (0.6, 9, 0.260955336473911),
    (0.95, 9, 1.833112932656237),
    (0.975, 9, 2.262157162798205),
    (0.9995, 9, 4.780912585931217),
    (0.6, 30, 0.2556053649519128),
    (0.95, 30, 1.697260886593957),
    (0.975, 30, 2.0422724563012378),
    (0.9995, 30, 3.6459586350420627),
    (0.6, 372, 0.25352836840262694),
    (0.95, 372, 1.6489600624606089),
    (0.975, 372, 1.966361503605489),
    (0.9995, 372, 3.3168718026633575),
    (0.6, 5000, 0.25336058396923183),
    (0.95, 5000, 1.6451584375969708),
    (0.975, 5000, 1.9604385517065073),
    (0.9995, 5000, 3.2924737233708825),
]


@pytest.mark.parametrize(("p", "degrees", "quantile"), QUANTILES)
def test_t_quantile_agrees_with_scipy(p: float, degrees: int, quantile: float) -> None:
    assert t_quantile(p, degrees) == pytest.approx(quantile, rel=1e-9)


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
