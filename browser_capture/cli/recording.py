"""Runs one recording from the command line: pairing and task first, then browser, recorder and panel."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from browser_capture.browser import AttachedBrowser
from browser_capture.browser_process import BrowserProcess, start_browser, stop_browser
from browser_capture.capture_api import CaptureApi
from browser_capture.capture_session import CaptureSession
from browser_capture.chromium import Chromium, require_chromium
from browser_capture.cli.json_output import JsonLines
from browser_capture.credentials import Credentials, load_credentials
from browser_capture.errors import ServerAway, ServerRefused, TrailbenchError, UserError, WireError
from browser_capture.folders import make_private
from browser_capture.policy import CaptureTask
from browser_capture.recording import Setup
from browser_capture.spool import spools
from browser_capture.trajectory import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the person typed."""

    task: str
    home: Path
    server: str | None = None
    browser: Path | None = None
    headless: bool = False
    browser_args: tuple[str, ...] = ()
    actor_script: str | None = None
    show_devtools: bool = False
    json_lines: JsonLines | None = None


def record(wishes: Wishes) -> None:
    """Record a task until its browser is closed.

    Raises UserError and IncompleteError as the steps do. After Ctrl-C the recording is complete on this machine and
    KeyboardInterrupt goes on, unless everything was sent already.
    """
    credentials = load_credentials(wishes.home, wishes.server)
    chromium = require_chromium(wishes.browser)
    make_private(wishes.home)
    states: list[str] = ["idle"]

    def on_state(detail: dict[str, Any]) -> None:
        states.append(detail["state"])
        _say_state(detail, wishes.json_lines)

    try:
        asyncio.run(_record(wishes, credentials, chromium, on_state))
    except KeyboardInterrupt:
        if states[-1] == "uploaded":
            return
        if next(spools(wishes.home), None) is not None:
            click.echo("The recording is kept on this machine. Send it with: trailbench capture upload", err=True)
        raise


async def _record(wishes: Wishes, credentials: Credentials, chromium: Chromium, on_state: Any) -> None:
    _end_on_terminate()
    async with CaptureApi(credentials.server, credentials.token) as api:
        task = await _task(api, wishes.task)
        actor = Actor(kind="script", name=wishes.actor_script) if wishes.actor_script else None
        setup = Setup(
            home=wishes.home,
            session=uuid.uuid4().hex,
            task=task,
            api=api,
            actor=actor or Actor(kind="human", name=credentials.user),
        )
        async with _browser(wishes, chromium, task.policy.start_url) as running:
            await _attach_and_run(wishes, setup, running, on_state)


@asynccontextmanager
async def _browser(wishes: Wishes, chromium: Chromium, url: str) -> AsyncIterator[BrowserProcess]:
    start = partial(start_browser, headless=wishes.headless, arguments=wishes.browser_args, url=url)
    starting = asyncio.create_task(asyncio.to_thread(start, chromium, wishes.home / "profile"))
    try:
        yield await asyncio.shield(starting)
    finally:
        # Ctrl-C may come while the browser starts, in a thread that nothing stops: it is ended when it is there.
        with contextlib.suppress(TrailbenchError):
            stop_browser((await starting).process)


async def _attach_and_run(wishes: Wishes, setup: Setup, running: BrowserProcess, on_state: Any) -> None:
    session = CaptureSession(setup, on_state)
    browser = await AttachedBrowser.attach(running.devtools, session)
    try:
        if wishes.show_devtools:
            click.echo(f"DevTools: {running.devtools}")
        if wishes.json_lines is None:
            click.echo(f"Recording task {setup.task.task_id}: press Start in the panel. Close the browser when done.")
        await session.run(browser)
    finally:
        # Closed by the person, or not answering: the process is ended next.
        with contextlib.suppress(WireError):
            await browser.quit_browser()
        await browser.close()


async def _task(api: CaptureApi, task_id: str) -> CaptureTask:
    try:
        task = await api.task(task_id)
    except ServerAway as error:
        click.echo(
            f"{error}. The panel comes from this machine; the recording is sent when the server is back.", err=True
        )
        return CaptureTask(task_id=task_id)
    except ServerRefused as error:
        if error.status == 404:
            raise UserError(f"{api.server} knows no task {task_id!r}; its number stands on the page My work") from error
        if error.status == 409:
            raise UserError(f"task {task_id} is not claimed by you: claim it on the page My work first") from error
        raise
    if not task.held_by_me:
        raise UserError(f"task {task_id} is not claimed by you: claim it on the page My work first")
    return task


def _say_state(detail: dict[str, Any], json_lines: JsonLines | None) -> None:
    if json_lines is not None:
        try:
            json_lines.write(detail)
        except UserError as error:
            # A full disk beside the recording must not end it.
            click.echo(f"{error}", err=True)
        return
    words = {
        "recording": "Recording ...",
        "paused": "Paused.",
        "stopped": f"Stopped after {detail['events']} events. Sending ...",
        "uploaded": f"Recording {detail['session']} is complete on the server.",
    }
    if detail["state"] in words:
        click.echo(words[detail["state"]])


def _end_on_terminate() -> None:
    # A polite kill ends a recording like Ctrl-C does. asyncio.run has put its own handler on SIGINT.
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        signal.signal(signal.SIGTERM, handler)
