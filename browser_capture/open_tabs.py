"""The tabs a recording listens to, and the documents and files that come with them: what stands open, what came last.

`feeds` is kept by who listens to the browser; the rest asks here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Protocol

from browser_capture.clock import Clock
from browser_capture.page_store import PageStore
from browser_capture.recorder import Recorder
from browser_capture.sources.downloads import DownloadSource
from browser_capture.sources.navigation import Standing
from browser_capture.sources.tabs import TabFeed
from browser_capture.sources.wire import Cdp


class WatchAnswers(Protocol):
    """Has the browser tell the answers to document requests, or no more."""

    def __call__(self, *, watch: bool) -> None: ...


CLOSING_SECONDS = 2.0
LOOK_SECONDS = 5.0


class OpenTabs:
    """What is listened to in one browser. `store` gives the page store of the recording, None before it has begun."""

    def __init__(
        self,
        clock: Clock,
        recorder: Recorder,
        store: Callable[[], PageStore | None],
        downloads: Path,
    ) -> None:
        self.feeds: dict[str, TabFeed] = {}
        self.closing: set[asyncio.Task[None]] = set()
        """Tabs that are gone and whose last messages are still being read."""
        self.browser_is_gone = False
        self.browser = self.binding = ""
        self._clock = clock
        self._recorder = recorder
        self._store = store
        self._downloads_folder = downloads
        self._downloads: DownloadSource | None = None
        self._watch_answers: WatchAnswers | None = None

    def attached(self, cdp: Cdp, browser: str, binding: str, watch_answers: WatchAnswers) -> None:
        """Note the browser's own DevTools session, its version, the name by which its pages call, and its answers."""
        self.browser, self.binding, self._watch_answers = browser, binding, watch_answers
        folder = self._downloads_folder
        self._downloads = DownloadSource(cdp, self._recorder, self._store, folder, self._clock.wall)

    def addresses(self) -> Mapping[str, str]:
        """Return the addresses that stand in the tabs, by our names of them."""
        return {name: feed.tab.url for name, feed in self.feeds.items()}

    async def look(self, then: Callable[[Standing], None]) -> None:
        """Have `then` called with what stands in each tab, in its turn among what the tab says, and wait for it.

        A tab that does not answer in time is waited for no longer; its turn may come later.
        """
        looks = [asyncio.create_task(feed.look(then).wait()) for feed in self.feeds.values()]
        if looks:
            _, late = await asyncio.wait(looks, timeout=LOOK_SECONDS)
            for look in late:
                look.cancel()

    async def return_of(self, wanted: Collection[str], seconds: float) -> None:
        """Wait until these pages are on their way again in a browser that has just been started."""
        for _ in range(round(seconds / 0.1)):
            here = {feed.tab.url for feed in self.feeds.values()}
            if set(wanted) <= here or not here & {"", "about:blank"}:
                return
            await asyncio.sleep(0.1)

    async def watch(self, *, watch: bool) -> None:
        """Watch answers and downloads from now on, or no more."""
        if self._watch_answers is not None:
            self._watch_answers(watch=watch)
        if self._downloads is not None and not (watch and self.browser_is_gone):
            await (self._downloads.start() if watch else self._downloads.stop())

    async def drain(self) -> None:
        """Read what the tabs said before now."""
        # A browser that dies closes its tabs first: what they said last is part of the recording.
        await asyncio.gather(*(feed.drain(1.0) for feed in tuple(self.feeds.values())))
        if self.closing:
            await asyncio.wait(tuple(self.closing), timeout=CLOSING_SECONDS)

    async def close_tab(self, feed: TabFeed, at: int) -> None:
        """Read what a closed tab still said, and note that it is gone."""
        await feed.drain(1.0)
        await feed.stop()
        self._recorder.tab_gone(feed.tab.tab, at)

    async def let_go(self) -> None:
        """Stop listening."""
        await asyncio.gather(*(feed.stop() for feed in self.feeds.values()))
        if self._downloads is not None:
            await self._downloads.close()
