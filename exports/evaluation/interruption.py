"""Ctrl-C in a run: the first lets running attempts end and starts no other, the second cancels them."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

log = logging.getLogger(__name__)


class Interruption:
    """Whether, and how urgently, the run was asked to stop."""

    def __init__(self) -> None:
        self.draining = False
        self._tasks: list[asyncio.Task[None]] = []

    def watch(self, tasks: list[asyncio.Task[None]]) -> None:
        """Name the tasks a second request cancels."""
        self._tasks = tasks

    def request(self) -> None:
        """Ask the run to stop; asked again, cancel what is running."""
        if self.draining:
            for task in self._tasks:
                task.cancel()
        self.draining = True

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Take Ctrl-C and termination as requests while the block runs; then give the signals back.

        Outside the main thread signals cannot be taken, and whoever started the thread asks with `request`.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()

        def ask(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.request)

        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
