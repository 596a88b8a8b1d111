"""A session over its life without a browser: gone on with, forgotten in, kept for days, and what it says of itself."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from browser_capture import upkeep
from browser_capture.browser_process import BrowserProcess, find_browser
from browser_capture.cli import recording as cli_recording
from browser_capture.cli import sending
from browser_capture.clock import Clock, system_clock
from browser_capture.events import Event
from browser_capture.json_records import sha256
from browser_capture.log_lines import read_lines
from browser_capture.outbox import note_sent, read_sent
from browser_capture.page_store import Page
from browser_capture.past import Past, read_past
from browser_capture.spool import Spool, read_about
from browser_capture.taking_up import resumed_clock
from browser_capture.unfinished import unfinished
from exports.cli.root import run
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.recordings import event, make_spool
from tests.browser_capture.scripted_window import ScriptedCdp, ScriptedTab, a_run

PAGE = "http://a.example/one"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what happens each minute happen ten times a second."""
    monkeypatch.setattr(upkeep, "HEALTH_SECONDS", 0.1)


def cut_short(home: Path, server: CaptureServer, *events: Event) -> Past:
    """Make a recording that was cut short after these events, and return its past."""
    folder = make_spool(home, server.url, whole=False)
    spool, _ = Spool.reopen(folder)
    for each in events:
        spool.append(each)
    spool.close()
    return read_past(read_lines(folder))


def visit(name: str, url: str) -> Event:
    """Return the event of a visit that begins."""
    made = event("visit", t_mono=2_000, visit=name, kind="new")
    return dataclasses.replace(made, visit=name, tab="t4", url=url)


def test_a_recording_goes_on_with_the_gap_noted(server: CaptureServer, home: Path) -> None:
    past = cut_short(home, server, visit("v7", PAGE))

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past), tabs={"t5": PAGE}) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            await run.click("t5")
            await run.press("stop", until="uploaded")

    asyncio.run(act())
    recording = server.recordings["s1"]
    kinds = [event.type for event in recording.events[6:]]
    assert kinds[:6] == ["visit_end", "visit_end", "recorder_gap", "tab_open", "visit", "snapshot"]
    again = recording.events[10]
    assert (again.visit, again.tab, again.data["kind"], again.url) == ("v8", "t5", "restore", PAGE)
    assert all(
        after.t_mono >= before.t_mono - 50
        for before, after in zip(recording.events, recording.events[1:], strict=False)
    )
    assert [after.prev for after in recording.events[1:]] == [
        sha256(recording.lines[n]) for n in range(1, len(recording.lines))
    ]


def test_a_query_asked_before_is_not_asked_again(server: CaptureServer, home: Path) -> None:
    address = "http://www.google.com/search?q=how+high"
    query = event("query", engine="google", q="how high", start=0, how="box", visit="v7")
    past = cut_short(home, server, visit("v7", address), query)

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past), tabs={"t5": address}) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            assert run.types().count("query") == 1

    asyncio.run(act())


def test_a_document_that_stands_open_is_kept_as_the_network_gave_it(server: CaptureServer, home: Path) -> None:
    url = "http://a.example/paper.pdf"
    response = dataclasses.replace(
        event("response", status=200, mime="application/pdf", length=9, location=None, chain_id="c"), url=url
    )
    spool, _ = Spool.reopen(make_spool(home, server.url, whole=False))
    text = spool.pages.put(b"Deprecated in 3.11")
    page = Page(url=url, captured_at="2026-01-01T00:00:00.000Z", title="", text_sha=text, source="pdf")
    page_id = spool.pages.put_page(page)
    kept = event("snapshot", id=page_id, text_sha=text, parts=[], location=url, trigger="document")
    for each in (visit("v7", url), response, dataclasses.replace(kept, url=url, visit="v7")):
        spool.append(each)
    spool.close()
    past = read_past(read_lines(home / "spool" / "s1"))

    async def act() -> list[Event]:
        async with a_run(server, home, past=past, clock=resumed_clock(past), tabs={"t5": url}) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            return run.events

    events = asyncio.run(act())
    again = [event for event in events if event.type == "snapshot" and event.visit == "v8"]
    assert [(event.data["id"], event.data["trigger"]) for event in again] == [(page_id, "document")]


