"""A recorder is killed beside the real panel: it goes on in the same recording, what was typed stays, Submit works."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from flask import Flask
from playwright.async_api import BrowserContext, Page, async_playwright, expect
from playwright.async_api import Error as PlaywrightError
from sqlalchemy import select

from annotator_server.database import db
from annotator_server.models.recordings import CaptureSession, EventRow
from annotator_server.records.trajectory_record import trajectory_record
from browser_capture.credentials import Credentials, save_credentials
from tests.fakes import LocalSite

pytestmark = [pytest.mark.browser, pytest.mark.long]

WEB = {
    ("a.example", "/one"): "<title>One</title><p>The height is 42 metres.</p><a id=two href=/two>two</a>",
    ("a.example", "/two"): "<title>Two</title><p>The depth is 7 metres.</p>",
}


def capture(home: Path, site: LocalSite, *words: str) -> subprocess.Popen[str]:
    """Give a command of the capture browser."""
    command = [sys.executable, "-m", "exports", "capture", *words, "--home", str(home), "--headless"]
    command += ["--show-devtools", "--actor-script", "test", *(f"--browser-arg={word}" for word in site.browser_args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


async def devtools(process: subprocess.Popen[str]) -> str:
    """Wait for the browser's address."""
    assert process.stdout is not None
    said = ""
    while line := await asyncio.to_thread(process.stdout.readline):
        if line.startswith("DevTools: "):
            return line.split()[1]
        said += line
    raise AssertionError(said)


async def panel_of(context: BrowserContext) -> Page:
    """Wait for the panel's window."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for page in context.pages:
            if "/panel/" in page.url:
                await page.locator("#start:not([disabled])").wait_for()
                return page
        await asyncio.sleep(0.1)
    raise AssertionError([page.url for page in context.pages])


def test_a_killed_recorder_goes_on_beside_the_real_panel(
    app: Flask, live: str, a_claimed_task: str, token_of: Callable[[str], dict[str, str]], tmp_path: Path
) -> None:
    home = tmp_path / "capture"
    token = token_of("ana")["Authorization"].removeprefix("Bearer ")
    save_credentials(home, Credentials(server=live, token=token, user="ana"))

    async def act(site: LocalSite) -> None:
        first = capture(home, site, "start", a_claimed_task)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(await devtools(first), no_defaults=True)
            context = browser.contexts[0]
            panel = await panel_of(context)
            main = next(page for page in context.pages if page is not panel)
            await panel.click("#start")
            await panel.locator("#stop:not([disabled])").wait_for()
            await main.goto("http://a.example/one")
            await asyncio.sleep(1)
            await panel.locator("#grid textarea").first.fill("typed before the kill")
            first.kill()
            first.wait()
            await main.click("#two")
            events = await panel.inner_text("#progress")
            second = capture(home, site, "resume")
            await devtools(second)
            await expect(panel.locator("#progress")).not_to_have_text(events, timeout=30_000)
            await expect(panel.locator("#grid textarea").first).to_have_value("typed before the kill")
            await main.goto("http://a.example/one")
            await asyncio.sleep(1)
            await panel.click("#stop")
            await panel.locator("#submit:not([disabled])").wait_for(timeout=30_000)
            with suppress(PlaywrightError):
                await (await browser.new_browser_cdp_session()).send("Browser.close")
            assert await asyncio.to_thread(second.wait, 40) == 0
            for process in (first, second):
                assert process.stdout is not None
                process.stdout.close()

    try:
        with LocalSite(WEB) as site:
            asyncio.run(act(site))
    finally:
        for left in psutil.process_iter(["cmdline"]):
            if str(home) in " ".join(left.info["cmdline"] or []):
                left.kill()
    with app.app_context():
        recording = db.session.scalars(select(CaptureSession)).one()
        found = trajectory_record(db.session(), recording)
        notes = [notice.kind for notice in found.notices]
        start = json.loads(db.session.scalars(select(EventRow.line).where(EventRow.seq == 1)).one())
    assert recording.state == "complete"
    assert notes.count("recorder_gap") == 1
    assert [visit.url for visit in found.visits][-2:] == ["http://a.example/two", "http://a.example/one"]
    assert abs(start["data"]["clock_offset_ms"]) < 2_000
