"""Result pages as Google wrote them from 2023 to 2026, and the walls before them, are read without their address."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from browser_capture.result_pages.reading import read_saved_page
from tests.browser_capture import result_page as pages

PAGES = Path(__file__).parents[1] / "pages"


class Written(NamedTuple):
    """What is to be read on a page of `tests/pages`: state, query, titles and what stands beside the results."""

    status: str
    query: str
    titles: tuple[str, ...] = ()
    blocks: Mapping[str, int] = {}


WRITTEN = {
    "google_2023_desktop": Written(
        "ok", "tide tables", ("Tide tables of the harbour", "Maps & more – about", "Gezeitenkalender"),
        {"ads": 2, "featured_snippet": 1, "images": 1, "people_also_ask": 2, "related_searches": 1, "right_panel": 1,
         "top_stories": 1},
    ),
    "google_2024_continuous": Written(
        "ok", "lighthouse keepers", ("The last keepers", "A keeper's life", "The third, shown by scrolling"),
        {"discussions": 1, "other": 1, "right_panel": 1, "spelling": 1},
    ),
    "google_2025_overview": Written(
        "ok", "how old is the harbour",
        ("History of the harbour", "How old? A question of stones", "Atlas of harbours"),
        {"ai_overview": 1, "related_searches": 1, "videos": 1},
    ),
    "google_2026_ping": Written(
        "ok", "ferry to the isles", ("Timetable of the ferry", "Reach the isles", "Fares"),
        {"ads": 1, "discussions": 1, "related_searches": 1},
    ),
    "google_2026_sealed": Written(
        "ok", "oldest lighthouse", ("The oldest light", "Lights of the isles – an encyclopedia"),
        {"ai_overview": 1, "people_also_ask": 1, "sealed_links": 1},
    ),
    "google_noscript": Written(
        "ok", "Letzter Wärter", ("Der letzte Wärter – Leuchtturm", "Enno im Museum"),
        {"ads": 1, "knowledge_panel": 1, "people_also_ask": 2, "related_searches": 1},
    ),
    "google_right_to_left": Written("ok", "منارة", ("منارة الجزيرة", "灯塔 & 邮票")),
    "google_news": Written("ok", "storm", ("Storm closes the harbour", "Ten metres of wave")),
    "google_images": Written("ok", "gull", (), {"images": 1}),
    "google_captcha": Written("interstitial", "keepers of light"),
    "google_consent": Written("interstitial", "Wärter"),
    "google_moved_titles": Written("suspect", "moved", ("The one that kept its heading",)),
    "google_ads_only": Written("suspect", "buy", (), {"ads": 3}),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_pages_of_each_year_are_read_without_their_address(name: str) -> None:
    page = read_saved_page((PAGES / f"{name}.html").read_bytes())
    assert page is not None
    assert Written(page.status, page.query, tuple(r.title for r in page.results), page.blocks) == WRITTEN[name]


SNIPPETS = {
    "google_2023_desktop": [
        "3 Jan 2023 — High and low water of every day, with the height in metres.",
        "Find your way to the shore.",
        "Hoch- und Niedrigwasser für alle Häfen.",
    ],
    "google_2025_overview": [
        "From the first stone in 1871 to the new pier.", "Rings in the oak piles say 1869, give or take a year.", ""
    ],
    "google_2026_ping": [
        "Sails at seven and at four, on Sundays at nine.",
        "12 May 2026 — By ferry, by kite, or with a fisherman.",
        "Children sail free with a grown-up.",
    ],
    "google_2026_sealed": [
        "21 Nov 2025 — It was lit in 1716, and some say earlier...", "Every light, its keepers and its years."
    ],
    "google_noscript": [
        "Bis 1988 brannte das Licht von Hand.", "Bewertung 4,8 Seine Mütze, seine Lampe, sein Buch."
    ],
    "google_news": ["No ferry sails before Thursday, the board says.", "A buoy measured what sailors told."],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SNIPPETS))
def test_a_result_has_the_snippet_the_page_shows(name: str) -> None:
    page = read_saved_page((PAGES / f"{name}.html").read_bytes())
    assert page is not None
    assert [result.snippet for result in page.results] == SNIPPETS[name]


def snippet(box: str) -> str:
    """Return the snippet of the only result of a page."""
    page = read_saved_page(pages.page_with(box))
    assert page is not None
    return page.results[0].snippet


SAID = "The ferry leaves the harbour each day"
LACKS = [
    pages.missing("ticket", snippet=f"<div>{SAID}</div>"),
    pages.missing("ticket", "fare", snippet=f'<div data-sncf="1">{SAID}</div>', line='<div data-sncf="2">{}</div>'),
    pages.missing("ticket", snippet=f'<div data-sncf="1"><div>{SAID}</div>', line="<div><span>{}</span></div></div>"),
    pages.missing("ticket", snippet=f"<div><span>{SAID}.</span>", line="<span>{}</span></div>"),
    pages.missing("ticket", "fare", snippet=f"<div>{SAID}. ", line="{}</div>"),
    f"<div>{SAID}</div><div><span>Fehlt:</span> <del>ticket</del></div>",
    f'<div>{SAID}</div><div>Missing: ticket | Must include: <a href="https://www.google.com/search?q=t">ticket</a></div>',
]


@pytest.mark.parametrize("below", LACKS)
def test_the_words_a_page_lacks_are_no_part_of_its_snippet(below: str) -> None:
    assert snippet(pages.box("https://a.example/", below=below)).removesuffix(".") == SAID


@pytest.mark.parametrize(
    "line", ["<div>{}</div>", '<div data-sncf="1">{}</div>', "<div><div><span>{}</span></div></div>"]
)
def test_a_result_that_only_says_what_it_lacks_has_no_snippet(line: str) -> None:
    below = pages.missing("ticket", snippet="", line=line)
    assert snippet(pages.box("https://a.example/", below=below)) == ""


@pytest.mark.parametrize(
    "below", [f'{SAID} for <a href="/search?q=isle">the isle</a>', f"{SAID} for <s>$9</s> $7 only"]
)
def test_a_snippet_keeps_what_it_links_and_strikes_out(below: str) -> None:
    assert "for" in snippet(pages.box("https://a.example/", below=f"<p>{below}</p>"))


@pytest.mark.parametrize(
    ("before", "below"),
    [
        ("<span>PDF</span>", "<p>{}</p>"),
        ("", "<span>[PDF]</span><p>{}</p>"),
        ("", '<div data-sncf="1"><span>PDF</span> · {}</div>'),
        ("", '<a href="https://a.example/x.pdf"><img alt=""><span>3:20</span></a><p>{}</p>'),
        ("<div>DOCX ·</div>", "<i>PDF</i>: <b>{}</b>"),
    ],
)
def test_the_badge_of_a_file_is_no_part_of_a_snippet(before: str, below: str) -> None:
    box = pages.box("https://a.example/x.pdf", below=below.format(SAID)).replace("<a ", f"{before}<a ")
    assert snippet(box) == ("PDF: " if "<i>" in below else "") + SAID


MOVED = [
    pages.moved("https://{}.example/"),
    pages.moved("https://{}.example/", '<div role="heading" aria-level="3">A title</div>'),
    pages.moved("/url?q=https://{}.example/&amp;sa=U"),
    pages.moved("/goto?url=CAESegHrOzAVXrOxTz8M{}"),
    '<div><h3>A title</h3><a href="https://{}.example/">Read it</a><p>A snippet of enough words.</p></div>',
    '<div><h3><a href="https://{}.example/">A title</a></h3><p>A snippet of enough words.</p></div>',
]


@pytest.mark.parametrize("box", MOVED)
@pytest.mark.parametrize("around", ["{}", "<div>{}</div>"])
@pytest.mark.parametrize("kept", [0, 1, 6])
def test_a_page_whose_titles_have_moved_is_neither_ok_nor_empty(box: str, around: str, kept: int) -> None:
    boxes = [pages.box(f"https://kept{n}.example/") for n in range(kept)] + [box.format(n) for n in "abcd"]
    page = read_saved_page(pages.page_with(around.format("".join(boxes))) + "<div id=topstuff>Another spelling?</div>")
    assert page is not None
    assert page.status == "suspect" or [result.title for result in page.results] == ["A title"] * 4


BESIDE = [
    '<div><h2>Noget</h2><a href="https://{}.example/">One</a></div>',
    '<div>Some lines that nobody knows, with their <a href="https://{}.example/">source</a></div>',
    '<div><a href="https://{}.example/">One</a><a href="https://b{}.example/">Two</a></div>',
    '<div><a href="https://{}.example/"><img alt=""></a></div>', '<div><a href="/search?q=more">More of it</a></div>',
]  # fmt: skip


@pytest.mark.parametrize("beside", BESIDE)
def test_what_stands_between_results_makes_no_page_suspect(beside: str) -> None:
    boxes = [pages.box(f"https://kept{n}.example/") + beside.replace("{}", f"s{n}") for n in range(4)]
    page = read_saved_page(pages.page_with(*boxes))
    assert page is not None
    assert (page.status, len(page.results)) == ("ok", 4)


GOAL = '<input type="hidden" name="continue" value="https://www.google.com/search?q=x">'
CAPTCHAS = [
    '<form action="/sorry/index" method="post"><input type="submit"></form>',
    '<form action="https://www.google.com/sorry/index?q=x"></form>',
    '<form action="index"><div class="g-recaptcha" data-sitekey="x"></div></form>',
    '<form action="index"><iframe src="https://www.google.com/recaptcha/api2/anchor?k=x"></iframe></form>',
    "<title>https://www.google.com/search?q=x</title><div>Unusual traffic</div>", pages.CAPTCHA,
]  # fmt: skip


@pytest.mark.parametrize("asked", CAPTCHAS)
def test_a_captcha_is_known_by_what_it_asks(asked: str) -> None:
    page = read_saved_page(f"<!doctype html>{asked}<form>{GOAL}</form>")
    assert page is not None
    assert (page.status, page.wall, page.query, page.results) == ("interstitial", "captcha", "x", ())


def test_a_form_that_goes_on_to_the_search_once_it_is_saved_asks_for_consent() -> None:
    page = read_saved_page(f'<title>Google</title><form action="/save" method="post">{GOAL}<button>Ok</button></form>')
    assert page is not None
    assert (page.status, page.wall, page.query) == ("interstitial", "consent", "x")


HINT = '<noscript><meta content="0;url=/httpservice/retry/enablejs?sei=A" http-equiv="refresh"></noscript>'


@pytest.mark.parametrize("beside", [HINT, pages.CONSENT, pages.DIALOG])
def test_a_page_that_answers_is_no_wall_whatever_stands_over_it(beside: str) -> None:
    shown = (pages.empty_page("x") + beside, pages.page_with(MOVED[0]) + beside)
    found = [read_saved_page(page, "https://www.google.com/search?q=x") for page in shown]
    assert [page and (page.status, page.wall) for page in found] == [("empty", None), ("suspect", None)]


FOLDER = os.environ.get("TRAILBENCH_SERP_SAMPLES")


class Sample(NamedTuple):
    """A real page, as the README beside it describes it."""

    name: str
    shows: str
    results: str


def samples(folder: Path) -> list[Sample]:
    """Return the pages that the table of a folder's README lists: file, collected, what it shows, organic results."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in (folder / "README.md").read_text().split("\n")]
    return [Sample(row[0], row[-2], row[-1]) for row in rows if row and row[0].endswith(".html")]


# Real pages belong to their makers: who has them names their folder. The pages of tests/pages are always read.
if FOLDER:

    @pytest.mark.parametrize("sample", samples(Path(FOLDER)), ids=lambda sample: sample.name)
    def test_real_pages_are_read_as_their_readme_counts_them(sample: Sample) -> None:
        page = read_saved_page(Path(FOLDER or "", sample.name).read_bytes())
        assert page is not None
        count, _, wall = sample.results.partition(", ")
        assert (len(page.results), page.wall) == (int(count), wall.strip("`") or None)
        assert page.status == ("interstitial" if wall else "ok" if page.results else "empty")
        assert all(result.title and result.url and result.snippet and result.cite for result in page.results)
        assert page.query != ""
        asked = re.search(r"(\d+) people-also-ask", sample.shows)
        assert asked is None or page.blocks["people_also_ask"] == int(asked[1])
        assert ("AI overview" in sample.shows) == ("ai_overview" in page.blocks)
        assert ("right-hand panel" in sample.shows) == ("right_panel" in page.blocks)
