"""Near numbers: paired one to one, as many as can be, in whatever order they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.answers.columns import Column
from verifier.scoring import tolerance
from verifier.scoring.tolerance import allowed_by, is_close, pair_values, shared, snap_column, snap_list, snap_rows

T = TypeVar("T")
HALF = Fraction(1, 2)
_VALUES = st.lists(st.sampled_from(["1", "1.3", "1.5", "1.6", "2", "2.4", "9", "x", "y", ""]), max_size=5)
_ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["1", "1.4", "2"]), st.sampled_from(["5", "6", "7"])),
                 max_size=4)  # fmt: skip
_BOTH = (None, HALF, Fraction(1))


def most_pairs(one: Sequence[T], other: Sequence[T], fit: Callable[[T, T], bool]) -> int:
    shorter, longer = sorted((one, other), key=len)
    return max(sum(map(fit, shorter, order)) for order in permutations(longer, len(shorter)))


@given(gold=_VALUES, found=_VALUES)
def test_no_pairing_of_near_values_has_more_pairs(gold: list[str], found: list[str]) -> None:
    pairs = pair_values(gold, found, HALF)
    assert all(is_close(gold[one], found[other], HALF) for one, other in pairs)
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
    assert len(pairs) == most_pairs(gold, found, lambda one, other: is_close(one, other, HALF))


@pytest.mark.parametrize("allowed", [None, HALF])
@given(gold=_VALUES, found=_VALUES)
def test_shared_counts_the_pairs(allowed: Fraction | None, gold: list[str], found: list[str]) -> None:
    assert shared(Counter(found), Counter(gold), allowed) == len(pair_values(gold, found, allowed))


@given(gold=_ROWS, found=_ROWS)
def test_no_pairing_of_near_rows_has_more_pairs(gold: list[tuple[str, ...]], found: list[tuple[str, ...]]) -> None:
    snapped = snap_rows(found, gold, _BOTH, ordered=False)
    hits = (Counter(snapped) & Counter[tuple[str | None, ...]](gold)).total()
    assert hits == most_pairs(gold, found, lambda one, other: all(map(is_close, one, other, _BOTH)))


@given(gold=_ROWS.filter(bool), data=st.data())
def test_rows_too_many_to_try_are_paired_in_the_order_of_their_numbers(
    gold: list[tuple[str, ...]], data: st.DataObject
) -> None:
    found = data.draw(st.permutations(gold))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tolerance, "MAX_PAIRS", 0)
        snapped = snap_rows(found, gold, _BOTH, ordered=False)
    assert Counter(snapped) == Counter(gold)


@given(gold=_VALUES, found=_VALUES)
def test_rows_with_one_number_are_paired_as_well_as_can_be_however_many(gold: list[str], found: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tolerance, "MAX_PAIRS", 0)
        snapped = snap_rows(
            [("a", text) for text in found], [("a", text) for text in gold], (None, HALF), ordered=False
        )
    assert (Counter(snapped) & Counter[tuple[str | None, ...]](("a", text) for text in gold)).total() == most_pairs(
        gold, found, lambda one, other: is_close(one, other, HALF)
    )


@given(gold=_VALUES, found=_VALUES)
def test_a_list_near_at_every_place_becomes_the_gold_one(gold: list[str], found: list[str]) -> None:
    near = len(gold) == len(found) and all(is_close(*pair, HALF) for pair in zip(gold, found, strict=True))
    assert (snap_list(found, gold, HALF) == gold) == near


def test_a_number_as_far_off_as_allowed_is_near() -> None:
    assert snap_list(["10.5", "11.3"], ["10", "10.8"], HALF) == ["10", "10.8"]


def test_a_cell_of_a_key_becomes_the_nearest_gold_key_the_lower_on_a_tie() -> None:
    found = ["10.4", "10.5", "12", "x", None]
    assert snap_column(found, ["10", "11", "x"], HALF) == ["10", "10", "12", "x", None]


@pytest.mark.parametrize("stated", ["-1", "about 5", "nan", "Infinity"])
def test_a_tolerance_that_is_no_amount_allows_nothing(stated: str) -> None:
    assert allowed_by(Column(name="Mass", tolerance=stated)) is None


def test_long_numbers_are_compared_exactly() -> None:
    long = "1" * 60
    assert is_close(long + ".5", long, HALF)
    assert not is_close(long + ".51", long, HALF)
