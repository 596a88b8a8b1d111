"""A scripted person in a real Chromium: the visits, and the search they add up to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import START, Person, Recorded, files_below, paired_home, record
from tests.browser_capture.tour import PAGES, SECRET, tour
from tests.fakes import LocalSite

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """Record the whole tour once."""
    folder = tmp_path_factory.mktemp("tour")
    with LocalSite(PAGES) as site, CaptureServer(start_url=START) as server:
        yield record(tour, site, server, paired_home(folder / "home", server))


def test_a_search_is_one_chain_from_query_to_snapshot(toured: Recorded) -> None:
    query, page, click = toured.trajectory.queries[0], toured.trajectory.result_pages[0], toured.trajectory.clicks[0]
    home, results, one = toured.trajectory.visits[:3]
    assert (query.text, query.engine, query.how, query.visit) == ("how high", "google", "box", results.visit)
    assert (page.query, page.status, page.visit, len(page.results)) == (query.seq, "ok", results.visit, 2)
    assert (click.result_page, click.rank, click.to_visit) == (page.seq, 1, one.visit)
    assert (one.from_visit, one.reached_from, home.reached_from) == (results.visit, query.seq, None)
    assert page.snapshot in results.snapshots
    assert "The height is 42 metres." in toured.text_of(one.snapshots[-1])


def test_each_way_of_moving_is_a_visit_of_its_kind(toured: Recorded) -> None:
    moves = [(visit.kind, visit.cause, visit.url) for visit in toured.trajectory.visits[:8]]
    assert moves == [
        ("new", "unknown", "http://www.google.com/"),
        ("new", "form", "http://www.google.com/search?q=how+high"),
        ("new", "click", "http://a.example/one"),
        ("new", "click", "http://a.example/deep"),
        ("bfcache", "history", "http://a.example/one"),
        ("bfcache", "history", "http://a.example/deep"),
        ("reload", "reload", "http://a.example/deep"),
        ("new", "address_bar", "http://a.example/one?tabs"),
    ]


def test_pages_reached_by_links_descend_from_the_query_and_typed_ones_do_not(toured: Recorded) -> None:
    query = toured.trajectory.queries[0].seq
    assert [visit.reached_from for visit in toured.trajectory.visits[1:8]] == [query] * 6 + [None]


@pytest.mark.parametrize(("nth", "cause"), [(0, "click"), (1, "click"), (2, "script")], ids=["blank", "ctrl", "open"])
def test_a_new_tab_comes_from_the_click_and_page_that_opened_it(toured: Recorded, nth: int, cause: str) -> None:
    opener = toured.visit_to("http://a.example/one?tabs")
    other = [visit for visit in toured.trajectory.visits if visit.tab != opener.tab][nth]
    clicks = [event.seq for event in toured.of_type("click") if event.visit == opener.visit]
    assert (other.from_visit, other.cause, other.cause_seq) == (opener.visit, cause, clicks[nth])
    assert other.tab in [event.tab for event in toured.of_type("tab_close")]


def test_every_visit_has_a_snapshot_and_a_dwell_time(toured: Recorded) -> None:
    assert [visit.url for visit in toured.trajectory.visits if not visit.snapshots or not visit.dwell_ms] == []


def test_the_start_says_how_large_the_screen_is(toured: Recorded) -> None:
    (start,) = toured.of_type("session_start")
    assert min(start.data["screen"].values()) > 0


def test_an_address_rewritten_thirty_times_is_one_visit(toured: Recorded) -> None:
    urls = [visit.url for visit in toured.trajectory.visits if visit.url.startswith("http://app.example/app")]
    assert urls == ["http://app.example/app", "http://app.example/app?step=30"]


def test_text_filled_in_late_is_in_the_last_snapshot(toured: Recorded) -> None:
    first, *_, last = (toured.text_of(found) for found in toured.visit_to("http://app.example/late").snapshots)
    assert ("came later" in first, "came later" in last) == (False, True)


def test_a_page_that_never_ends_loading_is_kept(toured: Recorded) -> None:
    assert toured.text_of(toured.visit_to("http://app.example/slow").snapshots[0]) == "here already"


def test_a_page_of_ten_thousand_links_is_kept_whole(toured: Recorded) -> None:
    assert toured.text_of(toured.visit_to("http://app.example/many").snapshots[0]).endswith("link 9999")


def test_a_redirect_and_an_error_page_are_told_by_the_network(toured: Recorded) -> None:
    gone = toured.visit_to("http://app.example/gone")
    click = next(click for click in toured.trajectory.clicks if click.to_url == "http://app.example/go")
    answers = [(event.data["status"], event.url) for event in toured.of_type("response")]
    assert (gone.cause, gone.cause_seq, click.to_visit) == ("click", click.seq, gone.visit)
    assert {(302, "http://app.example/go"), (410, "http://app.example/gone")} <= set(answers)
    assert [(event.data["kind"], event.visit) for event in toured.of_type("interstitial")] == [
        ("http_error", gone.visit)
    ]


def test_a_pdf_is_kept_as_it_came_with_its_text(toured: Recorded) -> None:
    assert [toured.text_of(found) for found in toured.visit_to("http://app.example/paper.pdf").snapshots] == [
        "Deprecated in 3.11"
    ]


def test_what_is_typed_is_in_no_event_and_no_page(toured: Recorded) -> None:
    assert toured.visit_to("http://app.example/form").snapshots
    assert not [event for event in toured.events if SECRET in str(event)]
    assert not [sha for sha, data in toured.server.blobs.items() if SECRET.encode() in data]


def test_a_dialog_waits_for_the_person_and_is_noted(toured: Recorded) -> None:
    assert [(event.data["kind"], event.url) for event in toured.of_type("dialog")] == [
        ("confirm", "http://app.example/asks")
    ]


def test_pages_of_the_annotation_server_are_not_recorded(toured: Recorded) -> None:
    assert not [event for event in toured.events if toured.server.url in str(event)]


def test_an_address_with_a_query_is_a_query(toured: Recorded) -> None:
    query = toured.trajectory.queries[-1]
    assert (query.text, query.how, len(toured.trajectory.queries)) == ("second query", "address_bar", 2)


def test_nothing_is_missing_and_nothing_was_said(toured: Recorded) -> None:
    trajectory = toured.trajectory
    assert (trajectory.has_stop, trajectory.actor.kind) == (True, "script")
    gone = ("interstitial", "http://app.example/gone")
    assert [(notice.kind, notice.url) for notice in trajectory.notices] == [gone]
    assert (toured.exit_code, toured.said) == (0, "")


def test_a_frozen_page_does_not_hold_up_stop(site: LocalSite, server: CaptureServer, home: Path) -> None:
    site.pages["a.example", "/frozen"] = "<p>stuck</p><script>setTimeout(() => {for (;;);}, 500)</script>"

    async def act(person: Person) -> None:
        await person.main.goto("http://a.example/frozen")
        await asyncio.sleep(1.5)
        person.main = await person.context.new_page()

    recorded = record(act, site, server, home)
    assert (recorded.trajectory.has_stop, recorded.trajectory.visits[-1].url) == (True, "http://a.example/frozen")


def test_an_uploaded_recording_leaves_nothing_on_the_machine(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    async def act(person: Person) -> None:
        await person.main.goto("http://a.example/one")
        await person.dwell()

    record(act, site, server, home)
    assert sorted(path.name for path in files_below(home)) == ["credentials.json", "said.txt"]
