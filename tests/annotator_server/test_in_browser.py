"""The pages in a real browser: review by keyboard, lint as one types, no barrier, no page wider than its window."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from annotator_server.database import db
from annotator_server.models.tasks import Task
from annotator_server.workflow import people
from browser_capture.jotting import PANEL as JOT_PANEL
from tests.annotator_server.conftest import PASSWORD, Visit
from tests.annotator_server.test_jotted_seeds import Headers, jot
from tests.screenshots.pages import JOTS_KEPT, JOTTING, LOOKING

pytestmark = pytest.mark.browser


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


def test_a_stranger_signs_in_and_sees_the_page_they_asked_for(app: Flask, visit: Visit, live: str) -> None:
    with app.app_context():
        people.add_person("ana@example.org", "annotator", password=PASSWORD, project="first")
    page = visit(None, "/questions/new")
    page.get_by_label("E-mail").fill("ana@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{live}/questions/new")
    expect(page.get_by_label("Question", exact=True)).to_be_visible()


def test_the_editor_shows_lint_as_one_types(visit: Visit) -> None:
    page = visit("ana", "/questions/new")
    page.get_by_label("Question", exact=True).fill("Which modules are new today?")
    page.get_by_label("Column 1 name").fill("Module")
    expect(page.locator("#preview")).to_contain_text("changes its meaning with time")
    page.get_by_role("button", name="Add column").click()
    expect(page.get_by_label("Column 4 name")).to_be_focused()


def test_rows_can_be_sorted_by_the_columns_as_they_are_named_now(visit: Visit) -> None:
    page = visit("ana", "/questions/new")
    page.get_by_label("Column 1 name").fill("Module")
    page.get_by_label("Column 2 name").fill("Since")
    options = page.locator("#column-names option")
    assert options.evaluate_all("all => all.map(one => one.value)") == ["Module", "Since"]


def test_on_a_narrow_screen_words_stand_beside_each_other_and_the_menu_in_one_row(
    visit: Visit, a_submitted_answer: str
) -> None:
    page = visit("rita", f"/reviews/{a_submitted_answer}", viewport={"width": 390, "height": 800})
    assert page.locator(".topnav").evaluate("row => row.offsetWidth > 0 && row.scrollHeight === row.clientHeight")
    is_apart = """line => {
      const [name, words] = [...line.querySelectorAll(".check-name, .soft")].map(one => one.getBoundingClientRect());
      return name.right <= words.left || name.bottom <= words.top;
    }"""
    assert set(page.locator(".check summary").evaluate_all(f"lines => lines.map({is_apart})")) == {True}
    value = page.locator(".cell-text", has_text="3.11").first
    assert value.evaluate("text => getComputedStyle(text).whiteSpace") == "nowrap"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_barrier(
    visit: Visit, a_submitted_answer: str, live: str, scheme: str, client: FlaskClient, token_of: Headers
) -> None:
    seed = client.post("/api/v1/seeds", json=jot(), headers=token_of("ana")).get_json()["id"]
    ana = visit("ana", "/", color_scheme=scheme)
    rita = visit("rita", "/", color_scheme=scheme)
    task = a_submitted_answer
    paths = {
        ana: [
            "/",
            "/seeds",
            f"/questions/new?seed={seed}",
            "/questions",
            "/questions/new",
            f"/questions/{task}",
            f"/panel/{task}",
            "/account/pair",
            "/nowhere",
        ],
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("heard", [LOOKING, JOTTING, JOTS_KEPT], ids=["looking", "jotting", "away"])
def test_the_jot_panel_has_no_barrier(browser: Browser, scheme: Literal["light", "dark"], heard: object) -> None:
    page = browser.new_page(viewport={"width": 380, "height": 900}, color_scheme=scheme)
    page.goto(JOT_PANEL)
    page.evaluate("detail => dispatchEvent(new CustomEvent('trailbench:state', { detail }))", heard)
    result = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in result.response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(visit: Visit, a_submitted_answer: str, live: str, width: int) -> None:
    page = visit("rita", "/", viewport={"width": width, "height": 800})
    for path in ("/", "/questions", f"/questions/{a_submitted_answer}", "/reviews", f"/reviews/{a_submitted_answer}"):
        page.goto(live + path)
        extra = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(extra) <= 0, path
