"""DevTools' navigation events of one tab come in; requests to navigate and documents that now stand there go out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

from browser_capture.causes import Navigation
from browser_capture.sources.wire import WireError, WireTab

PAGE_EVENTS = (
    "frameRequestedNavigation",
    "frameStartedNavigating",
    "frameNavigated",
    "navigatedWithinDocument",
    "loadEventFired",
)


class Requested(NamedTuple):
    """A page asked to go somewhere, in this tab or in a new one."""

    url: str
    reason: str
    disposition: str

    @property
    def opens_tab(self) -> bool:
        return self.disposition in {"newTab", "newWindow"}


class Leaving(NamedTuple):
    """Another document is about to replace the one that stands in the tab."""

    url: str


class Loaded(NamedTuple):
    """The document's load event has fired."""


Fact = Requested | Leaving | Loaded | Navigation


class NavigationReader:
    """Reads the events of one tab in their order; it remembers how a navigation started until it commits."""

    def __init__(self, tab: WireTab) -> None:
        self._tab = tab
        self._started: dict[str, str] = {}

    async def read(self, name: str, event: Mapping[str, Any], at: int) -> Fact | None:
        """Read one event of `PAGE_EVENTS`; None for sub-frames and what says nothing."""
        if name == "loadEventFired":
            return Loaded()
        if name == "frameNavigated":
            return await self._committed(event, at)
        if event.get("frameId") != self._tab.target:
            return None
        if name == "frameRequestedNavigation":
            return Requested(str(event.get("url")), str(event.get("reason")), str(event.get("disposition")))
        if name == "frameStartedNavigating":
            return self._starting(event)
        return await self._rewritten(event, at)

    def _starting(self, event: Mapping[str, Any]) -> Leaving | None:
        kind = str(event.get("navigationType"))
        self._started[str(event.get("loaderId") or "")] = kind
        for old in list(self._started)[:-10]:
            del self._started[old]
        return None if kind in {"sameDocument", "historySameDocument"} else Leaving(str(event.get("url")))

    async def _committed(self, event: Mapping[str, Any], at: int) -> Navigation | None:
        frame = event.get("frame", {})
        if frame.get("parentId"):
            return None
        started = self._started.get(str(frame.get("loaderId") or ""))
        restored = event.get("type") == "BackForwardCacheRestore"
        if started is None and restored:
            started = "historyDifferentDocument"
        url = str(frame.get("url", "")) + str(frame.get("urlFragment", ""))
        return await self._navigation(url, at, started=started, restored=restored)

    async def _rewritten(self, event: Mapping[str, Any], at: int) -> Navigation:
        # The started type of a same-document move carries the document's own loader, the last one noted.
        kinds = [kind for kind in self._started.values() if kind in {"sameDocument", "historySameDocument"}]
        started = kinds[-1] if kinds else None
        self._started = {loader: kind for loader, kind in self._started.items() if kind not in kinds}
        return await self._navigation(str(event.get("url")), at, started=started, same_document=True)

    async def _navigation(
        self, url: str, at: int, *, started: str | None, restored: bool = False, same_document: bool = False
    ) -> Navigation:
        navigation = Navigation(self._tab.tab, url, at, started=started, restored=restored, same_document=same_document)
        history = await self._history()
        entries, index = history.get("entries", []), history.get("currentIndex")
        if not isinstance(index, int) or not 0 <= index < len(entries):
            return navigation
        entry = entries[index]
        return navigation._replace(
            position=index,
            entry_id=entry.get("id"),
            transition=entry.get("transitionType"),
            typed_url=entry.get("userTypedURL"),
            title=str(entry.get("title", ""))[:300],
        )

    async def _history(self) -> Mapping[str, Any]:
        for pause in (0.05, 0.0):
            try:
                return await self._tab.cdp.send("Page.getNavigationHistory", seconds=1)
            except WireError:
                # It can fail once while a cached page is swapped in.
                await asyncio.sleep(pause)
        return {}
