"""The demo's programs: heard while they run, ended with everything they started."""

from __future__ import annotations

import os
import signal
import sys
import textwrap
from pathlib import Path
from typing import Any

import psutil
import pytest

from browser_capture.errors import IncompleteError
from exports.demo.children import Child, Children

SERVES = """
    import subprocess, sys, time
    grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print("Serving on http://127.0.0.1:1", "grandchild", grandchild.pid)
    time.sleep(600)
"""
DEAF = """
    import signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("ready", flush=True)
    time.sleep(600)
"""


def started(program: str, folder: Path) -> Child:
    return Child("program", [sys.executable, "-c", textwrap.dedent(program)], folder / "program.log", {})


def test_line_is_waited_for_and_its_rest_returned(tmp_path: Path) -> None:
    child = started("import time; time.sleep(0.2); print('noise'); print('port: 80')", tmp_path)
    assert child.wait_for_line("port:", 20) == "80"
    child.end()


def test_program_that_ends_early_is_quoted(tmp_path: Path) -> None:
    child = started("import sys; sys.exit('the port is taken')", tmp_path)
    with pytest.raises(IncompleteError, match=r"ended with 1.*the port is taken"):
        child.wait_for_line("port:", 20)


def test_program_that_says_nothing_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    child = started("import time; time.sleep(600)", tmp_path)
    with pytest.raises(IncompleteError, match="said nothing within 0 s"):
        child.wait_for_line("port:", 0.1)
    child.end()


def test_end_takes_the_grandchildren_along(tmp_path: Path) -> None:
    child = started(SERVES, tmp_path)
    grandchild = int(child.wait_for_line("Serving on", 20).split()[-1])
    child.end()
    assert not psutil.pid_exists(child.pid)
    assert not psutil.pid_exists(grandchild) or psutil.Process(grandchild).status() == psutil.STATUS_ZOMBIE


def test_deaf_program_is_ended_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exports.demo.children._POLITE_SECONDS", 0.3)
    child = started(DEAF, tmp_path)
    child.wait_for_line("ready", 20)
    child.end()
    assert not psutil.pid_exists(child.pid)


def test_failed_command_is_quoted(tmp_path: Path) -> None:
    with Children(tmp_path) as children, pytest.raises(IncompleteError, match="nonsense"):
        children.run("failed", "nonsense")


def test_command_of_this_installation_is_run(tmp_path: Path) -> None:
    with Children(tmp_path) as children:
        assert "Commands:" in children.run("help", "--help")


def test_leaving_the_demo_ends_what_was_started(tmp_path: Path) -> None:
    with Children(tmp_path) as children:
        child = children.adopt(started("import time; time.sleep(600)", tmp_path))
        assert psutil.pid_exists(child.pid)
    assert not psutil.pid_exists(child.pid)


def test_interrupt_while_a_program_starts_leaves_none_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Child] = []

    class Interrupted(Child):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            begun.append(self)
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("exports.demo.children.Child", Interrupted)
    with pytest.raises(KeyboardInterrupt), Children(tmp_path) as children:
        children.start("server", "server", "run", "--home", str(tmp_path))
    assert begun[0].wait(0) is not None
