"""Ctrl-C in the middle of a demo: the right exit code, one sentence, nothing left running."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import psutil
import pytest

from exports.demo.children import TRAILBENCH, Child
from tests.journeys.left_behind import processes_naming

pytestmark = pytest.mark.browser


def wait_for(log: Path, words: str, seconds: float = 240) -> None:
    """Wait until a log holds some words; fail the test when they do not come."""
    deadline = time.monotonic() + seconds
    while not (log.is_file() and words in log.read_text(encoding="utf-8", errors="replace")):
        assert time.monotonic() < deadline, f"{words!r} did not come in {log}"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("log", "words"),
    [("demo.log", "a web of"), ("demo/logs/capture-demo-1.log", '"state": "recording"')],
    ids=["while the server is set up", "while a search is recorded"],
)
def test_ctrl_c_ends_everything_the_demo_started(log: str, words: str, tmp_path: Path) -> None:
    demo = Child("demo", [*TRAILBENCH, "demo", "--folder", str(tmp_path / "demo")], tmp_path / "demo.log", {})
    wait_for(tmp_path / log, words)
    psutil.Process(demo.pid).send_signal(signal.SIGINT)
    assert demo.wait(60) == 130
    assert demo.output().rstrip().endswith("Interrupted. What was saved so far is kept.")
    assert "Traceback" not in demo.output()
    assert processes_naming(tmp_path) == set()
