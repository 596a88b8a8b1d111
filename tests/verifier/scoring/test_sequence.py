"""Order figures, held against slow and plain ways to the same numbers."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from verifier.scoring.sequence import lcs_length, lcs_ratio, longest_rise, order_ratio

_LETTERS = st.text("abc", max_size=7)


def _is_subsequence(part: tuple[str, ...], whole: str) -> bool:
    rest = iter(whole)
    return all(sign in rest for sign in part)


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
