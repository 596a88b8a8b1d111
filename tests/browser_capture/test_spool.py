"""The write-ahead log: what it keeps, what a crash may do to it, and what forgetting leaves."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from browser_capture import log_lines
from browser_capture.clock import system_clock
from browser_capture.errors import RecordError, SpoolDamaged
from browser_capture.event_log import Entry, EventLog
from browser_capture.log_lines import Line, LogTail, digest_of, read_lines
from browser_capture.page_store import PageStore
from browser_capture.spool import About, Spool, blobs_of, read_about, remove_spool, spools
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
    unnamed = spool.pages.put(b"<p>the same text in other HTML</p>")
    for data in (kept, gone, kept):
        spool.append(event("snapshot", **data))
    assert spool.forget(2) == 2
    spool.close()
    left = [spool.pages.has(sha) for sha in (kept["id"], gone["id"], gone["text_sha"], unnamed)]
    assert left == [True, False, False, False]


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


def test_a_growing_log_is_read_from_where_the_last_look_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spool = spool_of(tmp_path / "s", "pause", "resume")
    tail = LogTail(tmp_path / "s")
    assert len(tail.read()) == 2
    checked: list[bytes] = []
    check = log_lines._checked_line

    def noted(raw: bytes, before: Line | None, number: int) -> Line:
        checked.append(raw)
        return check(raw, before, number)

    monkeypatch.setattr(log_lines, "_checked_line", noted)
    spool.append(event("pause"))
    assert ([line.event.seq for line in tail.read()], len(checked)) == ([1, 2, 3], 1)
    spool.close()


def test_a_line_that_is_being_written_is_read_when_it_is_whole(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s", "pause")
    tail, path = LogTail(tmp_path / "s"), tmp_path / "s" / "events.jsonl"
    spool.append(event("resume"))
    spool.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    assert len(tail.read()) == 1
    with path.open("ab") as file:
        file.write(whole[-30:])
    assert len(tail.read()) == 2


def test_a_log_that_was_rewritten_is_read_anew(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s", "pause")
    spool.append(event("copy", text="secret"))
    tail = LogTail(tmp_path / "s")
    tail.read()
    assert tail.is_current()
    spool.forget(2)
    assert not tail.is_current()
    spool.append(event("resume"))
    assert [line.event.type for line in tail.read()] == ["pause", "forgotten", "resume"]
    spool.close()


def test_forgetting_twice_and_going_on_keeps_numbers_and_chain(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s", "pause")
    for _ in range(2):
        spool.append(event("copy", text="secret"))
        spool.append(event("copy", text="more"))
        assert spool.forget(spool.last_seq - 1) == 2
    spool.close()
    spool, lines = Spool.reopen(tmp_path / "s")
    assert [line.event.type for line in lines] == ["pause", *["forgotten"] * 4]
    assert spool.forget(1) == 0
    spool.append(event("copy", text="kept"))
    assert (spool.forget(6), [line.event.seq for line in read_lines(tmp_path / "s")]) == (1, [1, 2, 3, 4, 5, 6])
    spool.close()


def test_a_reopened_recording_has_no_page_that_no_event_names(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s")
    named, orphan = put_page(spool.pages, "named"), put_page(spool.pages, "orphan")
    spool.append(event("snapshot", **named))
    (tmp_path / "s" / "events.jsonl.new").write_text("half")
    spool.close()
    spool, _ = Spool.reopen(tmp_path / "s")
    assert (spool.pages.has(named["id"]), spool.pages.has(orphan["id"])) == (True, False)
    assert not (tmp_path / "s" / "events.jsonl.new").exists()
    spool.close()


def test_a_removal_that_is_cut_short_leaves_nothing_that_looks_like_a_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_spool(tmp_path, "http://server.example")

    def cut_short(path: Path) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr("browser_capture.spool.shutil.rmtree", cut_short)
        with pytest.raises(OSError, match="killed"):
            remove_spool(folder)
    assert list(spools(tmp_path)) == []


def test_a_line_too_long_for_any_server_gets_no_number(tmp_path: Path) -> None:
    spool = spool_of(tmp_path / "s", "pause")
    with pytest.raises(RecordError, match="characters"):
        spool.append(event("task_start", task="x" * 1_000_000))
    assert spool.append(event("resume")).seq == 2
    spool.close()


def test_a_disk_that_did_not_confirm_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spool = spool_of(tmp_path / "s")
    log = EventLog(lambda: spool, "s1", "t1", system_clock())
    log.set_state("recording")
    log.put(Entry("pause", "panel"))
    answers = iter([OSError("busy"), None])
    monkeypatch.setattr(spool, "sync", lambda: fail(next(answers)))
    log.sync()
    assert log.problem == "The disk does not confirm what is recorded (busy). It is asked again."
    log.sync()
    assert log.problem is None
    assert next(answers, "asked twice") == "asked twice"
    monkeypatch.undo()
    spool.close()


def fail(error: OSError | None) -> None:
    """Raise an error where there is one."""
    if error is not None:
        raise error
