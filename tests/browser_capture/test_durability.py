"""Recorder and browser are killed, in a real Chromium: the recording goes on in the same session, without a hole."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from playwright.async_api import ConsoleMessage

from browser_capture.events import Event
from browser_capture.json_records import sha256
from browser_capture.log_lines import LINES, read_lines
from browser_capture.spool import spools
from exports.cli.root import run
from tests.browser_capture.capture_server import CaptureServer, Recording
from tests.browser_capture.conftest import Person, person_at
from tests.fakes import LocalSite

pytestmark = pytest.mark.browser

BUSY = """<title>Busy</title><p>busy</p><a id=link onclick="return false">link</a><script>
    let n = 0;
    const link = document.getElementById("link");
    setInterval(() => { n += 1; link.href = "/clicked?n=" + n; link.click(); }, 25);</script>"""
MOST_IN_FLIGHT = 3


def test_a_killed_recorder_goes_on_in_the_same_browser(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def act() -> None:
        async with person_at(site, home) as person:
            await person.press("start", until="recording")
            await person.main.goto("http://a.example/one")
            await person.dwell()
            await person.panel.evaluate(
                "document.body.append(Object.assign(document.createElement('p'), {id: 'typed'}))"
            )
            kill(person)
            await person.main.click("#deep")
            await person.main.wait_for_selector("#up")
            async with resumed(person, home):
                assert await person.panel.locator("#typed").count() == 1, "the panel was opened anew"
                assert run(["capture", "start", "t1", "--home", str(home), "--headless"]) == 2
                await person.main.click("#up")
                await person.main.wait_for_selector("#deep")
                await person.dwell()
                await person.press("stop", until="uploaded")
                assert await person.quit() == 0

    with no_browser_left(home):
        asyncio.run(act())
    events = whole(server)
    kinds = [event.type for event in events]
    (gap,) = (event for event in events if event.type == "recorder_gap")
    visits = [(event.url, event.seq > gap.seq) for event in events if event.type == "visit"]
    assert visits[1:] == [
        ("http://a.example/one", False),
        ("http://a.example/deep", True),
        ("http://a.example/one", True),
    ]
    assert (kinds.count("session_start"), kinds.count("visit"), kinds.count("visit_end")) == (1, 4, 4)
    assert gap.data["from"] < gap.data["to"]
    assert "http://a.example/deep" in [event.url for event in events[gap.seq :] if event.type == "snapshot"]
    assert not (home / "profile").exists()


@pytest.mark.long
def test_a_machine_that_died_goes_on_in_a_new_browser(site: LocalSite, server: CaptureServer, home: Path) -> None:
    async def before() -> None:
        async with person_at(site, home) as person:
            await person.press("start", until="recording")
            await person.main.goto("http://www.google.com/search?q=how+high")
            await person.dwell()
            await person.main.goto("http://a.example/one")
            await person.dwell()
            kill(person)
            browser_of(home).kill()

    async def after() -> None:
        async with person_at(site, home) as person:
            await person.panel.wait_for_function("window.detail?.state === 'recording'")
            assert person.main.url == "http://a.example/one"
            await person.press("stop", until="uploaded")
            await person.quit()

    with no_browser_left(home):
        asyncio.run(before())
        asyncio.run(after())
    events = whole(server)
    (gap,) = (event for event in events if event.type == "recorder_gap")
    again = next(event for event in events[gap.seq :] if event.type == "visit")
    assert (again.url, again.data["kind"]) == ("http://a.example/one", "restore")
    assert [event.data["q"] for event in events if event.type == "query"] == ["how high"]


@pytest.mark.long
def test_a_recorder_killed_at_three_moments_loses_what_is_in_flight_only(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    assert max(killed_again_and_again(site, server, home, 3)) <= MOST_IN_FLIGHT


@pytest.mark.long
def test_a_recorder_killed_at_fifty_moments_loses_what_is_in_flight_only(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    lost = killed_again_and_again(site, server, home, 50)
    print(f"calls lost at each of 50 kills: {lost}")
    assert max(lost) <= MOST_IN_FLIGHT


@pytest.mark.parametrize("calls", [40, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 7, 90, 150, 300))])
def test_a_killed_browser_loses_no_call_that_returned(
    site: LocalSite, server: CaptureServer, home: Path, calls: int
) -> None:
    async def act() -> list[int]:
        async with person_at(site, home) as person:
            await person.press("start", until="recording")
            await person.main.goto("http://a.example/one")
            await person.dwell()
            returned: list[int] = []
            enough = asyncio.Event()

            def note(message: ConsoleMessage) -> None:
                returned.append(int(message.text))
                if len(returned) == calls:
                    enough.set()

            # By the console: a function of the test's own would answer the recorder's calls too, with "unknown".
            person.main.on("console", note)
            await person.main.evaluate(CALL, 1)
            await asyncio.wait_for(enough.wait(), 60)
            browser_of(home).kill()
            assert await asyncio.to_thread(person.process.wait, 60) == 0, person.said.read_text()
            return returned

    returned = asyncio.run(act())
    assert len(returned) >= calls
    assert set(returned) <= set(clicked(whole(server)))


@pytest.mark.long
def test_a_full_disk_pauses_a_real_recording_and_loses_nothing_written(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    site.pages["a.example", "/busy"] = BUSY

    async def act() -> None:
        async with person_at(site, home) as person:
            await person.press("start", until="recording")
            await person.main.goto("http://a.example/busy")
            await person.dwell()
            recorder = psutil.Process(person.process.pid)
            (folder,) = spools(home)
            # No file of the recorder may grow beyond this: as on a full disk, the write at the limit is cut short.
            limit = (folder / LINES).stat().st_size + 3_333
            recorder.rlimit(psutil.RLIMIT_FSIZE, (limit, psutil.RLIM_INFINITY))
            await person.panel.wait_for_function("window.detail.state === 'paused'")
            assert "The disk is full" in (await person.detail())["problem"]
            written = (folder / LINES).read_bytes()
            assert written.endswith(b"\n")
            await asyncio.sleep(2.5)
            # A short line, the end of the visit, may still have found room.
            assert (folder / LINES).read_bytes().startswith(written)
            assert (folder / LINES).stat().st_size <= limit
            recorder.rlimit(psutil.RLIMIT_FSIZE, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
            await person.panel.wait_for_function("window.detail.state === 'recording'")
            await person.dwell()
            await person.press("stop", until="uploaded")
            assert await person.quit() == 0
        assert "The disk is full: the recording waits" in person.said.read_text()

    asyncio.run(act())
    events = whole(server)
    gaps = [event for event in events if event.type == "recorder_gap"]
    assert {gap.data["reason"] for gap in gaps} == {"the disk was full"}
    clicks = clicked(events)
    assert clicks == sorted(set(clicks))
    assert min(clicked(events[gaps[0].seq :])) > max(clicked(events[: gaps[0].seq]))


@pytest.mark.long
def test_a_server_down_for_the_whole_session_gets_all_of_it_later(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    async def act() -> int:
        async with person_at(site, home) as person:
            await person.panel.click("#start")
            await person.panel.locator("#state", has_text="Recording").wait_for()
            for path in ("/one", "/deep", "/one"):
                await person.main.goto(f"http://a.example{path}")
                await person.dwell()
            await person.panel.click("#stop")
            await person.panel.locator("#state", has_text="Kept here").wait_for()
            return await person.quit()

    server.away = True
    assert asyncio.run(act()) == 3
    before = events_of(home)
    server.away = False
    assert run(["capture", "upload", "--home", str(home)]) == 0
    assert whole(server) == before
    assert not (home / "profile").exists()


CALL = """lanes => {
    const tell = window[Object.getOwnPropertyNames(window).find(name => /^__tb[0-9a-f]{12}$/.test(name))];
    window.made ??= 0;
    window.first = window.made + 1;
    window.returned = [];
    const lane = async () => {
      for (;;) {
        const n = ++window.made;
        const data = {button: 0, link_url: location.origin + "/clicked?n=" + n, trusted: false};
        await tell(JSON.stringify({kind: "click", n, at: performance.timeOrigin + performance.now(), data}));
        window.returned.push(n);
        console.log(n);
        await new Promise(done => setTimeout(done, 5));
      }
    };
    for (let count = 0; count < lanes; count += 1) lane();
}"""
"""Call the recorder as the in-page script does, in lanes: each waits for its call to return before the next."""


def killed_again_and_again(site: LocalSite, server: CaptureServer, home: Path, times: int) -> list[int]:
    """Kill the recorder that often while a page calls it, three calls at a time; return how many each kill lost.

    A third of the recorders that go on are killed too, before or while they take the recording up.
    """
    moments = random.Random(f"{times} moments")

    async def act() -> list[int]:
        lost = []
        async with person_at(site, home) as person:
            await person.press("start", until="recording")
            await person.main.goto("http://a.example/one")
            for _ in range(times):
                await person.main.evaluate(CALL, MOST_IN_FLIGHT)
                await asyncio.sleep(moments.uniform(0.1, 2))
                kill(person)
                lost.append(await calls_lost(person, home))
                if moments.random() < 1 / 3:
                    await begin_to_resume(person, home)
                    await asyncio.sleep(moments.uniform(0.2, 3))
                    kill(person)
                await resume(person, home)
            await person.press("stop", until="uploaded")
            await person.quit()
        return lost

    with no_browser_left(home):
        lost = asyncio.run(act())
    assert [event.type for event in whole(server)].count("recorder_gap") >= times
    return lost


async def calls_lost(person: Person, home: Path) -> int:
    """Return how many calls of the page are in no log. None of them had returned."""
    # With the recorder gone no call returns any more, so the page's own counts stand still.
    first, made, returned = await person.main.evaluate("[window.first, window.made, window.returned]")
    kept = set(clicked(events_of(home)))
    assert set(returned) <= kept, "a call that had returned is lost"
    return len(set(range(first, made + 1)) - kept)


def clicked(events: list[Event]) -> list[int]:
    """Return the numbers of the clicks on the counting link."""
    links = [str(event.data.get("link_url")) for event in events if event.type == "click"]
    return [int(link.partition("n=")[2]) for link in links if "/clicked?n=" in link]


def events_of(home: Path) -> list[Event]:
    """Return the events of the one recording that waits on the machine."""
    (folder,) = spools(home)
    return [line.event for line in read_lines(folder)]


def whole(server: CaptureServer) -> list[Event]:
    """Return the events of the one recording at the server, after a look at its numbers and its hash chain."""
    (recording,) = server.recordings.values()
    assert recording.state == "complete"
    assert_unbroken(recording)
    return recording.events


def assert_unbroken(recording: Recording) -> None:
    """Hold the server's lines to what a log promises."""
    assert sorted(recording.lines) == list(range(1, recording.highest + 1))
    for before, after in zip(recording.events, recording.events[1:], strict=False):
        hash_before = before.data["hash"] if before.type == "forgotten" else sha256(recording.lines[before.seq])
        assert after.prev == hash_before, f"event {after.seq} does not follow the one before"


