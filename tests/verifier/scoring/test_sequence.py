"""Order figures, held against slow and plain ways to the same numbers."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.scoring import sequence
from verifier.scoring.sequence import lcs_length, lcs_pairs, lcs_ratio, longest_rise, matched_length, order_ratio

_LETTERS = st.text("abc", max_size=7)
_LONGER = st.lists(st.integers(0, 4), max_size=60)


def _is_subsequence(part: tuple[str, ...], whole: str) -> bool:
    rest = iter(whole)
    return all(sign in rest for sign in part)


def _ratio_of_difflib(gold: Sequence[object], found: Sequence[object]) -> float:
    return SequenceMatcher(None, gold, found, autojunk=False).ratio() if gold and found else 0.0


@given(gold=_LONGER, found=_LONGER)
def test_order_ratio_is_that_of_difflib(gold: list[int], found: list[int]) -> None:
    assert order_ratio(gold, found) == _ratio_of_difflib(gold, found)


@given(gold=st.lists(st.integers(0, 30), max_size=40, unique=True), data=st.data())
def test_order_ratio_of_permutations_is_that_of_difflib(gold: list[int], data: st.DataObject) -> None:
    found = data.draw(st.permutations(gold))
    assert order_ratio(gold, found) == _ratio_of_difflib(gold, found)


@pytest.mark.parametrize("distinct", [1, 2, 3, 10, 100, 1000])
def test_order_ratio_of_300_random_elements_is_that_of_difflib(distinct: int) -> None:
    chance = random.Random(distinct)
    for _ in range(5):
        gold, found = ([chance.randrange(distinct) for _ in range(300)] for _ in range(2))
        kept = [element if chance.random() < 0.9 else -1 for element in gold if chance.random() < 0.95]
        for other in (found, kept, gold[150:] + gold[:150]):
            assert order_ratio(gold, other) == _ratio_of_difflib(gold, other)


_N = 5000
_LONG: dict[str, tuple[list[int], list[int], int]] = {
    "all equal": ([0] * _N, [0] * _N, _N),
    "two values, shifted by one": ([at % 2 for at in range(_N)], [(at + 1) % 2 for at in range(_N)], _N - 1),
    "reversed": (list(range(_N)), list(range(_N))[::-1], 1),
    "halves changed": (list(range(_N)), [*range(_N // 2, _N), *range(_N // 2)], _N // 2),
    "every other one is wrong": (list(range(_N)), [at if at % 2 else -1 for at in range(_N)], _N // 2),
    "nothing in common": (list(range(_N)), list(range(-_N, 0)), 0),
}


@pytest.mark.parametrize("name", _LONG)
def test_lists_of_5000_are_matched(name: str) -> None:
    gold, found, matched = _LONG[name]
    assert matched_length(gold, found) == matched


@pytest.mark.long
def test_the_worst_pair_of_5000_takes_seconds() -> None:
    # Runs of all lengths that a wrong element parts, wrong ones that stand elsewhere in the other list.
    gold: list[object] = []
    found: list[object] = []
    for size in range(98, 0, -1):
        gold += ["a"] * size + ["x"]
        found += ["a"] * size + ["y"]
    start = time.process_time()
    assert matched_length([*gold, "y"], ["x", *found]) == sum(range(99)) + 1
    assert time.process_time() - start < 30


@given(one=_LETTERS, other=_LETTERS)
def test_lcs_is_the_longest_common_subsequence(one: str, other: str) -> None:
    common = (
        size
        for size in range(len(one), -1, -1)
        if any(_is_subsequence(part, other) for part in combinations(one, size))
    )
    assert lcs_length(one, other) == next(common)


@given(one=_LETTERS, other=_LETTERS)
def test_lcs_ratio_is_symmetric_and_never_below_the_greedy_one(one: str, other: str) -> None:
    assert lcs_ratio(one, other) == lcs_ratio(other, one)
    assert lcs_ratio(one, other) >= order_ratio(one, other)


@given(one=_LONGER, other=_LONGER)
def test_lcs_pairs_are_a_longest_common_subsequence(one: list[int], other: list[int]) -> None:
    pairs = lcs_pairs(one, other)
    assert all(one[place] == other[at] for place, at in pairs)
    assert all(first[0] < second[0] and first[1] < second[1] for first, second in pairwise(pairs))
    assert len(pairs) == lcs_length(one, other)


@given(one=_LONGER, other=_LONGER)
def test_lists_too_long_to_trace_are_paired_in_order(one: list[int], other: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequence, "MAX_TRACED", -1)
        pairs = lcs_pairs(one, other)
    assert all(one[place] == other[at] for place, at in pairs)
    assert all(first[0] < second[0] and first[1] < second[1] for first, second in pairwise(pairs))


@given(st.lists(st.integers(0, 9), max_size=8))
def test_longest_rise_rises_and_none_is_longer(numbers: list[int]) -> None:
    rise = [numbers[place] for place in sorted(longest_rise(numbers))]
    assert all(one < other for one, other in pairwise(rise))
    longest = max(
        size
        for size in range(len(numbers) + 1)
        for part in combinations(numbers, size)
        if all(one < other for one, other in pairwise(part))
    )
    assert len(rise) == longest
