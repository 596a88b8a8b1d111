"""The recorded web: exact, then normalised, then ranked; pages by address; dates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from browser_capture.errors import UserError
from browser_capture.page_store import PageStore
from browser_capture.trajectory import Snapshot, Visit
from exports.benchmark.reader import Release, load_release
from exports.benchmark.release_content import ReleaseTaskContent
from exports.benchmark.writer import write_release
from exports.recorded_web.resolve import RecordedWeb
from tests.exports import small_release
from tests.exports.small_release import LIGHTS, LOW_SKERRY, MISAKI, PIERS, PORTS, recording


@pytest.mark.parametrize(
    ("query", "matched", "first"),
    [
        ("summer boat ports", "exact", PORTS),
        ("  Summer   BOAT ports ", "exact", PORTS),
        ("ｓummer boat ports", "exact", PORTS),
        ('"summer boat" ports?', "normalised", PORTS),
        ("tickets on board", "ranked", PORTS),
        ("keepers until 1971", "ranked", LOW_SKERRY),
        ("白浜岬", "ranked", MISAKI),
        ("灯台の資料館", "ranked", MISAKI),
    ],
)
def test_query_is_matched_and_finds(web: RecordedWeb, query: str, matched: str, first: str) -> None:
    answer = web.search(query)
    assert answer.matched == matched
    assert answer.results[0].url == first


def test_recorded_results_come_as_they_were_shown(web: RecordedWeb) -> None:
    assert [result.url for result in web.search("low skerry light year lit").results] == [LIGHTS, LOW_SKERRY, PIERS]


def test_results_that_were_never_opened_are_not_served_as_pages(web: RecordedWeb) -> None:
    assert web.fetch(PIERS).matched == "missing"
    assert web.search("Kennacraig").matched == "missing"


def test_result_pages_are_no_pages(web: RecordedWeb) -> None:
    assert web.fetch("https://www.google.com/search?q=summer+boat+ports").matched == "missing"
    assert all("google" not in result.url for result in web.search("boat ports tickets").results)


@pytest.mark.parametrize("query", ["", "   ", "?!", "zzz", "x" * 5000, '"', "NEAR(a b)", "a\x00b", "* OR"])
def test_odd_query_gives_an_answer(web: RecordedWeb, query: str) -> None:
    assert web.search(query).matched in ("missing", "ranked")


@pytest.mark.parametrize(
    ("url", "matched"),
    [
        (LIGHTS, "exact"),
        ("http://COAST.example:80/lights?utm_source=x#top", "exact"),
        ("https://www.coast.example/lights/", "normalised"),
        ("https://coast.example/other", "missing"),
        ("not an address", "missing"),
    ],
)
def test_address_is_matched(web: RecordedWeb, url: str, matched: str) -> None:
    assert web.fetch(url).matched == matched


def test_page_comes_with_its_text_and_snapshot(web: RecordedWeb, release: Release) -> None:
    page = web.fetch(MISAKI)
    assert page.text == small_release.TEXTS[MISAKI]
    assert release.store.page(page.snapshot or "").url == MISAKI


def test_ambiguous_spelling_is_not_guessed(tmp_path: Path, store: PageStore) -> None:
    with _web(tmp_path, store, {"https://a.example/x": "one", "https://www.a.example/x": "two"}) as web:
        assert web.fetch("https://m.a.example/x").matched == "missing"
        assert web.fetch("https://www.a.example/x").text == "two"


def test_ranked_snippet_is_the_passage_asked_for(web: RecordedWeb) -> None:
    assert "Tickets are sold on board" in web.search("tickets board").results[0].snippet


def test_further_results_follow(web: RecordedWeb) -> None:
    first = web.search("coast lights list", limit=1)
    second = web.search("coast lights list", limit=1, start=1)
    assert [first.results[0].url, second.results[0].url] == [LIGHTS, PIERS]


def test_kept_index_answers_as_the_fresh_one(release: Release, tmp_path: Path, web: RecordedWeb) -> None:
    for _ in range(2):
        with RecordedWeb.from_release(release, cache=tmp_path / "cache") as kept:
            assert kept.search("tickets on board") == web.search("tickets on board")
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_spoiled_index_is_built_again(release: Release, tmp_path: Path) -> None:
    RecordedWeb.from_release(release, cache=tmp_path).close()
    kept = next(tmp_path.glob("*.sqlite"))
    kept.write_bytes(b"no database at all, and long enough to be asked for its first page" * 100)
    with RecordedWeb.from_release(release, cache=tmp_path) as web:
        assert web.search("tickets on board").matched == "ranked"


def test_unwritable_cache_costs_only_time(release: Release, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with RecordedWeb.from_release(release, cache=tmp_path / "file") as web:
        assert web.search("tickets on board").matched == "ranked"


def test_release_without_texts_says_so(tmp_path: Path, store: PageStore) -> None:
    write_release(
        small_release.contents(store), store, tmp_path / "r", name="r", project="p", created_at="", web="pointers"
    )
    with pytest.raises(UserError, match="holds no page texts"):
        RecordedWeb.from_release(load_release(tmp_path / "r"))


def test_as_of_decides_which_capture_is_shown(tmp_path: Path, store: PageStore) -> None:
    captures = {"2026-01-05": "The fare is 4 pounds.", "2026-03-05": "The fare is 5 pounds."}
    snapshots = [small_release.put(store, PORTS, text, f"{day}T08:00:00.000Z") for day, text in captures.items()]
    with _web_of(tmp_path, store, snapshots) as web:
        assert web.fetch(PORTS, as_of="2026-01-31").text == "The fare is 4 pounds."
        assert web.fetch(PORTS).text == "The fare is 5 pounds."
        assert web.fetch(PORTS, as_of="2026-01-04").matched == "missing"
        assert web.search("pounds", as_of="2026-01-04").matched == "missing"


def test_states_of_a_page_on_one_day_are_read_together(tmp_path: Path, store: PageStore) -> None:
    snapshots = [
        small_release.put(store, PORTS, "Boats\nfrom Oban", "2026-01-05T08:00:00.000Z"),
        small_release.put(store, PORTS, "Boats\nfrom Tiree", "2026-01-05T08:01:00.000Z"),
    ]
    with _web_of(tmp_path, store, snapshots) as web:
        assert web.fetch(PORTS).text == "Boats\nfrom Tiree\nfrom Oban"


def test_redirected_address_leads_to_its_page(tmp_path: Path, store: PageStore) -> None:
    snapshot = replace(small_release.put(store, PORTS), visit="v1")
    with _web_of(tmp_path, store, [snapshot], first_visit="https://short.example/p") as web:
        page = web.fetch("https://short.example/p")
        assert (page.url, page.matched) == (PORTS, "exact")


def _web(tmp_path: Path, store: PageStore, pages: dict[str, str]) -> RecordedWeb:
    return _web_of(tmp_path, store, [small_release.put(store, url, text) for url, text in pages.items()])


def _web_of(tmp_path: Path, store: PageStore, snapshots: list[Snapshot], first_visit: str | None = None) -> RecordedWeb:
    content = small_release.contents(store)[0]
    empty = replace(recording(store, "1-item", ()), snapshots=tuple(snapshots))
    visits = (Visit(visit="v1", seq=1, at=small_release.NOON, url=first_visit, kind="new"),) if first_visit else ()
    trajectory = replace(empty, visits=visits)
    changed = ReleaseTaskContent(task=content.task, answers=content.answers, trajectories=(trajectory,))
    write_release([changed], store, tmp_path / "own", name="own", project="p", created_at="")
    return RecordedWeb.from_release(load_release(tmp_path / "own"))
