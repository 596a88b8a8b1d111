"""DevTools' navigation events of one tab come in; requests to navigate and documents that now stand there go out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from browser_capture.causes import Navigation
from browser_capture.errors import WireError
from browser_capture.sources.wire import WireTab
from browser_capture.urls import is_web

PAGE_EVENTS = (
    "frameRequestedNavigation",
    "frameStartedNavigating",
    "frameNavigated",
    "navigatedWithinDocument",
    "loadEventFired",
    "windowOpen",
)
_ERROR_CODE = "(document.querySelector('#error-code, .error-code') || {}).textContent || ''"
ERROR_PAGE = "chrome-error://chromewebdata/"
LED_ON = 6
"""How far behind the current entry of the history a page's own is looked for."""
SAME_DOCUMENT = frozenset({"sameDocument", "historySameDocument"})


class Requested(NamedTuple):
    """A page asked to go somewhere, in this tab or in a new one."""

    url: str
    reason: str
    disposition: str

    @property
    def opens_tab(self) -> bool:
        return self.disposition in {"newTab", "newWindow"}


class Standing(NamedTuple):
    """The document that stands in a tab, and whether the tab's events told of it before."""

    navigation: Navigation
    is_known: bool


class Loaded(NamedTuple):
    """The document's load event has fired."""


class Unreachable(NamedTuple):
    """An address could not be shown: the browser's own page stands there. `code` is its word for why."""

    url: str
    code: str


Fact = Requested | Loaded | Navigation | Unreachable


class NavigationReader:
    """Reads the events of one tab in their order; it remembers how a navigation started until it commits."""

    def __init__(self, tab: WireTab) -> None:
        self._tab = tab
        self._started: dict[str, str] = {}
        self._loader: str | None = None

    async def adopt(self, at: int) -> Standing | None:
        """Read the document that stands in the tab already; None when the browser does not answer."""
        try:
            tree = await self._tab.cdp.send("Page.getFrameTree", seconds=2)
        except WireError:
            return None
        frame = tree.get("frameTree", {}).get("frame", {})
        is_known, self._loader = frame.get("loaderId") == self._loader, frame.get("loaderId")
        started = self._started.get(str(self._loader))
        return Standing(await self._navigation(_address(frame), at, started=started), is_known)

    async def read(self, name: str, event: Mapping[str, Any], at: int) -> Fact | None:
        """Read one event of `PAGE_EVENTS`; None for sub-frames and what says nothing."""
        if name == "loadEventFired":
            return Loaded()
        if name == "frameNavigated":
            return await self._committed(event, at)
        if name == "windowOpen":
            # Without a gesture of the person the browser blocks it. A link or form with a target comes as this too.
            return Requested(str(event.get("url")), name, "newTab") if event.get("userGesture") else None
        if event.get("frameId") != self._tab.target:
            return None
        if name == "frameRequestedNavigation":
            return Requested(str(event.get("url")), str(event.get("reason")), str(event.get("disposition")))
        if name == "frameStartedNavigating":
            self._note_start(str(event.get("loaderId") or ""), str(event.get("navigationType")))
            return None
        return await self._rewritten(event, at)

    def _note_start(self, loader: str, kind: str) -> None:
        self._started[loader] = kind
        for old in list(self._started)[:-10]:
            del self._started[old]

    async def _committed(self, event: Mapping[str, Any], at: int) -> Navigation | Unreachable | None:
        frame = event.get("frame", {})
        restored = event.get("type") == "BackForwardCacheRestore"
        if frame.get("parentId") or (frame.get("loaderId") == self._loader and not restored):
            # The document was adopted while this news was on its way.
            return None
        self._loader = frame.get("loaderId")
        if frame.get("unreachableUrl"):
            return Unreachable(str(frame["unreachableUrl"]), await self._error_code())
        started = self._started.get(str(frame.get("loaderId") or ""))
        return await self._navigation(_address(frame), at, started=started, restored=restored)

    async def _error_code(self) -> str:
        for pause in (0.2, 0.0):
            try:
                found = await self._tab.cdp.send("Runtime.evaluate", {"expression": _ERROR_CODE}, seconds=1)
                if code := str(found.get("result", {}).get("value") or ""):
                    return code[:100]
            except WireError:
                pass
            await asyncio.sleep(pause)
        return ""

    async def _rewritten(self, event: Mapping[str, Any], at: int) -> Navigation:
        # The started type of a same-document move carries the document's own loader, the last one noted.
        kinds = [kind for kind in self._started.values() if kind in SAME_DOCUMENT]
        started = kinds[-1] if kinds else None
        self._started = {loader: kind for loader, kind in self._started.items() if kind not in kinds}
        return await self._navigation(str(event.get("url")), at, started=started, same_document=True)

    async def _navigation(
        self, url: str, at: int, *, started: str | None, restored: bool = False, same_document: bool = False
    ) -> Navigation:
        navigation = Navigation(self._tab.tab, url, at, started=started, restored=restored, same_document=same_document)
        history = await self._history()
        entries, current = history.get("entries", []), history.get("currentIndex")
        if not isinstance(current, int) or not 0 <= current < len(entries):
            return navigation
        # A page that leads on at once has left by now: the current entry is then the next page's, its own lies behind.
        behind = (at for at in range(current, max(-1, current - LED_ON), -1) if _is_entry_of(entries[at], url))
        index = next(behind, None)
        if index is None and await self._stands():
            index = current  # the page has given itself another address by now
        if index is None:
            return navigation
        entry = entries[index]
        return navigation._replace(
            position=index,
            entry_id=entry.get("id"),
            transition=entry.get("transitionType"),
            typed_url=entry.get("userTypedURL"),
            title=str(entry.get("title", ""))[:300],
        )

    async def _stands(self) -> bool:
        """Tell whether the document read last still stands in the tab."""
        try:
            tree = await self._tab.cdp.send("Page.getFrameTree", seconds=1)
        except WireError:
            return False
        return bool(self._loader) and tree.get("frameTree", {}).get("frame", {}).get("loaderId") == self._loader

    async def _history(self) -> Mapping[str, Any]:
        for pause in (0.05, 0.0):
            try:
                return await self._tab.cdp.send("Page.getNavigationHistory", seconds=1)
            except WireError:
                # It can fail once while a cached page is swapped in.
                await asyncio.sleep(pause)
        return {}


def _is_entry_of(entry: Mapping[str, Any], url: str) -> bool:
    return not is_web(url) or urldefrag(str(entry.get("url", url))).url == urldefrag(url).url


def _address(frame: Mapping[str, Any]) -> str:
    return str(frame.get("url", "")) + str(frame.get("urlFragment", ""))
