"""A person walks through the small web by mouse and keys; after each step the page and the log are waited for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from browser_capture.events import Event
from browser_capture.log_lines import LogTail
from browser_capture.spool import spools
from browser_capture.trajectory import Visit
from tests.browser_capture.conftest import Person
from tests.browser_capture.real_input.hand import Hand, painted
from tests.browser_capture.real_input.web import HOST
from tests.fakes import LocalSite

PATIENCE = 30.0
"""Seconds within which a step must have come to its end, on a machine that does much else."""
GLANCE = 0.25
"""Seconds a person needs at the least to see a page that has come, before the next key or click."""


class Stay(NamedTuple):
    """A visit as the suite asserts it: where, what kind, why, and the page it came from."""

    kind: str
    cause: str
    address: str
    came_from: str


def stays_of(visits: Sequence[Visit]) -> list[Stay]:
    """Write visits as stays, in the order in which they began."""
    where = {visit.visit: short(visit.url) for visit in visits}
    return [Stay(visit.kind, visit.cause, short(visit.url), where.get(visit.from_visit or "", "")) for visit in visits]


def short(url: str) -> str:
    """Write an address of the small web without what all of them share.

    >>> short("http://walk.example/links"), short("http://other.example/blank")
    ('/links', '//other/blank')
    """
    parts = urlsplit(url)
    place = parts.path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return place if parts.hostname == HOST else f"//{str(parts.hostname).partition('.')[0]}{place}"


@dataclass
class Walker:
    """The person, the hand, and what the recorder has written so far."""

    person: Person
    hand: Hand
    site: LocalSite
    home: Path
    tail: LogTail | None = None
    events: list[Event] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def read(self) -> list[Event]:
        """Return the log as it is on the disk."""
        if self.tail is None:
            self.tail = LogTail(next(spools(self.home)))
        self.events = [line.event for line in self.tail.read()]
        return self.events

    def visited(self, address: str, *, after: int = 0) -> bool:
        """Tell whether the log has a visit to an address, behind so many events."""
        return any(short(event.url or "") == address for event in self.events[after:] if event.type == "visit")

    async def until(self, what: str, condition: Callable[[], object]) -> None:
        """Wait until the log shows something."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                said = self.person.said.read_text()[-2_000:]
                raise AssertionError(
                    f"{self.steps[-1:]}: {what}; the last events: {self._last_words()}; it said: {said}"
                )
            await asyncio.sleep(0.05)
            self.read()

    async def to(self, address: str, *, shown: bool = True) -> Page:
        """Wait until the log has a new visit to an address, and the page stands before the person's eyes."""
        self.steps.append(address)
        before = len(self.events)
        await self.until(f"no visit to {address}", lambda: self.visited(address, after=before))
        return await self.sees(address) if shown else self.person.main

    async def sees(self, address: str) -> Page:
        """Wait until the page of an address is in front, drawn, and the only visible one; return it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for page in self.person.context.pages:
                with suppress(PlaywrightError, TimeoutError):
                    if page is not self.person.panel and short(page.url) == address and await _is_in_front(page):
                        await painted(page.main_frame)
                        await asyncio.sleep(GLANCE)
                        return page
            await asyncio.sleep(0.05)
        raise AssertionError(f"{address} did not come to the front: {[page.url for page in self.person.context.pages]}")

    async def click(self, page: Page, name: str, *, button: int = 1, holding: str = "") -> None:
        """Click on what has this id."""
        await self.hand.click(page.locator(f"#{name}"), button=button, holding=holding)

    def _last_words(self) -> list[str]:
        return [f"{event.type} {event.tab} {event.url} {event.data.get('reason', '')}" for event in self.events[-12:]]


async def _is_in_front(page: Page) -> bool:
    async with asyncio.timeout(5):
        return bool(await page.evaluate("document.visibilityState === 'visible' && document.readyState === 'complete'"))


async def walk(walker: Walker) -> None:
    """Take every step, from the first page to the last."""
    page = await walker.sees("/")
    await walker.click(page, "link")
    page = await walker.to("/links")
    for steps in (_new_tabs, _switch_close_reopen, _form_and_history, _documents, _redirects, _same_document, _frames):
        page = await steps(walker, page)
    await _defences(walker, page)


async def _new_tabs(walker: Walker, page: Page) -> Page:
    await walker.click(page, "middle", button=2)
    await walker.to("/middle", shown=False)
    await walker.click(page, "ctrl", holding="ctrl")
    await walker.to("/ctrl", shown=False)
    for name, address in (("blank", "//other/blank"), ("open", "/opened")):
        await walker.click(page, name)
        await walker.to(address)
        await walker.hand.keys("ctrl+w")
        page = await walker.sees("/links")
    return page


async def _switch_close_reopen(walker: Walker, page: Page) -> Page:
    await walker.hand.keys("alt+2")
    await walker.sees("/middle")
    await walker.hand.keys("alt+3")
    await walker.sees("/ctrl")
    await walker.hand.keys("ctrl+w")
    await walker.sees("/middle")
    await walker.hand.keys("ctrl+shift+t")
    await walker.to("/ctrl")
    await walker.hand.keys("ctrl+w")
    await walker.sees("/middle")
    await walker.hand.keys("ctrl+w")
    return await walker.sees("/links")


async def _form_and_history(walker: Walker, page: Page) -> Page:
    hand = walker.hand
    await walker.click(page, "q")
    await hand.write("deep water")
    await hand.keys("Return")
    await walker.to("/found?q=deep+water")
    await hand.keys("Tab", "Return")
    await walker.to("/uncached")
    await hand.keys("Tab", "Return")
    await walker.to("/typed-from")
    await hand.keys("alt+Left")
    await walker.to("/uncached")
    await hand.keys("alt+Left")
    await walker.to("/found?q=deep+water")
    await hand.keys("alt+Right")
    await walker.to("/uncached")
    await hand.keys("F5")
    await walker.to("/uncached")
    await hand.keys("ctrl+l")
    await hand.write("http://walk.example/typed")
    await hand.keys("Return")
    return await walker.to("/typed")


async def _documents(walker: Walker, page: Page) -> Page:
    await walker.click(page, "paper")
    await walker.to("/paper.pdf")
    await walker.hand.keys("alt+Left")
    page = await walker.to("/typed")
    await walker.click(page, "file")
    await walker.until("no download", lambda: any(event.type == "download" for event in walker.events))
    return await walker.sees("/typed")


async def _redirects(walker: Walker, page: Page) -> Page:
    await walker.click(page, "hops")
    page = await walker.to("/landed")
    await walker.click(page, "js")
    page = await walker.to("/after-js")
    await walker.click(page, "meta")
    return await walker.to("/after-meta")


async def _same_document(walker: Walker, page: Page) -> Page:
    await walker.click(page, "app")
    page = await walker.to("/app")
    await walker.click(page, "push")
    page = await walker.to("/app?step=30")
    await walker.click(page, "hash")
    page = await walker.sees("/app?step=30#part")
    await walker.click(page, "shadow")
    page = await walker.to("/shadow")
    await walker.click(page, "inner")
    page = await walker.to("/inner")
    await walker.click(page, "back")
    page = await walker.to("/shadow")
    await walker.click(page, "shut")
    return await walker.to("/shut")


async def _frames(walker: Walker, page: Page) -> Page:
    await walker.click(page, "frame")
    page = await walker.to("/framed")
    frame = page.frame_locator("iframe")
    await walker.hand.click(frame.locator("#inside"))
    await frame.get_by_role("heading", name="Frame two").wait_for()
    await walker.hand.click(frame.locator("#out"))
    page = await walker.to("/tall")
    await walker.hand.point_at(page.locator("h1"))
    await walker.hand.wheel(12)
    await walker.until("the wheel is not in the log", lambda: any(e.type == "scroll" for e in walker.events))
    await walker.hand.keys("ctrl+Home")
    await page.wait_for_function("scrollY === 0")
    await walker.click(page, "csp")
    return await walker.to("/csp")


async def _defences(walker: Walker, page: Page) -> None:
    await walker.click(page, "next")
    page = await walker.to("/silent")
    await walker.click(page, "next")
    page = await walker.to("/asks")
    await walker.click(page, "ask")
    await walker.until("no dialog", lambda: walker.events[-1].type == "dialog")
    await walker.hand.keys("Return")
    page = await walker.to("/stays")
    await walker.click(page, "note")
    await walker.hand.write("half a thought")
    await walker.click(page, "next")
    await walker.until("no dialog", lambda: [e for e in walker.events if e.type == "dialog"][1:])
    await walker.hand.keys("Return")
    await walker.to("/end")


WALKED = [
    Stay("new", "unknown", "/", ""),
    Stay("new", "click", "/links", "/"),
    Stay("new", "click", "/middle", "/links"),
    Stay("new", "click", "/ctrl", "/links"),
    Stay("new", "click", "//other/blank", "/links"),
    Stay("new", "script", "/opened", "/links"),
    Stay("restore", "history", "/ctrl", ""),
    Stay("new", "form", "/found?q=deep+water", "/links"),
    Stay("new", "click", "/uncached", "/found?q=deep+water"),
    Stay("new", "click", "/typed-from", "/uncached"),
    Stay("back", "history", "/uncached", "/typed-from"),
    Stay("bfcache", "history", "/found?q=deep+water", "/uncached"),
    Stay("forward", "history", "/uncached", "/found?q=deep+water"),
    Stay("reload", "reload", "/uncached", "/uncached"),
    Stay("new", "address_bar", "/typed", "/uncached"),
    Stay("new", "click", "/paper.pdf", "/typed"),
    Stay("bfcache", "history", "/typed", "/paper.pdf"),
    Stay("new", "click", "/landed", "/typed"),
    Stay("new", "click", "/js", "/landed"),
    Stay("new", "script", "/after-js", "/js"),
    Stay("new", "click", "/meta", "/after-js"),
    Stay("new", "redirect", "/after-meta", "/meta"),
    Stay("new", "click", "/app", "/after-meta"),
    Stay("same_document", "script", "/app?step=30", "/app"),
    Stay("new", "click", "/shadow", "/app?step=30"),
    Stay("new", "click", "/inner", "/shadow"),
    Stay("bfcache", "history", "/shadow", "/inner"),
    Stay("new", "click", "/shut", "/shadow"),
    Stay("new", "click", "/framed", "/shut"),
    Stay("new", "click", "/tall", "/framed"),
    Stay("new", "click", "/csp", "/tall"),
    Stay("new", "click", "/silent", "/csp"),
    Stay("new", "click", "/asks", "/silent"),
    Stay("new", "script", "/stays", "/asks"),
    Stay("new", "click", "/end", "/stays"),
]
"""What the log must say of the walk: every visit, in order."""
