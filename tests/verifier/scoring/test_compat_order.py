"""The published order figure, held against difflib, whose shortcut for popular elements it keeps."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.scoring import compat_order
from verifier.scoring.compat_order import matched_as_published


def by_difflib(gold: Sequence[str], found: Sequence[str]) -> int:
    return sum(block.size for block in SequenceMatcher(None, gold, found).get_matching_blocks())


_SHORT = st.lists(st.sampled_from("abcde"), max_size=40)


@given(gold=_SHORT, found=_SHORT)
def test_short_lists_match_as_in_difflib(gold: list[str], found: list[str]) -> None:
    assert matched_as_published(gold, found) == by_difflib(gold, found)


@pytest.mark.parametrize("distinct", [2, 5, 60, 100, 110, 1000])
@pytest.mark.parametrize("size", [199, 200, 201, 400])
def test_long_lists_match_as_in_difflib(distinct: int, size: int) -> None:
    chance = random.Random(distinct * size)
    words = [f"w{number}" for number in range(distinct)]
    gold = chance.choices(words, weights=[1 / (number + 1) for number in range(distinct)], k=size)
    mended = [chance.choice([word, word, word, "new"]) for word in gold if chance.random() < 0.97]
    for found in (mended, gold[1:] + gold[:1], gold[size // 2 :] + gold[: size // 2], chance.sample(gold, size)):
        assert matched_as_published(gold, found) == by_difflib(gold, found)


def test_more_elements_than_signs_match_as_in_difflib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat_order, "MOST_SIGNS", 2)
    assert matched_as_published(list("abcd"), list("bcda")) == 3


_N = 5000
_CYCLE = [f"w{place % 110}" for place in range(_N)]
_LONG = {
    "every other one is wrong": (
        [word if place % 2 else f"gold {place}" for place, word in enumerate(_CYCLE)],
        [word if place % 2 else f"found {place}" for place, word in enumerate(_CYCLE)],
        _N // 2,
    ),
    "reversed": (list(map(str, range(_N))), list(map(str, range(_N)))[::-1], 1),
    "popular ones alone, shifted": (["x", "y"] * (_N // 2), ["y", "x"] * (_N // 2), 0),
    "equal": (_CYCLE, _CYCLE, _N),
}


@pytest.mark.parametrize(("gold", "found", "matched"), _LONG.values(), ids=_LONG)
def test_lists_of_5000_take_no_longer_than_2_seconds(gold: list[str], found: list[str], matched: int) -> None:
    start = time.process_time()
    assert matched_as_published(gold, found) == matched
    assert time.process_time() - start < 2
