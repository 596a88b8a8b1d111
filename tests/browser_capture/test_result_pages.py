"""What is read on a result page, and how a page that is not understood is told from an empty one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.reading import read_result_page
from browser_capture.result_pages.recognise import SearchAddress, recognise, request_locale
from browser_capture.result_pages.self_check import interstitial_kind
from tests.browser_capture import result_page as pages

URL = "https://www.google.com/search?q=cistern"
TWO = [("https://a.example/one", "One"), ("https://blog.google/two", "Two")]


def read(html: str, url: str = URL) -> ParsedResultPage:
    """Read a page that must be a result page."""
    found = read_result_page(html, url)
    assert found is not None
    return found


ADDRESSES = [
    ("https://www.google.com/search?q=a+b", SearchAddress("google", "a b", 0)),
    ("http://www.google.com/search?q=a%20%20b&start=20&hl=de", SearchAddress("google", "a b", 20)),
    ("https://google.co.uk/search?q=x&start=minus", SearchAddress("google", "x", 0)),
    ("https://www.bing.com/search?q=x&first=11", SearchAddress("bing", "x", 10)),
    ("https://duckduckgo.com/?q=x", SearchAddress("duckduckgo", "x", 0)),
    ("https://www.google.com/search?q=", None),
    ("https://www.google.com/maps?q=x", None),
    ("https://www.google.com.evil.example/search?q=x", None),
    ("https://www.google.com/", None),
    ("about:blank", None),
]


@pytest.mark.parametrize(("url", "address"), ADDRESSES)
def test_a_search_is_recognised_by_its_address(url: str, address: SearchAddress | None) -> None:
    assert recognise(url) == address


def test_the_address_states_language_and_country() -> None:
    assert request_locale("https://www.google.com/search?q=a&hl=de&gl=at") == {"language": "de", "country": "at"}


def test_results_have_rank_title_address_and_snippet() -> None:
    page = read(pages.result_page("cistern", TWO), URL + "&start=10")
    assert [(r.rank, r.abs_rank, r.title, r.url, r.snippet) for r in page.results] == [
        (1, 11, "One", "https://a.example/one", "Snippet of One"),
        (2, 12, "Two", "https://blog.google/two", "Snippet of Two"),
    ]
    assert (page.engine, page.query, page.start, page.status) == ("google", "cistern", 10, "ok")


def test_ads_overviews_questions_and_panels_are_blocks_and_never_results() -> None:
    page = read(pages.result_page("x", TWO, before=pages.ADS + pages.OVERVIEW, after=pages.RIGHT + pages.MORE))
    assert [result.title for result in page.results] == ["One", "Two"]
    assert page.blocks == {"ads": 1, "ai_overview": 1, "right_panel": 1}


@pytest.mark.parametrize(
    ("extra", "block"), [(pages.OVERVIEW, "ai_overview"), (pages.QUESTIONS, "people_also_ask"), (pages.ADS, "ads")]
)
def test_blocks_among_the_results_are_no_results(extra: str, block: str) -> None:
    html = pages.result_page("x", TWO).replace('<div id="rso">', '<div id="rso">' + extra)
    page = read(html)
    assert [result.title for result in page.results] == ["One", "Two"]
    assert page.blocks[block] >= 1


def test_the_page_for_browsers_without_script_is_read_the_same() -> None:
    page = read(pages.plain_page("x", TWO))
    assert [(result.url, result.snippet) for result in page.results] == [
        ("https://a.example/one", "Snippet of One"),
        ("https://blog.google/two", "Snippet of Two"),
    ]


def test_links_to_the_engine_itself_are_no_results() -> None:
    page = read(pages.result_page("x", [*TWO, ("/search?q=more", "More"), ("https://support.google.com/a", "Help")]))
    assert [result.title for result in page.results] == ["One", "Two", "Help"]


STATUSES = [
    (pages.result_page("x", TWO), "ok"),
    (pages.empty_page("x"), "empty"),
    (pages.result_page("x", []), "suspect"),
    ("<title>x - Google Search</title><div id=other><a href=https://a.example><h3>Moved</h3></a></div>", "suspect"),
    (pages.CAPTCHA, "interstitial"),
    (pages.CONSENT, "interstitial"),
    ("", "suspect"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "status"), STATUSES)
def test_status_tells_empty_from_not_understood(html: str, status: str) -> None:
    assert read(html).status == status


def test_many_results_without_any_snippet_are_suspect() -> None:
    bare = "".join(f'<div><a href="https://c.example/{n}"><h3>{n}</h3></a></div>' for n in range(4))
    assert read(f'<div id="rso">{bare}</div>').status == "suspect"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.google.com/sorry/index?continue=x", "captcha"),
        ("https://consent.google.com/ml?continue=x", "consent"),
        ("https://www.google.com/search?q=x", None),
    ],
)
def test_walls_are_known_by_their_address(url: str, kind: str | None) -> None:
    assert interstitial_kind(url, None) == kind


def test_an_engine_without_a_parser_is_not_read() -> None:
    assert read_result_page("<h3>x</h3>", "https://www.bing.com/search?q=x") is None


SAMPLES = {
    "zl_2023_nojs_matrix.html": ("ok", 10),
    "zl_2023_desktop_noresults.html": ("empty", 0),
    "ws_2024_cistern.html": ("ok", 10),
    "ws_2025_ai_overview_cancer_deaths.html": ("ok", 10),
    "ws_2026_sorry_captcha.html": ("interstitial", 0),
}
FOLDER = os.environ.get("TRAILBENCH_SERP_SAMPLES")

if FOLDER:

    @pytest.mark.parametrize("name", sorted(SAMPLES))
    def test_real_pages_are_read_as_counted_by_hand(name: str) -> None:
        page = read_result_page(Path(FOLDER or "", name).read_bytes(), URL)
        assert page is not None
        assert (page.status, len(page.results)) == SAMPLES[name]
        assert all(result.title and result.snippet for result in page.results)
