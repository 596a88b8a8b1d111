"""Estimates over k of n runs, held against counting every subset, and the laws they keep."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import TooFewRuns
from verifier.statistics.repeated_runs import all_of_k, best_at_k, majority_at_k, pass_at_k

# Successes, runs, k, Pass@k, All-of-k: counted by hand; the last rows stand in spec/evaluation.md 1 (1 of 16 is 1 at
# k = 16, where drawing with replacement gives 0.644) and at the size of GISA's scaling figure (16 runs).
PASS_AND_ALL = [
    (0, 5, 3, 0.0, 0.0),
    (5, 5, 3, 1.0, 1.0),
    (1, 4, 1, 0.25, 0.25),
    (1, 4, 2, 0.5, 0.0),
    (2, 4, 2, 5 / 6, 1 / 6),
    (3, 4, 2, 1.0, 0.5),
    (1, 16, 16, 1.0, 0.0),
    (4, 16, 8, 1 - 495 / 12870, 0.0),
    (8, 16, 8, 1 - 1 / 12870, 1 / 12870),
]

# Answers, values, k, Majority@k, counted by hand.
MAJORITIES: list[tuple[str, list[Hashable], list[float], int, float]] = [
    ("one run is its own majority", ["a"], [1.0], 1, 1.0),
    ("most votes win", ["a", "a", "b"], [1.0, 1.0, 0.0], 3, 1.0),
    ("a wrong majority wins too", ["a", "b", "b"], [1.0, 0.0, 0.0], 3, 0.0),
    ("a tie is the mean of the tied", ["a", "b"], [1.0, 0.0], 2, 0.5),
    ("only those who tie for most count", ["a", "a", "b", "b", "c"], [1.0, 1.0, 0.4, 0.4, 0.0], 5, 0.7),
    ("k = 1 is the mean", ["a", "b", "c", "c"], [1.0, 0.5, 0.0, 0.0], 1, 0.375),
    ("empty answers do not vote", ["a", "", "", None], [1.0, 0.0, 0.0, 0.0], 4, 1.0),
    ("they stay among the k", ["a", "", ""], [1.0, 0.0, 0.0], 1, 1 / 3),
    ("an empty table is empty", [("r",), (), ((),)], [1.0, 0.0, 0.0], 3, 1.0),
    ("nobody votes", ["", None], [0.0, 0.0], 2, 0.0),
    ("every pair of three", ["a", "a", "b"], [1.0, 1.0, 0.0], 2, (1 + 0.5 + 0.5) / 3),
    ("one answer scored twice", ["a", "a", "b"], [1.0, 0.5, 0.0], 3, 0.75),
]


@pytest.mark.parametrize(("successes", "n", "k", "any_right", "all_right"), PASS_AND_ALL)
def test_pass_and_all_of_k_are_shares_of_subsets(
    successes: int, n: int, k: int, any_right: float, all_right: float
) -> None:
    assert pass_at_k(successes, n, k) == pytest.approx(any_right, abs=1e-15)
    assert all_of_k(successes, n, k) == pytest.approx(all_right, abs=1e-15)


@pytest.mark.parametrize(
    ("answers", "values", "k", "score"), [case[1:] for case in MAJORITIES], ids=[case[0] for case in MAJORITIES]
)
def test_majority_votes_on_answers(answers: list[Hashable], values: list[float], k: int, score: float) -> None:
    assert majority_at_k(answers, values, k) == pytest.approx(score, abs=1e-15)


@pytest.mark.parametrize("call", [lambda: pass_at_k(1, 3, 4), lambda: all_of_k(1, 3, 4),
                                  lambda: best_at_k([0] * 3, 4), lambda: majority_at_k("aab", [1] * 3, 4)])  # fmt: skip
def test_more_runs_than_there_are_is_an_error_that_says_so(call: Callable[[], float]) -> None:
    with pytest.raises(TooFewRuns, match="k = 4 needs at least 4 runs of each question, found 3"):
        call()


@pytest.mark.parametrize(
    "call", [lambda: pass_at_k(0, 0, 1), lambda: best_at_k([], 1), lambda: majority_at_k([], [], 1)]
)
def test_no_run_says_nothing(call: Callable[[], float]) -> None:
    with pytest.raises(TooFewRuns, match="found 0"):
        call()


@pytest.mark.parametrize("call", [lambda: pass_at_k(0, 1, 0), lambda: pass_at_k(3, 2, 1), lambda: all_of_k(-1, 2, 1),
                                  lambda: majority_at_k("ab", [1.0], 1)])  # fmt: skip
def test_impossible_counts_are_refused(call: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        call()


def test_one_success_in_many_is_exact_where_floats_would_not_be() -> None:
    assert pass_at_k(1, 10_000, 5000) == 0.5


VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=8)
VOTES = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", ""]), st.sampled_from([0.0, 0.3, 1.0])), min_size=1, max_size=8
)


def with_k(runs: Sequence[object]) -> range:
    return range(1, len(runs) + 1)


@given(VALUES)
def test_best_of_k_is_the_mean_over_all_subsets(values: list[float]) -> None:
    for k in with_k(values):
        bests = [max(subset) for subset in combinations(values, k)]
        assert best_at_k(values, k) == pytest.approx(math.fsum(bests) / len(bests), abs=1e-12)


@given(VALUES)
def test_best_of_k_rises_with_k_from_the_mean_to_the_best(values: list[float]) -> None:
    curve = [best_at_k(values, k) for k in with_k(values)]
    assert curve == sorted(curve)
    assert curve[0] == pytest.approx(math.fsum(values) / len(values), abs=1e-12)
    assert curve[-1] == max(values)


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_best_of_k_of_right_and_wrong_is_pass_at_k(right: list[bool]) -> None:
    for k in with_k(right):
        assert best_at_k(right, k) == pass_at_k(sum(right), len(right), k)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_pass_rises_and_all_falls_with_k(counts: tuple[int, int]) -> None:
    successes, n = counts
    passes = [pass_at_k(successes, n, k) for k in range(1, n + 1)]
    alls = [all_of_k(successes, n, k) for k in range(1, n + 1)]
    assert passes == sorted(passes)
    assert alls == sorted(alls, reverse=True)
    assert passes[0] == alls[0] == successes / n


def majority_by_counting(votes: Sequence[tuple[str, float]], k: int) -> float:
    """Majority@k in the words of its definition, subset by subset."""
    scores = []
    for subset in combinations(votes, k):
        counts = Counter(answer for answer, _ in subset if answer)
        winners = [value for answer, value in subset if answer and counts[answer] == max(counts.values())]
        scores.append(sum(winners) / len(winners) if winners else 0.0)
    return sum(scores) / len(scores)


def majority_of(votes: Sequence[tuple[str, float]], k: int) -> float:
    answers, values = zip(*votes, strict=True)
    return majority_at_k(answers, values, k)


@given(VOTES)
def test_majority_is_the_mean_over_all_subsets(votes: list[tuple[str, float]]) -> None:
    for k in with_k(votes):
        assert majority_of(votes, k) == pytest.approx(majority_by_counting(votes, k), abs=1e-12)


@given(VOTES, st.data())
def test_the_order_of_runs_changes_no_majority(votes: list[tuple[str, float]], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(votes))
    k = data.draw(st.sampled_from(with_k(votes)))
    assert majority_of(votes, k) == majority_of(shuffled, k)


MANY = [(f"answer {place}" if place % 5 else "right", float(place % 5 == 0)) for place in range(24)]


def test_drawn_votes_repeat_with_the_seed_in_any_order_and_differ_between_seeds() -> None:
    answers, values = zip(*MANY, strict=True)
    backwards = majority_at_k(answers[::-1], values[::-1], 8, seed=3)
    assert majority_at_k(answers, values, 8, seed=3) == backwards
    assert backwards != majority_at_k(answers, values, 8, seed=4)


@pytest.mark.long
def test_drawn_votes_come_near_the_exact_figure() -> None:
    votes = MANY[:18]
    answers, values = zip(*votes, strict=True)
    exact = majority_by_counting([(str(answer), value) for answer, value in votes], 8)
    drawn = [majority_at_k(answers, values, 8, seed=seed) for seed in range(20)]
    assert drawn != [exact] * 20
    # The standard error of 2,000 draws of a share is at most 0.0112, of twenty times as many 0.0025.
    assert sum(drawn) / 20 == pytest.approx(exact, abs=0.0075)
