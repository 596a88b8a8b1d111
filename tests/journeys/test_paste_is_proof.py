"""From a selection on a page to the evidence of a cell: real keys, real clipboard, the real server behind the panel."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright
from sqlalchemy import select
from werkzeug.serving import make_server

from annotator_server import config, revisions
from annotator_server.app import create_app
from annotator_server.database import db
from annotator_server.models.accounts import Membership, User
from annotator_server.models.answers import AnswerRow
from annotator_server.models.reports import ReportRow
from annotator_server.policy import Actor
from annotator_server.records.report_record import report_record
from annotator_server.workflow import claiming, pairing, people, signing_in
from annotator_server.workflow import writing as questions
from annotator_server.workflow.once import new_key
from browser_capture.credentials import Credentials, save_credentials
from tests.annotator_server.conftest import A_QUESTION
from tests.fakes import LocalSite
from verifier.report import CellEvidence

pytestmark = pytest.mark.browser

WAIT_MS = 30_000
LIST = "http://docs.example/superseded"
PAGES = {
    ("docs.example", "/superseded"): """<title>Superseded modules</title><h1>Superseded modules</h1>
        <table><tr><th>Module<th>Since<th>Removed</tr><tr id=aifc><td>aifc<td>3.11<td>3.13</tr>
        <tr id=cgi><td>cgi<td>3.11<td>3.13</tr></table><p>All of them since <b id=version>3.11</b>.</p>
        <a href=/optparse>optparse</a>""",
    ("docs.example", "/optparse"): """<title>optparse</title><h1 id=name>optparse</h1>
        <p>Deprecated since version <b id=since>3.2</b>.</p><p id=kept>It is not removed.</p>""",
}


class Office(NamedTuple):
    """A served home with a question that Ana holds, and the home of her paired machine."""

    app: Flask
    address: str
    task: str
    machine: Path


@contextmanager
def office(folder: Path) -> Iterator[Office]:
    home = folder / "server"
    config.create_home(home)
    app = create_app(home, jobs_at_once=True)
    with app.app_context():
        revisions.upgrade_database(config.load_settings(home))
        people.ensure_project("First")
        people.add_person("ana@example.org", "annotator", name="Ana", password="correct horse", project="First")
        ana = actor()
        task = questions.write_question(ana, A_QUESTION, new_key())
        questions.mark_ready(ana, task, 1)
        claiming.claim(ana, task, 120)
        token = pairing.redeem_code(pairing.show_code(ana).code, "desk", "127.0.0.1").token
        db.session.remove()
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    save_credentials(folder / "machine", Credentials(server=address, token=token, user="Ana"))
    try:
        yield Office(app, address, task, folder / "machine")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        with app.app_context():
            db.engine.dispose()


def actor() -> Actor:
    user = db.session.scalars(select(User)).one()
    found = signing_in.actor_in(user, db.session.scalars(select(Membership.project_id)).one())
    assert found is not None
    return found


@contextmanager
def recorder(found: Office, site: LocalSite) -> Iterator[Browser]:
    """The capture browser, started by its command."""
    words = ["capture", "start", found.task, "--home", str(found.machine), "--headless", "--show-devtools", "--json"]
    arguments = [f"--browser-arg={argument}" for argument in site.browser_args]
    command = [sys.executable, "-m", "exports", *words, "--actor-script", "test", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        devtools = process.stdout.readline().split()[1]
        with sync_playwright() as playwright:
            browser = playwright.chromium.connect_over_cdp(devtools, no_defaults=True)
            yield browser
            browser.new_browser_cdp_session().send("Browser.close")
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def windows(browser: Browser) -> tuple[Page, Page]:
    """The panel, ready to start, and the window to search in."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        pages = browser.contexts[0].pages
        for page in pages:
            if "/panel/" in page.url and page.locator("#start:not([disabled])").count():
                return page, next(other for other in pages if other is not page)
        pages[0].wait_for_timeout(100)
    raise AssertionError("the panel did not open")


def copy(tab: Page, selector: str) -> None:
    """Mark a word or a line with the mouse and press Ctrl+C."""
    tab.bring_to_front()
    tab.locator(selector).click(click_count=3)
    tab.keyboard.press("Control+c")


def paste(panel: Page, column: str, row: int) -> None:
    panel.bring_to_front()
    panel.get_by_label(f"{column}, row {row}", exact=True).click()
    panel.keyboard.press("Control+v")


