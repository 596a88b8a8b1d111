"""Runs one recording from the command line: pairing and task first, then browser, recorder and panel."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import click

from browser_capture.browser.attached import AttachedBrowser
from browser_capture.browser_process import BrowserProcess, find_browser, start_browser, stop_browser
from browser_capture.browser_profile import wipe_profile
from browser_capture.capture_api import CaptureApi
from browser_capture.capture_session import CaptureSession
from browser_capture.checkup_machine import require_display
from browser_capture.chromium import Chromium, require_chromium
from browser_capture.claims import claimed
from browser_capture.cli.json_output import JsonLines
from browser_capture.clock import Clock, system_clock
from browser_capture.credentials import Credentials, load_credentials
from browser_capture.errors import IncompleteError, ServerAway, ServerRefused, TrailbenchError, UserError, WireError
from browser_capture.folders import PROFILE, make_private
from browser_capture.past import Past
from browser_capture.policy import CaptureTask, read_task
from browser_capture.recording import Setup
from browser_capture.spool import About, spools
from browser_capture.taking_up import resumed_clock
from browser_capture.trajectory import Actor
from browser_capture.unfinished import Unfinished, chosen, stopped, unfinished
from browser_capture.vital_signs import is_full

MOST_PAGES = 10
LONGEST_PAGE = 2_000
"""Pages that are opened again in a new browser, and the length of an address to which they are."""
_STOPPED_BY_YOU = (
    "The recording was stopped by that and is kept on this machine. Look at it with: trailbench capture inspect, send "
    "it with: trailbench capture upload"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the person typed."""

    home: Path
    server: str | None = None
    browser: Path | None = None
    headless: bool = False
    browser_args: tuple[str, ...] = ()
    actor_script: str | None = None
    show_devtools: bool = False
    json_lines: JsonLines | None = None


class Job(NamedTuple):
    """What to record: a new session of a task, or one that goes on."""

    session: str
    task: str
    clock: Clock
    past: Past | None = None
    about: About | None = None


def record(wishes: Wishes, task: str, *, anew: bool = False) -> None:
    """Record a task until its browser is closed. A recording of it that was cut short goes on, unless `anew`.

    Raises UserError and IncompleteError as the steps do. After Ctrl-C the recording is complete on this machine and
    KeyboardInterrupt goes on, unless everything was sent already.
    """

    if not task.strip():
        raise UserError("the task is missing: trailbench capture start TASK; its number stands on the page My work")

    def find_job(credentials: Credentials) -> Job:
        found = unfinished(wishes.home, credentials.server)
        same = [item for item in found if item.about.task == task]
        if same and not anew:
            return _resumed(same[-1])
        if found and find_browser(wishes.home / PROFILE) is not None:
            other = found[-1].about
            raise UserError(
                f"the recording of task {other.task} was cut short, and its browser is still open; go on with it: "
                "trailbench capture resume, or close that browser first"
            )
        for item in found:
            click.echo(
                f"(The recording of task {item.about.task} was cut short; it is kept: trailbench capture resume "
                f"{item.about.session})",
                err=True,
            )
        return Job(uuid.uuid4().hex, task, system_clock())

    _run(wishes, find_job, f"records task {task}")


def resume(wishes: Wishes, session: str | None = None) -> None:
    """Go on with a recording that was cut short: the named one, or the only one. Raises as `record` does."""

    def find_job(credentials: Credentials) -> Job:
        return _resumed(chosen(unfinished(wishes.home, credentials.server), session, stopped(wishes.home)))

    _run(wishes, find_job, "goes on with a recording")


def _resumed(found: Unfinished) -> Job:
    past = found.past()
    click.echo(
        f"Going on with the recording of task {found.about.task} that was cut short after {past.events} events. "
        f"(To begin another one instead: trailbench capture start {found.about.task} --new)",
        err=True,
    )
    return Job(past.session, found.about.task, resumed_clock(past), past, found.about)


def _run(wishes: Wishes, find_job: Callable[[Credentials], Job], doing: str) -> None:
    credentials = load_credentials(wishes.home, wishes.server)
    chromium = require_chromium(wishes.browser)
    if not wishes.headless:
        require_display()
    make_private(wishes.home)
    teller = _Teller(wishes.json_lines)
    try:
        with _alone(wishes.home, PROFILE, doing):
            job = find_job(credentials)
            with _alone(wishes.home, job.session, f"records task {job.task}"):
                asyncio.run(_record(wishes, job, credentials, chromium, teller))
            if teller.state == "idle" and job.past is None:
                click.echo("Nothing was recorded: the browser was closed before Start was pressed.", err=True)
            if teller.state == "uploaded":
                wipe_profile(wishes.home / PROFILE)
    except OSError as error:
        if not is_full(error):
            raise
        raise IncompleteError(f"this machine's disk is full ({error}); what was recorded is kept") from error
    except KeyboardInterrupt:
        if teller.state == "uploaded":
            wipe_profile(wishes.home / PROFILE)
            return
        if teller.state == "stopped":
            click.echo(_STOPPED_BY_YOU, err=True)
        elif next(spools(wishes.home), None) is not None:
            click.echo("The recording is kept on this machine. Send it with: trailbench capture upload", err=True)
        raise


