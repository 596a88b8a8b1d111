"""Which wrong cells are nearly right, and why."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given

from tests.verifier.answers.nasty import COLUMNS, nasty_cells
from tests.verifier.tables.normalising import FAR, NEAR, NearPair, Pair
from verifier.answers.columns import Column
from verifier.answers.normalization.near_miss import NEAR_MISSES, near_miss
from verifier.answers.normalization.normalise import normalise


def reason(one: str, other: str, column: Column) -> str | None:
    return near_miss(normalise(one, column), normalise(other, column), column)


@pytest.mark.parametrize("pair", NEAR, ids=lambda pair: f"{pair.one!r} {pair.other!r}")
def test_near_miss_is_named(pair: NearPair) -> None:
    assert reason(pair.one, pair.other, pair.column) == pair.reason


@pytest.mark.parametrize("pair", FAR, ids=lambda pair: f"{pair.one!r} {pair.other!r}")
def test_plain_wrong_cell_is_not_near(pair: Pair) -> None:
    assert reason(pair.one, pair.other, pair.column) is None


def test_every_reason_has_an_example_in_the_table() -> None:
    assert {pair.reason for pair in NEAR} == set(NEAR_MISSES)


def test_without_the_matching_library_only_typos_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    assert reason("Dostoevsky", "Dostoyevsky", Column(name="Value")) is None
    assert reason("Zürich", "Zurich", Column(name="Value")) == "accents"


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
@given(one=nasty_cells(), other=nasty_cells())
def test_nearness_has_no_direction_and_never_raises(column: Column, one: str, other: str) -> None:
    assert reason(one, other, column) == reason(other, one, column)