def standing(panel: Page, column: str, row: int) -> str | None:
    return panel.locator("td", has=panel.get_by_label(f"{column}, row {row}", exact=True)).get_attribute("data-from")


def is_known(panel: Page, name: str, times: int) -> None:
    """Wait until the panel names a page so often; by its title, or by its address where that was not there yet."""
    lines = panel.locator("#last-events li", has_text=re.compile(name, re.IGNORECASE))
    expect(lines).to_have_count(times, timeout=WAIT_MS)


def search(panel: Page, tab: Page) -> None:
    """Read two pages and fill the answer: by pastes of one value and of a table, by hand, and with a marked passage."""
    tab.goto(LIST)
    is_known(panel, "superseded", 1)
    copy(tab, "#version")
    tab.evaluate("getSelection().selectAllChildren(document.querySelector('tbody'))")
    tab.keyboard.press("Control+c")
    paste(panel, "Module", 1)
    tab.bring_to_front()
    tab.get_by_role("link", name="optparse").click()
    is_known(panel, "optparse", 2)  # the click and the visit
    copy(tab, "#name")
    paste(panel, "Module", 3)
    panel.get_by_label("Since, row 3", exact=True).fill("3.2")
    tab.bring_to_front()
    tab.locator("#kept").click(click_count=3)
    panel.bring_to_front()
    panel.get_by_label("Removed, row 3", exact=True).focus()
    panel.get_by_role("button", name="Mark selection").click()
    expect(panel.locator("#cell-said")).to_contain_text("It is not removed.", timeout=WAIT_MS)


@pytest.fixture(scope="module")
def evidence(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[AnswerRow, dict[tuple[int, str], CellEvidence]]]:
    """What the server holds of an answer that was searched, pasted and handed in."""
    with LocalSite(PAGES) as site, office(tmp_path_factory.mktemp("office")) as found:
        with recorder(found, site) as browser:
            panel, tab = windows(browser)
            panel.locator("#start").click()
            panel.locator("#stop:not([disabled])").wait_for(timeout=WAIT_MS)
            search(panel, tab)
            assert [standing(panel, name, 1) for name in ("Module", "Since", "Removed")] == ["page"] * 3
            assert [standing(panel, name, 3) for name in ("Module", "Since", "Removed")] == ["page", "typed", "marked"]
            panel.locator("#stop").click()
            panel.locator("#submit:not([disabled])").click(timeout=WAIT_MS)
            panel.get_by_text("is handed in").wait_for(timeout=WAIT_MS)
        with found.app.app_context():
            answer = db.session.scalars(select(AnswerRow)).one()
            report = report_record(db.session.scalars(select(ReportRow)).one())
        yield answer, {(cell.row, cell.column): cell for cell in report.cells}


Evidence = tuple[AnswerRow, dict[tuple[int, str], CellEvidence]]


def test_a_pasted_table_is_handed_in_as_it_stood(evidence: Evidence) -> None:
    assert evidence[0].rows == [["aifc", "3.11", "3.13"], ["cgi", "3.11", "3.13"], ["optparse", "3.2", ""]]


@pytest.mark.parametrize(
    ("cell", "how", "quote", "url"),
    [
        ((0, "Since"), "paste", "3.11", LIST),
        ((1, "Removed"), "paste", "3.13", LIST),
        ((2, "Module"), "paste", "optparse", "http://docs.example/optparse"),
        ((2, "Removed"), "mark", "It is not removed.", "http://docs.example/optparse"),
    ],
)
def test_each_cell_is_linked_to_the_page_it_came_from(
    evidence: Evidence, cell: tuple[int, str], how: str, quote: str, url: str
) -> None:
    best = evidence[1][cell].passages[0]
    assert (best.how, best.quote, best.url) == (how, quote, url)


def test_the_second_row_of_a_pasted_table_is_proven_by_its_own_row(evidence: Evidence) -> None:
    first, second = (evidence[1][row, "Since"].passages[0] for row in (0, 1))
    assert first.start < second.start
    assert second.prefix.endswith("cgi\t")


def test_a_typed_cell_has_no_link_of_the_annotator(evidence: Evidence) -> None:
    assert {passage.how for passage in evidence[1][2, "Since"].passages} & {"paste", "mark"} == set()
    assert [one["how"] for one in evidence[0].origins if (one["row"], one["column"]) == (2, "Since")] == ["typed"]
