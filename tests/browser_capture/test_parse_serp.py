"""`trailbench capture parse-serp`, as typed: what it says of a saved page, and the code it leaves with."""

from __future__ import annotations

import io
import json
import sys
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from exports.cli.root import run
from tests.browser_capture import result_page as pages

PAGES = Path(__file__).parents[1] / "pages"
TWO = [("https://a.example/one", "One"), ("https://b.example/two", "Two")]


def parse_serp(*words: str | Path) -> int:
    """Run the command and return its exit code."""
    return run(["capture", "parse-serp", *map(str, words)])


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what was printed on either stream, on one line."""
    out, err = capsys.readouterr()
    return " ".join((out + err).split())


def test_json_holds_status_query_results_and_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_serp(PAGES / "google_2026_ping.html", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["query"], found["blocks"]) == (
        "ok", "ferry to the isles", {"ads": 1, "discussions": 1, "related_searches": 1},
    )  # fmt: skip
    assert found["results"][0] == {
        "rank": 1,
        "title": "Timetable of the ferry",
        "url": "https://ferry.example/timetable",
        "snippet": "Sails at seven and at four, on Sundays at nine.",
    }


def test_a_result_without_a_snippet_has_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text(pages.page_with(pages.box("https://a.example/", below="")), encoding="utf-8")
    assert parse_serp(tmp_path / "page.html", "--json") == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["snippet"] is None


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_serp(PAGES / "google_2023_desktop.html") == 0
    out = said(capsys)
    assert out.startswith("ok: read; 3 results for “tide tables” (google, google/3)")
    assert "Tide tables of the harbour" in out
    assert "Beside the results: ads 2, featured snippet 1" in out


CODES = [
    ("google_2025_overview", 0, "ok: read"),
    ("google_captcha", 0, "interstitial: a captcha stood before the results"),
    ("google_consent", 0, "interstitial: a consent form stood before the results"),
    ("google_ads_only", 4, "cannot be read with certainty: the engine may have changed its pages"),
    ("google_moved_titles", 4, "say that google/3 read it"),
]


@pytest.mark.parametrize(("name", "code", "sentence"), CODES)
def test_the_code_tells_a_page_that_is_not_understood(
    capsys: pytest.CaptureFixture[str], name: str, code: int, sentence: str
) -> None:
    assert parse_serp(PAGES / f"{name}.html") == code
    assert sentence in said(capsys)


NO_RESULT_PAGES = [
    (b"", "is no result page that can be read here"),
    (b"<title>A blog</title><form action=/search><input name=q value=x></form><div id=main>Posts", "is no result page"),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "read: google; only recognised by their address: bing, duckduckgo"),
    (b"<link rel=canonical href='https://www.bing.com/search?q=x'><input name=q value=x>", "is no result page"),
    (b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x--\n", "a snapshot holds no document"),
]


@pytest.mark.parametrize(("data", "sentence"), NO_RESULT_PAGES)
def test_what_is_no_result_page_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, sentence: str
) -> None:
    (tmp_path / "page").write_bytes(data)
    assert parse_serp(tmp_path / "page") == 2
    assert sentence in said(capsys)


def test_a_file_that_is_not_there_is_the_users_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_serp(tmp_path / "none.html") == 2
    assert "does not exist" in said(capsys)


def test_a_given_address_comes_before_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    url = "https://www.google.com/search?q=another+one&start=20"
    assert parse_serp(PAGES / "google_2023_desktop.html", "--url", url, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["query"], found["start"]) == ("another one", 20)


@pytest.mark.parametrize("url", ["https://www.bing.com/search?q=x", "https://a.example/", "no address"])
def test_an_address_of_no_known_search_is_refused(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_serp(PAGES / "google_2023_desktop.html", "--url", url) == 2
    assert f"{url} is no search whose pages are read here" in said(capsys)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = io.BytesIO((PAGES / "google_noscript.html").read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    assert parse_serp("-", "--json") == 0
    assert json.loads(capsys.readouterr().out)["query"] == "Letzter Wärter"


def test_a_snapshot_keeps_its_address_beside_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    snapshot = EmailMessage(policy=SMTP)
    snapshot["Snapshot-Content-Location"] = "https://www.google.com/search?q=kept&start=10"
    snapshot.make_related()
    part = EmailMessage(policy=SMTP)
    part.set_content(pages.result_page("typed", TWO), subtype="html", cte="quoted-printable")
    snapshot.attach(part)
    (tmp_path / "page.mhtml").write_bytes(snapshot.as_bytes())
    assert parse_serp(tmp_path / "page.mhtml", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["query"], found["start"], len(found["results"])) == ("kept", 10, 2)


def test_a_page_cannot_give_commands_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    html = pages.page_with(pages.box("https://a.example/", "\x1b[31mred\x1b]0;owned\x07 [bold]word[/bold]"))
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    parse_serp(tmp_path / "page.html")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "[bold]word[/bold]" in " ".join(out.split())


STARTS = [
    ([], 0),
    ([10, 20, 30], 0),
    ([10], 0),
    ([0, 20], 10),
    ([10, 30], 20),
    ([0, 10, 30, 40], 20),
    ([0, 10, 20], 30),
]


@pytest.mark.parametrize(("linked", "start"), STARTS)
def test_the_pages_number_is_the_one_its_links_leave_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], linked: list[int], start: int
) -> None:
    links = "".join(f'<a href="/search?q=x&amp;sa=N&amp;start={n}">{n}</a>' for n in linked)
    html = pages.page_with(pages.box("https://a.example/")) + f'<div id="botstuff">{links}</div>'
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    assert parse_serp(tmp_path / "page.html", "--json") == 0
    assert json.loads(capsys.readouterr().out)["start"] == start
