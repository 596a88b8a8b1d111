"""Which rows are paired: never worse than any other pairing, whatever the order of the rows."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.scoring import pairing
from verifier.scoring.pairing import Pairing, best_pairs, equal_cells, pair_rows

_ROW = st.tuples(st.sampled_from("ab"), st.sampled_from("123"), st.sampled_from("xyz"), st.sampled_from("pq"))
_ROWS = st.lists(_ROW, max_size=5)
_MATRIX = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=1, max_size=4)
)
Rows = list[tuple[str, str, str, str]]


def right_cells(gold: Rows, found: Rows, pairs: Pairing) -> int:
    hits = equal_cells(gold, found)
    return sum(hits(one, other) for one, other in pairs)


@given(_MATRIX)
def test_no_pairing_has_a_greater_sum(hits: list[list[int]]) -> None:
    longer = max(len(hits), len(hits[0]))
    filled = [[*row, *[0] * (longer - len(row))] for row in hits] + [[0] * longer] * (longer - len(hits))
    best = max(sum(filled[row][column] for row, column in enumerate(order)) for order in permutations(range(longer)))
    pairs = best_pairs(hits)
    assert sum(hits[row][column] for row, column in pairs) == best
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == min(len(hits), len(hits[0]))


@given(gold=_ROWS, found=_ROWS)
def test_only_rows_with_equal_keys_are_paired_each_once(gold: Rows, found: Rows) -> None:
    pairs = pair_rows(gold, found, [0, 1])
    assert all(gold[one][:2] == found[other][:2] for one, other in pairs)
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)


@pytest.mark.parametrize(("best", "alike"), [(100, 250_000), (0, 250_000), (0, 0)], ids=["best", "alike", "by text"])
@given(gold=_ROWS, found=_ROWS, data=st.data())
def test_the_order_of_rows_changes_no_count(
    best: int, alike: int, gold: Rows, found: Rows, data: st.DataObject
) -> None:
    other_gold, other_found = data.draw(st.permutations(gold)), data.draw(st.permutations(found))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairing, "BEST_ROWS", best)
        patch.setattr(pairing, "ALIKE_PAIRS", alike)
        pairs, other_pairs = pair_rows(gold, found, [0]), pair_rows(other_gold, other_found, [0])
    assert right_cells(gold, found, pairs) == right_cells(other_gold, other_found, other_pairs)


@pytest.mark.parametrize(("best", "alike"), [(100, 250_000), (0, 250_000), (0, 0)], ids=["best", "alike", "by text"])
@given(rows=_ROWS, data=st.data())
def test_equal_rows_are_paired_with_each_other(best: int, alike: int, rows: Rows, data: st.DataObject) -> None:
    found = data.draw(st.permutations(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairing, "BEST_ROWS", best)
        patch.setattr(pairing, "ALIKE_PAIRS", alike)
        pairs = pair_rows(rows, found, [0])
    assert right_cells(rows, found, pairs) == 4 * len(rows)


def test_a_missing_key_column_pairs_nothing() -> None:
    assert pair_rows([("a", "1")], [(None, "1")], [0]) == ()
