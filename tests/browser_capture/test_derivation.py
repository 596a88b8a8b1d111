"""From events to a trajectory: the chain, and what is missing from it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from browser_capture.derivation import derive_trajectory
from browser_capture.events import Event
from browser_capture.json_records import from_json, to_json
from browser_capture.trajectory import Trajectory

SERP = "https://www.google.com/search?q=high"
SHA = "0" * 64


def event(seq: int, event_type: str, /, *, at: str | None = None, url: str | None = None, **data: Any) -> Event:
    """Return an event of a session, in the visit `at`, one second after the one before it."""
    return Event(
        session="s", seq=seq, type=event_type, src="rec", t_wall=1000 * seq, t_mono=1000 * seq, task="t",
        visit=at, url=url, data=data,
    )  # fmt: skip


def visit(seq: int, name: str, url: str, kind: str = "new", **data: Any) -> Event:
    """Return the begin of a visit."""
    return event(seq, "visit", at=name, url=url, visit=name, kind=kind, **data)


def snapshot(seq: int, name: str, url: str) -> Event:
    """Return a snapshot of a visit."""
    return event(seq, "snapshot", at=name, url=url, id=SHA, trigger="load", text_sha=SHA, title="Title")


def a_search() -> list[Event]:
    """Return a search with a query, a click on the second result, a link from there, and the way back."""
    results = [{"rank": n, "abs_rank": n, "title": str(n), "url": f"https://r{n}.example/"} for n in (1, 2)]
    serp = {"q": "high", "start": 0, "parse_status": "ok", "parser_version": "google/1", "results": results}
    return [
        event(1, "session_start", recorder="r", browser="b", actor={"kind": "human", "name": "ada"}),
        event(2, "task_start", task="t"),
        visit(3, "v1", SERP, cause="address_bar"),
        event(4, "query", at="v1", url=SERP, engine="google", q="high", how="address_bar", language="de"),
        event(5, "click", at="v1", url=SERP, link_url="https://r2.example/", link_text="Two"),
        snapshot(6, "v1", SERP),
        event(7, "serp", at="v1", url=SERP, engine="google", snapshot=SHA, query=4, **serp),
        event(8, "visit_end", at="v1", dwell_ms=4000.4, active_ms=None, visit="v1"),
        visit(9, "v2", "https://r2.example/", from_visit="v1", cause="click", cause_seq=5),
        snapshot(10, "v2", "https://r2.example/"),
        event(11, "copy", at="v2", url="https://r2.example/", text="42 metres"),
        visit(12, "v3", "https://r2.example/deep", from_visit="v2", cause="click"),
        snapshot(13, "v3", "https://r2.example/deep"),
        visit(14, "v4", SERP, "bfcache", from_visit="v3", cause="history"),
        snapshot(15, "v4", SERP),
        event(16, "click", at="v4", url=SERP, link_url="https://r1.example/"),
        visit(17, "v5", "https://typed.example/", from_visit="v4", cause="address_bar"),
        snapshot(18, "v5", "https://typed.example/"),
        event(19, "task_stop", reason="user"),
    ]


def derived(events: list[Event]) -> Trajectory:
    """Derive, and see that the record fits its schema."""
    return from_json(Trajectory, to_json(derive_trajectory(events)))


def without(events: list[Event], *seqs: int) -> list[Event]:
    """Return the events but some."""
    return [event for event in events if event.seq not in seqs]


def kinds(trajectory: Trajectory) -> list[str]:
    """Return the kinds of the notices."""
    return [notice.kind for notice in trajectory.notices]


def test_the_chain_of_a_search() -> None:
    found = derived(a_search())
    query, page, click = found.queries[0], found.result_pages[0], found.clicks[0]
    assert (query.text, query.how, query.visit, dict(query.locale)) == ("high", "address_bar", "v1", {"language": "de"})
    assert (page.query, page.visit, page.snapshot, len(page.results)) == (4, "v1", SHA, 2)
    assert (click.result_page, click.rank, click.from_visit, click.to_visit) == (7, 2, "v1", "v2")
    assert found.visits[1].snapshots == (SHA,)
    assert [(mark.quote, mark.visit) for mark in found.marks] == [("42 metres", "v2")]


def test_a_visit_descends_from_its_query_until_an_address_is_typed() -> None:
    assert [visit.reached_from for visit in derived(a_search()).visits] == [4, 4, 4, 4, None]


def test_a_click_on_a_page_of_results_that_came_back_has_its_rank() -> None:
    assert (derived(a_search()).clicks[1].result_page, derived(a_search()).clicks[1].rank) == (7, 1)


def test_times_and_dwell_come_from_the_events() -> None:
    found = derived(a_search())
    assert (found.started_at, found.ended_at) == ("1970-01-01T00:00:02.000Z", "1970-01-01T00:00:19.000Z")
    assert (found.visits[0].dwell_ms, found.visits[0].active_ms, found.visits[0].title) == (4000, None, "Title")


def test_the_order_of_arrival_and_repetition_change_nothing() -> None:
    events = a_search()
    shuffled = [*events, events[4]]
    random.Random(1).shuffle(shuffled)
    assert derive_trajectory(shuffled) == derive_trajectory(events)


MISSING = [
    ((19,), ["missing_stop"]),
    ((2,), ["missing_start", "gap"]),
    ((11,), ["gap"]),
    ((10,), ["missing_snapshot", "gap"]),
]


@pytest.mark.parametrize(("left_out", "notices"), MISSING)
def test_what_is_missing_is_said(left_out: tuple[int, ...], notices: list[str]) -> None:
    assert kinds(derived(without(a_search(), *left_out))) == notices


SAID = [
    (event(20, "recorder_gap", reason="crash"), "recorder_gap"),
    (event(20, "interstitial", kind="captcha"), "interstitial"),
    (event(20, "policy", rule="engine", detail="bing"), "other_engine"),
    (event(20, "policy", rule="banned_host", detail="chatgpt.com"), "model_host"),
    (event(20, "policy", rule="ai_summary_expanded", detail="opened"), "ai_summary_expanded"),
    (event(20, "snapshot_failed", trigger="load", error="frozen"), "snapshot_failed"),
    (event(20, "forget", from_seq=1, to_seq=2), "forgotten"),
    (event(20, "pause"), "paused"),
    (event(20, "task_stop", reason="closed"), "stopped_by"),
]


@pytest.mark.parametrize(("more", "kind"), SAID)
def test_what_a_reviewer_should_know_is_a_notice(more: Event, kind: str) -> None:
    assert kinds(derived([*a_search(), more])) == [kind]


def test_a_pause_says_until_when_it_lasted() -> None:
    found = derived([*a_search(), event(20, "pause"), event(21, "resume"), event(22, "pause")])
    assert [(notice.kind, notice.detail[:6]) for notice in found.notices] == [("paused", "until "), ("paused", "")]


def test_a_click_that_a_page_made_up_is_no_click() -> None:
    made_up = event(20, "click", at="v5", url="https://typed.example/", link_url="https://x.example/", trusted=False)
    assert len(derived([*a_search(), made_up]).clicks) == 2


def test_forgotten_entries_leave_no_trace_in_the_chain() -> None:
    events = [event(e.seq, "forgotten", hash=SHA) if e.seq >= 9 and e.seq < 19 else e for e in a_search()]
    found = derived(events)
    assert ([visit.visit for visit in found.visits], found.has_stop, kinds(found)) == (["v1"], True, [])


def test_no_events_give_no_trajectory() -> None:
    with pytest.raises(ValueError, match="without events"):
        derive_trajectory([])


@pytest.mark.parametrize("between", [False, True])
def test_a_result_behind_a_sealed_link_has_the_address_its_click_led_to(between: bool) -> None:
    sealed = "https://www.google.com/goto?url=CAESegHrOzAVXrOxTz8MiFgIt6wo"
    results = [{"rank": 1, "abs_rank": 1, "title": "1", "url": sealed}]
    results.append({"rank": 2, "abs_rank": 2, "title": "2", "url": f"{sealed}Another"})
    serp = {"q": "high", "start": 0, "parse_status": "ok", "parser_version": "google/2", "results": results}
    arrival = [visit(4, "v2", "https://r1.example/", from_visit="v1", cause="click", cause_seq=3)]
    if between:
        arrival = [
            visit(4, "v2", sealed, from_visit="v1", cause="click", cause_seq=3),
            visit(5, "v3", "https://r1.example/", from_visit="v2", cause="script"),
        ]
    found = derived(
        [
            visit(1, "v1", SERP, cause="address_bar"),
            event(2, "serp", at="v1", url=SERP, engine="google", **serp),
            event(3, "click", at="v1", url=SERP, link_url=sealed),
            *arrival,
        ]
    )
    assert [result.url for result in found.result_pages[0].results] == ["https://r1.example/", f"{sealed}Another"]
    assert found.clicks[0].rank == 1


def test_a_visit_cut_short_by_a_crash_tells_how_long_and_how_far_it_was_seen() -> None:
    events = [
        event(1, "task_start", task="t"),
        visit(2, "v1", "https://a.example/", cause="address_bar"),
        event(3, "visibility", at="v1", state="visible", focused=True),
        event(4, "scroll", at="v1", depth=0.9),
        event(5, "scroll", at="v1", depth=0.4),
        event(6, "visibility", at="v1", state="hidden", focused=False),
        event(8, "visit_end", at="v1", dwell_ms=5000, active_ms=None, visit="v1"),
    ]
    (found,) = derive_trajectory(events).visits
    assert (found.active_ms, found.depth) == (3000, 0.9)


@pytest.mark.parametrize(("cause", "seconds", "missing"), [("script", 1, 1), ("script", 3, 2), ("click", 1, 2)])
def test_a_page_that_sends_on_at_once_need_not_be_kept(cause: str, seconds: int, missing: int) -> None:
    events = [
        event(1, "task_start", task="t"),
        visit(2, "v1", "https://a.example/", cause="address_bar"),
        visit(2 + seconds, "v2", "https://a.example/next", cause=cause, from_visit="v1"),
    ]
    kinds = [notice.kind for notice in derive_trajectory(events).notices]
    assert kinds.count("missing_snapshot") == missing
