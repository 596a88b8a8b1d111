"""The benchmark of the recorder runs, says what it measured, and notices what it should."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import capture
from benchmarks.capture_site import HEAVY, part_of

ROOT = Path(__file__).parents[2]
WELL = {
    "loads": [{"page": "heavy", "ratio": 1.35}, {"page": "small", "ratio": 3.0}],
    "binding": {"per_second": 100.0},
    "log": {"per_second": 1_000.0},
}


def test_the_heavy_page_has_79_requests() -> None:
    page = part_of("/heavy", "")
    assert page is not None
    parts = re.findall(r"(?:href|src)=(/\w+/\d+)", page.body.decode())
    assert (len(parts) + HEAVY["data"] + 1, all(part_of(path, "") for path in parts)) == (79, True)


def test_figures_at_the_limits_are_within_them() -> None:
    assert capture.over_limits(WELL) == []


@pytest.mark.parametrize(
    ("worse", "name"),
    [
        ({"loads": [{"page": "heavy", "ratio": 1.36}]}, "load heavy"),
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
    assert "heavy: pair 1 of 1" in done.stderr
