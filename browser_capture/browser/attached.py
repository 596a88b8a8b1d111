"""Attaches to a Chromium we started and gives the recorder its tabs.

Attached with `no_defaults`: Playwright's own launch emulates focus (a tab switch would be no event at all), switches
off the back/forward cache and dies with the recorder. Here the browser outlives a crash of the recorder.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import inspect
import logging
import os
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext, BrowserType, Dialog, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from browser_capture.background import Background
from browser_capture.browser.devtools import PlaywrightCdp, first_line, in_time
from browser_capture.browser.document_answers import DocumentAnswers
from browser_capture.browser.panel_window import PanelWindow
from browser_capture.chromium_fetch import driver_environment
from browser_capture.errors import IncompleteError, UserError, WireError
from browser_capture.page_scripts import recording_script
from browser_capture.sources.wire import Answer, Cdp, DomCall, Listener

PANEL_BINDING = "__trailbench_panel"
ATTACH_SECONDS = 30
HANDLED_SECONDS = 10
"""A page's call returns once what it says is in the log; the page does not wait for it, a test can."""

log = logging.getLogger(__name__)


class PlaywrightTab:
    """A page of the attached browser."""

    def __init__(self, tab: str, target: str, page: Page, cdp: PlaywrightCdp, browser: AttachedBrowser) -> None:
        self.tab = tab
        self.target = target
        self.cdp: Cdp = cdp
        self.page = page
        self._browser = browser

    @property
    def url(self) -> str:
        return self.page.url

    async def opener(self) -> str | None:
        page = await in_time(self.page.opener(), "opener", 3)
        return self._browser.name_of(page) if page is not None else None

    async def evaluate(self, script: str, argument: Any = None, *, seconds: float = 3) -> Any:
        return await in_time(self.page.evaluate(script, argument), "evaluate", seconds)


