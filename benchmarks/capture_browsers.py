"""Two Chromiums side by side: one bare, one with the whole recorder at work; the same onlooker drives both."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import click
from playwright.async_api import BrowserContext, Page, async_playwright

from browser_capture.browser_process import start_browser, stop_browser
from browser_capture.chromium import require_chromium
from browser_capture.credentials import Credentials, save_credentials

AWAY = "http://127.0.0.1:9"
"""No server: what is recorded waits on this machine, so that no upload takes part of the time."""
START_SECONDS = 60


class Pair(NamedTuple):
    """A page of the bare browser, and one of the browser that is recorded. `home` is where the recording waits."""

    bare: Page
    recorded: Page
    home: Path


@asynccontextmanager
async def both_browsers(port: int) -> AsyncIterator[Pair]:
    """Start both on the pages of a local port, recording; both are ended, and all they kept is deleted, at the end."""
    rules = f"MAP * 127.0.0.1:{port},EXCLUDE 127.0.0.1"
    arguments = (f"--host-resolver-rules={rules}", "--disable-features=HttpsUpgrades,HttpsFirstBalancedMode")
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        bare = await asyncio.to_thread(
            start_browser, require_chromium(), folder / "bare", headless=True, arguments=arguments
        )
        stack.callback(stop_browser, bare)
        devtools = await stack.enter_async_context(_recorder(folder / "home", arguments))
        playwright = await stack.enter_async_context(async_playwright())
        contexts = [
            (await playwright.chromium.connect_over_cdp(found, no_defaults=True)).contexts[0]
            for found in (bare.devtools, devtools)
        ]
        pair = Pair(contexts[0].pages[0], await _recorded_page(contexts[1]), folder / "home")
        for page in (pair.bare, pair.recorded):
            await page.bring_to_front()
        yield pair


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


async def _recorded_page(context: BrowserContext) -> Page:
    """Press Start in the recorder's own panel and return the page beside it."""
    async with asyncio.timeout(START_SECONDS):
        while not (panels := [page for page in context.pages if page.url.startswith("file:")]):
            await asyncio.sleep(0.1)
    await panels[0].click("#start")
    await panels[0].locator("#state", has_text="Recording").wait_for()
    return next(page for page in context.pages if page is not panels[0])