@contextmanager
def _alone(home: Path, name: str, doing: str) -> Iterator[None]:
    with claimed(home, name, doing) as other:
        if other is not None:
            raise UserError(
                f"another recorder is at work on this machine: {other}; close its browser first (that stops a "
                "recording and sends it), or choose another --home"
            )
        yield


async def _record(wishes: Wishes, job: Job, credentials: Credentials, chromium: Chromium, teller: _Teller) -> None:
    _end_on_terminate()
    async with CaptureApi(credentials.server, credentials.token) as api:
        task = await _task(api, job)
        actor = Actor(kind="script", name=wishes.actor_script) if wishes.actor_script else None
        human = Actor(kind="human", name=credentials.user)
        setup = Setup(
            home=wishes.home,
            session=job.session,
            task=task,
            api=api,
            actor=actor or (job.past.actor if job.past is not None else None) or human,
            clock=job.clock,
            past=job.past,
        )
        urls = _pages_of(job.past) if job.past is not None else []
        async with _browser(wishes, chromium, urls or [task.policy.start_url]) as running:
            await _attach_and_run(wishes, setup, running, job.about, teller)


def _pages_of(past: Past) -> list[str]:
    # Some systems take no longer command line.
    return [stay.url for stay in past.stays if len(stay.url) <= LONGEST_PAGE][-MOST_PAGES:]


@asynccontextmanager
async def _browser(wishes: Wishes, chromium: Chromium, urls: list[str]) -> AsyncIterator[BrowserProcess]:
    profile = wishes.home / PROFILE
    start = partial(start_browser, headless=wishes.headless, arguments=wishes.browser_args, urls=urls)
    starting = asyncio.create_task(asyncio.to_thread(lambda: find_browser(profile) or start(chromium, profile)))
    try:
        yield await asyncio.shield(starting)
    finally:
        # Ctrl-C may come while the browser starts, in a thread that nothing stops: it is ended when it is there.
        with contextlib.suppress(TrailbenchError):
            stop_browser(await starting)


async def _attach_and_run(
    wishes: Wishes, setup: Setup, running: BrowserProcess, about: About | None, teller: _Teller
) -> None:
    session = CaptureSession(setup, teller.tell_state, teller.tell_problem)
    server, shell = setup.api.server, resources.files("browser_capture").joinpath("panel/shell.html")
    browser = await AttachedBrowser.attach(
        running.devtools,
        session,
        is_panel=lambda url: url.startswith(f"{server}/panel/") or url == Path(str(shell)).as_uri(),
        tabs_before=setup.past.tabs if setup.past is not None else 0,
        binding=about.binding if about is not None else "",
        secret=setup.session,
    )
    try:
        if wishes.show_devtools:
            click.echo(f"DevTools: {running.devtools}")
        if wishes.json_lines is None:
            click.echo(_first_line(setup.task.task_id, goes_on=setup.past is not None))
        await session.run(browser)
    finally:
        # Closed by the person, or not answering: the process is ended next.
        with contextlib.suppress(WireError):
            await browser.quit_browser()
        await browser.close()


def _first_line(task: str, *, goes_on: bool) -> str:
    todo = "the recording goes on by itself" if goes_on else "press Start in the panel"
    return f"For task {task}: {todo}. Close the browser when done."


async def _task(api: CaptureApi, job: Job) -> CaptureTask:
    try:
        task = await api.task(job.task)
    except ServerAway as error:
        click.echo(
            f"{error}. The panel comes from this machine; the recording is sent when the server is back.", err=True
        )
        if job.about is None:
            return CaptureTask(task_id=job.task)
        about = job.about
        return read_task({"task_id": about.task, "version": about.version, "policy": about.policy})
    except ServerRefused as error:
        if error.status == 404:
            raise UserError(
                f"{api.server} knows no task {job.task!r}; its number stands on the page My work"
            ) from error
        if error.status == 409:
            raise UserError(f"task {job.task} is not claimed by you: claim it on the page My work first") from error
        raise
    if not task.held_by_me:
        raise UserError(f"task {job.task} is not claimed by you: claim it on the page My work first")
    return task


class _Teller:
    """Tells the person, or a program, what state the recording is in, and what is wrong."""

    def __init__(self, json_lines: JsonLines | None) -> None:
        self.state = "idle"
        self._json_lines = json_lines

    def tell_state(self, detail: dict[str, Any]) -> None:
        """Say a new state."""
        self.state = detail["state"]
        if self._json_lines is not None:
            try:
                self._json_lines.write(detail)
            except UserError as error:
                # A full disk beside the recording must not end it.
                click.echo(f"{error}", err=True)
        elif self.state in _WORDS:
            click.echo(_WORDS[self.state].format(**detail))

    def tell_problem(self, sentence: str) -> None:
        """Say what is wrong on this machine. A server that is away is said at the end, if it matters then."""
        click.echo(sentence, err=True)


_WORDS = {
    "recording": "Recording ...",
    "paused": "Paused.",
    "stopped": "Stopped after {events} events. Sending ...",
    "uploaded": "Recording {session} is complete on the server.",
}


def _end_on_terminate() -> None:
    # A polite kill ends a recording like Ctrl-C does. asyncio.run has put its own handler on SIGINT.
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        signal.signal(signal.SIGTERM, handler)
