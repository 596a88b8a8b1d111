"""The report: one file, whole, loading nothing, and not to be broken by what agents or pages say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from browser_capture.page_store import PageStore
from exports.benchmark.reader import Release, load_release
from exports.cli.root import run
from exports.evaluation.report.film_strip import PAGES
from exports.evaluation.report.markup import VOID, Html, el
from exports.evaluation.report.page import report_page
from exports.evaluation.report.plot import bars
from exports.evaluation.report.view import ReportView
from exports.evaluation.results import load_results
from exports.evaluation.scores import Figure
from tests.exports import small_release

AGENTS = ("replay-human", "first-result", "silent")


@pytest.fixture
def view(release: Release, release_folder: Path, tmp_path: Path) -> ReportView:
    chosen = [part for name in AGENTS for part in ("--agent", name)]
    assert run(["eval", "run", "--release", str(release_folder), *chosen, "--out", str(tmp_path / "run")]) == 0
    return ReportView(release, *load_results(release, [tmp_path / "run"]))


class _Structure(HTMLParser):
    """Follows the open elements and notes what does not close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that closes itself, as SVG has them."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def _structure(page: str) -> tuple[list[str], list[str]]:
    parser = _Structure()
    parser.feed(page)
    parser.close()
    return parser.open, parser.faults


def _with_replies(view: ReportView, change: Callable[[str], str]) -> ReportView:
    graded = [
        one._replace(attempt=replace(one.attempt, reply=change(one.attempt.reply))) if one.attempt.reply else one
        for one in view.graded
    ]
    return view._replace(graded=graded)


def test_every_element_closes_in_order(view: ReportView) -> None:
    assert _structure(report_page(view)) == ([], [])


def test_nothing_is_loaded_from_anywhere(view: ReportView) -> None:
    page = report_page(view)
    assert re.findall(r"(?:src|href|action|srcset|data)\s*=", page) == []
    assert re.findall(r"url\(|@import|<script|<link|<iframe|<img", page) == []
    assert "default-src &#x27;none&#x27;" in page


def test_markup_in_a_reply_is_text(view: ReportView) -> None:
    page = report_page(_with_replies(view, lambda reply: f"</pre><script>alert(1)</script>{reply}"))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert _structure(page) == ([], [])


def test_long_reply_is_cut_and_says_so(view: ReportView) -> None:
    page = report_page(_with_replies(view, lambda reply: "x" * 10_000))
    assert "… 6000 more characters" in page
    assert "x" * 5000 not in page


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_stands_in_the_table(view: ReportView, agent: str) -> None:
    assert f'<th scope="row">{agent}</th>' in report_page(view)


def test_person_stands_above_the_agents(view: ReportView) -> None:
    names = re.findall(r"<h3>(Person|replay-human|first-result|silent)", report_page(view))
    assert names[:3] == ["Person", "replay-human", "first-result"]


def test_strip_shows_the_passage_of_a_cell(view: ReportView) -> None:
    assert "<mark>Outer Ness</mark>" in report_page(view)


def test_strip_calls_only_a_proven_cell_proven(view: ReportView, tmp_path: Path, store: PageStore) -> None:
    content = small_release.contents(store)[0]
    answer = content.answers[0]
    near = replace(answer, evidence=tuple(replace(link, state="near") for link in answer.evidence))
    small_release.write(tmp_path / "near", store, [replace(content, answers=(near,))])
    page = report_page(view._replace(release=load_release(tmp_path / "near"), graded=view.graded[:1]))
    assert ("≈ row 1 · Value · near" in page, "✓ row" in page) == (True, False)


def test_wrong_cell_shows_what_it_should_be(view: ReportView) -> None:
    page = report_page(view)
    assert re.search(r'<td class="wrong">.*?<del>[^<]+</del> <ins>1847</ins>', page)


def test_faults_are_named_in_words(view: ReportView) -> None:
    assert '<b>4</b> × <span class="who">silent</span> no_answer: there is no reply' in report_page(view)


def test_missing_attempts_are_announced(view: ReportView) -> None:
    agents = tuple(replace(agent, missing=2, bounds=(0.25, 0.75)) for agent in view.scores.agents)
    page = report_page(view._replace(scores=replace(view.scores, agents=agents)))
    assert "Incomplete." in page
    assert "lies between 25.0 and 75.0" in page


def test_long_path_is_counted_not_shown(view: ReportView, tmp_path: Path, store: PageStore) -> None:
    many = [small_release.put(store, f"https://long.example/{number}", f"Page {number}") for number in range(PAGES + 4)]
    content = small_release.contents(store)[0]
    visits = small_release.visits_of(many)
    trajectory = replace(content.trajectories[0], visits=visits, snapshots=tuple(many))
    small_release.write(tmp_path / "long", store, [replace(content, trajectories=(trajectory,))])
    long = view._replace(release=load_release(tmp_path / "long"), graded=view.graded[2:3])
    assert "+ 4 more pages" in report_page(long)


@pytest.mark.parametrize(
    ("figure", "says", "whiskers"),
    [
        (Figure(mean=0.5, low=-0.2, high=1.2, n=3), "50.0 [0, 100]", 3),
        (Figure(mean=0.5, low=None, high=None, n=1), "50.0 (n = 1)", 0),
        (Figure(mean=1.0, low=1.0, high=1.0, n=4), "100.0 [100, 100]", 0),
        (Figure(mean=None, low=None, high=None, n=0), "– (n = 0)", 0),
    ],
)
def test_bar_says_its_mean_and_interval(figure: Figure, says: str, whiskers: int) -> None:
    plot = bars("Exact match", [("agent", figure)])
    assert f">{says}</text>" in plot
    assert plot.count('class="whisker"') == whiskers


@pytest.mark.parametrize(
    ("made", "html"),
    [
        (el("p", "a < b & c"), "<p>a &lt; b &amp; c</p>"),
        (el("p", Html("<b>x</b>"), None, ["y", "z"]), "<p><b>x</b>yz</p>"),
        (el("p", title='say "no"', lang=None), '<p title="say &quot;no&quot;"></p>'),
        (el("rect", aria_label="x", class_="bar"), '<rect aria-label="x" class="bar"/>'),
        (el("p", "a\x00b\ud800c"), "<p>a\ufffdb\ufffdc</p>"),
    ],
)
def test_markup(made: str, html: str) -> None:
    assert made == html
