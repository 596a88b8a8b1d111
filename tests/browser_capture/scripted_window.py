"""A browser at the wire, from a script: tabs with pages, a panel that listens, and a run of the recorder behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from browser_capture.capture_api import CaptureApi
from browser_capture.capture_session import CaptureSession
from browser_capture.clock import Clock, system_clock
from browser_capture.events import Event
from browser_capture.log_lines import read_lines
from browser_capture.past import Past
from browser_capture.policy import CaptureTask, Policy
from browser_capture.recording import Setup
from browser_capture.sources.wire import DomCall
from browser_capture.trajectory import Actor
from tests.browser_capture.capture_server import TOKEN, CaptureServer

MHTML = """From: <Saved by Blink>
Snapshot-Content-Location: {url}
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="-b-"

---b-
Content-Type: text/html
Content-Location: {url}

<title>Page</title><p>{text}</p>
---b---
"""


class ScriptedCdp:
    """A DevTools session that answers as a page at `url` would. `asked` keeps what was called."""

    def __init__(self, url: str = "about:blank") -> None:
        self.url = url
        self.asked: list[str] = []

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        self.asked.append(method)
        if method == "Page.getFrameTree":
            return {"frameTree": {"frame": {"id": "frame", "loaderId": "1", "url": self.url}}}
        if method == "Page.captureSnapshot":
            return {"data": MHTML.format(url=self.url, text=f"what stands at {self.url}")}
        return {}

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        return


class ScriptedTab:
    """A tab that stands open on a page."""

    def __init__(self, tab: str, url: str) -> None:
        self.tab = tab
        self.target = f"target-{tab}"
        self.cdp = ScriptedCdp(url)

    @property
    def url(self) -> str:
        return self.cdp.url

    async def opener(self) -> str | None:
        return None

    async def evaluate(self, script: str, argument: Any = None, *, seconds: float = 3) -> Any:
        return None


class ScriptedWindow:
    """A browser whose panel keeps what it is told."""

    def __init__(self) -> None:
        self.cdp = ScriptedCdp()
        self.binding = "__tb"
        self.version = "none"
        self.has_panel = True
        self.panel_address = "http://127.0.0.1/panel/t1"
        self.detail: dict[str, Any] = {}

    async def open_panel(self, url: str) -> None:
        return

    async def widen_panel(self, width: int) -> None:
        return

    def watch_answers(self, *, watch: bool) -> None:
        return

    async def tell_panel(self, detail: Mapping[str, Any]) -> None:
        self.detail = dict(detail)


@dataclass
class Run:
    """A run under way: the window before it, and what it said."""

    session: CaptureSession
    window: ScriptedWindow
    folder: Path
    states: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    running: asyncio.Task[None] | None = None
    clicks: int = 0

    async def press(self, do: str, *, until: str | None = None, **more: Any) -> None:
        """Give a command of the panel, and wait for the state that follows."""
        self.session.panel_called(json.dumps({"do": do, **more}))
        if until is not None:
            await self.until(lambda: self.window.detail.get("state") == until)

    async def until(self, condition: Callable[[], Any]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(20):
            while not condition():
                await asyncio.sleep(0.02)

    async def click(self, tab: str = "t1", url: str = "http://a.example/one") -> None:
        """Click on a page, and wait until the recorder is done with it."""
        self.clicks += 1
        said = {"kind": "click", "n": self.clicks, "data": {"button": 0, "link_url": f"{url}#{self.clicks}"}}
        handled = asyncio.Event()
        self.session.dom_called(tab, DomCall(json.dumps(said), True, url, handled))
        await asyncio.wait_for(handled.wait(), 10)

    def close_browser(self) -> None:
        """Close the browser, as its person does."""
        self.session.browser_gone()

    @property
    def events(self) -> list[Event]:
        """What stands in the log on this machine."""
        return [line.event for line in read_lines(self.folder)]

    def types(self) -> list[str]:
        """The types of what stands in the log, in order."""
        return [event.type for event in self.events]


@asynccontextmanager
async def a_run(
    server: CaptureServer,
    home: Path,
    *,
    tabs: Mapping[str, str] | None = None,
    past: Past | None = None,
    clock: Clock | None = None,
    forget_minutes: float = 10,
    inspect_first: bool = False,
    window: ScriptedWindow | None = None,
) -> AsyncIterator[Run]:
    """Run the recorder on a scripted window with these tabs, for session s1 of task t1; cancelled at the end."""
    async with CaptureApi(server.url, TOKEN) as api:
        setup = Setup(
            home=home,
            session="s1",
            task=CaptureTask(task_id="t1", policy=Policy(forget_minutes=forget_minutes, inspect_first=inspect_first)),
            api=api,
            actor=Actor(kind="script", name="test"),
            clock=clock or system_clock(),
            past=past,
        )
        states: list[str] = []
        problems: list[str] = []
        session = CaptureSession(setup, lambda detail: states.append(detail["state"]), problems.append)
        run = Run(session, window or ScriptedWindow(), home / "spool" / "s1", states, problems)
        for tab, url in (tabs or {"t1": "http://a.example/one"}).items():
            session.tab_opened(ScriptedTab(tab, url), existed=True)
        await asyncio.sleep(0.05)
        run.running = asyncio.create_task(session.run(run.window))
        try:
            yield run
        finally:
            if not run.running.done():
                run.running.cancel()
                with suppress(asyncio.CancelledError):
                    await run.running
