"""The panel's own window in the attached browser: opened beside the person's, led to an address, made wider, told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from playwright.async_api import BrowserContext, Frame, Page
from playwright.async_api import Error as PlaywrightError

from browser_capture.browser.devtools import in_time
from browser_capture.errors import WireError
from browser_capture.privacy import without_place
from browser_capture.sources.wire import Cdp, Listener
from browser_capture.window_places import PANEL_WIDTH, Place, side_by_side

_SCREEN = "[screen.availLeft, screen.availTop, screen.availWidth, screen.availHeight]"
_TELL = "detail => window.dispatchEvent(new CustomEvent('trailbench:state', {detail}))"

log = logging.getLogger(__name__)


class PanelWindow:
    """`opening` is held while the window opens: until then nobody can tell it from a person's tab."""

    def __init__(self, context: BrowserContext, cdp: Cdp, listener: Listener) -> None:
        self.page: Page | None = None
        self.opening = asyncio.Lock()
        self._context = context
        self._cdp = cdp
        self._listener = listener
        self._are_placed = False

    @property
    def is_open(self) -> bool:
        """Whether the window is open."""
        return self.page is not None and not self.page.is_closed()

    @property
    def address(self) -> str:
        """What the window shows; empty while there is none."""
        return self.page.url if self.page is not None and self.is_open else ""

    def take(self, page: Page) -> None:
        """Take a page for the panel."""
        self.page = page
        page.on("close", lambda _: self._listener.panel_called('{"do":"closed"}'))

    async def open(self, url: str) -> None:
        """Open the window, or bring it to this address where it is open. Raises WireError."""
        async with self.opening:
            if not self.is_open:
                self.take(await self._new_window())
            assert self.page is not None  # noqa: S101 - taken a line above
            await in_time(self.page.goto(url, wait_until="domcontentloaded", timeout=10_000), "opening the panel", 11)

    async def show(self) -> None:
        """Bring the window to the front; a closed panel stays closed. Raises WireError."""
        if self.page is not None and self.is_open:
            await in_time(self.page.bring_to_front(), "showing the panel", 3)

    async def widen(self, width: int) -> None:
        """Make the window this many pixels wide, its right edge staying where it is. Raises WireError."""
        target = await self._target_of(self.page) if self.page is not None else None
        if target is None or width <= 0:
            return
        window = await self._window_of(target)
        found = window.get("bounds", {})
        left = max(0, found.get("left", 0) + found.get("width", width) - width)
        bounds: dict[str, Any] = {"left": left, "width": width}
        if found.get("windowState", "normal") != "normal":
            bounds = {"windowState": "normal"}  # a window that fills the screen has no width of its own
        await self._set_bounds(window, bounds)

    async def tell(self, detail: Mapping[str, Any]) -> None:
        """Hand the recorder's state to the panel as a page event; a closed panel is told nothing. Raises WireError."""
        if self.page is not None and self.is_open:
            await in_time(self.page.evaluate(_TELL, dict(detail)), "telling the panel", 3)

    def called(self, page: Page, frame: Frame, text: str) -> None:
        """Hand on a command. Its name is visible to every page; only the panel's own document may use it."""
        if self.page is not None and page is self.page and frame == self.page.main_frame:
            self._listener.panel_called(text)
        else:
            log.warning(
                "a page that is not the panel tried to command the recorder: %s", without_place(frame.url)[:200]
            )

    async def _new_window(self) -> Page:
        before = set(self._context.pages)
        parameters = {"url": "about:blank", "newWindow": True}
        answer = await self._cdp.send("Target.createTarget", parameters, seconds=10)
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
            screen = Place(*await in_time(panel.evaluate(_SCREEN), "measuring the screen", 3))
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
        return await self._cdp.send("Browser.getWindowForTarget", {"targetId": target})

    async def _set_bounds(self, window: Mapping[str, Any], bounds: Mapping[str, Any]) -> None:
        await self._cdp.send("Browser.setWindowBounds", {"windowId": window["windowId"], "bounds": dict(bounds)})

    async def _target_of(self, page: Page) -> str | None:
        try:
            session = await self._context.new_cdp_session(page)
            info = await in_time(session.send("Target.getTargetInfo"), "Target.getTargetInfo", 3)
            await session.detach()
        except (PlaywrightError, WireError):
            return None
        return str(info["targetInfo"]["targetId"])
