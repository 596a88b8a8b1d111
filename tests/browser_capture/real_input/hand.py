"""Mouse and keyboard of a display, moved by xdotool in a process of its own: the browser takes them for a person's."""

from __future__ import annotations

import asyncio

from playwright.async_api import Frame, Locator, Page

_ORIGIN = "[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]"
_PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
KEY_PAUSE = "12"
"""Milliseconds between two keys."""


class Hand:
    """One hand at one display. Pages are only looked at, to know where on the screen something stands."""

    def __init__(self, display: str) -> None:
        self._display = display

    async def click(self, spot: Locator, *, button: int = 1, holding: str = "") -> None:
        """Click on an element, with a mouse button and perhaps while a key is held."""
        x, y = await self.place_of(spot)
        press = ["click", str(button)]
        if holding:
            press = ["keydown", holding, *press, "keyup", holding]
        await self._do("mousemove", str(x), str(y), *press)

    async def keys(self, *names: str) -> None:
        """Press keys, one chord after the other, such as `ctrl+l`."""
        await self._do("key", "--delay", KEY_PAUSE, *names)

    async def write(self, text: str) -> None:
        """Type a text."""
        await self._do("type", "--delay", KEY_PAUSE, text)

    async def wheel(self, notches: int) -> None:
        """Turn the wheel down, where the mouse stands."""
        await self._do("click", "--repeat", str(notches), "--delay", "30", "5")

    async def point_at(self, spot: Locator) -> None:
        """Move the mouse onto an element."""
        x, y = await self.place_of(spot)
        await self._do("mousemove", str(x), str(y))

    async def place_of(self, spot: Locator) -> tuple[int, int]:
        """Return where on the screen the middle of an element is, once it stands there."""
        await spot.wait_for(timeout=20_000)
        page: Page = spot.page
        await painted(page.main_frame)
        box = await spot.bounding_box()
        assert box is not None, f"{spot} is not on the screen"
        left, top = await page.evaluate(_ORIGIN)
        return round(left + box["x"] + box["width"] / 2), round(top + box["y"] + box["height"] / 2)

    async def _do(self, *arguments: str) -> None:
        # Another process: a call that blocks the test's own loop would delay what it is told.
        process = await asyncio.create_subprocess_exec("xdotool", *arguments, env={"DISPLAY": self._display})
        assert await process.wait() == 0, f"xdotool {' '.join(arguments)}"


async def painted(frame: Frame) -> None:
    """Wait until a page has been drawn as it stands; before that the browser drops what a mouse does."""
    async with asyncio.timeout(20):
        await frame.evaluate(_PAINTED)
