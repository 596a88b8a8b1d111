"""The benchmark of the recorder runs, says what it measured, and notices what it should."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from benchmarks import capture
from benchmarks.capture_site import HEAVY, part_of
from benchmarks.capture_steering import Steering, steered

ROOT = Path(__file__).parents[2]
WELL = {
    "loads": [
        {"page": "heavy", "ratio": 1.15, "whole_ratio": 1.35},
        {"page": "small", "ratio": 3.0, "whole_ratio": 4.0, "added_ms": 60.0},
    ],
    "binding": {"per_second": 100.0},
    "log": {"per_second": 1_000.0},
}


def test_the_heavy_page_has_79_requests() -> None:
    page = part_of("/heavy", "")
    assert page is not None
    parts = re.findall(r"(?:href|src)=(/\w+/\d+)", page.body.decode())
    assert (len(parts) + HEAVY["data"] + 1, all(part_of(path, "") for path in parts)) == (79, True)


def test_a_side_is_led_and_its_load_time_comes_back() -> None:
    steering = Steering()
    with ThreadPoolExecutor() as pool:
        drive = pool.submit(steering.answer, "/drive", "side=bare&to=http%3A%2F%2Fa.example%2Fheavy")
        while not (goal := steering.answer("/next", "side=bare&n=0")):
            time.sleep(0.01)
        assert goal == steered("http://a.example/heavy", "bare", "1")
        assert steering.answer("/next", "side=bare&n=1") == ""
        assert steering.answer("/took", f"{urlsplit(goal).query}&ms=12.5") == ""
        assert drive.result(timeout=10) == "12.5"
    assert steering.answer("/heavy", "side=bare") is None


def test_figures_at_the_limits_are_within_them() -> None:
    assert capture.over_limits(WELL) == []


@pytest.mark.parametrize(
    ("worse", "name"),
    [
        ({"loads": [{"page": "heavy", "ratio": 1.16, "whole_ratio": 1.0}]}, "load heavy"),
        ({"loads": [{"page": "small", "added_ms": 60.1}]}, "load small"),
        ({"binding": {"per_second": 99.0}}, "binding"),
        ({"log": {"per_second": 999.0}}, "log"),
    ],
)
def test_a_figure_over_its_limit_is_named(worse: dict[str, object], name: str) -> None:
    assert [sentence.partition(":")[0] for sentence in capture.over_limits({**WELL, **worse})] == [name]


def test_the_log_is_timed() -> None:
    found = capture.log_rate(100)
    assert found["per_second"] > 0 < found["synced_microseconds"]


def test_help_has_an_example() -> None:
    assert "Example: .venv/bin/python -m benchmarks.capture" in CliRunner().invoke(capture.main, ["--help"]).output


@pytest.mark.long
@pytest.mark.browser
def test_everything_is_measured(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    command = [sys.executable, "-m", "benchmarks.capture", "--pairs", "1", "--repetitions", "1", "--json", str(out)]
    done = subprocess.run(command, cwd=ROOT, timeout=200, capture_output=True, text=True)
    report = json.loads(out.read_text())
    assert [one["page"] for one in report["loads"]] == ["heavy", "small", "results"]
    assert [one["pictures"] for one in report["snapshots"]] == [6, 60, 200]
    assert done.returncode == (1 if report["over"] else 0)
    assert "heavy: turn 1 of 1" in done.stderr