def test_what_was_paused_stays_paused(server: CaptureServer, home: Path) -> None:
    past = cut_short(home, server, event("pause"))

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past), tabs={"t5": PAGE}) as run:
            await run.until(lambda: run.window.detail.get("state") == "paused")
            await run.click("t5")
            assert run.types()[-1] == "recorder_gap"
            await run.press("resume", until="recording")
            await run.until(lambda: "visit" in run.types()[-3:])

    asyncio.run(act())


def test_a_recorder_that_died_before_the_start_was_written_starts(server: CaptureServer, home: Path) -> None:
    folder = home / "spool" / "s1"
    spool = Spool.create(folder, read_about(make_spool(home, server.url, session="other", whole=False)))
    spool.append(event("session_start", recorder="r", browser="b"))
    spool.close()
    past = read_past(read_lines(folder))

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past)) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            assert run.types()[1:4] == ["recorder_gap", "session_start", "task_start"]

    asyncio.run(act())


def test_what_may_have_left_the_machine_is_not_forgotten_after_a_resume(server: CaptureServer, home: Path) -> None:
    past = cut_short(home, server, event("copy", text="sent"), event("copy", text="not sent"))
    note_sent(home / "spool" / "s1", 6)
    server.away = True

    async def act() -> None:
        async with a_run(server, home, past=past, clock=system_clock(5_000)) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            await run.press("forget", minutes=5)
            await run.until(lambda: any("Forgotten" in text for text in run.window.detail["warnings"]))
            assert "ask the maintainer" in run.window.detail["warnings"][-1]
            server.away = False
            await run.press("stop", until="uploaded")

    asyncio.run(act())
    lines = server.recordings["s1"].lines
    assert ('"sent"' in lines[6], "forgotten" in lines[7]) == (True, True)


def test_forgetting_survives_a_resume_with_the_chain_unbroken(server: CaptureServer, home: Path) -> None:
    folder = make_spool(home, server.url, whole=False)
    spool, _ = Spool.reopen(folder)
    spool.append(event("copy", text="secret words"))
    spool.forget(6)
    spool.close()
    past = read_past(read_lines(folder))

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past)) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            await run.press("stop", until="uploaded")

    asyncio.run(act())
    events = server.recordings["s1"].events
    assert (events[5].type, events[6].prev) == ("forgotten", events[5].data["hash"])
    assert "secret" not in "".join(server.recordings["s1"].lines.values())


def test_where_the_tabs_stood_at_start_is_forgotten_too(server: CaptureServer, home: Path) -> None:
    async def act() -> bytes:
        async with a_run(server, home) as run:
            await run.press("start", until="recording")
            assert PAGE.encode() in (run.folder / "events.jsonl").read_bytes()
            await run.press("forget", minutes=10)
            await run.until(lambda: "forgotten" in run.types())
            return (run.folder / "events.jsonl").read_bytes()

    assert PAGE.encode() not in asyncio.run(act())


def test_a_page_that_was_forgotten_and_still_stands_open_is_not_recorded_again(
    server: CaptureServer, home: Path
) -> None:
    forget = event("forget", from_seq=7, to_seq=9, minutes=10)
    past = cut_short(home, server, visit("v7", PAGE), forget)
    tabs = {"t5": PAGE, "t6": "http://private.example/"}

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past), tabs=tabs) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            await run.click("t6", "http://private.example/")
            await run.press("stop", until="uploaded")

    asyncio.run(act())
    recording = server.recordings["s1"]
    gap = next(event.seq for event in recording.events if event.type == "recorder_gap")
    assert [event.url for event in recording.events[gap:] if event.type in {"visit", "snapshot", "click"}] == [
        PAGE,
        PAGE,
    ]


def test_the_rules_of_the_project_are_kept_for_a_recorder_that_goes_on_offline(
    server: CaptureServer, tmp_path: Path
) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path, forget_minutes=25) as run:
            await run.press("start", until="recording")
            assert read_about(run.folder).policy["forget_minutes"] == 25

    asyncio.run(act())


def test_how_far_the_server_s_clock_is_stands_in_the_start_and_touches_no_time(
    server: CaptureServer, tmp_path: Path
) -> None:
    server.ahead_ms = 90_000

    async def act() -> Event:
        async with a_run(server, tmp_path) as run:
            await run.press("start", until="recording")
            return run.events[0]

    start = asyncio.run(act())
    assert abs(start.data["clock_offset_ms"] - 90_000) < 2_000
    assert 0 <= start.data["rtt_ms"] < 2_000
    assert abs(start.t_wall - time.time() * 1000) < 30_000


