"""Checks of this machine run side by side, each with a deadline of its own: none can hold up another, or hang.

A check that is late or falls over is a finding too. Each runs in a thread that ends with the command.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import psutil

from browser_capture.findings import Finding, Verdict

BUSY = 1.5
"""Processes a processor that want to run at once; above it, being late says nothing."""


class Check(NamedTuple):
    """A check: what it does in words, how many seconds it may take, and what it returns."""

    name: str
    doing: str
    seconds: float
    run: Callable[[], Sequence[Finding]]


class _Running:
    def __init__(self, check: Check) -> None:
        self.check = check
        self._began = time.monotonic()
        self._findings: Sequence[Finding] = ()
        self._thread = threading.Thread(target=self._run, name=f"check of {check.name}", daemon=True)
        self._thread.start()

    def findings(self) -> Sequence[Finding]:
        check = self.check
        self._thread.join(max(0.0, self._began + check.seconds - time.monotonic()))
        if self._thread.is_alive():
            late = f"no answer within {check.seconds:g} seconds ({check.doing})"
            return [
                Finding(check.name, verdict_of_late(), late, "an answer", "try again when the machine is less busy")
            ]
        return self._findings

    def _run(self) -> None:
        try:
            self._findings = self.check.run()
        except Exception as error:
            # Whatever is wrong with the machine: it is the check's business to say so, not to fall over it.
            said = f"{type(error).__name__}: {error}"
            self._findings = [Finding(self.check.name, "fail", f"the check itself failed ({said})", "", "report this")]


def verdict_of_late() -> Verdict:
    """Return how bad it is that something came to no end in time: on a machine that is busy, no more than a warning."""
    return "warn" if psutil.getloadavg()[0] > BUSY * (psutil.cpu_count() or 1) else "fail"


def check_up(checks: Sequence[Check], say: Callable[[Check], None] = lambda check: None) -> Iterator[Finding]:
    """Run checks at the same time and yield their findings in order; `say` is told which one is waited for."""
    running = [_Running(check) for check in checks]
    for each in running:
        say(each.check)
        yield from each.findings()
