"""The pages in a real browser: drafts, the panel's talk with the recorder, review by keyboard, no barrier."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright
from sqlalchemy import select
from werkzeug.serving import make_server

from annotator_server.app import create_app
from annotator_server.database import db
from annotator_server.models.accounts import User
from annotator_server.models.tasks import Task
from annotator_server.workflow import people
from browser_capture.chromium import require_chromium
from tests.annotator_server.recorded_search import ANSWER, RecordedSearch

pytestmark = pytest.mark.browser

PASSWORD = "correct horse"
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for this file."""
    chromium = require_chromium()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=str(chromium.path), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield started
        started.close()


@pytest.fixture
def live(app: Flask, home: Path) -> Iterator[str]:
    """The address of a server on the same home as `app`, its forms as strict as in service."""
    served = create_app(home, jobs_at_once=True)
    server = make_server("127.0.0.1", 0, served, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
    with served.app_context():
        db.engine.dispose()


@pytest.fixture
def visit(app: Flask, live: str, browser: Browser) -> Iterator[Visit]:
    """Return a page as a person sees it after signing in: `visit("rita", "/reviews")`. No page may break a policy."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def open_page(name: str, path: str, **context: Any) -> Page:
        with app.app_context():
            email = db.session.scalars(select(User.email).where(User.name == name)).one()
            people.add_person(email, "annotator" if name == "ana" else "reviewer", password=PASSWORD, project="first")
        made = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
        contexts.append(made)
        page = made.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if "Content Security" in line.text else None)
        page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        page.goto(f"{live}/sign-in?next={path}")
        page.get_by_label("E-mail").fill(email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{live}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def tell(page: Page, **detail: Any) -> None:
    """Say something to the panel as the recorder does."""
    whole = {"session": "s-1", "task": "t", "started_at": None, "events": 0, "uploaded_seq": 0, "queue": 0, "last": []}
    message = {**whole, "warnings": [], "uploading": False, "problem": None, **detail}
    page.evaluate("detail => window.dispatchEvent(new CustomEvent('trailbench:state', {detail}))", message)


def test_what_is_typed_is_saved_by_itself_and_survives(visit: Visit, a_claimed_task: str) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}", viewport={"width": 380, "height": 900})
    panel.get_by_label("Answer", exact=True).press_sequentially(ANSWER)
    expect(panel.locator("#save-mark")).to_contain_text("Saved")
    expect(panel.locator("#answer-preview")).to_contain_text("2 rows")
    panel.reload()
    expect(panel.get_by_label("Answer", exact=True)).to_have_value(ANSWER)


def test_typing_back_what_is_saved_is_not_called_unsaved(visit: Visit, a_claimed_task: str) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}")
    box, mark = panel.get_by_label("Answer", exact=True), panel.locator("#save-mark")
    box.fill(ANSWER)
    expect(mark).to_contain_text("version 1")
    box.press_sequentially("x")
    box.press("Backspace")
    expect(mark).to_contain_text("Saved")


def test_a_server_that_is_away_is_said_loudly_and_the_text_comes_back(visit: Visit, a_claimed_task: str) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}")
    panel.route("**/draft", lambda route: route.abort())
    panel.get_by_label("Answer", exact=True).fill(ANSWER)
    expect(panel.locator("#save-mark")).to_have_text("Not saved: server away, kept on this machine")
    panel.unroute("**/draft")
    panel.reload()
    expect(panel.get_by_label("Answer", exact=True)).to_have_value(ANSWER)
    expect(panel.locator("#save-mark")).to_contain_text("Saved")


def test_the_panel_says_what_was_clicked_and_shows_what_it_hears(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    heard: list[str] = []
    panel.expose_function("__trailbench_panel", lambda text: heard.append(json.loads(text)["do"]))
    panel.goto(f"{live}/panel/{a_claimed_task}")
    expect(panel.locator("#start")).to_be_disabled()
    tell(panel, state="idle")
    panel.locator("#start").click()
    last = [{"type": "visit", "text": "<b>aifc</b>", "at": "2026-09-21T14:13:20Z"}]
    tell(panel, state="recording", started_at="2026-09-21T14:13:20Z", events=7, last=last)
    expect(panel.locator("#last-events")).to_contain_text("<b>aifc</b>")
    panel.locator("#pause").click()
    tell(panel, state="paused", started_at="2026-09-21T14:13:20Z")
    panel.get_by_role("button", name="Resume").click()
    panel.locator("#stop").click()
    assert heard == ["hello", "start", "pause", "resume", "stop"]


def test_submit_waits_for_the_uploaded_recording_and_hands_in(
    visit: Visit, a_claimed_task: str, a_recording: RecordedSearch
) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}")
    tell(panel, state="recording", started_at="2026-09-21T14:13:20Z")
    expect(panel.locator("#submit")).to_be_disabled()
    panel.get_by_label("Answer", exact=True).fill(ANSWER)
    tell(panel, state="uploaded")
    panel.get_by_role("button", name="Submit").dblclick()
    expect(panel.get_by_text("Answer 1 is handed in")).to_be_visible()


def test_a_whole_review_by_keyboard(app: Flask, visit: Visit, a_submitted_answer: str, live: str) -> None:
    page = visit("rita", f"/reviews/{a_submitted_answer}?order=answered")
    for key in "jj":
        page.keyboard.press(key)
    expect(page.locator("#evidence")).to_contain_text("Evidence for “Removed”, row 1")
    expect(page.locator("#evidence mark").first).to_have_text("3.13")
    expect(page.locator("#strip .lit")).to_have_count(1)
    page.keyboard.press("k")
    expect(page.locator("#evidence")).to_contain_text("Evidence for “Since”, row 1")
    page.keyboard.press("?")
    expect(page.get_by_text("next doubtful cell")).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("3")
    expect(page.get_by_label("No evidence")).to_be_checked()
    page.keyboard.press("r")
    page.keyboard.type("jnka are typed, not obeyed")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.wait_for_url(f"{live}/reviews")
    with app.app_context():
        assert db.session.scalar(select(Task.state)) == "approved"


def test_the_editor_shows_lint_as_one_types(visit: Visit) -> None:
    page = visit("ana", "/questions/new")
    page.get_by_label("Question", exact=True).fill("Which modules are new today?")
    page.get_by_label("Column 1 name").fill("Module")
    expect(page.locator("#preview")).to_contain_text("changes its meaning with time")
    page.get_by_role("button", name="Add column").click()
    expect(page.get_by_label("Column 4 name")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_barrier(visit: Visit, a_submitted_answer: str, live: str, scheme: str) -> None:
    ana = visit("ana", "/", color_scheme=scheme)
    rita = visit("rita", "/", color_scheme=scheme)
    task = a_submitted_answer
    paths = {
        ana: ["/", "/questions", "/questions/new", f"/questions/{task}", f"/panel/{task}", "/account/pair", "/nowhere"],
        rita: ["/reviews", f"/reviews/{task}"],
    }
    found = {}
    for page, theirs in paths.items():
        for path in theirs:
            page.goto(live + path)
            result = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
            assert result.response["passes"], path
            if result.violations_count:
                found[path] = [(one["id"], one["nodes"][0]["html"][:200]) for one in result.response["violations"]]
    assert found == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(visit: Visit, a_submitted_answer: str, live: str, width: int) -> None:
    page = visit("rita", "/", viewport={"width": width, "height": 800})
    for path in ("/", "/questions", f"/questions/{a_submitted_answer}", "/reviews", f"/reviews/{a_submitted_answer}"):
        page.goto(live + path)
        extra = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(extra) <= 0, path
