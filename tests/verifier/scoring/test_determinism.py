"""The same answers give the same bytes: in another process, with another hash seed, in another order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def scores(count: int, hash_seed: int, order: int) -> bytes:
    return subprocess.run(
        [sys.executable, "-m", "tests.verifier.scoring.random_answers", str(count), str(order)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        check=True,
        stdout=subprocess.PIPE,
    ).stdout


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.long)])
def test_scores_are_the_same_bytes_in_every_process(count: int) -> None:
    first, second = scores(count, hash_seed=1, order=1), scores(count, hash_seed=2, order=2)
    assert first.count(b"\n") == 2 * count
    assert first == second


def test_the_random_answers_are_of_all_kinds() -> None:
    lines = [json.loads(line)[1] for line in scores(500, hash_seed=0, order=0).splitlines()]
    found = [one for one in lines if isinstance(one, dict)]
    assert len(found) > 990
    assert {cell["status"] for one in found for cell in one["cells"]} == {
        "matched", "wrong", "missing", "extra", "misplaced",
    }  # fmt: skip
    assert {"case", "alias", "tolerance"} <= {rule for one in found for cell in one["cells"] for rule in cell["rules"]}
    assert {one["metrics"]["global_em"] for one in found} == {0, 1}
