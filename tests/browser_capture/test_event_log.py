"""What does not fit into a log is cut, or leaves a word that it is missing; nothing comes after the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_capture.clock import Clock
from browser_capture.event_log import Entry, EventLog
from browser_capture.events import Event
from browser_capture.log_lines import read_lines
from browser_capture.spool import About, Spool


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    """Yield a log that records."""
    about = About(session="s1", task="t1", server="http://s.example", created_at="2026-01-01T00:00:00.000Z")
    found = EventLog(lambda: Spool.create(tmp_path / "s1", about), "s1", "t1", Clock(lambda: 1000, lambda: 1000))
    found.set_state("recording")
    yield found
    assert found.spool is not None
    found.spool.close()


def last_of(log: EventLog) -> Event:
    """Return what was written last."""
    assert log.spool is not None
    return [line.event for line in read_lines(log.spool.folder)][-1]


def test_an_address_of_a_megabyte_is_cut_and_its_event_kept(log: EventLog) -> None:
    far = "https://a.example/?" + "x" * 950_000
    log.put(Entry("nav_request", "nav", {"reason": "scriptInitiated", "to_url": far}, tab="t1"))
    assert last_of(log).data["to_url"] == far[:8000]


def test_a_page_whose_event_does_not_fit_is_said_not_to_be_kept(log: EventLog) -> None:
    parts = [{"sha": "a" * 64, "mime": "image/png", "bytes": 1}] * 9000
    data = {"id": "a" * 64, "trigger": "load", "parts": parts, "text_sha": "b" * 64}
    assert log.put(Entry("snapshot", "rec", data, tab="t1", visit="v1")) is None
    assert (last_of(log).type, last_of(log).visit, last_of(log).data["trigger"]) == ("snapshot_failed", "v1", "load")


def test_nothing_that_happens_is_written_after_the_end(log: EventLog) -> None:
    log.put(Entry("session_end", "rec", {"reason": "closed"}))
    assert log.put(Entry("tab_close", "target", {"reason": "closed"}, tab="t1")) is None
    assert last_of(log).type == "session_end"
