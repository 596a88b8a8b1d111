"""A display ends with the block it was made for, and with the process that asked for it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.browser_capture.real_input.display import a_display

pytestmark = pytest.mark.display
ROOT = Path(__file__).parents[3]
ASKING = """import time
from tests.browser_capture.real_input.display import a_display
with a_display() as name:
    print(name, flush=True)
    time.sleep(600)"""


def family(pid: int) -> list[psutil.Process]:
    """Return the processes below a process."""
    return psutil.Process(pid).children(recursive=True)


def is_gone(process: psutil.Process) -> bool:
    """Tell whether a process ended, or only waits for its parent to notice."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_display_ends_with_its_block() -> None:
    before = set(family(os.getpid()))
    with a_display() as name:
        started = [process for process in family(os.getpid()) if process not in before]
        assert name.startswith(":")
        assert {"Xvfb", "openbox"} <= {process.name() for process in started}
    assert [process for process in started if not is_gone(process)] == []


def test_a_display_ends_with_a_killed_test() -> None:
    command = [sys.executable, "-c", ASKING]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        assert asking.stdout.readline().startswith(":")
        started = family(asking.pid)
        asking.kill()
    deadline = time.monotonic() + 20
    while not all(is_gone(process) for process in started) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (len(started) >= 3, [process for process in started if not is_gone(process)]) == (True, [])
