"""A tab says until when everything it said is handed on: what waits keeps its clock back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from browser_capture.sources.tabs import TabFeed
from tests.browser_capture.scripted_window import ScriptedCdp, ScriptedTab


class SlowCdp(ScriptedCdp):
    """A page that answers about its history only when it is told to."""

    def __init__(self) -> None:
        super().__init__("http://a.example/app")
        self.answers = asyncio.Event()
        self.handlers: dict[str, Callable[[dict[str, Any]], None]] = {}

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        if method == "Page.getNavigationHistory":
            await self.answers.wait()
        return await super().send(method, params, seconds=seconds)

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        self.handlers[event] = handler


class Deaf:
    """Takes what a tab says and forgets it."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments, **named: None


def test_a_tab_whose_messages_wait_is_heard_until_the_first_of_them() -> None:
    async def act() -> list[int]:
        now = [10]
        tab = ScriptedTab("t1", "http://a.example/app")
        tab.cdp = cdp = SlowCdp()
        feed = TabFeed(tab, Deaf(), lambda: now[0])
        cdp.answers.set()
        feed.start(existed=True)
        await feed.drain(1)
        found = [feed.heard_until()]
        cdp.answers.clear()
        for now[0] in (20, 30):
            cdp.handlers["Page.navigatedWithinDocument"]({"frameId": tab.target, "url": f"http://a.example/{now[0]}"})
        now[0] = 900
        await asyncio.sleep(0)
        found.append(feed.heard_until())
        cdp.answers.set()
        await feed.drain(1)
        found.append(feed.heard_until())
        await feed.stop()
        return found

    assert asyncio.run(act()) == [10, 20, 900]
