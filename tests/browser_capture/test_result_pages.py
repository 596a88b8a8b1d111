"""What is read on a result page, and how a page that is not understood is told from an empty one."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser_capture.result_pages.google import PARSER_VERSION
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.reading import read_result_page
from browser_capture.result_pages.recognise import SearchAddress, recognise, request_locale
from browser_capture.result_pages.self_check import interstitial_kind
from tests.browser_capture import result_page as pages

URL = "https://www.google.com/search?q=cistern"
TWO = [("https://a.example/one", "One"), ("https://blog.google/two", "Two")]
PAGES = Path(__file__).parents[1] / "pages"


def read(html: str, url: str = URL) -> ParsedResultPage:
    """Read a page that must be a result page."""
    found = read_result_page(html, url)
    assert found is not None
    return found


def urls(html: str, url: str = URL) -> list[str]:
    """Return the addresses of a page's results."""
    return [result.url for result in read(html, url).results]


ADDRESSES = [
    ("https://www.google.com/search?q=a+b", SearchAddress("google", "a b", 0)),
    ("http://www.google.com/search?q=a%20%20b&start=20&hl=de", SearchAddress("google", "a b", 20)),
    ("https://google.co.uk/search?q=x&start=minus", SearchAddress("google", "x", 0)),
    ("https://www.google.com/search?q=x&start=" + "9" * 5000, SearchAddress("google", "x", 0)),
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
    assert [(r.rank, r.abs_rank, r.title, r.url, r.snippet, r.kind, r.cite) for r in page.results] == [
        (1, 11, "One", "https://a.example/one", "Snippet of One", "organic", "https://a.example/one"),
        (2, 12, "Two", "https://blog.google/two", "Snippet of Two", "organic", "https://blog.google/two"),
    ]
    assert (page.engine, page.query, page.start, page.status) == ("google", "cistern", 10, "ok")
    assert page.parser_version == PARSER_VERSION == "google/3"


def test_ads_overviews_questions_and_panels_are_blocks_and_never_results() -> None:
    page = read(pages.result_page("x", TWO, before=pages.ADS + pages.OVERVIEW, after=pages.RIGHT + pages.MORE))
    assert [result.title for result in page.results] == ["One", "Two"]
    assert page.blocks == {"ads": 1, "ai_overview": 1, "right_panel": 1}


UNKNOWN_OVERVIEW = """<div><div><div>Yleiskatsaus</div><a href="https://support.google.com/websearch?p=ai_overviews">
Lue</a></div><div>Generated text that is long enough to be told from a heading, and says what nobody has checked, in a
language whose word for it is not listed anywhere; it goes on for some lines, and then it ends.</div></div>"""
BLOCKS = [
    (pages.OVERVIEW, "ai_overview"),
    (pages.OVERVIEW.replace(' id="eKIzJc"', "").replace("AI Overview", "Übersicht mit KI"), "ai_overview"),
    (UNKNOWN_OVERVIEW, "ai_overview"),
    (pages.QUESTIONS, "people_also_ask"),
    (pages.ADS, "ads"),
    ('<div><a href="/aclk?sa=l&adurl=https://x.example"><h3>Buy</h3></a></div>', "ads"),
    ('<div><a href="https://www.googleadservices.com/pagead/aclk?sa=L"><h3>Buy</h3></a></div>', "ads"),
    ('<div><h2>Noget</h2><a href="/search?q=x&tbm=nws">Mere</a><a href="https://n.example">N</a></div>', "top_stories"),
    ('<div><h2>Noget andet</h2><a href="https://n.example">N</a></div>', "other"),
    ('<div><a href="/search?q=x&udm=2"><h3>Billeder</h3></a><a href="/imgres?imgurl=i">i</a></div>', "images"),
]  # fmt: skip


@pytest.mark.parametrize(("extra", "block"), BLOCKS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_blocks_among_the_results_are_no_results(extra: str, block: str, place: int) -> None:
    boxes = [pages.box("https://a.example/one"), pages.box("https://b.example/two")]
    boxes.insert(place, extra)
    page = read(pages.page_with(*boxes))
    assert [result.url for result in page.results] == ["https://a.example/one", "https://b.example/two"]
    assert page.blocks[block] >= 1
    assert {result.snippet for result in page.results} == {"A snippet of enough words."}


def test_a_featured_snippet_takes_no_rank_from_the_page_it_quotes() -> None:
    answer = '<div><div data-attrid="wa:/description">It is 42.</div>{}</div>'.format(pages.box("https://b.example/"))
    page = read(pages.page_with(answer, *map(pages.box, ["https://a.example/", "https://b.example/"])))
    assert [result.url for result in page.results] == ["https://a.example/", "https://b.example/"]
    assert page.blocks == {"featured_snippet": 1}


def test_an_overview_that_was_refused_is_none() -> None:
    refused = '<div id="eKIzJc"><h1>AI Overview</h1><div>An AI Overview is not available for this search</div></div>'
    assert read(pages.page_with(refused, pages.box("https://a.example/"))).blocks == {}


def test_a_consent_dialog_over_results_hides_none_of_them() -> None:
    page = read(pages.DIALOG + pages.result_page("x", TWO))
    assert (page.status, len(page.results), page.blocks) == ("ok", 2, {"consent": 1})


def test_the_page_for_browsers_without_script_is_read_the_same() -> None:
    page = read(pages.plain_page("x", TWO))
    assert [(result.url, result.snippet) for result in page.results] == [
        ("https://a.example/one", "Snippet of One"),
        ("https://blog.google/two", "Snippet of Two"),
    ]


LINKS = [
    ("https://a.example/b?c=1&amp;d=%C3%A9#part", "https://a.example/b?c=1&d=%C3%A9#part"),
    ("https://a.example/b#:~:text=some%20words", "https://a.example/b"),
    ("https://a.example/b#part:~:text=some", "https://a.example/b#part"),
    ("/url?q=https://a.example/b%3Fc%3D1&amp;sa=U&amp;ved=2", "https://a.example/b?c=1"),
    ("https://www.google.de/url?sa=t&amp;url=https%3A%2F%2Fa.example%2Fb&amp;usg=x", "https://a.example/b"),
    ("/goto?url=https%3A%2F%2Fa.example%2Fb", "https://a.example/b"),
    ("/goto?url=CAESegHrOzAVXrOxTz8MiFgIt6wo", "https://www.google.com/goto?url=CAESegHrOzAVXrOxTz8MiFgIt6wo"),
    ("/url?sa=t&amp;url=CAESegHrOzAVXrOxTz8M==&amp;ved=2", "https://www.google.com/url?sa=t&url=CAESegHrOzAVXrOxTz8M==&ved=2"),
    ("/goto?url=", None),
    ("/url?q=/search%3Fq%3Dx&amp;sa=U", None),
    ("/url?sa=t", None),
    ("https://www.google.com/", "https://www.google.com/"),
    ("https://www.google.com/maps", "https://www.google.com/maps"),
    ("https://blog.google/products/", "https://blog.google/products/"),
    ("https://support.google.com/a", "https://support.google.com/a"),
    ("https://www.google.com/search/howsearchworks/", "https://www.google.com/search/howsearchworks/"),
    ("/search?q=more", None),
    ("https://www.google.co.uk/search?q=more", None),
    ("/preferences?hl=en", None),
    ("/imgres?imgurl=https://a.example/i.png&amp;imgrefurl=https://a.example/", None),
    ("https://webcache.googleusercontent.com/search?q=cache:x:https://a.example/", None),
    ("https://translate.google.com/translate?u=https://a.example/", "https://translate.google.com/translate?u=https://a.example/"),
    ("https://a.example:8443/b", "https://a.example:8443/b"),
    ("https://日本.example/頁", "https://日本.example/頁"),
    ("javascript:void(0)", None),
    ("https://[broken/", None),
    ("mailto:a@b.example", None),
]  # fmt: skip


@pytest.mark.parametrize(("href", "target"), LINKS)
def test_a_result_is_where_its_link_leads(href: str, target: str | None) -> None:
    assert urls(pages.page_with(pages.box(href))) == ([] if target is None else [target])


def test_a_query_for_the_engine_itself_has_its_own_pages_as_results() -> None:
    own = ["https://www.google.com/", "https://about.google/", "https://www.google.com/chrome/"]
    assert urls(pages.page_with(*map(pages.box, own)), "https://www.google.com/search?q=google") == own


def test_an_address_shown_twice_has_its_first_rank() -> None:
    shown = ["https://a.example/", "https://b.example/", "https://a.example/#:~:text=again", "https://a.example/#part"]
    assert urls(pages.page_with(*map(pages.box, shown))) == [
        "https://a.example/",
        "https://b.example/",
        "https://a.example/#part",
    ]


SEAL = "CAESegHrOzAVXrOxTz8MiFgIt6wo"
DATA = """<script>(function(){{var m={{"key1":[[null,"https://a.example/other"],["https://www.google.com/goto?url\\u003d{0}",
null,"https://www.gstatic.com/i.png",{1}]],"key2":[1]}};var a=m;}})();</script>"""
SEALED = [
    (DATA.format(SEAL, '"https://a.example/wiki/Tide_table"'), "https://a.example/wiki/Tide_table"),
    (DATA.format(SEAL, '["https://a.example/wiki/Tide_table"]'), "https://a.example/wiki/Tide_table"),
    (DATA.format(SEAL, '"https://a.example/one","https://a.example/two"'), None),
    (DATA.format(SEAL, '"https://b.example/"').replace("a.example/other", "c.example/"), None),
    (DATA.format("CAESanotherSealThanThis", '"https://a.example/wiki"'), None),
    ("<script>var m={not json</script>", None),
    ("<script>var m=" + '{"a":' * 50_000 + "</script>", None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("data", "address"), SEALED)
def test_a_sealed_link_is_read_where_the_pages_data_tells_it(data: str, address: str | None) -> None:
    sealed = f"https://www.google.com/goto?url={SEAL}"
    shown = pages.box(f"/goto?url={SEAL}").replace(f"<cite>/goto?url={SEAL}", "<cite>https://a.example › wiki")
    page = read(pages.page_with(shown) + data)
    assert [result.url for result in page.results] == [address or sealed]
    assert page.blocks.get("sealed_links", 0) == (0 if address else 1)


ROWS = [
    '<div data-sncf="1"><span><a href="https://a.example/1">One</a> · <a href="https://a.example/2">Two</a></span></div>',
    '<div data-sncf="1"><img alt=""></div>',
    '<div data-sncf="2">4,8 (12)</div>',
    '<div role="button">About this result</div>',
    '<div><a href="https://translate.google.com/translate?u=x">Translate this page</a></div>',
]


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize(
    "snippet", ['<div data-sncf="3">{}</div>', '<p style="-webkit-line-clamp:2">{}</p>', "<p>{}</p>"]
)
def test_rows_beside_a_snippet_are_not_taken_for_it(row: str, snippet: str) -> None:
    said = "What the page says about it."
    page = read(pages.page_with(pages.box("https://a.example/", below=row + snippet.format(said))))
    assert page.results[0].snippet.replace("4,8 (12) ", "") == said


def test_a_title_that_is_not_shown_is_no_result() -> None:
    hidden = f'<div style="display: none">{pages.box("https://hidden.example/")}</div>'
    assert urls(pages.page_with(hidden, pages.box("https://a.example/"), pages.box("https://b.example/", "  "))) == [
        "https://a.example/"
    ]


def test_entities_and_markup_in_a_title_are_read_as_shown() -> None:
    page = read(
        pages.page_with(pages.box("https://a.example/", "Tom &amp; Jerry&#39;s <b>&lt;b&gt;</b>\n  caf&eacute;"))
    )
    assert page.results[0].title == "Tom & Jerry's <b> café"


STATUSES = [
    (pages.result_page("x", TWO), "ok"),
    (pages.empty_page("x"), "empty"),
    (pages.result_page("x", []), "suspect"),
    ("<title>x - Google Search</title><div id=other><a href=https://a.example><h3>Moved</h3></a></div>", "suspect"),
    (pages.page_with('<div><a href="https://a.example"><b>No heading</b></a></div>'), "suspect"),
    ('<div id="topstuff">Tip: other words</div><div id="rso"><a href="https://a.example">Moved</a></div>', "suspect"),
    (pages.page_with(), "suspect"),
    ('<div id="result-stats">About 0 results (0.25 seconds)</div><div id="search"></div>', "empty"),
    ('<div id="result-stats">About 10 results (0.25 seconds)</div><div id="search"></div>', "suspect"),
    (pages.CAPTCHA, "interstitial"),
    (pages.CONSENT, "interstitial"),
    ((PAGES / "google_asks_for_script.html").read_text(encoding="utf-8"), "interstitial"),
    ("", "suspect"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "status"), STATUSES)
def test_status_tells_empty_from_not_understood(html: str, status: str) -> None:
    assert read(html).status == status


NOTICES = [
    "Your search - {} - did not match any documents.",
    "Es wurden keine mit deiner Suchanfrage - {} - übereinstimmenden Dokumente gefunden.",
    "Aucun document ne correspond aux termes de recherche spécifiés ({}).",
    "La búsqueda de {} no obtuvo ningún resultado.",
    "La ricerca di - {} - non ha prodotto risultati in nessun documento.",
    "Sua pesquisa - {} - não encontrou nenhum documento correspondente.",
    "По запросу {} ничего не найдено.",
    "{} に一致する情報は見つかりませんでした。",
    "找不到和您查询的“{}”相符的内容或信息。",
    "'{}'에 대한 검색결과가 없습니다.",
    "Ni fhuarthas aon cháipéis le {}.",
]


@pytest.mark.parametrize("notice", NOTICES)
def test_an_empty_page_is_known_in_many_languages(notice: str) -> None:
    assert read(pages.empty_page("xqzv", notice), "https://www.google.com/search?q=xqzv").status == "empty"
    assert read(pages.plain_empty_page("xqzv", notice), "https://www.google.com/search?q=xqzv").status == "empty"


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
