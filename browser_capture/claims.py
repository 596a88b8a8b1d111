"""Says who works on what: a recorder claims its profile and its recording, and a second one is told who has them.

A claim is a file of its own, named by chance. Whoever wants the thing puts a claim down first and looks around second:
of two at the same moment each sees the other, or the later one sees the earlier; so never both have it, without a lock
that only one kind of system knows. A claim whose process is gone, or whose number another process has now, is nobody's.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from browser_capture.folders import make_private

FOLDER = "claims"
TRIES = 6
FRESH_SECONDS = 1.0
_SAME_SECONDS = 0.5


class Process(NamedTuple):
    """A process and when it began: in seconds since the epoch, and since the machine started.

    The first may move when the wall clock is set, the second where it does not; one of them stays.
    """

    pid: int
    started: float
    since_boot: float

    @property
    def is_alive(self) -> bool:
        """Whether it still runs, and is not another one that got its number."""
        now = find_process(self.pid)
        return now is not None and (
            abs(now.started - self.started) < _SAME_SECONDS or abs(now.since_boot - self.since_boot) < _SAME_SECONDS
        )


class Holder(NamedTuple):
    """Who has a claim, doing what, since when in seconds since the epoch."""

    process: Process
    doing: str
    at: float

    def __str__(self) -> str:
        return f"process {self.process.pid}, which {self.doing} since {time.strftime('%H:%M', time.localtime(self.at))}"


def find_process(pid: int) -> Process | None:
    """Return a running process by its number, None when there is none; one that only waits to be buried is none."""
    try:
        found = psutil.Process(pid)
        if found.status() == psutil.STATUS_ZOMBIE:
            return None
        return Process(pid, found.create_time(), found.create_time() - psutil.boot_time())
    except psutil.Error:
        return None


@contextmanager
def claimed(home: Path, name: str, doing: str) -> Iterator[Holder | None]:
    """Hold a claim while the block runs. Yields None when it was to be had, else who has it.

    `name` is a word; `doing` completes "process 4711, which ...". A killed process leaves a claim that counts no more.
    """
    folder = make_private(home / FOLDER)
    mine, other = _put_down(folder, name, doing)
    for _ in range(TRIES):
        if other is None or time.time() - other.at > FRESH_SECONDS:
            break
        # Perhaps it looks around just now, as we did, and both step back: one of us returns sooner.
        _take_away(mine)
        time.sleep(random.uniform(0.02, 0.2))  # noqa: S311 - spreads two processes, keeps no secret
        mine, other = _put_down(folder, name, doing)
    if other is not None:
        _take_away(mine)
    try:
        yield other
    finally:
        _take_away(mine)


def holder(home: Path, name: str) -> Holder | None:
    """Return who has a claim now, None when nobody has."""
    return _other_holder(home / FOLDER, name, None)


def _put_down(folder: Path, name: str, doing: str) -> tuple[Path, Holder | None]:
    me = find_process(os.getpid())
    assert me is not None  # noqa: S101 - it is running this line
    path = folder / f"{name}.{uuid.uuid4().hex}"
    temporary = path.with_name(f".{path.name}")
    temporary.write_text(json.dumps({**me._asdict(), "doing": doing, "at": time.time()}), encoding="utf-8")
    os.replace(temporary, path)
    return path, _other_holder(folder, name, path)


def _take_away(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _other_holder(folder: Path, name: str, mine: Path | None) -> Holder | None:
    for path in sorted(folder.glob(f"{name}.*")):
        if path == mine:
            continue
        found = _read(path)
        if found is not None and found.process.is_alive:
            return found
        _take_away(path)
    return None


def _read(path: Path) -> Holder | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        process = Process(int(found["pid"]), float(found["started"]), float(found["since_boot"]))
        return Holder(process, str(found["doing"]), float(found["at"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
