"""Chromiums side by side: one bare, one with a recorder that waits for Start, one with the recorder at work."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
from playwright.async_api import BrowserContext, Page, async_playwright

from benchmarks.capture_steering import steered
from browser_capture.browser_process import start_browser, stop_browser
from browser_capture.chromium import require_chromium
from browser_capture.credentials import Credentials, save_credentials

FIRST = "http://pages.example/"
AWAY = "http://127.0.0.1:9"
"""No server: what is recorded waits on this machine, so that no upload takes part of the time."""
START_SECONDS = 60


class Browsers(NamedTuple):
    """The DevTools of three browsers: bare, with a recorder attached that records nothing, and recorded.

    `home` is where the recording waits.
    """

    bare: str
    attached: str
    recorded: str
    home: Path


class Pair(NamedTuple):
    """A page of the bare browser, and one of the browser that is recorded. `home` is where the recording waits."""

    bare: Page
    recorded: Page
    home: Path


@asynccontextmanager
async def all_browsers(port: int) -> AsyncIterator[Browsers]:
    """Start all on the pages of a local port; they are ended, and all they kept is deleted, at the end.

    Each shows a page that goes where it is told. None has another client of DevTools than its recorder.
    """
    rules = f"MAP * 127.0.0.1:{port},EXCLUDE 127.0.0.1"
    arguments = (f"--host-resolver-rules={rules}", "--disable-features=HttpsUpgrades,HttpsFirstBalancedMode")
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        start = partial(start_browser, headless=True, arguments=arguments, urls=[steered(FIRST, "bare")])
        bare = await asyncio.to_thread(start, require_chromium(), folder / "bare")
        stack.callback(stop_browser, bare)
        attached = await stack.enter_async_context(_recorder(folder / "attached", arguments))
        recorded = await stack.enter_async_context(_recorder(folder / "recorded", arguments))
        browsers = Browsers(bare.devtools, attached, recorded, folder / "recorded")
        await _show(browsers.attached, "attached", start=False)
        await _show(browsers.recorded, "recorded", start=True)
        yield browsers


@asynccontextmanager
async def connected(browsers: Browsers) -> AsyncIterator[Pair]:
    """Attach an onlooker of our own to the bare and the recorded browser."""
    async with async_playwright() as playwright:
        contexts = [
            (await playwright.chromium.connect_over_cdp(devtools, no_defaults=True)).contexts[0]
            for devtools in (browsers.bare, browsers.recorded)
        ]
        yield Pair(contexts[0].pages[0], (await _panel_and_page(contexts[1]))[1], browsers.home)


@asynccontextmanager
async def _recorder(home: Path, arguments: tuple[str, ...]) -> AsyncIterator[str]:
    save_credentials(home, Credentials(server=AWAY, token="none", user="benchmark"))  # noqa: S106 - for no server
    command = [sys.executable, "-m", "exports", "capture", "start", "benchmark", "--home", str(home), "--headless"]
    command += [
        "--show-devtools",
        "--json",
        "--actor-script",
        "benchmark",
        *(f"--browser-arg={one}" for one in arguments),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603
    assert process.stdout is not None  # noqa: S101 - a pipe
    try:
        line = await asyncio.to_thread(process.stdout.readline)
        if not line.startswith("DevTools: "):
            process.terminate()
            raise click.ClickException(f"the recorder did not start: {process.communicate()[1] or line}")
        yield line.split()[1]
    finally:
        process.terminate()
        await asyncio.to_thread(process.communicate)


async def _show(devtools: str, side: str, *, start: bool) -> None:
    """Have the page beside the panel listen to us; press Start in the panel where it is to be recorded."""
    async with async_playwright() as playwright:
        context = (await playwright.chromium.connect_over_cdp(devtools, no_defaults=True)).contexts[0]
        panel, page = await _panel_and_page(context)
        if start:
            await panel.click("#start")
            await panel.locator("#state", has_text="Recording").wait_for()
        await page.bring_to_front()
        await page.goto(steered(FIRST, side))


async def _panel_and_page(context: BrowserContext) -> tuple[Page, Page]:
    async with asyncio.timeout(START_SECONDS):
        while not (panels := [page for page in context.pages if page.url.startswith("file:")]):
            await asyncio.sleep(0.1)
    return panels[0], next(page for page in context.pages if page is not panels[0])
