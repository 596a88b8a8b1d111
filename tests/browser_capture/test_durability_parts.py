"""What durability stands on: claims, clocks, vital signs, and the past of a log that was cut short. No browser."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import doctest
import hashlib
import logging
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from browser_capture import clock as clock_module
from browser_capture import past as past_module
from browser_capture.answers import Arrival
from browser_capture.causes import Navigation
from browser_capture.claims import claimed, find_process, holder
from browser_capture.clock import Clock, Jump, JumpWatch, Offset, best_offset, measure_offset, system_clock
from browser_capture.errors import ServerAway, UserError
from browser_capture.event_log import EventLog
from browser_capture.events import Event
from browser_capture.folders import PROFILE
from browser_capture.log_lines import last_type, read_lines
from browser_capture.page_keeper import PageKeeper
from browser_capture.past import Past, read_past
from browser_capture.privacy import Privacy
from browser_capture.result_pages.recognise import SearchAddress
from browser_capture.sources import documents
from browser_capture.spool import Spool, is_ended
from browser_capture.taking_up import as_before, resumed_clock
from browser_capture.unfinished import chosen, stopped, unfinished
from browser_capture.urls import strict_key
from exports.cli.root import run
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.recordings import event, make_spool
from tests.browser_capture.scripted_window import ScriptedCdp, ScriptedTab
from tests.browser_capture.small_pdf import a_pdf

CLAIMER = """
import sys, time
from pathlib import Path
from browser_capture.claims import claimed
with claimed(Path(sys.argv[1]), "profile", "records task t9") as other:
    print(other or "mine", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def claim_elsewhere(home: Path, seconds: float = 60) -> subprocess.Popen[str]:
    """Have another process claim the profile."""
    command = [sys.executable, "-c", CLAIMER, str(home), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def other_recorder(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the profile."""
    with claim_elsewhere(home) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "mine\n"
        yield process
        process.kill()


@pytest.mark.parametrize("words", [["start", "t1"], ["resume"]])
def test_a_second_recorder_is_told_who_the_first_is(
    home: Path, other_recorder: subprocess.Popen[str], capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert run(["capture", *words, "--home", str(home), "--headless"]) == 2
    said = capsys.readouterr().err
    assert f"another recorder is at work on this machine: process {other_recorder.pid}" in said
    assert "which records task t9 since" in said


def test_a_killed_process_holds_nothing(home: Path, other_recorder: subprocess.Popen[str]) -> None:
    assert str(other_recorder.pid) in str(holder(home, PROFILE))
    other_recorder.kill()
    while psutil.Process(other_recorder.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert holder(home, PROFILE) is None  # dead, though nobody has buried it yet
    with claimed(home, PROFILE, "tries") as other:
        assert other is None
    assert list((home / "claims").iterdir()) == []


def test_another_process_with_the_old_number_holds_nothing(home: Path) -> None:
    me = find_process(os.getpid())
    assert me is not None
    assert me.is_alive
    assert not me._replace(started=me.started - 60, since_boot=me.since_boot - 60).is_alive


def test_a_holder_stays_one_when_the_wall_clock_is_set(home: Path) -> None:
    me = find_process(os.getpid())
    assert me is not None
    assert me._replace(started=me.started + 3600).is_alive


def test_a_claim_that_cannot_be_read_holds_nothing(home: Path) -> None:
    (home / "claims").mkdir()
    (home / "claims" / "profile.1").write_text('{"pid"')
    assert holder(home, PROFILE) is None


def test_of_many_at_the_same_moment_one_gets_it(home: Path) -> None:
    claimers = [claim_elsewhere(home, 3) for _ in range(6)]
    said = [process.communicate(timeout=60)[0] for process in claimers]
    assert sum(text == "mine\n" for text in said) == 1, said


def test_the_quickest_of_five_pings_tells_the_offset(server: CaptureServer) -> None:
    offsets = iter([90_000, 90_000, 90_000, 90_000, 90_000])
    delays = iter([0.05, 0.0, 0.03, 0.03, 0.03])

    async def ask() -> float:
        await asyncio.sleep(next(delays))
        return time.time() * 1000 + next(offsets)

    found = asyncio.run(measure_offset(ask))
    assert found is not None
    assert found.rtt_ms < 25
    assert abs(found.offset_ms - 90_000) < 25
    assert next(offsets, None) is None


@pytest.mark.parametrize("answers", [0, 2])
def test_a_server_that_goes_away_leaves_what_was_learned(answers: int) -> None:
    left = iter(range(answers))

    async def ask() -> float:
        if next(left, None) is None:
            raise ServerAway("gone")
        return time.time() * 1000

    assert (asyncio.run(measure_offset(ask)) is not None) is (answers > 0)


def test_a_server_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_module, "PING_SECONDS", 0.05)
    never: Callable[[], Awaitable[float]] = lambda: asyncio.sleep(60, 0.0)  # noqa: E731
    assert asyncio.run(measure_offset(never)) is None


def test_no_ping_is_no_offset() -> None:
    assert (best_offset([]), Offset(1, 2).rtt_ms) == (None, 2)


@pytest.mark.parametrize(
    ("by", "noted"), [(0, False), (1_500, False), (-1_500, False), (3_600_000, True), (-60_000, True)]
)
def test_a_wall_clock_that_is_set_is_a_jump(by: int, noted: bool) -> None:
    wall, mono = 1_000_000, 0
    watch = JumpWatch(Clock(lambda: wall, lambda: mono))
    wall, mono = wall + 200, 200
    assert watch.look() is None
    wall, mono = wall + 200 + by, 400
    assert watch.look() == (Jump(1_000_400, 1_000_400 + by) if noted else None)
    wall, mono = wall + 200, 600
    assert watch.look() is None


@pytest.mark.parametrize("module", [clock_module, past_module, documents], ids=lambda module: module.__name__)
def test_examples_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


def visit(number: int, url: str, **more: Any) -> Event:
    """Return the event of a visit that begins."""
    made = event("visit", t_mono=1_000 * number, visit=f"v{number}", kind="new", **more)
    return dataclasses.replace(made, visit=f"v{number}", tab=f"t{number}", url=url)


def past_of(folder: Path, *events: Event) -> Past:
    """Return the past of a log with these events."""
    home = make_spool(folder, "http://server.example", whole=False)
    spool, _ = Spool.reopen(home)
    for each in events:
        spool.append(each)
    spool.close()
    return read_past(read_lines(home))


def test_the_past_knows_where_it_broke_off_and_which_visits_stood(tmp_path: Path) -> None:
    past = past_of(
        tmp_path, visit(2, "http://a.example/"), visit(3, "http://b.example/"),
        event("visit_end", t_mono=4_000, visit="v2", dwell_ms=1),
    )  # fmt: skip
    assert (past.events, past.mono, past.visits, past.tabs, past.has_stop) == (8, 4_000, 3, 3, False)
    assert [(stay.visit, stay.url, stay.began) for stay in past.stays if stay.url] == [
        ("v3", "http://b.example/", 3_000)
    ]


def test_the_past_knows_what_was_asked_and_how_documents_came(tmp_path: Path) -> None:
    query = event("query", engine="google", q="how high", start=0, how="box", visit="v1")
    answer = dataclasses.replace(
        event("response", status=200, mime="application/pdf", length=9, location=None, chain_id="c"),
        url="http://a.example/paper.pdf",
    )
    past = past_of(tmp_path, query, answer)
    assert past.queries == {SearchAddress("google", "how high", 0): 6}
    assert past.answers[strict_key("http://a.example/paper.pdf")]["mime"] == "application/pdf"


PAUSES = [(["pause"], True), (["pause", "resume"], False), (["pause", "resume", "pause"], True), ([], False)]


@pytest.mark.parametrize(("kinds", "paused"), PAUSES)
def test_a_recording_that_was_paused_stays_paused(tmp_path: Path, kinds: list[str], paused: bool) -> None:
    assert past_of(tmp_path, *(event(kind) for kind in kinds)).is_paused is paused


def test_names_of_forgotten_visits_are_not_given_again(tmp_path: Path) -> None:
    folder = make_spool(tmp_path, "http://server.example", whole=False)
    spool, _ = Spool.reopen(folder)
    for number in (2, 3, 4):
        spool.append(visit(number, "http://a.example/"))
    spool.forget(7)
    spool.close()
    past = read_past(read_lines(folder))
    assert (past.visits >= 4, [stay.visit for stay in past.stays]) == (True, ["v1", "v2"])


def test_a_page_that_stood_before_is_looked_at_again(tmp_path: Path) -> None:
    past = past_of(tmp_path, visit(2, "http://a.example/one"))
    standing = [Navigation("t9", f"http://a.example/{name}", 9) for name in ("one#part", "two")]
    again = [as_before(past, navigation) for navigation in standing]
    assert [navigation and navigation.started for navigation in again] == ["restore", None]


def test_the_monotonic_clock_goes_on_where_it_broke_off(tmp_path: Path) -> None:
    past = dataclasses.replace(past_of(tmp_path), mono=5_000, wall=time.time_ns() // 1_000_000 - 60_000)
    assert 65_000 <= resumed_clock(past).mono() < 70_000
    ahead = dataclasses.replace(past, wall=past.wall + 10_000_000)
    assert 5_000 <= resumed_clock(ahead).mono() < 10_000


TAILS = [b"", b'{"half', b"\x00\x00\n"]


@pytest.mark.parametrize("tail", TAILS)
def test_an_end_is_seen_without_reading_the_whole_log(tmp_path: Path, tail: bytes) -> None:
    folder = make_spool(tmp_path, "http://server.example")
    assert is_ended(folder)
    with (folder / "events.jsonl").open("ab") as file:
        file.write(tail)
    assert last_type(folder) == "session_end"


def test_only_what_was_cut_short_for_this_server_can_go_on(tmp_path: Path) -> None:
    server = "http://server.example"
    make_spool(tmp_path, server, session="whole")
    make_spool(tmp_path, "http://other.example", session="elsewhere", whole=False)
    make_spool(tmp_path, server, session="mine", whole=False)
    make_spool(tmp_path, server, session="taken", whole=False)
    with claimed(tmp_path, "taken", "records task t1"):
        assert [item.about.session for item in unfinished(tmp_path, server)] == ["mine"]


def test_the_choice_is_named_where_there_is_one(tmp_path: Path) -> None:
    server = "http://server.example"
    for session in ("one", "two"):
        make_spool(tmp_path, server, session=session, whole=False)
    found = unfinished(tmp_path, server)
    assert chosen(found, "two").about.session == "two"
    with pytest.raises(UserError, match=r"one \(task t1\), two \(task t1\); name one"):
        chosen(found, None)
    with pytest.raises(UserError, match="no recording 'three' was cut short"):
        chosen(found, "three")
    with pytest.raises(UserError, match="begin one: trailbench capture start"):
        chosen([], None)


def test_who_resumes_a_stopped_recording_reads_how_it_goes(tmp_path: Path) -> None:
    make_spool(tmp_path, "http://server.example", session="whole")
    for session in ("whole", None):
        with pytest.raises(UserError, match=r"whole.*trailbench capture upload"):
            chosen([], session, stopped(tmp_path))


def test_a_page_that_loads_late_is_kept_again_when_it_has_loaded(tmp_path: Path) -> None:
    spool, _ = Spool.reopen(make_spool(tmp_path, "http://server.example", whole=False))
    log = EventLog(lambda: spool, "s1", "t1", system_clock())
    log.set_state("recording")

    async def act() -> list[str]:
        keeper = PageKeeper(log, Privacy(), lambda sentence: None)
        tab = ScriptedTab("t1", "http://a.example/frames")
        keeper.began("v2", tab, tab.url, arrival=Arrival())
        keeper.keep("t1", "late", only_if_changed=True)
        await keeper.settle(5)
        keeper.loaded("t1")
        keeper.forget()
        await keeper.settle(5)
        return tab.cdp.asked

    assert asyncio.run(act()) == ["Page.captureSnapshot"] * 2
    spool.close()


def test_a_picture_of_a_page_is_never_given_to_another_tab(tmp_path: Path) -> None:
    spool, _ = Spool.reopen(make_spool(tmp_path, "http://server.example", whole=False))
    log = EventLog(lambda: spool, "s1", "t1", system_clock())
    log.set_state("recording")

    async def act() -> None:
        keeper = PageKeeper(log, Privacy(), lambda sentence: None)
        here, there = ScriptedTab("t1", "http://a.example/one"), ScriptedTab("t2", "http://a.example/two")
        keeper.began("v2", here, here.url, arrival=Arrival())
        keeper.began("v3", there, there.url, arrival=Arrival())
        here.cdp.url = there.url  # it went on, and its next visit is not known yet
        keeper.keep("t1", "load")
        await keeper.settle(5)

    before = len(read_lines(spool.folder))
    asyncio.run(act())
    spool.close()
    (failed,) = (line.event for line in read_lines(spool.folder)[before:])
    assert (failed.type, failed.tab, failed.visit) == ("snapshot_failed", "t1", "v2")


class PdfCdp(ScriptedCdp):
    """The viewer of a PDF, which the browser gives from its cache in two parts; `resource` is what it says of it."""

    def __init__(self, url: str, *parts: bytes, **resource: Any) -> None:
        super().__init__(url)
        self.parts = list(parts)
        self.resource = {"success": True, "httpStatusCode": 200, "stream": "1", **resource}

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        answer = await super().send(method, params, seconds=seconds)
        if method == "Network.loadNetworkResource":
            return {"resource": self.resource}
        if method == "IO.read":
            data = base64.b64encode(self.parts.pop(0)).decode()
            return {"data": data, "base64Encoded": True, "eof": not self.parts}
        return answer


PAPER = "http://a.example/paper.pdf"


def kept_of_paper(folder: Path, cdp: PdfCdp, url: str = PAPER) -> tuple[Event, ...]:
    """Return what is written of a PDF that is left as soon as it stands."""
    spool, _ = Spool.reopen(make_spool(folder, "http://server.example", whole=False))
    log = EventLog(lambda: spool, "s1", "t1", system_clock())
    log.set_state("recording")

    async def act() -> None:
        keeper, tab = PageKeeper(log, Privacy(), lambda sentence: None), ScriptedTab("t1", url)
        tab.cdp = cdp
        keeper.began("v2", tab, url, arrival=Arrival(200, "application/pdf"))
        keeper.ended("t1")
        keeper.began("v3", tab, "http://a.example/", arrival=Arrival())
        await keeper.settle(5)

    before = len(read_lines(spool.folder))
    asyncio.run(act())
    spool.close()
    return tuple(line.event for line in read_lines(spool.folder)[before:])


def test_a_pdf_that_is_read_after_it_was_left_belongs_to_its_visit(tmp_path: Path) -> None:
    data = a_pdf("Deprecated in 3.11")
    cdp = PdfCdp(PAPER, data[:100], data[100:])
    (kept,) = kept_of_paper(tmp_path, cdp)
    assert (kept.type, kept.visit, kept.url, kept.data["trigger"]) == ("snapshot", "v2", PAPER, "document")
    assert kept.data["parts"][0]["sha"] == hashlib.sha256(data).hexdigest()
    assert cdp.asked[-1] == "IO.close"


def test_a_page_that_was_not_kept_is_logged_without_the_password_in_its_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        kept_of_paper(tmp_path, PdfCdp(PAPER, success=False), "http://ann:zq8password@a.example/paper.pdf#zq8typed")
    assert "no snapshot of http://a.example/paper.pdf (document)" in caplog.text
    assert "zq8" not in caplog.text


@pytest.mark.parametrize(
    ("cdp", "said"),
    [
        (PdfCdp(PAPER, b"<p>Your link has expired"), "gave something else than its PDF the second time"),
        (PdfCdp(PAPER, success=False, netErrorName="net::ERR_FAILED"), "second time: net::ERR_FAILED"),
        (PdfCdp(PAPER, success=False, httpStatusCode=410), "second time: status 410"),
        (PdfCdp(PAPER, *[b"%PDF" + bytes(10_000_000)] * 3), "has more than 26 MB"),
    ],
    ids=["another page", "no answer", "gone", "too long"],
)
def test_a_pdf_that_cannot_be_had_again_is_said_to_be_missing(tmp_path: Path, cdp: PdfCdp, said: str) -> None:
    (failed,) = kept_of_paper(tmp_path, cdp)
    assert (failed.type, failed.visit) == ("snapshot_failed", "v2")
    assert said in failed.data["error"]
