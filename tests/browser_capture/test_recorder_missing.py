"""What a recording lacks is said in one place."""

from __future__ import annotations

from typing import Any

import pytest

from browser_capture.derivation import derive_trajectory
from browser_capture.events import Event
from browser_capture.missing import LONGEST_ADDRESS, MISSING, MOST_PAGES, missing_from, missing_in_words
from browser_capture.trajectory import Actor, Notice, Trajectory

SHA = "0" * 64
URL = "https://a.example/"


def event(seq: int, kind: str, /, *, tab: str = "t1", at: str | None = None, **data: Any) -> Event:
    """Return an event of a session."""
    return Event(
        session="s", seq=seq, type=kind, src="rec", t_wall=seq, t_mono=seq, task="t", tab=tab, visit=at, url=URL,
        data=data,
    )  # fmt: skip


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


def said(*notices: tuple[str, str | None]) -> list[tuple[str, tuple[str, ...]]]:
    """Return what a person is told of these notices: each a kind and an address."""
    found = tuple(Notice(seq=n, at="", kind=kind, url=url) for n, (kind, url) in enumerate(notices, 1))
    actor = Actor(kind="human", name="ada")
    trajectory = Trajectory(
        id="s", task=None, actor=actor, started_at="", ended_at=None, has_stop=True, notices=found
    )  # fmt: skip
    return [(part.text, part.pages) for part in missing_in_words(trajectory)]


def test_a_gap_says_from_when_to_when_and_why() -> None:
    times: dict[str, Any] = {"from": 1_000, "to": 61_000}
    gap = event(2, "recorder_gap", reason="the disk was full", **times)
    events = [event(1, "task_start", task="t"), gap, event(3, "task_stop", reason="user")]
    (part,) = missing_in_words(derive_trajectory(events), events)
    assert part.gaps == (("1970-01-01T00:00:01.000Z", "1970-01-01T00:01:01.000Z", "the disk was full"),)


@pytest.mark.parametrize(
    ("notices", "words"),
    [
        ([], []),
        ([("paused", None), ("forgotten", None)], []),
        ([("missing_snapshot", "/a")], [("1 page was not kept", ("/a",))]),
        ([("missing_snapshot", "/a"), ("missing_snapshot", "/a")], [("1 page was not kept", ("/a",))]),
        ([("missing_snapshot", "/a"), ("missing_snapshot", "/b")], [("2 pages were not kept", ("/a", "/b"))]),
        ([("missing_snapshot", "/a"), ("snapshot_failed", "/a")], [("1 page was not kept", ("/a",))]),
        ([("snapshot_failed", "/a")], [("1 page could not be kept at some moment", ("/a",))]),
        ([("recorder_gap", "/a")] * 2, [("2 times nothing was recorded for a while", ())]),
        ([("suspect_result_page", None)], [("The results of 1 search could not be read with certainty", ())]),
    ],
)
def test_what_is_missing_is_said_in_plain_words(
    notices: list[tuple[str, str | None]], words: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert said(*notices) == words


def test_long_addresses_and_long_lists_are_cut() -> None:
    ((text, pages),) = said(*(("missing_snapshot", f"{n}{'x' * 9_000}") for n in range(MOST_PAGES + 5)))
    assert (text, len(pages), pages[-1]) == ("25 pages were not kept", MOST_PAGES + 1, "and 5 more")
    assert max(len(page) for page in pages) == LONGEST_ADDRESS


@pytest.mark.parametrize("kind", MISSING)
def test_every_kind_is_said_for_one_and_for_several(kind: str) -> None:
    ((one, _),), ((several, _),) = said((kind, "/a")), said((kind, "/a"), (kind, "/b"))
    assert (one[0].upper() == one[0], "{}" in several) == (True, False)
    assert kind in {"missing_start", "missing_stop"} or "2" in several


def test_every_kind_has_words() -> None:
    assert all(words and words[0].islower() for words in MISSING.values())