def test_without_the_server_the_clock_is_unknown(server: CaptureServer, tmp_path: Path) -> None:
    server.away = True

    async def act() -> Event:
        async with a_run(server, tmp_path) as run:
            await run.press("start", until="recording")
            return run.events[0]

    start = asyncio.run(act())
    assert (start.data["clock_offset_ms"], start.data["rtt_ms"]) == (None, None)


@pytest.mark.parametrize("by", [3_600_000, -3_600_000])
def test_a_clock_that_is_set_is_noted_and_forgets_and_sends_as_before(
    server: CaptureServer, tmp_path: Path, by: int
) -> None:
    set_by, began = 0, time.monotonic()
    clock = Clock(
        lambda: round(time.time() * 1000) + set_by, lambda: round((time.monotonic() - began) * 1000)
    )  # fmt: skip

    async def act() -> None:
        nonlocal set_by
        async with a_run(server, tmp_path, clock=clock) as run:
            await run.press("start", until="recording")
            await run.click()
            set_by = by
            await run.until(lambda: run.types()[-1] == "recorder_gap")
            gap = run.events[-1]
            assert abs(gap.data["to"] - gap.data["from"] - by) < 2_000
            await run.click()
            assert (read_sent(run.folder), server.recordings.get("s1") and server.recordings["s1"].lines) in (
                (0, {}),
                (0, None),
            )
            await run.press("forget", minutes=5)
            await run.until(lambda: "forgotten" in run.types())
            assert "click" not in run.types()

    asyncio.run(act())


def test_each_minute_says_how_the_recorder_fares(server: CaptureServer, tmp_path: Path, quick: None) -> None:
    async def act() -> Event:
        async with a_run(server, tmp_path) as run:
            await run.press("start", until="recording")
            await run.until(lambda: run.types()[-2:] == ["health", "health"])
            return run.events[-2]

    data = asyncio.run(act()).data
    assert data["events"] == data["queue"] > 3
    assert data["snapshots_ok"] == 1
    assert (data["snapshots_failed"], data["snapshots_late"]) == (0, 0)
    assert data["disk_free"] > 1_000_000
    assert data["lag_ms"] >= 0