def kill(person: Person) -> None:
    """Kill the recorder as no program can prepare for."""
    person.process.kill()
    person.process.wait()


async def begin_to_resume(person: Person, home: Path) -> None:
    """Give the command that goes on with the recording."""
    command = [sys.executable, "-m", "exports", "capture", "resume", "--home", str(home), "--headless", "--json"]
    with person.said.open("a") as errors:
        person.process = await asyncio.to_thread(
            lambda: subprocess.Popen([*command, str(home / "states.jsonl")], stderr=errors, text=True)
        )


async def resume(person: Person, home: Path) -> None:
    """Go on with the recording, and wait until the panel shows that it does."""
    before = await person.panel.evaluate("window.detail?.events ?? 0")
    await begin_to_resume(person, home)
    await person.panel.wait_for_function(
        "before => window.detail?.state === 'recording' && window.detail.events > before", arg=before, timeout=60_000
    )


@asynccontextmanager
async def resumed(person: Person, home: Path) -> AsyncIterator[None]:
    """Go on with the recording of a killed recorder; in the end the new one is ended, if it still runs."""
    await resume(person, home)
    try:
        yield
    finally:
        with suppress(psutil.Error):
            person.process.terminate()


def browser_of(home: Path) -> psutil.Process:
    """Return the browser of a home, whoever started it."""
    name = f"--user-data-dir={home / 'profile'}"
    return next(
        found
        for found in psutil.process_iter(["cmdline"])
        if name in (line := found.info["cmdline"] or []) and not any("--type=" in word for word in line)
    )


@contextmanager
def no_browser_left(home: Path) -> Iterator[None]:
    """End what a failed test leaves behind, and see that one that went well leaves nothing."""
    try:
        yield
    finally:
        left = [
            found for found in psutil.process_iter(["cmdline"]) if str(home) in " ".join(found.info["cmdline"] or [])
        ]
        for process in left:
            with suppress(psutil.Error):
                process.kill()
    assert left == []
