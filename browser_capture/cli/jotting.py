"""Runs the capture browser before any task, to jot questions down while reading, and sends what was kept."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from browser_capture.browser.attached import AttachedBrowser
from browser_capture.browser_process import BrowserProcess, find_browser, start_browser, stop_browser
from browser_capture.browser_profile import wipe_profile
from browser_capture.capture_api import CaptureApi
from browser_capture.checkup_machine import require_display
from browser_capture.chromium import Chromium, require_chromium
from browser_capture.claims import claimed
from browser_capture.cli.plain import counted
from browser_capture.cli.recording import Wishes
from browser_capture.credentials import Credentials, load_credentials
from browser_capture.errors import TrailbenchError, UserError, WireError
from browser_capture.folders import PROFILE, make_private
from browser_capture.jots import Jots, project_start_sites, send_jots
from browser_capture.jotting import PANEL, JotSession
from browser_capture.page_scripts import jot_script
from browser_capture.spool import spools
from browser_capture.start_sites import StartSites
from browser_capture.unfinished import unfinished


def jot(wishes: Wishes, topic: str) -> None:
    """Let a person look around and jot questions down until the browser is closed, and say what was kept and sent.

    Raises UserError while a recording holds the capture browser. What the server did not take is kept.
    """
    credentials = load_credentials(wishes.home, wishes.server)
    chromium = require_chromium(wishes.browser)
    if not wishes.headless:
        require_display()
    make_private(wishes.home)
    with claimed(wishes.home, PROFILE, "jots questions down") as other:
        if other is not None:
            raise UserError(f"the capture browser is in the hands of {other}; stop it and close its browser first")
        profile = wishes.home / PROFILE
        left = find_browser(profile)
        if left is not None and unfinished(wishes.home, credentials.server):
            raise UserError(
                "a recording was cut short, and its browser is still open; go on with it: trailbench capture resume, "
                "or close that browser first"
            )
        try:
            asyncio.run(_jot(wishes, credentials, chromium, left, topic))
        finally:
            if next(spools(wishes.home), None) is None and find_browser(profile) is None:
                wipe_profile(profile)


def chosen_topic(sites: StartSites, topic: str) -> str:
    """Return the topic a person means, as the project writes it; empty for none. Raises UserError for an unknown one.

    >>> chosen_topic({"Science": ["https://a.example/"]}, " science ")
    'Science'
    """
    wanted = topic.strip().casefold()
    found = next((known for known in sites if known.casefold() == wanted), None)
    if found is None and wanted:
        raise UserError(f"there is no topic {topic!r}; the topics are: {', '.join(sites)}")
    return found or ""


class Kept(NamedTuple):
    """Jots that waited on this machine: how many the server took, how many stay, and why."""

    sent: int
    waiting: int
    problem: str | None = None

    def sentences(self) -> Iterator[str]:
        """Yield it for people; nothing where no jot waited."""
        if self.sent:
            yield f"{counted(self.sent, 'jotted question')} sent."
        if self.waiting:
            yield f"{counted(self.waiting, 'jotted question')} stay here: {self.problem or 'not sent yet'}"


async def send_kept(home: Path) -> Kept:
    """Send the jots that wait on this machine. Raises UserError where it is not paired and one waits."""
    jots = Jots(home)
    if not jots.waiting():
        return Kept(0, 0)
    credentials = load_credentials(home)
    async with CaptureApi(credentials.server, credentials.token) as api:
        sent, problem = await send_jots(home, api)
    left = jots.waiting()
    others = sorted({jot.server for jot in left} - {credentials.server})
    if others and problem is None:
        problem = f"they belong to {', '.join(others)}, but this machine is paired with {credentials.server}"
    return Kept(sent, len(left), problem)


async def _jot(
    wishes: Wishes, credentials: Credentials, chromium: Chromium, left: BrowserProcess | None, topic: str
) -> None:
    async with CaptureApi(credentials.server, credentials.token) as api:
        sites = await project_start_sites(wishes.home, api)
        topic = chosen_topic(sites, topic)
        tell = wishes.json_lines.write if wishes.json_lines is not None else lambda detail: None
        session = JotSession(wishes.home, api, sites, topic, on_state=tell)
        first = next(iter(sites.get(topic, ())), "about:blank")
        start = partial(start_browser, headless=wishes.headless, arguments=wishes.browser_args, urls=[first])
        running = left if left is not None else await asyncio.to_thread(start, chromium, wishes.home / PROFILE)
        try:
            await _attach_and_run(wishes, session, running)
        finally:
            with contextlib.suppress(TrailbenchError):
                stop_browser(running)
            _say_what_is_kept(session, wishes.home, api.server)


async def _attach_and_run(wishes: Wishes, session: JotSession, running: BrowserProcess) -> None:
    browser = await AttachedBrowser.attach(
        running.devtools, session, is_panel=lambda url: url == PANEL, script=jot_script()
    )
    try:
        if wishes.show_devtools:
            click.echo(f"DevTools: {running.devtools}")
        if wishes.json_lines is None:
            click.echo("Look around. Alt+J takes the page and what you selected, for the question that came to mind.")
        await session.run(browser)
    finally:
        with contextlib.suppress(WireError):
            await browser.quit_browser()
        await browser.close()


def _say_what_is_kept(session: JotSession, home: Path, server: str) -> None:
    draft = Jots(home).draft()
    if draft:
        words = " ".join(str(draft.get("words") or "").split())
        what = f"The question “{words[:60]}{'…' if len(words) > 60 else ''}”" if words else "The page you took"
        click.echo(f"{what} waits for Keep: it is in the panel again at the next: trailbench capture jot", err=True)
    if not session.kept and not session.sent:
        if not draft:
            click.echo("Nothing was jotted down.", err=True)
        return
    click.echo(f"{counted(len(session.kept), 'question')} jotted down.", err=True)
    if session.sent:
        click.echo(f"{session.sent} sent: begin a question from a seed at {server}/seeds", err=True)
    waits = len(Jots(home).waiting(server))
    if waits:
        why = f" ({session.problem})" if session.problem else ""
        click.echo(f"{waits} kept on this machine{why}; send with: trailbench capture upload", err=True)
