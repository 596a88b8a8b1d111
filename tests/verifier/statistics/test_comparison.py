"""Comparisons of two runs, held against scipy's and statsmodels' figures, and the laws they keep."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.statistics.comparison import Comparison, compare, holm, mcnemar_p, minimum_detectable_effect
from verifier.statistics.resampling import sign_flip_p

# Discordant questions either way, p: statsmodels 0.15.0, mcnemar(exact=True).
MCNEMAR = [
    (0, 0, 1.0),
    (1, 0, 1.0),
    (5, 0, 0.0625),
    (10, 3, 0.09228515625),
    (3, 10, 0.09228515625),
    (25, 12, 0.04703102743951604),
    (40, 40, 1.0),
    (60, 31, 0.00311268984839376),
    (200, 150, 0.008720036530555947),
]

# p-values, corrected: statsmodels 0.15.0, multipletests(method="holm").
HOLM = [
    ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
    ([0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205], [0.008, 0.056, *[0.234] * 6]),
    ([0.5, 0.9], [1.0, 1.0]),
    ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
    ([0.0, 1.0], [0.0, 1.0]),
    ([], []),
]

# Differences, p: scipy 1.17.1, permutation_test(permutation_type="samples", n_resamples=inf) on those that are not 0.
SIGN_FLIPS = [
    ([1, 1, 1], 0.25),
    ([0.5, -0.25, 0.125, 0.25], 0.5),
    ([0.3, 0.1, -0.2, 0.4, 0.25, 0.15], 0.125),
    ([1, 1, 1, -1, 1, 0, 0, 1], 0.21875),
    ([0.9, 0.8, -0.1, 0.7, 0.6, -0.2, 0.35, 0.41, 0.13, -0.05, 0.22, 0.31], 0.00927734375),
    ([0.3 - 0.1, -(0.4 - 0.2), 0.2], 1.0),
    ([1] * 9 + [-1] * 3, 0.14599609375),
]

# How many differences of -1, 0 and 1, a factor that makes them, power, level, effect: statsmodels 0.15.0,
# NormalIndPower().solve_power(ratio=0) times the standard deviation; it also counts the far tail, some 1e-6.
DETECTABLE = [
    (10, 3, 0.8, 0.05, 0.7233653778921536),
    (10, 3, 0.9, 0.01, 0.9959727575921624),
    (48, 7, 0.8, 0.05, 0.38528146120449913),
    (48, 7, 0.9, 0.01, 0.530477955179227),
    (373, 11, 0.8, 0.05, 0.06842787237133044),
    (373, 11, 0.9, 0.01, 0.09421555365438594),
]

ONE = {"1": 1.0, "2": 0.0, "10": 1.0, "x": 1.0}
OTHER = {"10": 0.0, "2": 0.0, "1": 1.0, "y": 0.0, "7": 1.0}


@pytest.mark.parametrize(("better", "worse", "p"), MCNEMAR)
def test_mcnemar_agrees_with_statsmodels(better: int, worse: int, p: float) -> None:
    assert mcnemar_p(better, worse) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize(("raw", "corrected"), HOLM)
def test_holm_agrees_with_statsmodels(raw: list[float], corrected: list[float]) -> None:
    found = holm({str(place): p for place, p in enumerate(raw)})
    assert [found[str(place)] for place in range(len(raw))] == pytest.approx(corrected)


@pytest.mark.parametrize(("differences", "p"), SIGN_FLIPS)
def test_sign_flips_agree_with_scipy(differences: list[float], p: float) -> None:
    assert sign_flip_p(differences) == p


@pytest.mark.parametrize(("n", "factor", "power", "alpha", "effect"), DETECTABLE)
def test_the_detectable_effect_agrees_with_statsmodels(
    n: int, factor: int, power: float, alpha: float, effect: float
) -> None:
    differences = [(i * i * factor + 7 * i) % 3 - 1.0 for i in range(1, n + 1)]
    assert minimum_detectable_effect(differences, power, alpha) == pytest.approx(effect, abs=2e-6)


def test_questions_of_one_run_alone_are_dropped_by_name() -> None:
    seen = compare(ONE, OTHER)
    assert (seen.n, seen.only_one, seen.only_other) == (3, ("x",), ("7", "y"))


def test_the_means_are_over_shared_questions() -> None:
    seen = compare(ONE, OTHER)
    assert (seen.mean_one, seen.mean_other, seen.difference) == pytest.approx((2 / 3, 1 / 3, 1 / 3))
    assert (seen.better, seen.worse, seen.mcnemar_p) == (1, 0, 1.0)


def test_shares_have_no_mcnemar() -> None:
    assert compare({"1": 0.5, "2": 1.0}, {"1": 0.0, "2": 1.0}).mcnemar_p is None


def test_figures_that_only_the_last_digits_tell_apart_are_equal() -> None:
    seen = compare({"1": 0.1 + 0.2}, {"1": 0.3})
    assert (seen.better, seen.worse) == (0, 0)


def test_nothing_in_common_says_nothing() -> None:
    nothing = Comparison(
        n=0, only_one=("a",), only_other=("b",), mean_one=None, mean_other=None, difference=None, low=None, high=None,
        sign_flip_p=None, better=0, worse=0, mcnemar_p=None, minimum_detectable=None,
    )  # fmt: skip
    assert compare({"a": 1.0}, {"b": 1.0}) == nothing


def test_one_question_has_a_difference_and_no_interval() -> None:
    seen = compare({"a": 1.0}, {"a": 0.0})
    assert (seen.difference, seen.low, seen.high, seen.sign_flip_p) == (1.0, None, None, 1.0)


def test_equal_runs_do_not_differ() -> None:
    seen = compare(ONE, ONE)
    assert (seen.difference, seen.low, seen.high, seen.sign_flip_p, seen.mcnemar_p) == (0, 0, 0, 1, 1)
    assert seen.minimum_detectable is None


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_refused_by_name(p: float) -> None:
    with pytest.raises(ValueError, match="for gpt"):
        holm({"a": 0.5, "gpt": p})


RUN = st.dictionaries(st.sampled_from([str(place) for place in range(12)]), st.sampled_from([0.0, 0.25, 1.0]))


@given(RUN, RUN)
def test_swapped_runs_give_the_negated_comparison(one: dict[str, float], other: dict[str, float]) -> None:
    there, back = compare(one, other, resamples=200), compare(other, one, resamples=200)
    assert there == replace(
        back,
        only_one=back.only_other,
        only_other=back.only_one,
        mean_one=back.mean_other,
        mean_other=back.mean_one,
        difference=None if back.difference is None else -back.difference,
        low=None if back.high is None else -back.high,
        high=None if back.low is None else -back.low,
        better=back.worse,
        worse=back.better,
    )


@given(RUN, RUN, st.data())
def test_the_order_of_questions_changes_nothing(
    one: dict[str, float], other: dict[str, float], data: st.DataObject
) -> None:
    shuffled = dict(data.draw(st.permutations(list(one.items()))))
    assert compare(one, other, resamples=50) == compare(shuffled, other, resamples=50)


@given(st.integers(0, 40), st.integers(0, 40))
def test_for_right_and_wrong_the_sign_flip_is_mcnemar(better: int, worse: int) -> None:
    assert sign_flip_p([1.0] * better + [-1.0] * worse) == pytest.approx(mcnemar_p(better, worse), rel=1e-12)


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=9))
def test_holm_never_lowers_a_p_and_keeps_their_order(raw: dict[str, float]) -> None:
    corrected = holm(raw)
    assert corrected.keys() == raw.keys()
    assert all(raw[name] <= corrected[name] <= 1 for name in raw)
    by_raw = [corrected[name] for name in sorted(raw, key=lambda name: raw[name])]
    assert by_raw == sorted(by_raw)


def uneven(n: int, lean: float, draw: random.Random) -> list[float]:
    """Differences that are all of another size, so that flips are drawn."""
    return [draw.random() - lean for _ in range(n)]


def test_drawn_flips_are_never_0_and_repeat_with_the_seed() -> None:
    far = uneven(40, 0.0, random.Random(1))
    assert sign_flip_p(far) == 1 / 10_001
    near = uneven(40, 0.45, random.Random(1))
    assert sign_flip_p(near, seed=1) == sign_flip_p(near[::-1], seed=1) != sign_flip_p(near, seed=2)


# Signs of the differences 1, 2, ... 18, p: scipy 1.17.1 as above. Many flips give just the observed sum: without them
# the p would be 0.799 and 0.0539.
DRAWN = [("+++++++++++++-----", 0.83172607421875), ("+-+-+-+-+-+-++++++", 0.0599365234375)]


@pytest.mark.parametrize(("signs", "p"), DRAWN)
def test_drawn_flips_come_near_the_exact_p(signs: str, p: float) -> None:
    differences = [size if sign == "+" else -size for size, sign in enumerate(signs, start=1)]
    # Three standard errors of 200,000 draws.
    assert sign_flip_p(differences, resamples=200_000) == pytest.approx(p, abs=0.0025)


@pytest.mark.long
@pytest.mark.parametrize("n", [12, 60])
def test_5_of_100_equal_runs_look_different_at_most(n: int) -> None:
    draw = random.Random(1)
    rounds = 2000
    false = sum(sign_flip_p(uneven(n, 0.5, draw), resamples=999, seed=turn) <= 0.05 for turn in range(rounds))
    # 0.05 and three standard errors of the rounds, either way: the test neither cries wolf nor sleeps.
    assert false / rounds == pytest.approx(0.05, abs=0.015)


@pytest.mark.long
def test_the_detectable_effect_is_found_in_80_of_100_comparisons() -> None:
    draw = random.Random(1)
    spread = [draw.gauss(0, 0.3) for _ in range(200)]
    effect = minimum_detectable_effect(spread)
    assert effect is not None
    error = effect / (1.959964 + 0.841621)
    deviation = error * len(spread) ** 0.5
    found = sum(
        sign_flip_p([draw.gauss(effect, deviation) for _ in spread], resamples=999) <= 0.05 for _ in range(1500)
    )
    assert found / 1500 == pytest.approx(0.8, abs=0.035)


@pytest.mark.long
def test_a_released_set_is_compared_in_a_moment() -> None:
    draw = random.Random(1)
    one, other = ({str(name): draw.random() for name in range(373)} for _ in range(2))
    start = time.process_time()
    compare(one, other)
    assert time.process_time() - start < 1.5
