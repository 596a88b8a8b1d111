"""Faults planted in a clean recording are found, and the clean recording raises none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from browser_capture.page_store import PageStore
from browser_capture.policy import Policy
from browser_capture.trajectory import Notice, Query, ResultPage, Trajectory, Visit
from tests.verifier.builders import page_store, recording
from verifier.checks.log_quality import check_log

ABOUT = ("Which moons of Saturn were found before 1900?", "Titan")

Plant = Callable[[Trajectory], Trajectory]
"""Damages a recording."""


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    return page_store(tmp_path)


@pytest.fixture
def clean(store: PageStore) -> Trajectory:
    return recording(store, {"https://a.example/titan": ("Titan", "1655"), "https://b.example/rhea": ("Rhea", "1672")})


def visit(
    url: str, seq: int, title: str = "", *, reached_from: int | None = None, is_result_page: bool = False
) -> Visit:
    at = f"2026-01-01T00:00:{seq:02d}.000Z"
    return Visit(
        visit=url, seq=seq, at=at, url=url, kind="new", title=title, reached_from=reached_from,
        is_result_page=is_result_page,
    )  # fmt: skip


def query(text: str, seq: int, engine: str = "google") -> Query:
    return Query(seq=seq, at=f"2026-01-01T00:00:{seq:02d}.000Z", text=text, engine=engine)


def result_page(status: Literal["ok", "suspect"], *, blocks: Mapping[str, int] | None = None) -> ResultPage:
    return ResultPage(seq=3, at="", query=1, text="moons", engine="google", status=status, blocks=blocks or {})


def with_visit(one: Visit) -> Plant:
    return lambda log: replace(log, visits=(*log.visits, one))


PLANTED: list[tuple[str, str, Plant]] = [
    ("no_query", "fail", lambda log: replace(log, queries=())),
    ("search_before_start", "fail",
     lambda log: replace(log, result_pages=(replace(result_page("ok"), seq=0, query=None),))),
    ("page_before_query", "fail", with_visit(visit("https://saturn.example/", 0, "Saturn"))),
    ("missing_stop", "fail", lambda log: replace(log, has_stop=False, ended_at=None)),
    ("after_stop", "warn", lambda log: replace(log, ended_at="2026-01-01T00:00:01.500Z")),
    ("other_engine", "fail", lambda log: replace(log, queries=(*log.queries, query("saturn moons", 20, "bing")))),
    ("other_engine", "fail", with_visit(visit("https://www.bing.com/search?q=saturn", 20))),
    ("model_host", "fail", with_visit(visit("https://chatgpt.com/", 20))),
    ("unrelated_query", "warn", lambda log: replace(log, queries=(*log.queries, query("cheap flights", 20)))),
    ("unrelated_visit", "warn", with_visit(visit("https://mail.example/", 20, "Inbox"))),
    ("missing_snapshot", "warn", with_visit(visit("https://c.example/saturn", 20, "Saturn", reached_from=1))),
    ("gap", "warn", lambda log: replace(log, notices=(Notice(seq=7, at="", kind="gap", detail="3 lost"),))),
    ("policy", "fail", lambda log: replace(log, notices=(Notice(seq=7, at="", kind="policy"),))),
    ("result_page", "warn", lambda log: replace(log, result_pages=(result_page("suspect"),))),
    ("ai_summary", "pass", lambda log: replace(log, result_pages=(result_page("ok", blocks={"ai_overview": 1}),))),
    ("clock_jump", "warn", lambda log: replace(log, queries=(replace(log.queries[0], at="2026-01-01T00:10:00.000Z"),))),
    ("long_gap", "warn", lambda log: replace(log, queries=(replace(log.queries[0], at="2025-12-31T00:00:00.000Z"),))),
]  # fmt: skip


def test_a_clean_recording_passes_without_a_finding(clean: Trajectory, store: PageStore) -> None:
    result = check_log(clean, store, about=ABOUT)
    assert (result.verdict, result.findings) == ("pass", ())
    assert result.figures == {"queries": 1, "visits": 2, "snapshots": 2, "missing": 0.0}


@pytest.mark.parametrize(("code", "verdict", "plant"), PLANTED, ids=[f"{c}-{v}" for c, v, _ in PLANTED])
def test_a_planted_fault_is_found(clean: Trajectory, store: PageStore, code: str, verdict: str, plant: Plant) -> None:
    result = check_log(plant(clean), store, about=ABOUT)
    assert code in {finding.code for finding in result.findings}
    assert result.verdict == verdict


def test_what_the_project_allows_is_no_fault(clean: Trajectory, store: PageStore) -> None:
    pages = (visit("https://search.brave.com/", 20), visit("https://chatgpt.com/", 21, "Titan"))
    log = replace(clean, queries=(*clean.queries, query("saturn moons", 20, "brave")), visits=(*clean.visits, *pages))
    policy = Policy(allowed_engines=("google", "brave"), banned_hosts=())
    codes = {"other_engine", "model_host"}
    assert codes & {finding.code for finding in check_log(log, store, about=ABOUT).findings} == codes
    assert not codes & {finding.code for finding in check_log(log, store, about=ABOUT, policy=policy).findings}


def test_a_breach_that_the_recorder_noted_is_told_once(clean: Trajectory, store: PageStore) -> None:
    page = visit("https://www.bing.com/search?q=saturn", 20, is_result_page=True)
    asked = replace(query("saturn moons", 20, "bing"), visit=page.visit)
    notice = Notice(seq=21, at="", kind="other_engine", detail="bing", url=page.url)
    log = replace(clean, queries=(*clean.queries, asked), visits=(*clean.visits, page), notices=(notice,))
    found = [finding.event for finding in check_log(log, store, about=ABOUT).findings if finding.code == "other_engine"]
    assert found == [21]


def test_a_missing_blob_is_found(clean: Trajectory, store: PageStore) -> None:
    store.delete(clean.snapshots[0].id)
    (finding,) = check_log(clean, store, about=ABOUT).findings
    assert (finding.code, finding.event, finding.url) == ("missing_blob", 3, "https://a.example/titan")


def test_the_engines_own_start_page_is_no_fault(clean: Trajectory, store: PageStore) -> None:
    pages = (visit("https://www.google.com/", 0), visit("https://www.google.com/search?q=x", 1, is_result_page=True))
    result = check_log(replace(clean, visits=(*pages, *clean.visits)), store, about=ABOUT)
    assert result.verdict == "pass"


def test_a_query_may_take_its_words_from_a_page_read_before(clean: Trajectory, store: PageStore) -> None:
    log = replace(clean, queries=(*clean.queries, query("rhea discoverer", 20)))
    assert check_log(log, store, about=("Which moons?",)).verdict == "pass"


def test_a_query_in_another_script_is_left_to_people(clean: Trajectory, store: PageStore) -> None:
    log = replace(clean, queries=(*clean.queries, query("土星的卫星", 20)))
    assert check_log(log, store, about=ABOUT).verdict == "pass"
