"""A disk that is full, nearly full, or does not confirm: the recording waits and says so; what is written is whole."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_capture import upkeep
from browser_capture.errors import IncompleteError
from browser_capture.log_lines import LINES, read_lines
from browser_capture.spool import Spool
from exports.cli.root import run
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.recordings import event, make_spool
from tests.browser_capture.scripted_window import Run, a_run


class Disk:
    """The disk under every log: while it is full a write takes a part first, as real disks do, and then nothing."""

    def __init__(self) -> None:
        self.error: int | None = None
        self.fsync_error: int | None = None
        self._write, self._fsync = os.write, os.fsync

    def write(self, handle: int, data: bytes) -> int:
        if self.error is None or not os.readlink(f"/proc/self/fd/{handle}").endswith(LINES):
            return self._write(handle, data)
        if len(data) > 60:
            return self._write(handle, data[:40])
        raise OSError(self.error, os.strerror(self.error))

    def fsync(self, handle: int) -> None:
        if self.fsync_error is not None:
            raise OSError(self.fsync_error, os.strerror(self.fsync_error))
        self._fsync(handle)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """Put a disk that a test can fill under the logs; it is looked at ten times a second."""
    made = Disk()
    monkeypatch.setattr(os, "write", made.write)
    monkeypatch.setattr(os, "fsync", made.fsync)
    monkeypatch.setattr(upkeep, "DISK_SECONDS", 0.1)
    yield made
    made.error = made.fsync_error = None


def test_a_refused_line_leaves_no_trace(tmp_path: Path, disk: Disk) -> None:
    folder = make_spool(tmp_path, "http://server.example", whole=False)
    before = (folder / LINES).read_bytes()
    spool, _ = Spool.reopen(folder)
    disk.error = errno.ENOSPC
    for _ in range(2):
        with pytest.raises(OSError, match="No space left"):
            spool.append(event("copy", text="x" * 200))
    assert (folder / LINES).read_bytes() == before
    disk.error = None
    spool.append(event("copy", text="after"))
    spool.close()
    assert [line.event.type for line in read_lines(folder)][-2:] == ["snapshot", "copy"]


def test_a_half_line_that_could_not_be_taken_back_goes_before_the_next(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_spool(tmp_path, "http://server.example", whole=False)
    spool, _ = Spool.reopen(folder)
    disk.error = errno.ENOSPC
    with monkeypatch.context() as patch:
        patch.setattr(os, "truncate", lambda handle, size: os.write(-1, b""))
        with pytest.raises(OSError, match="No space left"):
            spool.append(event("copy", text="x" * 200))
    disk.error = None
    spool.append(event("copy", text="after"))
    spool.close()
    assert len(read_lines(folder)) == 6


async def fill(run: Run, disk: Disk) -> int:
    """Record a little, fill the disk while somebody clicks on, and return how many events were written."""
    await run.press("start", until="recording")
    await run.click()
    disk.error = errno.ENOSPC
    await run.click()
    await run.until(lambda: run.window.detail["state"] == "paused")
    await run.click()
    return len(run.events)


def test_a_full_disk_pauses_the_recording_and_says_so(server: CaptureServer, tmp_path: Path, disk: Disk) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path) as run:
            written = await fill(run, disk)
            sentence = "The disk is full: the recording waits, and goes on by itself when there is room."
            assert run.problems[-1].startswith(sentence)
            assert run.window.detail["problem"].startswith(sentence)
            assert (len(run.events), run.states[-1]) == (written, "paused")
            disk.error = None

    asyncio.run(act())


def test_it_goes_on_by_itself_when_there_is_room(server: CaptureServer, tmp_path: Path, disk: Disk) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path) as run:
            written = await fill(run, disk)
            disk.error = None
            await run.until(lambda: run.window.detail["state"] == "recording")
            await run.click()
            assert run.types()[written:] == ["visit_end", "recorder_gap", "visit", "snapshot", "click"]
            assert run.events[written + 1].data["reason"] == "the disk was full"
            assert run.events[written + 2].data["kind"] == "restore"
            await run.until(lambda: run.window.detail["problem"] is None)
            await run.press("stop", until="uploaded")

    asyncio.run(act())
    assert server.recordings["s1"].state == "complete"


def test_stop_on_a_full_disk_waits_for_room(server: CaptureServer, tmp_path: Path, disk: Disk) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path) as run:
            await fill(run, disk)
            await run.press("stop")
            await asyncio.sleep(0.5)
            assert run.window.detail["state"] == "paused"
            disk.error = None
            await run.until(lambda: run.window.detail["state"] == "uploaded")

    asyncio.run(act())
    ends = [(event.type, event.data.get("reason")) for event in server.recordings["s1"].events[-3:]]
    assert ends == [("recorder_gap", "the disk was full"), ("task_stop", "user"), ("session_end", "user")]


def test_a_browser_closed_on_a_full_disk_names_the_ways_on(
    server: CaptureServer, home: Path, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    async def act() -> None:
        async with a_run(server, home) as run:
            await fill(run, disk)
            run.close_browser()
            assert run.running is not None
            with pytest.raises(IncompleteError, match=r"capture resume, .* capture upload"):
                await run.running

    asyncio.run(act())
    disk.error = None
    assert run(["capture", "upload", "--home", str(home)]) == 0
    recording = server.recordings["s1"]
    assert (recording.state, recording.events[-1].data["reason"]) == ("complete", "crash")


def test_a_person_who_paused_is_not_recorded_when_there_is_room(
    server: CaptureServer, tmp_path: Path, disk: Disk
) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path) as run:
            await run.press("start", until="recording")
            disk.error = errno.ENOSPC
            await run.press("pause", until="paused")
            disk.error = None
            await run.until(lambda: run.window.detail["problem"] is None and "pause" in run.types())
            await run.click()
            assert run.types()[-2:] == ["recorder_gap", "pause"]

    asyncio.run(act())


def test_a_disk_that_is_nearly_full_pauses_in_time(
    server: CaptureServer, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = 60_000_000
    monkeypatch.setattr(upkeep, "disk_free", lambda folder: free)

    async def act() -> None:
        nonlocal free
        async with a_run(server, tmp_path) as run:
            await run.press("start", until="recording")
            free = 40_000_000
            await run.until(lambda: run.window.detail["state"] == "paused")
            free = 60_000_000  # not enough to begin again and stop again
            await asyncio.sleep(0.4)
            assert run.window.detail["state"] == "paused"
            free = 90_000_000
            await run.until(lambda: run.window.detail["state"] == "recording")

    asyncio.run(act())


def test_a_disk_that_does_not_confirm_is_shown_until_it_does(server: CaptureServer, tmp_path: Path, disk: Disk) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path) as run:
            await run.press("start", until="recording")
            disk.fsync_error = errno.EIO
            await run.click()
            await run.until(lambda: "does not confirm" in (run.window.detail["problem"] or ""))
            assert "does not confirm" in run.problems[-1]
            disk.fsync_error = None
            await run.until(lambda: run.window.detail["problem"] is None)

    asyncio.run(act())


def test_a_start_on_a_full_disk_is_a_sentence_and_works_later(
    server: CaptureServer, tmp_path: Path, disk: Disk
) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path) as run:
            disk.error = errno.ENOSPC
            await run.press("start")
            await run.until(lambda: "The disk is full" in (run.window.detail.get("problem") or ""))
            disk.error = None
            await run.until(lambda: run.window.detail["state"] == "recording")
            await run.press("stop", until="uploaded")

    asyncio.run(act())
    assert [event.type for event in server.recordings["s1"].events[:2]] == ["session_start", "task_start"]


def test_a_command_that_failed_is_no_problem_for_ever(
    server: CaptureServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(spool: Spool, from_seq: int) -> int:
        raise OSError(errno.EIO, "broken")

    async def act() -> None:
        async with a_run(server, tmp_path) as run:
            await run.press("start", until="recording")
            with monkeypatch.context() as patch:
                patch.setattr(Spool, "forget", refuse)
                await run.press("forget", minutes=5)
                await run.until(lambda: "Forget failed" in (run.window.detail["problem"] or ""))
            await run.press("forget", minutes=5)
            await run.until(lambda: run.window.detail["problem"] is None)

    asyncio.run(act())
