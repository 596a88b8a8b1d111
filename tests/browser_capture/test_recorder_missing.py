"""What a recording lacks is said in one place."""

from __future__ import annotations

from typing import Any

import pytest

from browser_capture.derivation import derive_trajectory
from browser_capture.events import Event
from browser_capture.missing import MISSING, missing_from

SHA = "0" * 64
URL = "https://a.example/"


def event(seq: int, kind: str, /, *, tab: str = "t1", at: str | None = None, **data: Any) -> Event:
    """Return an event of a session."""
    when = {"t_wall": seq, "t_mono": seq}
    return Event(session="s", seq=seq, type=kind, src="rec", task="t", tab=tab, visit=at, url=URL, data=data, **when)


def a_visit(seq: int, name: str, *, cause: str = "click", tab: str = "t1") -> Event:
    """Return the begin of a visit."""
    return event(seq, "visit", at=name, tab=tab, visit=name, kind="new", cause=cause)


def a_snapshot(seq: int, name: str, **more: Any) -> Event:
    """Return a snapshot of a visit."""
    return event(seq, "snapshot", at=name, id=SHA, trigger="load", text_sha=SHA, **more)


def recorded(*between: Event) -> dict[str, list[int]]:
    """Return what is missing from a recording with these events between Start and Stop: kinds, and where."""
    start, stop = event(1, "task_start", task="t"), event(len(between) + 2, "task_stop", reason="user")
    trajectory = derive_trajectory([start, *between, stop])
    return {kind: [notice.seq for notice in notices] for kind, notices in missing_from(trajectory).items()}


def test_nothing_is_missing_from_a_whole_recording() -> None:
    assert recorded(a_visit(2, "v1"), a_snapshot(3, "v1", ms=90, partial=False)) == {}


PARTS = [
    ([a_visit(2, "v1")], {"missing_snapshot": [2]}),
    ([a_visit(2, "v1"), a_snapshot(3, "v1", ms=6_000)], {"late_snapshot": [3]}),
    ([a_visit(2, "v1"), a_snapshot(3, "v1", partial=True)], {"partial_snapshot": [3]}),
    ([event(2, "recorder_gap", reason="crash", torn_bytes=17)], {"recorder_gap": [2], "torn_line": [2]}),
    ([event(2, "snapshot_failed", trigger="load", error="frozen")], {"snapshot_failed": [2]}),
    (
        [event(2, "serp", q="a", start=0, parse_status="suspect", parser_version="1", results=[])],
        {"suspect_result_page": [2]},
    ),
]


@pytest.mark.parametrize(("between", "missing"), PARTS)
def test_each_missing_part_is_named_with_its_place(between: list[Event], missing: dict[str, list[int]]) -> None:
    assert recorded(*between) == missing


def test_a_page_that_stood_open_needs_no_cause_and_the_next_one_does() -> None:
    events = [a_visit(2, "v1", cause="unknown"), a_snapshot(3, "v1"), a_visit(4, "v2", cause="unknown")]
    assert recorded(*events, a_snapshot(5, "v2")) == {"missing_cause": [4]}


def test_the_first_page_of_a_tab_that_came_later_needs_a_cause() -> None:
    opened = event(2, "tab_open", tab="t2", how="unknown")
    assert recorded(opened, a_visit(3, "v1", cause="unknown", tab="t2"), a_snapshot(4, "v1")) == {"missing_cause": [3]}


def test_every_kind_has_words() -> None:
    assert all(words and words[0].islower() for words in MISSING.values())
