"""Intervals, held against scipy's, statsmodels' and numpy's, and against their own promise."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.statistics.intervals import Interval, cluster_bootstrap, cluster_interval, mean_interval, t_quantile

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


def values_of(n: int, factor: int) -> list[float]:
    """Values in [0, 1] that any language can make again."""
    return [(i * i * factor + 7 * i) % 101 / 101 for i in range(1, n + 1)]


def clusters_of(n: int, modulus: int) -> list[int]:
    """Clusters of unequal size, as the squares have them; every value its own where the modulus is n."""
    return [i * i % modulus if modulus < n else i for i in range(n)]


# Values, modulus of the clusters, factor of the values, confidence, low, high: statsmodels 0.15.0,
# OLS(values, 1).fit(cov_type="cluster", use_t=True).conf_int(), whose correction for one mean is C/(C-1).
CLUSTERED = [
    (6, 3, 5, 0.95, -1.6441967742581218, 2.2976621207927757),
    (10, 2, 3, 0.95, -0.8207071969121729, 1.6702121474072222),
    (20, 4, 13, 0.95, -0.011164824624134873, 0.9072044285845301),
    (20, 20, 13, 0.95, 0.3068287219419096, 0.5892108820184863),
    (50, 7, 17, 0.9, 0.451504133390374, 0.7231493319561608),
    (373, 40, 29, 0.95, 0.4606917777447057, 0.5121004076400527),
    (373, 120, 31, 0.99, 0.421714101976607, 0.48015195594285814),
]

# The same, at 95%: numpy 2.4.6, the 0.025 and 0.975 quantiles of 200,000 resampled means.
BOOTSTRAPPED = [
    (50, 50, 17, 0.5071287128712871, 0.6653465346534655),
    (373, 373, 29, 0.45817959812067, 0.5146922198922306),
    (373, 40, 29, 0.46644664, 0.50980392),
]


@pytest.mark.parametrize(("n", "modulus", "factor", "confidence", "low", "high"), CLUSTERED)
def test_cluster_interval_agrees_with_statsmodels(
    n: int, modulus: int, factor: int, confidence: float, low: float, high: float
) -> None:
    interval = cluster_interval(values_of(n, factor), clusters_of(n, modulus), confidence)
    assert interval.low == pytest.approx(low, abs=1e-9)
    assert interval.high == pytest.approx(high, abs=1e-9)
    assert interval.n == n


@pytest.mark.parametrize(("n", "modulus", "factor", "low", "high"), BOOTSTRAPPED)
def test_cluster_bootstrap_agrees_with_numpy_but_for_its_draws(
    n: int, modulus: int, factor: int, low: float, high: float
) -> None:
    interval = cluster_bootstrap(values_of(n, factor), clusters_of(n, modulus))
    assert interval.low == pytest.approx(low, abs=0.002)
    assert interval.high == pytest.approx(high, abs=0.002)
    assert interval.n == n


Clustered = Callable[[Sequence[float], Sequence[int]], Interval]
BOTH: list[Clustered] = [cluster_interval, cluster_bootstrap]


@pytest.mark.parametrize("interval_of", BOTH)
@pytest.mark.parametrize(
    ("values", "clusters", "interval"),
    [
        ([], [], Interval(None, None, None, 0)),
        ([0.5], [1], Interval(0.5, None, None, 1)),
        ([0.0, 1.0, 1.0, 0.0], [1, 1, 1, 1], Interval(0.5, None, None, 4)),
        ([1.0, 1.0, 1.0], [1, 2, 2], Interval(1, 1, 1, 3)),
    ],
)
def test_few_or_equal_clusters_say_what_they_can(
    interval_of: Clustered, values: list[float], clusters: list[int], interval: Interval
) -> None:
    assert interval_of(values, clusters) == interval


@pytest.mark.parametrize("interval_of", BOTH)
def test_a_value_without_a_cluster_is_refused(interval_of: Clustered) -> None:
    with pytest.raises(ValueError, match="each of 2 values, found 1"):
        interval_of([0.0, 1.0], [1])


@pytest.mark.parametrize(
    "bootstrap",
    [
        partial(cluster_bootstrap, resamples=0),
        partial(cluster_bootstrap, confidence=0.0),
        partial(cluster_bootstrap, confidence=1.0),
    ],
)
def test_an_impossible_bootstrap_is_refused(bootstrap: Clustered) -> None:
    with pytest.raises(ValueError, match="expected"):
        bootstrap([0.0, 1.0], [1, 2])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_values_that_are_their_own_clusters_give_the_t_interval(values: list[float]) -> None:
    one, other = mean_interval(values), cluster_interval(values, range(len(values)))
    assert (one.mean, one.n) == (other.mean, other.n)
    assert one.low == pytest.approx(other.low, abs=1e-9)
    assert one.high == pytest.approx(other.high, abs=1e-9)


@pytest.mark.parametrize("interval_of", BOTH)
def test_the_order_of_values_changes_no_digit(interval_of: Clustered) -> None:
    pairs = list(zip(values_of(60, 17), clusters_of(60, 13), strict=True))
    once = interval_of(*zip(*pairs, strict=True))
    random.Random(1).shuffle(pairs)
    assert interval_of(*zip(*pairs, strict=True)) == once


def test_a_seed_decides_the_bootstrap() -> None:
    draws = [cluster_bootstrap(values_of(60, 17), range(60), resamples=200, seed=seed) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def covered(interval_of: Clustered, rounds: int, clusters: int, draw: random.Random) -> float:
    """Return how often the interval holds the true mean 0.5 of runs whose clusters share luck."""
    hits = 0
    for _ in range(rounds):
        values, names = [], []
        for name in range(clusters):
            luck = draw.random()
            for _ in range(draw.choice((1, 2, 4, 8))):
                values.append(float(draw.random() < luck))
                names.append(name)
        interval = interval_of(values, names)
        assert interval.low is not None
        assert interval.high is not None
        hits += interval.low <= 0.5 <= interval.high
    return hits / rounds


# What an interval is, rounds, the share of rounds that hold the truth: 0.95 but for three standard errors of the rounds
# and, for the bootstrap, which is a little too narrow, for another 0.02.
COVERAGE = [
    ("clustered", cluster_interval, 4000, 0.94, 0.965),
    ("bootstrap", lambda values, names: cluster_bootstrap(values, names, resamples=400), 1500, 0.91, 0.965),
]


@pytest.mark.long
@pytest.mark.parametrize(("interval_of", "rounds", "low", "high"), [case[1:] for case in COVERAGE],
                         ids=[case[0] for case in COVERAGE])  # fmt: skip
def test_95_of_100_intervals_hold_the_truth(interval_of: Clustered, rounds: int, low: float, high: float) -> None:
    assert low <= covered(interval_of, rounds, 40, random.Random(1)) <= high


@pytest.mark.long
def test_an_interval_blind_to_clusters_promises_too_much() -> None:
    assert covered(lambda values, _: mean_interval(values), 1000, 40, random.Random(1)) < 0.85


@pytest.mark.long
def test_95_of_100_t_intervals_hold_a_run_s_true_share() -> None:
    draw = random.Random(1)
    hits = 0
    for _ in range(4000):
        low, high = mean_interval([float(draw.random() < 0.193) for _ in range(373)])[1:3]
        assert low is not None
        assert high is not None
        hits += low <= 0.193 <= high
    assert hits / 4000 == pytest.approx(0.95, abs=0.012)
