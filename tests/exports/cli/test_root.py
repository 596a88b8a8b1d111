"""`trailbench` itself: how a command ends that was stopped, or that met a full disk."""

from __future__ import annotations

import errno
import subprocess
import sys

import pytest

from exports.cli import root

KILLED = """
import os, signal, time
from exports.cli import root
root.trailbench.main = lambda **_: (os.kill(os.getpid(), signal.SIGTERM), time.sleep(30))
root.main(["demo"])
"""


def test_polite_kill_ends_like_ctrl_c() -> None:
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (130, "Interrupted. What was saved so far is kept.\n")


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "x.json"), 3, "make room and give the same command again"),
        (PermissionError(errno.EACCES, "Permission denied", "runs"), 2, "cannot use runs: Permission denied"),
    ],
)
def test_place_that_cannot_be_used_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: OSError, code: int, says: str
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(root.trailbench, "main", fail)
    assert root.run(["demo"]) == code
    assert says in capsys.readouterr().err


def test_error_nobody_foresaw_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(root.trailbench, "main", fail)
    with pytest.raises(OSError, match="Bad file descriptor"):
        root.run(["demo"])
