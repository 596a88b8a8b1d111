"""The capture browser calls nothing that only some systems know; where it must branch, the files are named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.portable import BRANCHES, branching, breaches

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "browser_capture"


def test_nothing_runs_on_some_systems_only() -> None:
    assert breaches(PACKAGE) == []


def test_the_files_that_ask_for_the_system_are_named() -> None:
    assert branching(PACKAGE) <= set(BRANCHES)


PLANTED = [
    "import fcntl",
    "from pwd import getpwuid",
    "import resource as limits",
    "os.fork()",
    "os.kill(pid, signal.SIGTERM)",
    "signal.signal(signal.SIGKILL, stop)",
    "user = os.getuid()",
    "from os import geteuid",
    "os.fdatasync(handle)",
    "os.open(path, os.O_WRONLY | os.O_NOFOLLOW)",
    "loop.add_signal_handler(15, stop)",
    "subprocess.Popen(command, preexec_fn=os.setpgrp)",
    "subprocess.Popen(command, start_new_session=True)",
    "subprocess.run(command, shell=True)",
    "asyncio.create_subprocess_exec('node', process_group=0)",
    "folder = Path('/tmp/trailbench')",
    "memory = open('/proc/meminfo', encoding='utf-8')",
    "os.rename(temporary, path)",
    "temporary.rename(path)",
    "link.symlink_to(path)",
    "asyncio.open_unix_connection(path)",
    "path.read_text()",
    "open(path, 'w')",
    "from sys import platform",
]


@pytest.mark.parametrize("line", PLANTED)
def test_a_planted_breach_is_seen(tmp_path: Path, line: str) -> None:
    (tmp_path / "planted.py").write_text(f"def late():\n    {line}\n", encoding="utf-8")
    assert [found.split()[0] for found in breaches(tmp_path)][:1] == ["planted.py:2"]


@pytest.mark.parametrize("line", ["sys.platform == 'win32'", "os.name == 'nt'", "platform.system()"])
def test_a_planted_branch_is_seen(tmp_path: Path, line: str) -> None:
    (tmp_path / "planted.py").write_text(line, encoding="utf-8")
    assert branching(tmp_path) == {"planted.py"}


INNOCENT = [
    "os.replace(temporary, path)",
    "'''Not in /tmp, for os.fork is not everywhere.'''",
    "getattr(os, 'geteuid', None)",
    "link = '/tmpl/page'",
    "process.kill()",
    "open(path, 'rb')",
    "signal.signal(signal.SIGTERM, stop)",
]


@pytest.mark.parametrize("line", INNOCENT)
def test_what_every_system_knows_is_left_alone(tmp_path: Path, line: str) -> None:
    (tmp_path / "calm.py").write_text(line, encoding="utf-8")
    assert breaches(tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_types_hold_on_other_systems(system: str) -> None:
    command = [sys.executable, "-m", "mypy", "--platform", system, "-p", "browser_capture"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
