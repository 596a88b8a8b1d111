"""A small fake web with www.google.com, a scripted annotation server, and a scripted person in a real Chromium."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from browser_capture.credentials import Credentials, save_credentials
from browser_capture.derivation import derive_trajectory
from browser_capture.events import Event
from browser_capture.trajectory import Trajectory, Visit
from tests.browser_capture.capture_server import TOKEN, CaptureServer
from tests.browser_capture.result_page import result_page
from tests.fakes import Answer, LocalSite, Reply

START = "http://www.google.com/"
RESULTS = [("http://a.example/one", "The first page"), ("http://b.example/two", "The second page")]


def serve_results(query_string: str) -> Reply:
    """Answer a search with the two results of the fake web."""
    return Reply(result_page(parse_qs(query_string)["q"][0], RESULTS).encode())


WEB: dict[tuple[str, str], Answer] = {
    ("www.google.com", "/"): "<title>Google</title><form action=/search><input name=q id=q></form>",
    ("www.google.com", "/search"): serve_results,
    ("www.google.com", "/url"): lambda query: Reply(b"", status=302, headers={"Location": parse_qs(query)["q"][0]}),
    ("a.example", "/one"): """<title>One</title><h1>One</h1><p>The height is 42 metres.</p>
        <a id=deep href=/deep>deeper</a> <a id=blank target=_blank href=http://b.example/two>second</a>
        <button id=open onclick="window.open('http://b.example/two')">open</button>""",
    ("a.example", "/deep"): "<title>Deep</title><p>Deep inside.</p><a id=up href=/one>up</a>",
    ("b.example", "/two"): "<title>Two</title><p>The depth is 7 metres.</p>",
}


@pytest.fixture
def site() -> Iterator[LocalSite]:
    """Serve the fake web; a test may add pages."""
    with LocalSite(WEB) as found:
        yield found


@pytest.fixture
def server() -> Iterator[CaptureServer]:
    """Serve the capture API."""
    with CaptureServer(start_url=START) as found:
        yield found


@pytest.fixture
def home(tmp_path: Path, server: CaptureServer) -> Path:
    """Return the home of a machine that is paired with the server."""
    return paired_home(tmp_path / "home", server)


def paired_home(folder: Path, server: CaptureServer) -> Path:
    """Make the home of a machine that is paired with the server."""
    save_credentials(folder, Credentials(server=server.url, token=TOKEN, user="ada"))
    return folder


@dataclass
class Person:
    """Somebody at the capture browser: its pages, its panel, and the recorder's process behind it."""

    browser: Browser
    context: BrowserContext
    main: Page
    panel: Page
    process: subprocess.Popen[str]
    said: Path

    async def press(self, button: str, until: str) -> None:
        """Press a button of the panel and wait for the state that follows."""
        await self.panel.bring_to_front()
        await self.panel.click(f"#{button}")
        await self.panel.wait_for_function("state => window.detail?.state === state", arg=until, timeout=30_000)
        await self.main.bring_to_front()

    async def detail(self) -> dict[str, Any]:
        """Return what the recorder told the panel last."""
        found = await self.panel.evaluate("window.detail")
        assert isinstance(found, dict)
        return found

    async def dwell(self) -> None:
        """Stay on the page as long as a quick reader does."""
        await asyncio.sleep(1)

    async def quit(self) -> int:
        """Close the browser and return the recorder's exit code."""
        with suppress(PlaywrightError):
            session = await self.browser.new_browser_cdp_session()
            await session.send("Browser.close")
        return await asyncio.to_thread(self.process.wait, 40)


Act = Callable[[Person], Awaitable[None]]


@asynccontextmanager
async def person_at(
    site: LocalSite, home: Path, *arguments: str, words: Sequence[str] = ("start", "t1"), headless: bool = True
) -> AsyncIterator[Person]:
    """Start `trailbench capture start` (or other `words`) as a command and sit down at its browser."""
    said = home / "said.txt"
    command = [sys.executable, "-m", "exports", "capture", *words, "--home", str(home)]
    command += [
        *(["--headless"] if headless else []),
        "--show-devtools",
        "--json",
        "--actor-script",
        "test",
        *arguments,
    ]
    command += [f"--browser-arg={argument}" for argument in site.browser_args]
    with said.open("w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert process.stdout is not None
    try:
        line = await asyncio.to_thread(process.stdout.readline)
        assert line.startswith("DevTools: "), f"{line!r} {said.read_text()}"
        # Read on, so that the recorder never waits for somebody to listen.
        reading = asyncio.create_task(asyncio.to_thread(process.stdout.read))
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(line.split()[1], no_defaults=True)
            context = browser.contexts[0]
            panel = await _panel_of(context)
            main = next(page for page in context.pages if page is not panel)
            yield Person(browser, context, main, panel, process, said)
            with suppress(PlaywrightError):
                await browser.close()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(20)
        await reading
        process.stdout.close()


async def _panel_of(context: BrowserContext) -> Page:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for page in context.pages:
            with suppress(PlaywrightError):
                if "/panel/" in page.url and await page.evaluate(
                    "!!window.detail || !!document.querySelector('#draft, #words')"
                ):
                    return page
        await asyncio.sleep(0.05)
    raise AssertionError("the panel did not open")


@dataclass
class Recorded:
    """What came of a recording: the server's side of it."""

    events: list[Event]
    trajectory: Trajectory
    server: CaptureServer
    exit_code: int
    said: str

    def of_type(self, kind: str) -> list[Event]:
        """Return the events of a type."""
        return [event for event in self.events if event.type == kind]

    def visit_to(self, url: str) -> Visit:
        """Return the first visit to an address."""
        return next(visit for visit in self.trajectory.visits if visit.url == url)

    def text_of(self, snapshot: str) -> str:
        """Return the visible text of a snapshot, from the blobs the server holds."""
        page = json.loads(self.server.blobs[snapshot])
        return self.server.blobs[page["text_sha"]].decode()


def record(act: Act, site: LocalSite, server: CaptureServer, home: Path) -> Recorded:
    """Record what a scripted person does between Start and Stop, and return what the server then holds."""
    return asyncio.run(_recorded(act, site, server, home))


async def _recorded(act: Act, site: LocalSite, server: CaptureServer, home: Path) -> Recorded:
    async with person_at(site, home) as person:
        await person.press("start", until="recording")
        await act(person)
        await person.press("stop", until="uploaded")
        code = await person.quit()
    recording = next(iter(server.recordings.values()))
    events = recording.events
    return Recorded(events, derive_trajectory(events), server, code, person.said.read_text())


def files_below(folder: Path) -> Iterator[Path]:
    """Yield every file below a folder but the browser's own profile."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "profile"]
        yield from (Path(parent, name) for name in names)
