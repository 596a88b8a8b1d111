"""Whatever a page is made of, reading it ends soon, without an error, and takes nothing else for a result."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from browser_capture.result_pages.outline import MOST_MARKS
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.reading import read_result_page, read_saved_page
from tests.browser_capture import result_page as pages

URL = "https://www.google.com/search?q=x"
PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))
EACH_PAGE = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)

_TAGS = st.sampled_from(
    ["<div id=rso>", "<div id=search>", "<div id=main>", "<div id=rhs>", "<div id=tads>", "<div id=eKIzJc>", "<h3>",
     "</h3>", "<a href=https://a.example/>", "<a href=/url?q=x>", "</a>", "<div>", "</div>", "<p data-sncf=1>", "</p>",
     "<div class=related-question-pair>", "<div data-initq=q>", "<h2>", "<cite>", "<table><tr><td>", "</table>",
     "<div role=heading aria-level=2>", "<block-component>", "<template>", "<form action=/search>", "words", "<!--",
     "<a href='https://support.google.com/websearch?p=ai_overviews'>", "<base href='https://[x'>", "-->", "&#0;",
     "<input name=q value=x>"]
)  # fmt: skip


def read(document: bytes | str) -> ParsedResultPage:
    """Read a page that has the address of a search."""
    page = read_result_page(document, URL)
    assert page is not None
    return page


@given(st.binary(max_size=2000))
def test_any_bytes_are_read(data: bytes) -> None:
    assert read(data).results == ()
    assert read_saved_page(data) is None


@settings(max_examples=300)
@given(st.lists(_TAGS, max_size=60).map("".join))
def test_any_soup_of_a_pages_parts_is_read(soup: str) -> None:
    page = read(soup)
    assert [result.rank for result in page.results] == list(range(1, len(page.results) + 1))
    assert all(result.title and result.url.startswith("https://") for result in page.results)
    assert (page.status == "interstitial") == (page.wall is not None)
    read_saved_page(soup)


@EACH_PAGE
def test_a_page_that_was_cut_off_has_the_first_of_its_results(path: Path) -> None:
    whole = path.read_bytes()
    titles = [result.title for result in read(whole).results]
    for end in range(0, len(whole), max(1, len(whole) // 40)):
        found = [result.title for result in read(whole[:end]).results]
        assert found[:-1] == titles[: max(0, len(found) - 1)]


@EACH_PAGE
def test_a_page_in_another_encoding_is_read_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("UTF-8", "windows-1252")
    assert read(text.encode("cp1252", "xmlcharrefreplace")) == read(path.read_bytes())


@EACH_PAGE
def test_a_page_is_read_the_same_when_a_browser_made_its_links_whole(path: Path) -> None:
    saved = html.fromstring(path.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    assert isinstance(saved, html.HtmlMixin)
    saved.rewrite_links(lambda href: f"{URL}#" if href == "#" else urljoin(URL, href))
    whole, page = read(html.tostring(saved, encoding="unicode")), read(path.read_bytes())
    assert (whole.status, whole.blocks) == (page.status, page.blocks)
    assert [(found.title, found.snippet) for found in whole.results] == [(r.title, r.snippet) for r in page.results]


@pytest.mark.parametrize("name", ["undefined", "idna", "punycode", "raw_unicode_escape", "hex", "no-such", "utf-7"])
def test_a_strange_name_of_an_encoding_hides_no_result(name: str) -> None:
    page = f"<meta charset={name}>" + pages.page_with(pages.box("https://a.example/", "Wärter"))
    assert [result.url for result in read(page.encode()).results] == ["https://a.example/"]


def test_no_more_is_read_than_any_engine_shows() -> None:
    many = pages.page_with(*(pages.box(f"https://a.example/{n}") for n in range(MOST_MARKS + 10)))
    assert len(read(many).results) == MOST_MARKS


def in_page(block: str, around: str = "<div>{}</div>") -> ParsedResultPage:
    """Read a page that shows a block above and, in an element of their own, between two results."""
    one, two = (pages.box(f"https://{name}.example/") for name in "ab")
    top = read(pages.page_with(block, one, two))
    page = read(pages.page_with(around.format(one + block + two)))
    assert (page.status, page.results, page.blocks) == (top.status, top.results, top.blocks)
    return page


def block_of(block: str) -> tuple[int, dict[str, int]]:
    """Return how many results a page with a block has, and what its blocks are."""
    page = in_page(block)
    return len(page.results), dict(page.blocks)


NEWS = ("https://one.example/", "https://two.example/", "https://three.example/")
HEADINGS = [
    ('<div role="heading" aria-level="2">Top stories</div>', "top_stories"),
    ('<div><div role="heading" aria-level="2"><b>Discussions and forums</b></div><b role="button"></b></div>',
     "discussions"),
    ('<div role="heading" aria-level="3">Schlagzeilen</div>', "top_stories"),
    ("<h2>Videos</h2>", "videos"),
    ('<h3 role="heading" aria-level="2">Vidéos</h3>', "videos"),
    ("<div><span>What people are saying</span></div>", "discussions"),
    ('<a href="/search?q=x&amp;tbm=nws"><div role="heading" aria-level="2">À la une</div></a>', "top_stories"),
    ('<a href="/search?q=x&amp;tbm=nws"><h3>Notizie principali</h3></a>', "top_stories"),
]  # fmt: skip
CARDS = [
    "<div>{}</div>", '<div role="listitem">{}</div>', "<div>{}<div>What the first one answers, in a line.</div></div>",
    '<div>{}<cite>https://news.example</cite><div data-sncf="1">What the story says, in a line of its own.</div></div>',
    '<div><span>4,5 (20)</span>{}</div>',
]  # fmt: skip


@pytest.mark.parametrize(("heading", "block"), HEADINGS)
@pytest.mark.parametrize("card", CARDS)
def test_cards_below_a_known_heading_are_a_block_and_no_results(heading: str, block: str, card: str) -> None:
    page = in_page(pages.cards(heading, *NEWS, card=card))
    assert ([result.url for result in page.results], page.blocks) == (
        ["https://a.example/", "https://b.example/"], {block: 1},
    )  # fmt: skip


def test_a_heading_takes_no_result_that_stands_beside_its_block() -> None:
    videos = (
        '<div><h2>Videos</h2><a href="https://v.example/"><div role="heading" aria-level="3">A video</div></a></div>'
    )
    assert [result.url for result in in_page(videos).results] == ["https://a.example/", "https://b.example/"]
    empty = '<div><h2>Images</h2><img alt=""></div>'
    assert [result.url for result in in_page(empty).results] == ["https://a.example/", "https://b.example/"]


@pytest.mark.parametrize("sign", ['data-pcu="https://a.example/"', 'data-rw="/aclk?sa=L"', 'ping="/aclk?sa=L /x"'])
def test_a_link_whose_clicks_are_paid_for_is_an_advertisement(sign: str) -> None:
    assert block_of(pages.box("https://shop.example/").replace("<a ", f"<a {sign} ")) == (2, {"ads": 1})


def test_links_below_a_word_for_advertisements_are_advertisements() -> None:
    page = in_page(pages.cards("<div><span>Gesponsert</span></div>", *NEWS))
    assert ([result.rank for result in page.results], page.blocks) == ([1, 2], {"ads": 3})


TOLD = "Lautta kulkee kaksi tuntia, ja kesällä se lähtee kolmesti päivässä. " * 3
ASKED = ("Varför blåser det?", "Hur länge?", "När är det flod?")
ITEMS = [
    '<div><div role="button" aria-expanded="true">{}</div><div>{}</div></div>',
    "<div><h3><button aria-expanded>{}</button></h3>{}</div>", "<details open><summary>{}</summary>{}</details>",
    '<div><div><div><div aria-expanded="false"><span>{}</span></div></div></div><div><div>{}</div></div></div>',
]  # fmt: skip


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("heading", ['<div role="heading" aria-level="2">Relaterade frågor</div>', ""])
def test_answers_below_questions_that_open_are_no_results_in_any_language(heading: str, item: str) -> None:
    asked = pages.accordion(*ASKED, item=item)
    assert block_of(f"<div>{heading}{asked}</div>") == (2, {"people_also_ask": 3})
    feedback = "<div><div role=button>Synpunkter</div></div>"
    assert block_of(f"<div><div>{heading}</div><div>{asked}</div>{feedback}</div>") == (2, {"people_also_ask": 3})


def test_questions_that_a_site_answers_below_its_result_are_no_block() -> None:
    asked = "".join(f"<div><div aria-expanded=false>{question}</div><div>So.</div></div>" for question in ASKED)
    assert read(pages.page_with(pages.box("https://a.example/", below=f"<p>What it says.</p>{asked}"))).blocks == {}


def test_no_block_holds_all_results_of_a_page() -> None:
    toggled = (f"<div><button>Translated</button>{pages.box(url)}</div>" for url in NEWS)
    headed = '<div><a href="/search?q=x&amp;tbm=isch"><h3>Images for x</h3></a></div>' + "".join(map(pages.box, NEWS))
    for page in (read(pages.page_with(*toggled)), read(pages.page_with(f"<div>{headed}</div>"))):
        assert [result.url for result in page.results] == list(NEWS)


def test_an_accordion_that_asks_nothing_is_another_block() -> None:
    assert block_of(f"<div>{pages.accordion('Källa', 'Källa till')}</div>") == (2, {"other": 1})


def test_questions_without_a_button_are_known_by_how_they_end() -> None:
    asked = pages.accordion(*ASKED, item="<div><div>{}</div>{}</div>")
    assert block_of(f"<div><h2>Relaterade frågor</h2>{asked}</div>") == (2, {"people_also_ask": 3})
    known = asked.replace("It is so.", TOLD)
    assert block_of(f"<div><h2>People also ask</h2>{known}</div>") == (2, {"people_also_ask": 3})


SOURCES = [
    "<ul><li>{}</li><li>{}</li></ul>", "<div><div>{}</div><div>{}</div></div>",
    "<ul><li>{}<div>What this source says in a line.</div></li><li>{}</li></ul>",
    "<p><b>{}</b>What this source says in a line.</p><p><b>{}</b>What that source says in a line.</p>",
]  # fmt: skip
OVERVIEWS = [
    '<div><div role="heading" aria-level="1">Tekoälyn yhteenveto</div><div>{}{}</div></div>',
    "<div><h2>Tekoälyn yhteenveto</h2><div>{}</div><div>{}</div></div>", "<div><div>{}</div>{}</div>",
    '<div><div><div role="heading" aria-level="2">AI Overview</div><p>{}</p></div>{}</div>',
    "<div><div><span>Übersicht mit KI</span></div><p>{}</p>{}</div>",
]  # fmt: skip


@pytest.mark.parametrize("sources", SOURCES)
@pytest.mark.parametrize("overview", OVERVIEWS)
def test_the_sources_of_an_overview_are_no_results_in_any_language(overview: str, sources: str) -> None:
    links = [f'<a href="https://source{n}.example/"><h3>A source</h3></a>' for n in range(2)]
    block = overview.format(TOLD, sources.format(*links))
    page = read(pages.page_with(block, pages.box("https://a.example/"), pages.box("https://b.example/")))
    assert ([result.rank for result in page.results], page.blocks) == ([1, 2], {"ai_overview": 1})


def test_the_page_that_an_unknown_answer_quotes_has_no_rank() -> None:
    quoted = pages.box("https://quoted.example/", below="")
    assert block_of(f"<div><h2>Utvalt utdrag</h2><div>{TOLD}</div>{quoted}</div>") == (2, {"featured_snippet": 1})


def test_cards_are_known_by_their_looks_where_their_heading_is_not() -> None:
    assert block_of(pages.cards("<h2>Viktigaste nyheter</h2>", *NEWS)) == (2, {"other": 1})
    told = "<div>{}<p>What the story says, in a line.</p></div>"
    assert block_of(pages.cards("<h2>Viktigaste nyheter</h2>", *NEWS, card=told)) == (2, {"other": 1})
    more = '<div><h2>Top stories</h2><a href="/search?q=x&amp;tbm=nws">More</a></div>'
    assert block_of(pages.cards(more, *NEWS, card=told)) == (2, {"top_stories": 1})
    assert block_of(pages.cards("", *NEWS, card="<li>{}</li>", around="<ul>{}</ul>")) == (2, {"other": 1})
    section = f"<g-section-with-header>{pages.box(NEWS[0])}<p>A post</p></g-section-with-header>"
    assert block_of(f"<div>{section}</div>") == (2, {"other": 1})
    named = "".join(map(pages.box, NEWS)).replace("<cite>https://", "<cite>Forum · ").replace(".example/<", "<")
    page = read(pages.page_with(f"<div><h2>Resultat</h2><div>{named}</div></div>", pages.box("https://a.example/")))
    assert [result.url for result in page.results] == [*NEWS, "https://a.example/"]


SUBPAGE = '<a href="{}"><h3>A page of it</h3></a><div>What the further page says.</div>'
SITELINKS = [
    '<ul class="x"><li>{}</li></ul>', "<table><tr><td>{}</td></tr></table>", "<div><div>{}</div></div>",
    '<div role="list"><div role="listitem">{}</div></div>',
]  # fmt: skip


@pytest.mark.parametrize("around", SITELINKS)
@pytest.mark.parametrize(
    "snippet", ['<div data-sncf="1">{}</div>', '<div style="-webkit-line-clamp:2">{}</div>', "<p>{}</p>"]
)
@pytest.mark.parametrize("site", ["https://a.example", "https://www.a.example", "https://help.a.example"])
def test_further_pages_of_a_result_take_no_rank_and_leave_it_its_snippet(around: str, snippet: str, site: str) -> None:
    said = snippet.format("What the site says of itself.")
    below = "".join(around.format(SUBPAGE.format(f"{site}/{n}")) for n in range(4))
    page = read(pages.page_with(pages.box("https://a.example/", below=said + below), pages.box("https://b.example/")))
    assert [(result.url, result.snippet) for result in page.results] == [
        ("https://a.example/", "What the site says of itself."), ("https://b.example/", "A snippet of enough words."),
    ]  # fmt: skip


@pytest.mark.parametrize("around", ["<div>{}</div>", "<ul><li>{}</li></ul>"])
def test_a_second_result_of_the_same_site_keeps_its_rank(around: str) -> None:
    both = pages.box("https://a.example/one") + around.format(pages.box("https://a.example/two"))
    named = f"<div>{both}</div>".replace("<cite>https://a.example/", "<cite>A forum · ")
    page = read(pages.page_with(named, pages.box("https://b.example/")))
    assert [result.url for result in page.results] == [
        "https://a.example/one", "https://a.example/two", "https://b.example/",
    ]  # fmt: skip


RESULT = "<div><a href=https://a.example><h3>x</h3></a>"
HOSTILE: dict[str, Callable[[int], str]] = {
    "many results": lambda n: "".join(pages.box(f"https://a.example/{i}") for i in range(n // 150)),
    "deep": lambda n: "<div>" * (n // 5) + RESULT,
    "nested links": lambda n: "<a href=https://a.example><h3>x<div>" * (n // 36),
    "nested panels": lambda n: "<div id=rhs>x" * (n // 13),
    "nested headings": lambda n: "<h2><a href=/search?q=1>x</a>" * (n // 29),
    "nested overviews": lambda n: "<h1>AI Overview " * (n // 16),
    "flat questions": lambda n: "<div class=related-question-pair>q</div>" * (n // 41),
    "one long word": lambda n: "a" * n,
    "rows of a box": lambda n: RESULT + "<p data-sncf=1>b" * (n // 16),
    "links of a box": lambda n: RESULT + "<a href=/u>b</a> " * (n // 17),
    "tables": lambda n: RESULT + "<table><tr><td>" * (n // 15),
    "buttons": lambda n: "<div><button>b?</button><a href=https://a.example/><h3>x</h3></a>" * (n // 67),
    "headed lists": lambda n: "<ul><h2>x</h2><li><a href=https://a.example/><h3>x</h3></a>" * (n // 60),
    "words before": lambda n: "<div>Videos<i>w</i></div>" * (n // 24) + RESULT,
    "further pages": lambda n: RESULT + "<p>words of it</p><a href=https://a.example/><h3>x</h3></a>" * (n // 60),
    "notes": lambda n: RESULT + "<s>w</s><a href=/search?q=w>w</a>" * (n // 40),
    "deep notes": lambda n: RESULT + "<i><s>w</s>" * (n // 11),
    "wrapped address": lambda n: f'<a href="{"https://www.google.com/url?q=" * (n // 29)}"><h3>x</h3></a>',
    "many fields": lambda n: "<form action=/search><input name=q value=''><input name=continue value=x>" * (n // 70),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", HOSTILE)
def test_ten_megabytes_take_seconds_and_time_grows_with_the_page(kind: str) -> None:
    seconds = []
    for size in (2_500_000, 10_000_000):
        page = "<div id=rso>" + HOSTILE[kind](size)
        started = time.process_time()
        read(page)
        read_saved_page(page)
        seconds.append(time.process_time() - started)
    assert seconds[1] < 30
    assert seconds[1] < 10 * seconds[0] + 0.5
