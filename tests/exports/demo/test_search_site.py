"""The search site: ranks honestly, and its pages are read by the reader of result pages."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.reading import read_result_page
from exports.demo.search_engine import Document, SearchEngine
from exports.demo.web import DemoWeb
from tests.exports.demo.reading import result_page_html

QUERIES = [
    "Merrow Lights Board register of lighthouses",
    "Merrow ferry timetable Sundays",
    "梅洛群岛 灯塔邮票",
    "Letzter Wärter",
]


def parsed_page(web: DemoWeb, query: str, start: int = 0) -> ParsedResultPage:
    path = "/search?" + urlencode({"q": query, "start": start})
    page = read_result_page(result_page_html(web, path), f"https://www.google.com{path}")
    assert page is not None
    return page


@pytest.mark.parametrize("query", QUERIES)
def test_reader_finds_the_results_in_their_order(query: str, own_demo_web: DemoWeb) -> None:
    hits, _ = own_demo_web.engine.search(query)
    found = parsed_page(own_demo_web, query).results
    expected = [(rank, hit.document.title, hit.document.url, hit.snippet) for rank, hit in enumerate(hits, 1)]
    assert [(result.rank, result.title, result.url, result.snippet) for result in found] == expected


def test_second_page_goes_on_counting(own_demo_web: DemoWeb) -> None:
    page = parsed_page(own_demo_web, "Merrow", start=10)
    assert (page.start, page.results[0].rank, page.results[0].abs_rank) == (10, 1, 11)


def test_advertisement_and_questions_are_no_results(own_demo_web: DemoWeb) -> None:
    page = parsed_page(own_demo_web, "ferry to Gannet Rock")
    html = result_page_html(own_demo_web, "/search?q=ferry+to+Gannet+Rock").decode()
    assert 'id="tads"' in html
    assert "related-question-pair" in html
    assert len(page.results) == len({result.url for result in page.results}) == html.count('class="box"')


def test_query_nobody_answers_is_empty(own_demo_web: DemoWeb) -> None:
    page = parsed_page(own_demo_web, "xylophone")
    assert (page.status, page.results) == ("empty", ())


def test_query_is_shown_as_text_and_never_as_markup(own_demo_web: DemoWeb) -> None:
    assert b"<script>" not in result_page_html(own_demo_web, "/search?q=%3Cscript%3Ealert(1)%3C/script%3E")


@pytest.mark.parametrize("start", ["-1", "x", "٣", "99999999"])
def test_odd_start_is_taken_as_the_first_page(start: str, own_demo_web: DemoWeb) -> None:
    first = result_page_html(own_demo_web, "/search?q=Merrow")
    assert result_page_html(own_demo_web, "/search?" + urlencode({"q": "Merrow", "start": start})) == first


def test_rare_word_outweighs_a_common_one() -> None:
    engine = SearchEngine([Document(f"https://a.example/{n}", "page", "light " * 5) for n in range(5)])
    rare = SearchEngine([*engine.documents, Document("https://a.example/rare", "page", "light bell")])
    assert rare.search("light bell")[0][0].document.url == "https://a.example/rare"


def test_word_of_the_title_outweighs_one_of_the_text() -> None:
    body = Document("https://a.example/1", "other", "the bell of a light and more words")
    title = Document("https://a.example/2", "bell", "the horn of a light and more words")
    assert SearchEngine([body, title]).search("bell")[0][0].document == title
