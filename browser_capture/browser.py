"""Attaches to a Chromium we started and gives the recorder its tabs, over Playwright; nothing else imports Playwright.

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
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext, BrowserType, CDPSession, Dialog, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from browser_capture.chromium_fetch import driver_environment
from browser_capture.errors import IncompleteError, UserError, WireError
from browser_capture.page_scripts import recording_script
from browser_capture.sources.wire import Cdp, DomCall, Listener
from browser_capture.window_places import PANEL_WIDTH, Place, side_by_side

PANEL_BINDING = "__trailbench_panel"
ATTACH_SECONDS = 30
HANDLED_SECONDS = 10
"""A page's call returns once what it says is in the log; the page does not wait for it, a test can."""

_SCREEN = "[screen.availLeft, screen.availTop, screen.availWidth, screen.availHeight]"

log = logging.getLogger(__name__)


class PlaywrightCdp:
    """A DevTools session with a time limit on each call."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        answer = await _in_time(self._session.send(method, dict(params or {})), method, seconds)
        return answer if isinstance(answer, dict) else {}

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        self._session.on(event, handler)


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
        page = await _in_time(self.page.opener(), "opener", 3)
        return self._browser.name_of(page) if page is not None else None

    async def evaluate(self, script: str, argument: Any = None, *, seconds: float = 3) -> Any:
        return await _in_time(self.page.evaluate(script, argument), "evaluate", seconds)


class AttachedBrowser:
    """A running Chromium, seen from the recorder. Use `attach`, then `close`; the browser itself is left running."""

    def __init__(
        self,
        playwright: Playwright,
        browser: PlaywrightBrowser,
        listener: Listener,
        is_panel: Callable[[str], bool],
        tabs_before: int,
        binding: str,
        script: str = "",
        secret: str = "",
    ) -> None:
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
        self._panel: Page | None = None
        self._panel_opening = asyncio.Lock()
        self._are_placed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.cdp: Cdp

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
            browser = await playwright.chromium.connect_over_cdp(
                devtools, no_defaults=True, timeout=ATTACH_SECONDS * 1000
            )
        except PlaywrightError as error:
            await playwright.stop()
            raise IncompleteError(f"could not attach to the browser at {devtools}: {_first_line(error)}") from error
        attached = cls(playwright, browser, listener, is_panel, tabs_before, binding, script, secret)
        try:
            await attached._listen()
        except (PlaywrightError, WireError) as error:
            await attached.close()
            raise IncompleteError(f"the browser ended while the recorder attached: {_first_line(error)}") from error
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
        return self._panel is not None and not self._panel.is_closed()

    async def open_panel(self, url: str) -> None:
        """Open the panel in a window of its own, or bring it to this address where it is open. Raises WireError."""
        async with self._panel_opening:
            if self._panel is None or self._panel.is_closed():
                self._take_panel(await self._new_window())
            assert self._panel is not None  # noqa: S101 - taken a line above
            await _in_time(
                self._panel.goto(url, wait_until="domcontentloaded", timeout=10_000), "opening the panel", 11
            )

    async def show_panel(self) -> None:
        """Bring the panel's window to the front; a closed panel stays closed. Raises WireError."""
        if self._panel is not None and not self._panel.is_closed():
            await _in_time(self._panel.bring_to_front(), "showing the panel", 3)

    @property
    def panel_address(self) -> str:
        """What the panel's window shows; empty while there is none."""
        return self._panel.url if self._panel is not None and not self._panel.is_closed() else ""

    async def widen_panel(self, width: int) -> None:
        """Make the panel's window this many pixels wide, its right edge staying where it is. Raises WireError."""
        target = await self._target_of(self._panel) if self._panel is not None else None
        if target is None or width <= 0:
            return
        window = await self.cdp.send("Browser.getWindowForTarget", {"targetId": target})
        found = window.get("bounds", {})
        left = max(0, found.get("left", 0) + found.get("width", width) - width)
        bounds = {"left": left, "width": width}
        if found.get("windowState", "normal") != "normal":
            bounds = {"windowState": "normal"}  # a window that fills the screen has no width of its own
        await self.cdp.send("Browser.setWindowBounds", {"windowId": window.get("windowId"), "bounds": bounds})

    async def tell_panel(self, detail: Mapping[str, Any]) -> None:
        """Hand the recorder's state to the panel as a page event; a closed panel is told nothing. Raises WireError."""
        if self._panel is None or self._panel.is_closed():
            return
        script = "detail => window.dispatchEvent(new CustomEvent('trailbench:state', {detail}))"
        await _in_time(self._panel.evaluate(script, dict(detail)), "telling the panel", 3)

    async def close(self) -> None:
        """Let go of the browser and end the driver; the browser keeps running."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for ending in (self._browser.close(), self._playwright.stop()):
            try:
                async with asyncio.timeout(5):
                    await ending
            except (PlaywrightError, TimeoutError) as error:
                log.debug("letting go of the browser: %s", error)

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
        self._context.on("page", lambda page: self._spawn(self._meet(page, existed=False)))
        self._browser.on("disconnected", lambda _: self._listener.browser_gone())
        self.cdp = PlaywrightCdp(await self._browser.new_browser_cdp_session())
        for page in self._context.pages:
            # What is typed in the panel stays: it is not opened anew.
            if not self.has_panel and self._is_panel(page.url):
                self._take_panel(page)
        for page in self._context.pages:
            await self._meet(page, existed=True)

    def _take_panel(self, page: Page) -> None:
        self._panel = page
        page.on("close", lambda _: self._listener.panel_called('{"do":"closed"}'))

    async def _meet(self, page: Page, *, existed: bool) -> None:
        name = self.name_of(page)
        async with self._panel_opening:
            # While the panel's window opens, no page is taken for a person's tab.
            if page is self._panel:
                return
        try:
            cdp = PlaywrightCdp(await self._context.new_cdp_session(page))
            target = await cdp.send("Target.getTargetInfo")
        except (PlaywrightError, WireError) as error:
            log.debug("tab %s is gone before it was met: %s", name, _first_line(error))
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
                await _in_time(frame.evaluate(self._script), "running the script", 3)
            except WireError as error:
                log.debug("an open frame takes no script: %s", error)

    async def _new_window(self) -> Page:
        before = set(self._context.pages)
        parameters = {"url": "about:blank", "newWindow": True}
        answer = await self.cdp.send("Target.createTarget", parameters, seconds=10)
        target = answer.get("targetId")
        for _ in range(100):
            for page in set(self._context.pages) - before:
                if await self._target_of(page) == target:
                    await self._place_beside(page, str(target), next(iter(before), None))
                    return page
            await asyncio.sleep(0.05)
        raise WireError("the panel's window did not open")

    async def _place_beside(self, panel: Page, target: str, main: Page | None) -> None:
        """Put the panel beside the browser's window, which is moved once: later it stands where its person put it."""
        try:
            screen = Place(*await _in_time(panel.evaluate(_SCREEN), "measuring the screen", 3))
            window = await self._window_of(target)
            await self._set_bounds(window, {"width": PANEL_WIDTH})
            # A browser has a least width of its own.
            is_as_wide = (await self._window_of(target))["bounds"]["width"]
            beside, place = side_by_side(screen, is_as_wide)
            await self._set_bounds(window, place._asdict())
            other = await self._target_of(main) if main is not None and not self._are_placed else None
            self._are_placed = True
            if beside is not None and other is not None:
                await self._set_bounds(await self._window_of(other), beside._asdict())
        except (WireError, KeyError, TypeError) as error:
            log.debug("the windows keep their places: %s", error)

    async def _window_of(self, target: str) -> dict[str, Any]:
        return await self.cdp.send("Browser.getWindowForTarget", {"targetId": target})

    async def _set_bounds(self, window: Mapping[str, Any], bounds: Mapping[str, Any]) -> None:
        await self.cdp.send("Browser.setWindowBounds", {"windowId": window["windowId"], "bounds": dict(bounds)})

    async def _target_of(self, page: Page) -> str | None:
        try:
            session = await self._context.new_cdp_session(page)
            info = await _in_time(session.send("Target.getTargetInfo"), "Target.getTargetInfo", 3)
            await session.detach()
        except (PlaywrightError, WireError):
            return None
        return str(info["targetInfo"]["targetId"])

    async def _on_dom(self, source: Mapping[str, Any], text: str) -> None:
        page, frame = source["page"], source["frame"]
        if page is not self._panel:
            handled = asyncio.Event()
            said, is_own = str(text), str(text).startswith(self._secret)
            said = said.removeprefix(self._secret)
            call = DomCall(said, frame == page.main_frame, frame.url, handled, is_own)
            self._listener.dom_called(self.name_of(page), call)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HANDLED_SECONDS):
                    await handled.wait()

    def _on_panel(self, source: Mapping[str, Any], text: str) -> None:
        # The name is visible to every page; only the panel's own main document may use it.
        page, frame = source["page"], source["frame"]
        if self._panel is not None and page is self._panel and frame == self._panel.main_frame:
            self._listener.panel_called(str(text))
        else:
            log.warning("a page that is not the panel tried to command the recorder: %s", frame.url[:200])

    def _on_dialog(self, dialog: Dialog) -> None:
        page = dialog.page
        if page is not None and page is not self._panel:
            self._listener.dialog_shown(self.name_of(page), dialog.type, page.url)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _in_time(call: Any, what: str, seconds: float) -> Any:
    try:
        # Not wait_for: that can swallow a cancellation which comes with the answer.
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError as error:
        raise WireError(f"{what}: no answer within {seconds:g} seconds") from error
    except PlaywrightError as error:
        raise WireError(f"{what}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:300] if str(error).strip() else type(error).__name__


def _require_no_defaults() -> None:
    if "no_defaults" not in inspect.signature(BrowserType.connect_over_cdp).parameters:
        raise UserError("the installed playwright is too old to attach without defaults; install playwright>=1.65")
