"""The upload, against a server that speaks the API over a real socket and is away at will."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from browser_capture.capture_api import CaptureApi, backoff
from browser_capture.errors import ServerAway, ServerRefused, UserError
from browser_capture.log_lines import read_lines
from browser_capture.outbox import Outbox, read_sent
from browser_capture.page_store import PageStore
from browser_capture.spool import Spool, blobs_of
from exports.cli.root import run
from tests.browser_capture.capture_server import TOKEN, CaptureServer, Recording
from tests.browser_capture.recordings import event, make_spool
from tests.browser_capture.scripted_window import a_run


async def no_sleep(seconds: float) -> None:
    """Wait for nothing, but let others run."""
    await asyncio.sleep(0)


def finish(folder: Path, server: CaptureServer, *, tries: int | None = 3, token: str = TOKEN) -> Outbox:
    """Send a recording and return the outbox."""

    async def run() -> Outbox:
        async with CaptureApi(server.url, token) as api:
            outbox = Outbox(folder, api, tries=tries, sleep=no_sleep)
            await outbox.finish()
            return outbox

    return asyncio.run(run())


def test_a_recording_arrives_whole(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url)
    finish(folder, server)
    recording = server.recordings["s1"]
    assert (recording.state, list(recording.lines.values())) == ("complete", [line.text for line in read_lines(folder)])


def test_pages_go_before_the_events_that_name_them(tmp_path: Path, server: CaptureServer) -> None:
    finish(make_spool(tmp_path, server.url), server)
    first_events = next(n for n, asked in enumerate(server.asked) if asked.endswith("/events"))
    puts = [n for n, asked in enumerate(server.asked) if asked.startswith("PUT")]
    assert (len(puts), max(puts) < first_events) == (6, True)


def test_what_the_server_has_is_not_sent_again(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url)
    finish(folder, server)
    server.asked.clear()
    finish(folder, server)
    assert [asked.split()[0] for asked in server.asked if "blobs" in asked or "events" in asked] == []


@pytest.mark.parametrize("failures", [1, 5, 12])
def test_an_absent_server_is_asked_until_it_answers(tmp_path: Path, server: CaptureServer, failures: int) -> None:
    server.fail_next = failures
    finish(make_spool(tmp_path, server.url), server, tries=None)
    assert server.recordings["s1"].state == "complete"


def test_patience_has_an_end_where_it_is_asked_for(tmp_path: Path, server: CaptureServer) -> None:
    server.away = True
    folder = make_spool(tmp_path, server.url)
    with pytest.raises(ServerAway, match="503"):
        finish(folder, server)
    assert (len(server.asked), len(read_lines(folder))) == (3, 7)


def test_a_blob_the_server_lost_is_sent_again(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url)
    finish(folder, server)
    server.blobs.popitem()
    finish(folder, server)
    assert server.recordings["s1"].state == "complete"
    assert len(server.blobs) == 6


def send_older_than(folder: Path, server: CaptureServer, mono: int) -> Outbox:
    """Send what is older than a moment and return the outbox."""

    async def run() -> Outbox:
        async with CaptureApi(server.url, TOKEN) as api:
            outbox = Outbox(folder, api, sleep=no_sleep)
            await outbox.send_older_than(mono)
            return outbox

    return asyncio.run(run())


def test_recent_events_wait_for_the_forget_window(tmp_path: Path, server: CaptureServer) -> None:
    send_older_than(make_spool(tmp_path, server.url), server, 1_000)
    assert (server.recordings["s1"].lines, server.blobs) == ({}, {})


def test_an_older_event_waits_for_a_younger_one_before_it(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url, whole=False)
    spool, _ = Spool.reopen(folder)
    for t_mono in (3_000, 1_500, 4_000):
        spool.append(event("copy", t_mono=t_mono, text="x"))
    spool.close()
    send_older_than(folder, server, 2_000)
    assert list(server.recordings["s1"].lines) == [1, 2, 3, 4, 5]


def test_lines_travel_packed_and_pages_only_where_they_are_missing(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url)
    sha = blobs_of(read_lines(folder)[3].event, PageStore(folder / "pages"))[0]
    server.blobs[sha] = PageStore(folder / "pages").get(sha)
    finish(folder, server)
    asked = [entry for entry in server.asked if "/blobs/" in entry]
    assert server.packed == ["POST /api/v1/recordings/s1/events"]
    assert sum(entry.startswith("HEAD") for entry in asked) == 6
    assert (sum(entry.startswith("PUT") for entry in asked), f"PUT /api/v1/blobs/{sha}" in asked) == (5, False)


def test_an_upload_goes_on_after_the_last_event_without_a_gap(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url)
    lines = {line.event.seq: line.text for line in read_lines(folder)}
    server.recordings["s1"] = Recording("t1", {seq: lines[seq] for seq in (1, 2, 3, 6)})
    outbox = finish(folder, server)
    assert (server.recordings["s1"].lines == lines, outbox.uploaded_seq) == (True, 7)


def test_another_digest_at_the_server_keeps_the_recording_here(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_spool(home, server.url)
    server.says_digest = "0" * 64
    assert run(["capture", "upload", "--home", str(home)]) == 3
    assert "does not confirm what it holds" in capsys.readouterr().out
    assert len(read_lines(folder)) == 7
    server.says_digest = ""
    assert run(["capture", "upload", "--home", str(home)]) == 0
    assert not folder.exists()


def test_what_may_have_left_the_machine_is_noted_before_it_does(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url)

    class Unanswered(CaptureApi):
        async def put_blob(self, sha: str, data: bytes) -> None:
            raise ServerAway("the answer did not come in time")

    async def act() -> None:
        async with Unanswered(server.url, TOKEN) as api:
            await Outbox(folder, api, tries=1).finish()

    with pytest.raises(ServerAway):
        asyncio.run(act())
    assert (server.recordings["s1"].lines, read_sent(folder)) == ({}, 7)


@pytest.mark.parametrize("answers", [False, True])
def test_what_no_server_was_reached_for_still_waits_here(home: Path, answers: bool) -> None:
    async def act(server: CaptureServer, folder: Path) -> None:
        async with CaptureApi(server.url, TOKEN) as api:
            outbox = Outbox(folder, api, tries=1)
            await outbox.send_older_than(0)
            server.away = True
            if not answers:
                server.close()
            await outbox.finish()

    with CaptureServer() as server:
        folder = make_spool(home, server.url)
        with pytest.raises(ServerAway):
            asyncio.run(act(server, folder))
    assert read_sent(folder) == 0
    assert run(["capture", "forget", "s1", "4-5", "--yes", "--home", str(home)]) == 0


def test_a_note_of_what_was_sent_that_is_damaged_counts_as_all(tmp_path: Path) -> None:
    (tmp_path / "sent").write_text("")
    assert (read_sent(tmp_path) > 1_000_000, read_sent(tmp_path / "nowhere")) == (True, 0)


def test_what_is_forgotten_while_a_batch_is_on_its_way_stays_what_was_sent(
    tmp_path: Path, server: CaptureServer
) -> None:
    server.event_seconds = 0.5

    async def act() -> None:
        async with a_run(server, tmp_path, forget_minutes=0) as run:
            await run.press("start", until="recording")
            await run.click()
            await run.until(lambda: read_sent(run.folder) > 0)
            await run.click()
            await run.press("forget", minutes=5)
            await run.until(lambda: "forget" in run.types())
            await run.press("stop", until="uploaded")

    asyncio.run(act())
    recording = server.recordings["s1"]
    assert recording.state == "complete"
    assert "forgotten" in [event.type for event in recording.events]


def test_what_was_forgotten_since_it_was_read_is_not_sent(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url, whole=False)
    spool, _ = Spool.reopen(folder)
    spool.append(event("copy", text="secret words"))

    class Forgetful(CaptureApi):
        async def open_recording(self, session: str, task_id: str) -> int:
            spool.forget(6)
            return await super().open_recording(session, task_id)

    async def act() -> None:
        async with Forgetful(server.url, TOKEN) as api:
            outbox = Outbox(folder, api, tries=1)
            await outbox.send_older_than(5_000)
            assert server.recordings["s1"].lines == {}
            await outbox.send_older_than(5_000)

    asyncio.run(act())
    spool.close()
    assert "secret" not in "".join(server.recordings["s1"].lines.values())
    assert len(server.recordings["s1"].lines) == 6


def test_an_unknown_token_names_the_cure(tmp_path: Path, server: CaptureServer) -> None:
    with pytest.raises(ServerRefused, match="capture login"):
        finish(make_spool(tmp_path, server.url), server, token="other")


@pytest.mark.parametrize("address", ["", "server", "ftp://x.example"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="expected one such as"):
        CaptureApi(address)


def test_nobody_listening_is_a_server_that_is_away(tmp_path: Path, server: CaptureServer) -> None:
    folder = make_spool(tmp_path, server.url)
    with CaptureServer() as gone:
        pass
    with pytest.raises(ServerAway, match="cannot reach"):
        finish(folder, gone, tries=1)


def test_waiting_grows_spreads_and_heeds_the_server() -> None:
    assert 0.5 <= backoff(1) <= 1
    assert 30 <= backoff(50) <= 60
    assert backoff(0, 7.0) == 7.0
