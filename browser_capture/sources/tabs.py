"""A tab's messages, from the page and from DevTools, are handled one after the other, in the order they came."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

from browser_capture.causes import Navigation
from browser_capture.errors import WireError
from browser_capture.sources.dom import REWROTE, DomMessage, read_message
from browser_capture.sources.navigation import PAGE_EVENTS, SAME_DOCUMENT, Fact, NavigationReader, Standing
from browser_capture.sources.wire import DomCall, WireTab

CRASHED, FLOOD = "crashed", "flood"
"""What a page can do to a tab, as the log calls it."""

log = logging.getLogger(__name__)


class Met(NamedTuple):
    """How a tab was found: opened by which other one, there before the recorder, and with which document in it."""

    opener: str | None
    existed: bool
    first: Navigation | None


class Handler(Protocol):
    """Who takes what a tab says. `at` is when it was said, in the recorder's monotonic milliseconds."""

    def tab_met(self, tab: WireTab, met: Met, at: int) -> None: ...

    def fact(self, tab: WireTab, fact: Fact, at: int) -> None: ...

    def message(self, tab: WireTab, message: DomMessage, at: int) -> None: ...

    def leaving(self, tab: WireTab) -> None: ...

    def renamed(self, tab: WireTab, url: str) -> None: ...

    def rewrote(self, tab: WireTab, message: DomMessage) -> None: ...

    def misbehaved(self, tab: WireTab, wall: str, at: int) -> None: ...


class CallBudget:
    """How many messages a tab may send: far more than any person makes, and no more than the log can take for hours."""

    BURST = 1_000
    PER_SECOND = 300

    def __init__(self) -> None:
        self._left = float(self.BURST)
        self._at = 0
        self._dropped = 0

    def may(self, at: int) -> bool:
        """Tell whether a message at this moment is let in; times in milliseconds."""
        self._left = min(self.BURST, self._left + (at - self._at) * self.PER_SECOND / 1000)
        self._at = at
        if self._left < 1:
            self._dropped += 1
            return False
        self._left -= 1
        self._dropped = 0 if self._left > self.BURST / 2 else self._dropped
        return True

    @property
    def is_first_dropped(self) -> bool:
        """Whether the last message was the first one of a flood that was not let in."""
        return self._dropped == 1


class _Item(NamedTuple):
    at: int
    call: DomCall | None = None
    message: DomMessage | None = None
    event: str = ""
    params: Mapping[str, Any] | None = None
    look: Look | None = None


class Look(NamedTuple):
    """Asks what stands in a tab: `then` gets it, `done` says that it was answered or that there is no answer."""

    then: Callable[[Standing], None]
    done: asyncio.Event


class TabFeed:
    """One tab: subscribes to it, queues what it says and hands it on."""

    def __init__(self, tab: WireTab, handler: Handler, mono: Callable[[], int]) -> None:
        self.tab = tab
        self.reader = NavigationReader(tab)
        self._handler = handler
        self._mono = mono
        self._queue: asyncio.Queue[_Item] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._waiting: deque[int] = deque()
        self._calls = CallBudget()

    def start(self, existed: bool) -> None:
        """Begin to listen and to hand on; must run inside the event loop."""
        for name in PAGE_EVENTS:
            self.tab.cdp.on(f"Page.{name}", partial(self._on_event, name))
        self.tab.cdp.on("Inspector.targetCrashed", lambda _: self._put(_Item(self._mono(), event=CRASHED)))
        self._worker = asyncio.get_running_loop().create_task(self._work(existed, self._mono()))

    def put_call(self, call: DomCall) -> None:
        """Queue a message of the page; a page that floods the recorder is heard no further until it calms down."""
        now = self._mono()
        if self._calls.may(now):
            message = read_message(call)
            if message is not None and message.kind == REWROTE:
                # Not queued: a picture that is under way must not hold the address.
                self._handler.rewrote(self.tab, message)
            self._put(_Item(now, call=call, message=message))
            return
        call.done()
        if self._calls.is_first_dropped:
            self._put(_Item(now, event=FLOOD))

    def look(self, then: Callable[[Standing], None]) -> asyncio.Event:
        """Have `then` called with the document that stands here, in its turn among what the tab says.

        The event returned is set afterwards, without the call where the browser does not answer.
        """
        look = Look(then, asyncio.Event())
        self._put(_Item(self._mono(), look=look))
        return look.done

    def heard_until(self) -> int:
        """Return until when everything this tab said is handed on: now, unless something waits on a busy machine."""
        return self._waiting[0] if self._waiting else self._mono()

    async def stop(self) -> None:
        """Stop handing on; what is still queued is dropped."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def drain(self, seconds: float) -> None:
        """Wait until all that was queued is handed on, not longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await self._queue.join()
        except TimeoutError:
            log.warning("tab %s has messages that were not read in time", self.tab.tab)

    def _on_event(self, name: str, params: Mapping[str, Any]) -> None:
        # These two are not queued. The old page can still be had, but only for some milliseconds; and a picture of a
        # page that rewrites its address must find the address known.
        if params.get("frameId") == self.tab.target:
            if name == "frameStartedNavigating" and params.get("navigationType") not in SAME_DOCUMENT:
                self._handler.leaving(self.tab)
            elif name == "navigatedWithinDocument":
                self._handler.renamed(self.tab, str(params.get("url")))
        self._put(_Item(self._mono(), event=name, params=params))

    def _put(self, item: _Item) -> None:
        self._waiting.append(item.at)
        self._queue.put_nowait(item)

    async def _work(self, existed: bool, at: int) -> None:
        opener = None
        try:
            await self.tab.cdp.send("Page.enable")
            opener = await self.tab.opener()
        except WireError as error:
            log.info("tab %s does not answer yet: %s", self.tab.tab, error)
        adopted = await self.reader.adopt(at)
        first = adopted.navigation if adopted is not None else None
        self._handler.tab_met(self.tab, Met(opener, existed, first), at)
        if first is not None:
            self._handler.fact(self.tab, first, at)
        while True:
            item = await self._queue.get()
            try:
                await self._hand_on(item)
            except Exception:
                # A mistake of ours over one message must not make us deaf to the tab.
                log.exception("tab %s said something that could not be handled", self.tab.tab)
            finally:
                if item.call is not None:
                    item.call.done()
                if item.look is not None:
                    item.look.done.set()
                self._waiting.popleft()
                self._queue.task_done()

    async def _hand_on(self, item: _Item) -> None:
        if item.call is not None:
            if item.message is not None:
                self._handler.message(self.tab, item.message, item.at)
            return
        if item.look is not None:
            standing = await self.reader.adopt(item.at)
            if standing is not None:
                item.look.then(standing)
            return
        if item.event in {CRASHED, FLOOD}:
            self._handler.misbehaved(self.tab, item.event, item.at)
            return
        fact = await self.reader.read(item.event, item.params or {}, item.at)
        if fact is not None:
            self._handler.fact(self.tab, fact, item.at)