def test_a_server_away_for_the_whole_session_gets_it_days_later(
    server: CaptureServer, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.away = True

    async def act() -> None:
        async with a_run(server, home) as run:
            await run.press("start", until="recording")
            for _ in range(20):
                await run.click()
            await run.press("stop", until="stopped")

    asyncio.run(act())
    folder = home / "spool" / "s1"
    lines = [line.text for line in read_lines(folder)]
    assert (server.recordings, server.blobs) == ({}, {})
    assert run(["capture", "upload", "--home", str(home), "--tries", "1"]) == 3
    server.away = False
    assert run(["capture", "upload", "--home", str(home)]) == 0
    recording = server.recordings["s1"]
    assert (recording.state, list(recording.lines.values())) == ("complete", lines)
    assert not folder.exists()


def test_status_says_what_was_cut_short_and_how_to_go_on(
    server: CaptureServer, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_short(home, server)
    assert run(["capture", "status", "--home", str(home)]) == 0
    said = capsys.readouterr().out
    assert "5 events  interrupted" in said
    assert "trailbench capture resume" in said
    assert run(["capture", "status", "--home", str(home), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["recordings"][0]["state"] == "interrupted"


def test_nothing_cut_short_is_a_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["capture", "resume", "--headless", "--home", str(home)]) == 2
    assert "no recording on this machine was cut short; begin one: trailbench capture start" in capsys.readouterr().err


@pytest.fixture
def broken_browser(home: Path) -> Path:
    """A browser that does not start: a command goes as far as that."""
    fake = home / "browser"
    fake.write_text("#!/bin/sh\necho 'FATAL no display' >&2\nexit 3\n")
    fake.chmod(0o755)
    return fake


@pytest.mark.parametrize(("words", "goes_on"), [(["t1"], True), (["t1", "--new"], False), (["t2"], False)])
def test_start_goes_on_with_what_was_cut_short_and_says_so(
    server: CaptureServer, home: Path, broken_browser: Path, capsys: pytest.CaptureFixture[str],
    words: list[str], goes_on: bool,
) -> None:  # fmt: skip
    server.tasks["t2"] = True
    cut_short(home, server)
    assert run(["capture", "start", *words, "--headless", "--home", str(home), "--browser", str(broken_browser)]) == 2
    said = capsys.readouterr().err
    assert ("Going on with the recording of task t1 that was cut short after 5 events" in said) is goes_on
    assert ("it is kept: trailbench capture resume s1" in said) is not goes_on
    assert "FATAL no display" in said


def test_another_task_does_not_begin_in_the_browser_of_a_recording_that_was_cut_short(
    server: CaptureServer, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.tasks["t2"] = True
    cut_short(home, server)
    monkeypatch.setattr(cli_recording, "find_browser", lambda profile: BrowserProcess("http://127.0.0.1:9", None))
    assert run(["capture", "start", "t2", "--headless", "--home", str(home)]) == 2
    assert "the recording of task t1 was cut short, and its browser is still open" in capsys.readouterr().err


def test_a_recorder_that_died_right_after_stop_has_nothing_to_go_on_with(server: CaptureServer, home: Path) -> None:
    cut_short(home, server, event("task_stop", reason="user"))
    assert unfinished(home, server.url) == []
    assert run(["capture", "upload", "--home", str(home)]) == 0
    assert [event.type for event in server.recordings["s1"].events[-2:]] == ["task_stop", "session_end"]


def test_upload_ends_no_recording_whose_browser_is_still_open(
    server: CaptureServer, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_short(home, server)
    with monkeypatch.context() as patch:
        patch.setattr(sending, "find_browser", lambda profile: BrowserProcess("http://127.0.0.1:9", None))
        assert run(["capture", "upload", "--home", str(home)]) == 3
    assert "its browser is still open; go on with it: trailbench capture resume" in capsys.readouterr().out
    assert run(["capture", "upload", "--home", str(home)]) == 0


def test_a_claim_that_was_lost_ends_no_recording_and_begins_none(
    server: CaptureServer, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_short(home, server)
    server.tasks["t1"] = False
    assert run(["capture", "resume", "--headless", "--home", str(home)]) == 2
    assert "task t1 is not claimed by you" in capsys.readouterr().err
    assert len(read_lines(home / "spool" / "s1")) == 5


DEAD_BROWSERS = ["", "1234", "x\n/devtools/browser/1", "9\n/devtools/browser/1"]


@pytest.mark.parametrize("port_file", DEAD_BROWSERS)
def test_a_browser_that_does_not_answer_by_its_name_is_gone(tmp_path: Path, port_file: str) -> None:
    (tmp_path / "DevToolsActivePort").write_text(port_file)
    assert find_browser(tmp_path) is None


def test_somebody_else_at_the_old_port_is_no_browser_of_ours(server: CaptureServer, tmp_path: Path) -> None:
    port = server.url.rpartition(":")[2]
    (tmp_path / "DevToolsActivePort").write_text(f"{port}\n/devtools/browser/1")
    assert find_browser(tmp_path) is None


class LateTab(ScriptedTab):
    """A tab that says only when it is let what opened it, so that the recorder meets it late."""

    def __init__(self, tab: str, url: str) -> None:
        super().__init__(tab, url)
        self.may_answer = asyncio.Event()

    async def opener(self) -> str | None:
        await self.may_answer.wait()
        return None


class SlowCdp(ScriptedCdp):
    """A page that needs a moment to say what stands there."""

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        if method == "Page.getFrameTree":
            await asyncio.sleep(0.3)
        return await super().send(method, params, seconds=seconds)


def test_a_tab_that_is_met_while_the_recording_begins_is_visited_once(server: CaptureServer, home: Path) -> None:
    async def act() -> list[str]:
        async with a_run(server, home) as run:
            late, slow = LateTab("t2", "http://a.example/late"), ScriptedTab("t3", "http://a.example/slow")
            slow.cdp = SlowCdp(slow.url)
            for tab in (late, slow):
                run.session.tab_opened(tab, existed=True)
            run.session.panel_called('{"do": "start"}')
            await run.until(lambda: run.folder.exists() and "task_start" in run.types())
            late.may_answer.set()
            await run.until(lambda: run.window.detail.get("state") == "recording")
            return sorted(str(event.url) for event in run.events if event.type == "visit")

    assert asyncio.run(act()) == ["http://a.example/late", PAGE, "http://a.example/slow"]
