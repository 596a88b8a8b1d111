"""One run of `trailbench capture jot`: a person looks around, and one key keeps the page, the quote and the question.

Nothing else is kept of what they do: no visits, no queries, no snapshots. The time of a jot is the time of the key.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import uuid
from collections.abc import Callable, Coroutine, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from browser_capture.background import Background
from browser_capture.capture_api import CaptureApi
from browser_capture.clock import Clock, system_clock
from browser_capture.errors import WireError
from browser_capture.events import Event
from browser_capture.jot_draft import JotDraft, Taken
from browser_capture.jot_wishes import Wish, read_wish
from browser_capture.jots import Jots, send_jots
from browser_capture.privacy import Privacy, clean_address
from browser_capture.selection import SELECTION
from browser_capture.sources.wire import Answer, Cdp, DomCall, WireTab
from browser_capture.start_sites import StartSites
from browser_capture.urls import is_web, origin

log = logging.getLogger(__name__)

PANEL = Path(str(resources.files("browser_capture").joinpath("panel/jot.html"))).as_uri()
REOPEN_SECONDS, GONE_SECONDS, SEND_SECONDS = 0.5, 3.0, 30.0
SHOWN = 20


class Window(Protocol):
    """What a run needs of the attached browser beside its tabs."""

    @property
    def cdp(self) -> Cdp: ...

    async def open_panel(self, url: str) -> None: ...

    async def show_panel(self) -> None: ...

    async def tell_panel(self, detail: Mapping[str, Any]) -> None: ...


class JotSession:
    """Listens to the browser and its jot panel. Make it, attach the browser with it as listener, then `run` it."""

    def __init__(
        self,
        home: Path,
        api: CaptureApi,
        sites: StartSites,
        topic: str,
        *,
        clock: Clock | None = None,
        on_state: Callable[[dict[str, Any]], None] = lambda detail: None,
    ) -> None:
        self._home = home
        self._api = api
        self._jots = Jots(home)
        self._sites = sites
        self._topic = topic
        self._clock = clock or system_clock()
        self._on_state = on_state
        self._privacy = Privacy([origin(api.server)])
        self._tabs: dict[str, WireTab] = {}
        self._active: str | None = None
        self._draft = JotDraft(self._jots)
        self.kept: list[dict[str, str]] = []
        self.sent = 0
        self.problem: str | None = None
        self._refusal: str | None = None
        self._is_gone = asyncio.Event()
        self._has_jots = asyncio.Event()
        self._background = Background("the jot session")
        self._window: Window

    async def run(self, window: Window) -> None:
        """Jot until the browser is gone."""
        self._window = window
        self._has_jots.set()  # what waited from an earlier time
        self._background.spawn(self._keep_sending())
        try:
            await self._show_panel()
            await self._is_gone.wait()
        finally:
            await self._background.cancel()
        await self._send()

    def detail(self) -> dict[str, Any]:
        """Return what the panel shows."""
        return {
            "topic": self._topic,
            "sites": {topic: list(sites) for topic, sites in self._sites.items()},
            **self._draft.detail(),
            "kept": self.kept[-SHOWN:],
            "count": len(self.kept),
            "waits": len(self._jots.waiting(self._api.server)),
            "refusal": self._refusal,
            "problem": self.problem,
        }

    # What the browser says: each of these only notes it and returns.

    def tab_opened(self, tab: WireTab, existed: bool) -> None:
        self._tabs[tab.tab] = tab
        self._active = self._active or tab.tab

    def tab_closed(self, tab: str) -> None:
        self._tabs.pop(tab, None)

    def dom_called(self, tab: str, call: DomCall) -> None:
        call.done()
        try:
            # What a page says by itself is nobody's key.
            said = json.loads(call.text) if call.is_own and len(call.text) < 50_000 else None
        except (ValueError, RecursionError):
            return
        if not isinstance(said, dict) or said.get("kind") not in {"here", "jot"}:
            return
        self._active = tab
        if said["kind"] == "jot":
            quote = said.get("quote")
            # A frame of a page may be private where the page is not.
            is_ours = isinstance(quote, str) and (call.is_main or self._may_quote(call.frame_url))
            self._background.spawn(self._take(str(quote) if is_ours else ""))

    def document_answered(self, answer: Answer) -> None:
        return

    def dialog_shown(self, tab: str, kind: str, url: str) -> None:
        return

    def panel_called(self, text: str) -> None:
        wish = read_wish(text)
        if wish is not None:
            self._background.spawn(self._obey(wish))

    def browser_gone(self) -> None:
        self._is_gone.set()

    async def _obey(self, wish: Wish) -> None:
        try:
            await _DEEDS[wish.do](self, wish)
        except WireError as error:
            self._refusal = f"The page did not answer: {error}."
        except OSError as error:
            self._refusal = f"It could not be kept on this machine: {error}. Free some space and press Keep again."
        if wish.do != "draft":
            await self._tell()

    async def _take_active(self, wish: Wish) -> None:
        tab = self._tab()
        found = await tab.evaluate(SELECTION) if tab is not None else None
        await self._take(str(found.get("quote") or "") if isinstance(found, dict) else "")

    async def _take(self, quote: str) -> None:
        at, tab = self._clock.wall(), self._tab()
        url = clean_address(tab.url) if tab is not None else ""
        if tab is None or not self._privacy.is_recorded(url):
            self._refusal = "This page is not kept: it is private, or no page of the web."
        else:
            self._refusal = None
            try:
                title = str(await tab.evaluate("document.title"))
            except WireError:
                title = ""
            quote = " ".join(quote.split())[:2000]
            self._draft.take(Taken(url[:8000], " ".join(title.split())[:500], quote, at))
        try:
            await self._window.show_panel()
        except WireError as error:
            log.info("the panel was not brought to the front: %s", error)
        await self._tell()

    async def _note_words(self, wish: Wish) -> None:
        self._draft.note(wish.text)

    async def _keep(self, wish: Wish) -> None:
        page, words = self._draft.page, wish.text.strip()
        if page is None:
            self._refusal = "Take a page first: the question came up somewhere."
            return
        event = Event(
            session=f"jot-{uuid.uuid4().hex}",
            seq=1,
            type="jot",
            src="panel",
            t_wall=page.at,
            t_mono=self._clock.mono(),
            url=page.url,
            data={"question": words, "quote": page.quote, "title": page.title, "topic": self._topic},
        )
        await asyncio.to_thread(self._jots.keep, self._api.server, event)
        self.kept.append({"question": words, "title": page.title or page.url})
        self._draft.clear()
        self._refusal = None
        self._has_jots.set()
        self._report()

    async def _go_back(self, wish: Wish) -> None:
        self._draft.go_back()

    async def _drop(self, wish: Wish) -> None:
        self._draft.drop()
        self._refusal = None

    async def _open(self, wish: Wish) -> None:
        tab = self._tab()
        if not is_web(wish.text):
            return
        if tab is None:
            await self._window.cdp.send("Target.createTarget", {"url": wish.text, "newWindow": True}, seconds=10)
        else:
            await tab.cdp.send("Page.navigate", {"url": wish.text}, seconds=10)
            await tab.cdp.send("Page.bringToFront")

    async def _choose(self, wish: Wish) -> None:
        self._topic = " ".join(wish.text.split())[:200]

    async def _hello(self, wish: Wish) -> None:
        return

    async def _panel_closed(self, wish: Wish) -> None:
        # When the whole browser closes, its panel is only the first to go.
        await asyncio.sleep(REOPEN_SECONDS)
        if not self._is_gone.is_set() and self._tabs:
            await self._show_panel()

    async def _show_panel(self) -> None:
        try:
            await self._window.open_panel(PANEL)
        except WireError as error:
            # A browser that is closed loses its panel first, and may say only a moment later that it is gone.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GONE_SECONDS):
                    await self._is_gone.wait()
            if not self._is_gone.is_set():
                log.error("the panel did not open: %s", error)

    async def _keep_sending(self) -> None:
        while True:
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await self._has_jots.wait()
            except TimeoutError:
                pass
            self._has_jots.clear()
            if await self._send():
                await self._tell()

    async def _send(self) -> bool:
        before = self.sent, self.problem
        try:
            sent, self.problem = await send_jots(self._home, self._api)
        except OSError as error:
            sent, self.problem = 0, str(error)
        self.sent += sent
        return (self.sent, self.problem) != before

    async def _tell(self) -> None:
        try:
            await self._window.tell_panel(self.detail())
        except WireError as error:
            log.debug("the panel does not listen: %s", error)

    def _may_quote(self, url: str) -> bool:
        return not is_web(url) or self._privacy.is_recorded(url)

    def _tab(self) -> WireTab | None:
        return self._tabs.get(self._active or "") or next(iter(self._tabs.values()), None)

    def _report(self) -> None:
        self._on_state(self.detail())


_Deed = Callable[[JotSession, Wish], Coroutine[Any, Any, None]]
_DEEDS: Mapping[str, _Deed] = {
    "hello": JotSession._hello,
    "take": JotSession._take_active,
    "draft": JotSession._note_words,
    "keep": JotSession._keep,
    "drop": JotSession._drop,
    "back": JotSession._go_back,
    "open": JotSession._open,
    "topic": JotSession._choose,
    "closed": JotSession._panel_closed,
}