class AttachedBrowser:
    """A running Chromium, seen from the recorder. Use `attach`, then `close`; the browser itself is left running."""

    def __init__(
        self,
        playwright: Playwright,
        browser: PlaywrightBrowser,
        cdp: PlaywrightCdp,
        listener: Listener,
        is_panel: Callable[[str], bool],
        tabs_before: int,
        binding: str,
        script: str = "",
        secret: str = "",
    ) -> None:
        self.cdp: Cdp = cdp
        self._is_panel = is_panel
        self._tabs_before = tabs_before
        self._playwright = playwright
        self._browser = browser
        self._context: BrowserContext = browser.contexts[0]
        self._listener = listener
        self.binding = binding or f"__tb{secrets.token_hex(6)}"
        self._secret = hashlib.sha256((secret or secrets.token_hex(16)).encode()).hexdigest()[:16]
        self._script = (script or recording_script()).replace("__BINDING__", self.binding)
        self._script = self._script.replace("__SECRET__", self._secret)
        self._names: dict[Page, str] = {}
        self._panel = PanelWindow(self._context, cdp, listener)
        self._answers = DocumentAnswers(self._context, self.name_of, self._on_answer)
        self._background = Background("the attached browser")

    @classmethod
    async def attach(
        cls,
        devtools: str,
        listener: Listener,
        *,
        is_panel: Callable[[str], bool] = lambda url: False,
        tabs_before: int = 0,
        binding: str = "",
        script: str = "",
        secret: str = "",
    ) -> AttachedBrowser:
        """Attach to the browser whose DevTools are at this address.

        A window whose address `is_panel` is the panel an earlier recorder opened; tabs are numbered after
        `tabs_before`; pages call the recorder by `binding`, a name drawn by chance if left out; `script` runs in every
        page, the one that records if left out. Raises IncompleteError when the browser does not answer.
        """
        _require_no_defaults()
        os.environ.update(driver_environment())
        playwright = await async_playwright().start()
        try:
            browser = await _connect(playwright, devtools)
        except PlaywrightError as error:
            await playwright.stop()
            raise IncompleteError(f"could not attach to the browser at {devtools}: {first_line(error)}") from error
        try:
            cdp = PlaywrightCdp(await browser.new_browser_cdp_session())
            attached = cls(playwright, browser, cdp, listener, is_panel, tabs_before, binding, script, secret)
            await attached._listen()
        except (PlaywrightError, WireError) as error:
            await _let_go(browser, playwright)
            raise IncompleteError(f"the browser ended while the recorder attached: {first_line(error)}") from error
        return attached

    @property
    def version(self) -> str:
        """The browser's version, as it states it."""
        return self._browser.version

    def name_of(self, page: Page) -> str:
        """Return our short name of a page: t1, t2 and so on in the order they were met."""
        return self._names.setdefault(page, f"t{self._tabs_before + len(self._names) + 1}")

    @property
    def has_panel(self) -> bool:
        """Whether the panel's window is open."""
        return self._panel.is_open

    @property
    def panel_address(self) -> str:
        """What the panel's window shows; empty while there is none."""
        return self._panel.address

    async def open_panel(self, url: str) -> None:
        """Open the panel in a window of its own, or bring it to this address where it is open. Raises WireError."""
        await self._panel.open(url)

    async def show_panel(self) -> None:
        """Bring the panel's window to the front; a closed panel stays closed. Raises WireError."""
        await self._panel.show()

    async def widen_panel(self, width: int) -> None:
        """Make the panel's window this many pixels wide, its right edge staying where it is. Raises WireError."""
        await self._panel.widen(width)

    async def tell_panel(self, detail: Mapping[str, Any]) -> None:
        """Hand the recorder's state to the panel as a page event; a closed panel is told nothing. Raises WireError."""
        await self._panel.tell(detail)

    def watch_answers(self, *, watch: bool) -> None:
        """Tell the listener the answers to document requests from now on, or no more."""
        self._answers.watch(watch=watch)

    async def close(self) -> None:
        """Let go of the browser and end the driver; the browser keeps running."""
        await self._background.cancel()
        await _let_go(self._browser, self._playwright)

    async def quit_browser(self) -> None:
        """Ask the browser to close all its windows. Raises WireError when it does not answer."""
        await self.cdp.send("Browser.close", seconds=3)

    async def _listen(self) -> None:
        # The order matters: what a new page calls and runs must be there before the page is.
        await self._context.expose_binding(self.binding, self._on_dom)
        await self._context.expose_binding(PANEL_BINDING, self._on_panel)
        await self._context.add_init_script(self._script)
        # With nobody listening, a person's dialogs would be answered "no" unseen.
        self._context.on("dialog", self._on_dialog)
        self._context.on("page", lambda page: self._background.spawn(self._meet(page, existed=False)))
        self._browser.on("disconnected", lambda _: self._listener.browser_gone())
        for page in self._context.pages:
            # What is typed in the panel stays: it is not opened anew.
            if not self.has_panel and self._is_panel(page.url):
                self._panel.take(page)
        for page in self._context.pages:
            await self._meet(page, existed=True)

    async def _meet(self, page: Page, *, existed: bool) -> None:
        name = self.name_of(page)
        async with self._panel.opening:
            if page is self._panel.page:
                return
        self._answers.met()
        try:
            cdp = PlaywrightCdp(await self._context.new_cdp_session(page))
            target = await cdp.send("Target.getTargetInfo")
        except (PlaywrightError, WireError) as error:
            log.debug("tab %s is gone before it was met: %s", name, first_line(error))
            return
        tab = PlaywrightTab(name, str(target.get("targetInfo", {}).get("targetId", "")), page, cdp, self)
        page.on("close", lambda _: self._listener.tab_closed(name))
        self._listener.tab_opened(tab, existed)
        if existed:
            await self._run_script_in(page)

    async def _run_script_in(self, page: Page) -> None:
        # Init scripts reach only documents made after them.
        for frame in page.frames:
            try:
                await in_time(frame.evaluate(self._script), "running the script", 3)
            except WireError as error:
                log.debug("an open frame takes no script: %s", error)

    async def _on_dom(self, source: Mapping[str, Any], text: str) -> None:
        page, frame = source["page"], source["frame"]
        if page is not self._panel.page:
            handled = asyncio.Event()
            said, is_own = str(text), str(text).startswith(self._secret)
            said = said.removeprefix(self._secret)
            call = DomCall(said, frame == page.main_frame, frame.url, handled, is_own)
            self._listener.dom_called(self.name_of(page), call)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HANDLED_SECONDS):
                    await handled.wait()

    def _on_panel(self, source: Mapping[str, Any], text: str) -> None:
        self._panel.called(source["page"], source["frame"], str(text))

    def _on_dialog(self, dialog: Dialog) -> None:
        page = dialog.page
        if page is not None and page is not self._panel.page:
            self._listener.dialog_shown(self.name_of(page), dialog.type, page.url)

    def _on_answer(self, page: Page, answer: Answer) -> None:
        if page is not self._panel.page:
            self._listener.document_answered(answer)


async def _connect(playwright: Playwright, devtools: str) -> PlaywrightBrowser:
    connect = partial(playwright.chromium.connect_over_cdp, devtools, no_defaults=True, timeout=ATTACH_SECONDS * 1000)
    try:
        return await connect()
    except PlaywrightTimeout as error:
        # A browser that is starting on a busy machine may never answer the first time, and at once the second.
        log.warning("the browser did not answer in %d s, asking again: %s", ATTACH_SECONDS, first_line(error))
        return await connect()


async def _let_go(browser: PlaywrightBrowser, playwright: Playwright) -> None:
    for ending in (browser.close(), playwright.stop()):
        try:
            async with asyncio.timeout(5):
                await ending
        except (PlaywrightError, TimeoutError) as error:
            log.debug("letting go of the browser: %s", error)


def _require_no_defaults() -> None:
    if "no_defaults" not in inspect.signature(BrowserType.connect_over_cdp).parameters:
        raise UserError("the installed playwright is too old to attach without defaults; install playwright>=1.65")
