"""Result pages of a recording are read again, offline, and the newer reading stands in the old one's place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from browser_capture.derivation import derive_trajectory
from browser_capture.events import Event
from browser_capture.log_lines import read_lines
from browser_capture.page_store import Page, PageStore
from browser_capture.result_pages.google import PARSER_VERSION
from browser_capture.result_pages.rereading import kept_documents, serp_events_again
from browser_capture.spool import About, Spool
from browser_capture.trajectory import Trajectory
from exports.cli.root import run
from tests.browser_capture import result_page as pages
from tests.browser_capture.recordings import event

URL = "https://www.google.com/search?q=tides"
TWO = [("https://a.example/one", "One"), ("https://b.example/two", "Two")]


def make_recording(folder: Path, html: str, version: str = "google/1", status: str = "suspect") -> list[Event]:
    """Make a recording whose only result page an older parser did not understand; return its events."""
    spool = Spool.create(folder, About(session="s1", task="t1", server="http://s.example", created_at="x"))
    page = Page(
        url=URL, captured_at="2026-01-01T00:00:00.000Z", title="", text_sha=spool.pages.put(b""),
        root=spool.pages.put(html.encode()),
    )  # fmt: skip
    snapshot = spool.pages.put_page(page)
    serp = event(
        "serp", q="tides", start=0, engine="google", parse_status=status, parser_version=version, results=[],
        snapshot=snapshot, query=3,
    )  # fmt: skip
    for each in (
        event("task_start", task="t1"),
        event("visit", visit="v1", kind="new"),
        event("query", q="tides", engine="google", how="box", visit="v1"),
        event("snapshot", id=snapshot, trigger="load", text_sha=page.text_sha, parts=[]),
        serp,
        event("click", x=1, y=1, button=0, link_url="https://b.example/two", link_target_url="https://b.example/two"),
        event("task_stop", reason="user"),
    ):
        spool.append(replace(each, visit="v1", url=URL))
    spool.close()
    return [line.event for line in read_lines(folder)]


def read_again(folder: Path, events: list[Event]) -> tuple[list[Event], Trajectory]:
    """Return the events of the second reading, and the trajectory with them."""
    documents = kept_documents(PageStore(folder / "pages"))
    again = list(serp_events_again(derive_trajectory(events), documents, t_wall=2_000))
    return again, derive_trajectory([*events, *again])


def test_a_newer_parser_adds_an_event_that_names_the_old_one(tmp_path: Path) -> None:
    events = make_recording(tmp_path / "s1", pages.result_page("tides", TWO))
    (again,), _ = read_again(tmp_path / "s1", events)
    assert (again.seq, again.type, again.visit, again.url, again.t_wall) == (8, "serp", "v1", URL, 2_000)
    assert (again.data["rereads"], again.data["parser_version"], again.data["query"]) == (5, PARSER_VERSION, 3)


def test_the_newer_reading_stands_in_the_old_ones_place(tmp_path: Path) -> None:
    events = make_recording(tmp_path / "s1", pages.result_page("tides", TWO))
    before = derive_trajectory(events)
    _, after = read_again(tmp_path / "s1", events)
    assert [(p.seq, p.at, p.query) for p in after.result_pages] == [(p.seq, p.at, p.query) for p in before.result_pages]
    assert [(p.status, len(p.results)) for p in after.result_pages] == [("ok", 2)]
    assert [(click.result_page, click.rank) for click in after.clicks] == [(5, 2)]


def test_a_doubt_that_a_newer_parser_does_not_share_is_gone(tmp_path: Path) -> None:
    events = make_recording(tmp_path / "s1", pages.result_page("tides", TWO))
    _, after = read_again(tmp_path / "s1", events)
    assert "suspect_result_page" in [notice.kind for notice in derive_trajectory(events).notices]
    assert "suspect_result_page" not in [notice.kind for notice in after.notices]


def test_a_doubt_that_only_the_newer_parser_has_is_noted_at_the_page(tmp_path: Path) -> None:
    events = make_recording(tmp_path / "s1", pages.page_with(), status="ok")
    _, after = read_again(tmp_path / "s1", events)
    assert [notice.seq for notice in after.notices if notice.kind == "suspect_result_page"] == [5]


def test_what_today_s_parser_has_read_is_not_read_again(tmp_path: Path) -> None:
    events = make_recording(tmp_path / "s1", pages.result_page("tides", TWO), version=PARSER_VERSION)
    assert read_again(tmp_path / "s1", events)[0] == []


def test_a_page_whose_snapshot_is_gone_stays_as_it_was_read(tmp_path: Path) -> None:
    events = make_recording(tmp_path / "s1", pages.result_page("tides", TWO))
    store = PageStore(tmp_path / "s1" / "pages")
    for sha in list(store.shas()):
        store.delete(sha)
    again, after = read_again(tmp_path / "s1", events)
    assert (again, after) == ([], derive_trajectory(events))


def test_the_command_shows_what_a_recordings_pages_become(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_recording(tmp_path / "s1", pages.result_page("tides", TWO))
    assert run(["capture", "parse-serp", str(tmp_path / "s1"), "--json"]) == 0
    (page,) = json.loads(capsys.readouterr().out)["pages"]
    assert (page["query"], page["was"]["status"], page["now"]["status"], page["now"]["results"]) == (
        "tides", "suspect", "ok", 2,
    )  # fmt: skip
    assert run(["capture", "parse-serp", str(tmp_path / "s1")]) == 0
    assert "ok, 2 results" in " ".join(capsys.readouterr().out.split())


def test_the_command_leaves_with_four_where_doubt_remains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_recording(tmp_path / "s1", pages.page_with())
    assert run(["capture", "parse-serp", str(tmp_path / "s1")]) == 4
    assert "1 of 1 result pages cannot be read with certainty" in capsys.readouterr().err


def test_a_folder_that_is_no_recording_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["capture", "parse-serp", str(tmp_path)]) == 2
    assert "is no recording" in capsys.readouterr().err
