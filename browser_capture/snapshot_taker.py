"""Asks the browser for snapshots at the right moments and has them unpacked in a thread; the page waits for neither.

One snapshot of a tab at a time: a browser refuses a second one. A request that comes meanwhile waits, and only the last
one counts.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from browser_capture.clock import Clock
from browser_capture.errors import TrailbenchError, WireError
from browser_capture.events import iso_utc
from browser_capture.page_store import PageStore
from browser_capture.privacy import Privacy
from browser_capture.snapshots import Unpacked, keep_pdf, unpack_mhtml
from browser_capture.sources.documents import read_pdf_bytes
from browser_capture.sources.wire import WireTab

QUIET_SECONDS = 0.5
SHOWN_SECONDS = 0.15
LATE_SECONDS = 3.0
"""A page that never finishes loading is kept as it is after this long."""
LIMIT_SECONDS = {"leave": 3.0, "click": 5.0, "stop": 5.0}
LONGEST_SECONDS = 10.0
LEFT_SECONDS = 0.15
"""A page that was left while it was kept is given up after this: the browser may never answer, and the next waits."""
REFUSED_PAUSES = (0.1, 0.3, 0.6)
AT_ONCE_SECONDS = 1.0
LEFT = "the page was left before it was kept"

# Threads of its own: a thread keeps the memory its largest page took, and asyncio would use many in turn.
UNPACKERS = 2
_UNPACKERS = ThreadPoolExecutor(UNPACKERS, "unpacking")

log = logging.getLogger(__name__)


class Taken(NamedTuple):
    """A snapshot that is in the store, when it was asked for, and how long the browser took to give it."""

    tab: str
    visit: str | None
    trigger: str
    unpacked: Unpacked
    mono: int
    milliseconds: int


class Failed(NamedTuple):
    """A snapshot that could not be had."""

    tab: str
    visit: str | None
    trigger: str
    url: str
    reason: str
    mono: int
    disk: OSError | None = None
    """What the disk said, where it is to blame."""


Done = Callable[[Taken | Failed], None]
_Read = Callable[[str], Unpacked]
"""Reads what was captured into the page store; gets when that was. Slow: runs in a thread."""


class _Wish(NamedTuple):
    visit: str | None
    url: str
    trigger: str
    mono: int
    status: int | None


@dataclass(slots=True)
class _TabState:
    running: asyncio.Task[None] | None = None
    current: _Wish | None = None
    is_left: asyncio.Event = field(default_factory=asyncio.Event)
    next: _Wish | None = None
    unpacking: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None


class SnapshotTaker:
    """Takes snapshots of pages that may be kept; `done` gets each result in the event loop."""

    def __init__(self, clock: Clock, privacy: Privacy, done: Done) -> None:
        self._mono = clock.mono
        self._wall = clock.wall
        self._privacy = privacy
        self._done = done
        self._tabs: dict[str, _TabState] = {}
        self._threads = asyncio.Semaphore(UNPACKERS)
        self._tasks: set[asyncio.Task[None]] = set()

    def take(
        self, tab: WireTab, store: PageStore, visit: str | None, url: str, trigger: str, status: int | None
    ) -> None:
        """Ask for a snapshot now."""
        state = self._tabs.setdefault(tab.tab, _TabState())
        wish = _Wish(visit, url, trigger, self._mono(), status)
        if state.running is not None and not state.running.done():
            if state.current is not None and state.current.visit != visit:
                state.is_left.set()
            if state.next is not None and state.next.visit != visit:
                # No failure of its own: the page is on its way as it was a moment before, and says so where it fails.
                log.info("%s was left before it was kept once more (%s)", state.next.visit, state.next.trigger)
            state.next = wish
            return
        state.running = self._spawn(self._run(tab, store, state, wish))

    def take_pdf(
        self, tab: WireTab, store: PageStore, visit: str | None, url: str, trigger: str, status: int | None
    ) -> None:
        """Ask for the PDF that stands in a tab, as the network gave it."""
        self._spawn(self._run_pdf(tab, store, _Wish(visit, url, trigger, self._mono(), status)))

    def take_later(self, tab: str, seconds: float, call: Callable[[], None]) -> None:
        """Ask after a pause, unless another pause begins in this tab before."""
        state = self._tabs.setdefault(tab, _TabState())
        if state.timer is not None:
            state.timer.cancel()
        state.timer = asyncio.get_running_loop().call_later(seconds, call)

    def forget_tab(self, tab: str) -> None:
        """Drop what is still planned for a tab that is gone."""
        state = self._tabs.pop(tab, None)
        if state is not None and state.timer is not None:
            state.timer.cancel()

    async def finish(self, seconds: float) -> int:
        """Wait for what is under way, not longer than this; what is late is let go. Returns how many were."""
        deadline = asyncio.get_running_loop().time() + seconds
        # A capture that ends here goes on as an unpacking: look again until nothing is left.
        while self._tasks and (left := deadline - asyncio.get_running_loop().time()) > 0:
            await asyncio.wait(tuple(self._tasks), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        late = tuple(self._tasks)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return len(late)

    def drop_plans(self) -> None:
        """Drop what was to be kept after a pause."""
        for state in self._tabs.values():
            if state.timer is not None:
                state.timer.cancel()

    async def _run(self, tab: WireTab, store: PageStore, state: _TabState, wish: _Wish) -> None:
        current: _Wish | None = wish
        while current is not None:
            state.current = current
            state.is_left.clear()
            try:
                mhtml = await _capture_patiently(tab, current.trigger, state.is_left)
            except WireError as error:
                self._done(_failed(tab.tab, current, str(error)))
            else:
                # The next capture need not wait for the unpacking of this one.
                reader = self._mhtml_reader(mhtml, store, current.status)
                state.unpacking = self._spawn(self._unpack(tab.tab, current, reader, state.unpacking))
            current, state.next = state.next, None

    async def _run_pdf(self, tab: WireTab, store: PageStore, wish: _Wish) -> None:
        try:
            data = await read_pdf_bytes(tab, wish.url)
        except WireError as error:
            self._done(_failed(tab.tab, wish, str(error)))
            return

        def read(at: str) -> Unpacked:
            return keep_pdf(data, store, url=wish.url, captured_at=at, status=wish.status)

        await self._unpack(tab.tab, wish, read)

    def _mhtml_reader(self, mhtml: str, store: PageStore, status: int | None) -> _Read:
        def read(at: str) -> Unpacked:
            data = mhtml.encode("utf-8", "replace")
            return unpack_mhtml(data, store, captured_at=at, status=status, privacy=self._privacy)

        return read

    async def _unpack(self, tab: str, wish: _Wish, read: _Read, before: asyncio.Task[None] | None = None) -> None:
        took = self._mono() - wish.mono
        captured_at = iso_utc(self._wall() - took)
        async with self._threads:
            try:
                unpacked = await asyncio.get_running_loop().run_in_executor(_UNPACKERS, read, captured_at)
            except (TrailbenchError, OSError) as error:
                log.warning("a snapshot could not be kept: %s", error)
                disk = error if isinstance(error, OSError) else None
                self._done(_failed(tab, wish, str(error), disk))
                return
        if before is not None:
            # A small page is unpacked sooner than a large one before it; what stood last must come last.
            await asyncio.wait({before})
        self._done(Taken(tab, wish.visit, wish.trigger, unpacked, wish.mono, took))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _failed(tab: str, wish: _Wish, reason: str, disk: OSError | None = None) -> Failed:
    return Failed(tab, wish.visit, wish.trigger, wish.url, reason, wish.mono, disk)


async def _capture_patiently(tab: WireTab, trigger: str, is_left: asyncio.Event) -> str:
    """Ask again where the browser refuses at once: it may still be at work on a page that was given up."""
    for pause in REFUSED_PAUSES:
        began = time.monotonic()
        try:
            return await _capture(tab, trigger, is_left)
        except WireError:
            if is_left.is_set() or time.monotonic() - began > AT_ONCE_SECONDS:
                raise
        await asyncio.sleep(pause)
    return await _capture(tab, trigger, is_left)


async def _capture(tab: WireTab, trigger: str, is_left: asyncio.Event) -> str:
    seconds = LIMIT_SECONDS.get(trigger, LONGEST_SECONDS)
    asking = asyncio.ensure_future(tab.cdp.send("Page.captureSnapshot", {"format": "mhtml"}, seconds=seconds))
    leaving = asyncio.ensure_future(is_left.wait())
    try:
        await asyncio.wait({asking, leaving}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({asking}, timeout=LEFT_SECONDS)
        if not asking.done():
            raise WireError(LEFT)
        return str(asking.result().get("data", ""))
    finally:
        asking.cancel()
        leaving.cancel()
