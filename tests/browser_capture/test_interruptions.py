"""Kills, closed windows and absent servers: what was recorded stays, and the command says how to go on."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from playwright.async_api import Error as PlaywrightError

from browser_capture.events import Event
from browser_capture.log_lines import read_lines
from browser_capture.spool import spools
from exports.cli.root import run
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import Person, person_at
from tests.fakes import LocalSite

pytestmark = pytest.mark.browser

End = Callable[[Person], Awaitable[None]]


async def interrupted(site: LocalSite, home: Path, end: End) -> tuple[int, str]:
    """Record a visit, end things in some way, and return the command's exit code and what it said."""
    async with person_at(site, home) as person:
        await person.press("start", until="recording")
        await person.main.goto("http://a.example/one")
        await person.dwell()
        with suppress(PlaywrightError):
            await end(person)
        code = await asyncio.to_thread(person.process.wait, 60)
    return code, person.said.read_text()


def events_of(home: Path) -> list[Event]:
    """Return the events of the one recording that waits on the machine."""
    (folder,) = spools(home)
    return [line.event for line in read_lines(folder)]


def browser_of(person: Person) -> psutil.Process:
    """Return the browser's process."""
    children = psutil.Process(person.process.pid).children()
    return next(child for child in children if "user-data-dir" in " ".join(child.cmdline()))


def test_ctrl_c_ends_the_recording_and_says_where_it_is(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        person.process.send_signal(signal.SIGINT)

    code, said = asyncio.run(interrupted(site, home, end))
    if list(spools(home)):
        assert (code, "trailbench capture upload" in said) == (130, True), said
    else:
        (recording,) = server.recordings.values()
        assert (code, said, recording.state) == (0, "", "complete")


def test_ctrl_c_with_the_server_away_names_the_next_step(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        server.away = True
        person.process.send_signal(signal.SIGINT)

    code, said = asyncio.run(interrupted(site, home, end))
    assert (code, "Traceback" in said) == (130, False)
    assert "The recording was stopped by that and is kept on this machine." in said
    assert "trailbench capture upload" in said
    events = events_of(home)
    assert [event.type for event in events[-2:]] == ["task_stop", "session_end"]
    server.away = False
    assert run(["capture", "upload", "--home", str(home)]) == 0
    assert server.recordings[events[0].session].state == "complete"


def test_ctrl_c_while_the_browser_starts_leaves_no_browser(home: Path) -> None:
    command = [sys.executable, "-m", "exports", "capture", "start", "t1", "--home", str(home), "--headless"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        while not psutil.Process(process.pid).children():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        try:
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    left = [found for found in psutil.process_iter(["cmdline"]) if str(home) in " ".join(found.info["cmdline"] or [])]
    assert (process.returncode, left, "Traceback" in said) == (130, [], False), said


def test_a_killed_browser_is_a_stop_and_everything_arrives(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        browser_of(person).kill()

    code, said = asyncio.run(interrupted(site, home, end))
    (recording,) = server.recordings.values()
    assert (code, said, recording.state) == (0, "", "complete")
    assert [(event.type, event.data.get("reason")) for event in recording.events[-2:]] == [
        ("task_stop", "closed"),
        ("session_end", "closed"),
    ]
    assert "http://a.example/one" in [event.url for event in recording.events if event.type == "snapshot"]


def test_a_killed_recorder_loses_nothing_that_was_written(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        browser = browser_of(person)
        person.process.kill()
        person.process.wait()
        browser.kill()

    asyncio.run(interrupted(site, home, end))
    before = events_of(home)
    assert {"task_start", "visit", "snapshot"} <= {event.type for event in before}
    assert run(["capture", "upload", "--home", str(home)]) == 0
    (recording,) = server.recordings.values()
    assert recording.events[: len(before)] == before
    assert recording.events[-2].data["reason"] == "crash"


def test_a_server_that_goes_away_stops_no_recording(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        server.away = True
        await person.press("stop", until="stopped")
        await asyncio.sleep(1.5)
        assert "is away" in (await person.detail())["problem"]
        server.away = False
        await person.panel.wait_for_function("window.detail.state === 'uploaded'", timeout=30_000)
        await person.quit()

    code, said = asyncio.run(interrupted(site, home, end))
    (recording,) = server.recordings.values()
    assert (code, said, recording.state) == (0, "", "complete")


@pytest.mark.long
def test_a_server_away_at_the_start_gives_the_shell_panel(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def shell(person: Person) -> None:
        await person.panel.fill("#draft", "a,b")
        await person.panel.locator("#saved", has_text="Kept on this machine").wait_for()

    async def act() -> None:
        async with person_at(site, home) as person:
            assert await person.panel.inner_text("#task") == "t1"
            await shell(person)
            await person.panel.click("#start")
            await person.panel.locator("#state", has_text="Recording").wait_for()
            await person.main.goto("http://a.example/one")
            await person.dwell()
            await person.panel.click("#stop")
            await person.panel.locator("#state", has_text="Kept here").wait_for()
            server.away = False
            await person.panel.wait_for_url("**/panel/t1", timeout=30_000)
            await person.panel.locator("#state", has_text="uploaded").wait_for(timeout=30_000)
            await person.quit()

    server.away = True
    asyncio.run(act())
    (recording,) = server.recordings.values()
    (draft,) = (home / "drafts").iterdir()
    assert (recording.state, json.loads(draft.read_text())["text"]) == ("complete", "a,b")


def test_pause_records_nothing_and_forget_takes_back(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        await person.press("pause", until="paused")
        await person.main.goto("http://b.example/two")
        await person.dwell()
        await person.panel.evaluate("say('resume')")
        await person.panel.wait_for_function("window.detail.state === 'recording'")
        await person.panel.evaluate("say('forget', {minutes: 5})")
        await person.panel.wait_for_function("window.detail.warnings.join().includes('Forgotten')")
        await person.main.goto("http://a.example/deep")
        await person.dwell()
        await person.press("stop", until="uploaded")
        await person.quit()

    asyncio.run(interrupted(site, home, end))
    (recording,) = server.recordings.values()
    text = "".join(recording.lines.values())
    assert ("a.example/one" in text, "b.example" in text, "a.example/deep" in text) == (False, False, True)
    assert b"42 metres" not in b"".join(server.blobs.values())


def test_a_marked_passage_is_evidence_with_its_page(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        await person.main.evaluate("getSelection().selectAllChildren(document.querySelector('p'))")
        await person.panel.evaluate("say('mark')")
        await person.panel.wait_for_function("window.detail.last.some(item => item.type === 'evidence')")
        await person.press("stop", until="uploaded")
        await person.quit()

    asyncio.run(interrupted(site, home, end))
    (recording,) = server.recordings.values()
    (mark,) = [event for event in recording.events if event.type == "evidence"]
    assert (mark.data["quote"], mark.url) == ("The height is 42 metres.", "http://a.example/one")
    assert mark.data["snapshot"] in server.blobs


@pytest.mark.long
def test_a_closed_panel_comes_back_while_recording(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def end(person: Person) -> None:
        async with person.context.expect_page() as opening:
            await person.panel.close()
        person.panel = await opening.value
        await person.panel.wait_for_function("window.detail?.state === 'recording'", timeout=15_000)
        await person.press("stop", until="uploaded")
        await person.quit()

    code, said = asyncio.run(interrupted(site, home, end))
    assert (code, said) == (0, "")
