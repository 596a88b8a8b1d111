"""The order score of lists that are hard to compare: 5,000 elements, CPU milliseconds each."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping

from verifier.scoring.sequence import lcs_ratio, order_ratio

SIZE = 5000
Lists = tuple[list[object], list[object]]


def measure_long_lists(repetitions: int) -> list[dict[str, object]]:
    """Time both order figures of each pair of lists, the quickest of the repetitions."""
    return [{"lists": name, **_least(make(), repetitions)} for name, make in LONG_LISTS.items()]


def _least(lists: Lists, repetitions: int) -> dict[str, float]:
    times: dict[str, list[float]] = {"order_ms": [], "lcs_ms": []}
    for _ in range(repetitions):
        for name, figure in (("order_ms", order_ratio), ("lcs_ms", lcs_ratio)):
            start = time.process_time()
            figure(*lists)
            times[name].append(1000 * (time.process_time() - start))
    return {name: min(one) for name, one in times.items()}


def _random(distinct: int) -> Lists:
    chance = random.Random(distinct)  # noqa: S311 - made-up lists, no secrets
    return [chance.randrange(distinct) for _ in range(SIZE)], [chance.randrange(distinct) for _ in range(SIZE)]


def _shuffled() -> Lists:
    gold: list[object] = list(range(SIZE))
    return gold, random.Random(0).sample(gold, SIZE)  # noqa: S311


def _staircase() -> Lists:
    # Runs of every length that one wrong element parts, each wrong one standing elsewhere in the other list.
    gold: list[object] = []
    found: list[object] = ["x"]
    for size in range(98, 0, -1):
        gold += [*["a"] * size, "x"]
        found += [*["a"] * size, "y"]
    return [*gold, "y"], found


LONG_LISTS: Mapping[str, Callable[[], Lists]] = {
    "all equal": lambda: ([0] * SIZE, [0] * SIZE),
    "two values, shifted by one": lambda: ([at % 2 for at in range(SIZE)], [(at + 1) % 2 for at in range(SIZE)]),
    "the same values in random order": _shuffled,
    "random, of 200 values": lambda: _random(200),
    "random, of two values": lambda: _random(2),
    "the worst pair known": _staircase,
}
