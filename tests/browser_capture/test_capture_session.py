"""A run without a browser: a scripted window at the wire, the real recording and upload behind it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from browser_capture.capture_api import CaptureApi
from browser_capture.capture_session import CaptureSession
from browser_capture.errors import WireError
from browser_capture.policy import CaptureTask
from browser_capture.recording import Setup
from browser_capture.trajectory import Actor
from tests.browser_capture.capture_server import TOKEN, CaptureServer
from tests.browser_capture.scripted_window import ScriptedWindow, a_run


class SlowPanel(ScriptedWindow):
    """A window whose panel hangs while something is recorded, and later answers only when the spool is gone."""

    def __init__(self, spool: Path) -> None:
        super().__init__()
        self._spool = spool

    async def tell_panel(self, detail: Mapping[str, Any]) -> None:
        while detail["state"] == "recording" or self._spool.exists():
            await asyncio.sleep(0.01)


def test_an_upload_that_ends_while_the_run_is_cancelled_is_reported(server: CaptureServer, tmp_path: Path) -> None:
    states: list[str] = []

    async def act() -> None:
        async with CaptureApi(server.url, TOKEN) as api:
            setup = Setup(
                home=tmp_path,
                session="s1",
                task=CaptureTask(task_id="t1"),
                api=api,
                actor=Actor(kind="script", name="t"),
            )
            session = CaptureSession(setup, lambda detail: states.append(detail["state"]))
            running = asyncio.create_task(session.run(SlowPanel(tmp_path / "spool" / "s1")))
            await asyncio.sleep(0)
            session.panel_called('{"do": "start"}')
            while "recording" not in states:
                await asyncio.sleep(0.01)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    asyncio.run(asyncio.wait_for(act(), 30))
    assert (states[-1], list((tmp_path / "spool").iterdir())) == ("uploaded", [])


class ClosingWindow(ScriptedWindow):
    """A window that opens no panel any more. `asked` keeps with which addresses it was to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def open_panel(self, url: str) -> None:
        self.asked.append(url)
        raise WireError("Target.createTarget: no browser is open")


def test_a_panel_that_cannot_open_because_the_browser_closes_is_no_error(
    server: CaptureServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    window = ClosingWindow()

    async def act() -> None:
        async with a_run(server, tmp_path, window=window) as run:
            await run.press("start", until="recording")
            run.window.has_panel = False
            await run.press("closed")
            await run.until(lambda: len(window.asked) == 2)
            run.close_browser()
            await asyncio.sleep(0.1)

    with caplog.at_level(logging.ERROR):
        asyncio.run(act())
    assert caplog.messages == []
