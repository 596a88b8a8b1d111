"""Commands come in; running programs go out, each with its own log, and all of them ended in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from browser_capture.errors import IncompleteError

TRAILBENCH = (sys.executable, "-m", "exports")
"""The command `trailbench` of this very installation."""

_POLITE_SECONDS = 8
_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


class Child:
    """A running program. What it prints to standard output and error stands in its log."""

    def __init__(self, name: str, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self.name = name
        self.log = log
        with log.open("wb") as output:
            # A session of its own: Ctrl-C reaches the demo alone, which then ends its children in order.
            self._process = subprocess.Popen(  # noqa: S603 - our own command, no shell
                [*command],
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env={**os.environ, **environment, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def output(self) -> str:
        """What it has said so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_for_line(self, beginning: str, seconds: float) -> str:
        """Return the rest of the first line that begins so. Raises IncompleteError when it does not come."""
        deadline = time.monotonic() + seconds
        while True:
            ended = self._process.poll() is not None
            for line in self.output().splitlines():
                if line.startswith(beginning):
                    return line[len(beginning) :].strip()
            if ended or time.monotonic() > deadline:
                state = f"ended with {self._process.returncode}" if ended else f"said nothing within {seconds:.0f} s"
                raise IncompleteError(
                    f"{self.name} {state}; a line that begins with {beginning!r} was expected. "
                    f"Its last words: {self._last_words()} (all in {self.log})"
                )
            time.sleep(0.05)

    def wait(self, seconds: float) -> int:
        """Wait for its end and return its exit code. Raises IncompleteError when it goes on."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            raise IncompleteError(f"{self.name} did not end within {seconds:.0f} s; see {self.log}") from error

    def result(self, seconds: float = 120) -> str:
        """Wait for its end and return what it said. Raises IncompleteError, quoting it, when it failed."""
        code = self.wait(seconds)
        if code:
            raise IncompleteError(f"{self.name} ended with {code}: {self.output().strip()[-600:]} (all in {self.log})")
        return self.output()

    def end(self) -> None:
        """Ask it to end, and end it with all it started when it does not."""
        if self._process.poll() is None:
            family = _family(self.pid)
            self._process.terminate()
            try:
                self._process.wait(_POLITE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            _, alive = psutil.wait_procs(family, timeout=1)
            for process in alive:
                _kill(process)
            psutil.wait_procs(alive, timeout=1)

    def _last_words(self) -> str:
        lines = [line for line in self.output().splitlines() if line.strip()]
        return " / ".join(lines[-3:]) or "none"


class Children:
    """The programs of one demo; leaving the context ends them, the youngest first."""

    def __init__(self, logs: Path, environment: Mapping[str, str] | None = None) -> None:
        self.logs = logs
        self._environment = dict(environment or {})
        self._started: list[Child] = []

    def start(self, name: str, *arguments: str) -> Child:
        """Start `trailbench ARGUMENTS...` beside us."""
        with _held_interrupts():
            child = Child(name, [*TRAILBENCH, *arguments], self.logs / f"{name}.log", self._environment)
            return self.adopt(child)

    def adopt(self, child: Child) -> Child:
        """Take responsibility for the end of a running program."""
        self._started.append(child)
        return child

    def run(self, name: str, *arguments: str, seconds: float = 120) -> str:
        """Run `trailbench ARGUMENTS...` to its end and return what it said. Raises IncompleteError when it failed."""
        return self.start(name, *arguments).result(seconds)

    def release(self, child: Child) -> None:
        """Let a program go on after us."""
        self._started.remove(child)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for child in reversed(self._started):
            child.end()


@contextmanager
def _held_interrupts() -> Iterator[None]:
    # Ctrl-C between the start of a program and its entry in the list would leave it running: it waits for both.
    caught: list[int] = []
    before = {number: signal.signal(number, lambda number, _: caught.append(number)) for number in _INTERRUPTS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if caught:
            raise KeyboardInterrupt


def _family(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return
