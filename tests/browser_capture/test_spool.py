"""The write-ahead log: what it keeps, what a crash may do to it, and what forgetting leaves."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from browser_capture.clock import system_clock
from browser_capture.errors import RecordError, SpoolDamaged
from browser_capture.event_log import Entry, EventLog
from browser_capture.log_lines import digest_of, read_lines
from browser_capture.page_store import PageStore
from browser_capture.spool import About, Spool, blobs_of, read_about
from tests.browser_capture.recordings import event, make_spool, put_page

ABOUT = About(session="s1", task="t1", server="http://server.example", created_at="2026-01-01T00:00:00.000Z")


def spool_of(folder: Path, *kinds: str) -> Spool:
    """Return an open spool with a few events without data."""
    spool = Spool.create(folder, ABOUT)
    for kind in kinds:
        spool.append(event(kind))
    return spool


def test_events_are_numbered_and_chained(tmp_path: Path) -> None:
    spool_of(tmp_path / "s", "pause", "resume", "pause").close()
    first, second, third = (line.event for line in read_lines(tmp_path / "s"))
    assert (first.seq, first.prev, second.seq, third.seq) == (1, None, 2, 3)
    assert second.prev is not None
    assert third.prev not in {None, second.prev}


def test_an_event_that_does_not_fit_gets_no_number(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s", "pause")
    with pytest.raises(RecordError):
        spool.append(event("visit"))
    assert spool.append(event("resume")).seq == 2
    spool.close()


TORN = [b'{"half', b"\x00\x00\x00\n", b"\n", b'{"half\n']


@pytest.mark.parametrize("tail", TORN)
def test_a_torn_last_line_is_left_out(tmp_path: Path, tail: bytes) -> None:
    spool_of(tmp_path / "s", "pause", "resume").close()
    with (tmp_path / "s" / "events.jsonl").open("ab") as file:
        file.write(tail)
    assert [line.event.type for line in read_lines(tmp_path / "s")] == ["pause", "resume"]


def test_a_reopened_log_goes_on_after_the_torn_line(tmp_path: Path) -> None:
    spool_of(tmp_path / "s", "pause").close()
    with (tmp_path / "s" / "events.jsonl").open("ab") as file:
        file.write(b'{"half')
    spool, _ = Spool.reopen(tmp_path / "s")
    spool.append(event("resume"))
    spool.close()
    assert [line.event.seq for line in read_lines(tmp_path / "s")] == [1, 2]


def test_damage_before_the_end_is_named(tmp_path: Path) -> None:
    spool_of(tmp_path / "s", "pause", "resume", "pause").close()
    path = tmp_path / "s" / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"resume"', b'"rescue"'))
    with pytest.raises(SpoolDamaged, match="line 2"):
        read_lines(tmp_path / "s")


def test_a_changed_line_breaks_the_chain(tmp_path: Path) -> None:
    spool_of(tmp_path / "s", "pause", "resume", "pause").close()
    path = tmp_path / "s" / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"type":"resume"', b'"type":"pause"'))
    with pytest.raises(SpoolDamaged, match=r"line 3.*follow"):
        read_lines(tmp_path / "s")


def test_only_the_owner_reads_a_recording(tmp_path: Path) -> None:
    spool_of(tmp_path / "s", "pause").close()
    assert stat.S_IMODE(os.stat(tmp_path / "s").st_mode) == 0o700
    assert stat.S_IMODE(os.stat(tmp_path / "s" / "events.jsonl").st_mode) == 0o600


def test_forgetting_leaves_tombstones_and_the_frame(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s", "pause", "resume")
    spool.append(event("copy", text="secret words"))
    spool.append(event("task_stop", reason="user"))
    assert spool.forget(1) == 1
    spool.append(event("session_end", reason="user"))
    spool.close()
    lines = read_lines(tmp_path / "s")
    assert [line.event.type for line in lines] == ["pause", "resume", "forgotten", "task_stop", "session_end"]
    assert b"secret" not in (tmp_path / "s" / "events.jsonl").read_bytes()


def test_forgetting_deletes_pages_that_no_kept_event_needs(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s")
    kept, gone = put_page(spool.pages, "kept"), put_page(spool.pages, "gone")
    for data in (kept, gone, kept):
        spool.append(event("snapshot", **data))
    assert spool.forget(2) == 2
    spool.close()
    assert (spool.pages.has(kept["id"]), spool.pages.has(gone["id"]), spool.pages.has(gone["text_sha"])) == (
        True,
        False,
        False,
    )


def test_forgetting_reaches_back_by_the_monotonic_clock(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s")
    for t_mono in (1_000, 2_000, 3_000):
        spool.append(event("copy", text="x", t_mono=t_mono))
    assert (spool.first_seq_since(1_500), spool.first_seq_since(9_000)) == (2, None)
    spool.close()


def test_the_digest_is_of_every_line(tmp_path: Path) -> None:
    folder = make_spool(tmp_path, "http://server.example")
    lines = read_lines(folder)
    assert digest_of(lines) != digest_of(lines[:-1])
    assert (len(lines), len(blobs_of(lines[3].event, PageStore(folder / "pages")))) == (7, 3)


def test_a_folder_without_about_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(SpoolDamaged, match=r"about\.json"):
        read_about(tmp_path)


def test_a_disk_that_did_not_confirm_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spool = spool_of(tmp_path / "s")
    log = EventLog(lambda: spool, "s1", "t1", system_clock())
    log.set_state("recording")
    log.put(Entry("pause", "panel"))
    answers = iter([OSError("busy"), None])
    monkeypatch.setattr(spool, "sync", lambda: fail(next(answers)))
    with pytest.raises(OSError, match="busy"):
        log.sync()
    log.sync()
    assert next(answers, "asked twice") == "asked twice"
    monkeypatch.undo()
    spool.close()


def fail(error: OSError | None) -> None:
    """Raise an error where there is one."""
    if error is not None:
        raise error
