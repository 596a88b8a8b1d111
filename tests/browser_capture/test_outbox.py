"""The upload, against a server that speaks the API over a real socket and is away at will."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from browser_capture.capture_api import CaptureApi, backoff
from browser_capture.errors import ServerAway, ServerRefused, UserError
from browser_capture.log_lines import read_lines
from browser_capture.outbox import Outbox
from tests.browser_capture.capture_server import TOKEN, CaptureServer
from tests.browser_capture.recordings import make_spool


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


def test_recent_events_wait_for_the_forget_window(tmp_path: Path, server: CaptureServer) -> None:
    async def run() -> None:
        async with CaptureApi(server.url, TOKEN) as api:
            await Outbox(make_spool(tmp_path, server.url), api, sleep=no_sleep).send_older_than(1_000)

    asyncio.run(run())
    assert (server.recordings["s1"].lines, server.blobs) == ({}, {})


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
