"""Every figure is the same bytes in any process, whatever the order of hashes and of what comes in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# The argument shuffles whatever comes in as a mapping or in no order of its own.
SCRIPT = """
import json, random, sys
from dataclasses import asdict
from verifier.statistics.breakdown import ScoredQuestion, summarise
from verifier.statistics.comparison import compare, holm
from verifier.statistics.consensus import row_consensus
from verifier.statistics.intervals import cluster_bootstrap, cluster_interval
from verifier.statistics.repeated_runs import best_at_k, majority_at_k

made, order = random.Random(1), random.Random(int(sys.argv[1]))

def shuffled(things):
    things = list(things)
    order.shuffle(things)
    return things

names = [f"q{number}" for number in range(60)]
one, other = ({name: made.random() for name in names[start:start + 50]} for start in (0, 10))
rows = [ScoredQuestion(question_id=name, answer_type=made.choice(["set", "item"]), status="scored",
                       metrics={"f1": made.random(), "global_em": 0.0}, topic=made.choice("xyz"),
                       faults=tuple({made.choice("ab"), "c"})) for name in names]
values = [(made.random(), made.choice("cdefg")) for _ in names]
votes = [(frozenset({f"a{made.randrange(20)}", "b"}), made.random()) for _ in range(30)]
answers = [[(made.choice("abc"), made.choice("12")) for _ in range(4)] for _ in range(6)]
print(json.dumps([
    summarise(shuffled(rows)),
    asdict(compare(dict(shuffled(one.items())), dict(shuffled(other.items())), resamples=300)),
    holm(dict(shuffled(one.items()))),
    row_consensus(shuffled(answers)),
    cluster_interval(*zip(*shuffled(values))),
    cluster_bootstrap(*zip(*shuffled(values)), resamples=300),
    best_at_k(shuffled(one.values()), 7),
    majority_at_k(*zip(*shuffled(votes)), 9),
]))
"""


def printed(hash_seed: str, order: str) -> bytes:
    """Return what the script prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, order],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(("hash_seed", "order"), [("1", "0"), ("0", "1"), ("77", "2")])
def test_neither_hashes_nor_order_change_a_byte(hash_seed: str, order: str) -> None:
    first = printed("0", "0")
    assert len(first) > 1000
    assert printed(hash_seed, order) == first
