"""Forms: nothing typed is lost, nothing is done twice, nothing typed becomes markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from annotator_server.app import create_app
from annotator_server.database import db
from annotator_server.models.questions import Question, QuestionVersion
from annotator_server.workflow.once import new_key
from tests.annotator_server.recorded_search import ANSWER, SEARCH, RecordedSearch, recorded_search

SignIn = Callable[..., FlaskClient]

FORM = {
    "text": "List the modules, one a line, as Item, in any order.",
    "type": "set",
    "column-0-name": "Item",
    "column-0-type": "text",
    "temporal": "stable",
    "key": "a-key-of-a-form",
}
PAYLOADS = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "{{7*7}}")


@pytest.fixture
def strict_app(sqlite_home: Path) -> Iterator[Flask]:
    """An app whose forms need their token, as in service."""
    made = create_app(sqlite_home, jobs_at_once=True)
    made.config.update(TESTING=True)
    yield made
    with made.app_context():
        db.session.remove()
        db.engine.dispose()


def test_a_form_without_its_token_is_refused(strict_app: Flask) -> None:
    answer = strict_app.test_client().post("/sign-in", data={"email": "ana@example.org", "password": "x"})
    assert answer.status_code == 400
    assert "reload the page" in answer.text


def test_the_api_ignores_cookies(sign_in_as: SignIn, a_claimed_task: str) -> None:
    assert sign_in_as("ana").get(f"/api/v1/tasks/{a_claimed_task}").status_code == 401


def test_a_question_without_columns_is_told_what_to_add(sign_in_as: SignIn) -> None:
    fields = {name: text for name, text in FORM.items() if not name.startswith("column")}
    answer = sign_in_as("ana").post("/questions", data={**fields, "type": "table", "do": "ready"})
    assert answer.status_code == 422
    assert "needs at least one column; add one." in answer.text
    assert ".." not in answer.text.partition("not ready yet")[2].partition("</")[0]


def test_a_double_click_on_save_makes_one_question(app: Flask, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    first, second = (ana.post("/questions", data={**FORM, "do": "save"}) for _ in range(2))
    assert first.location == second.location
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Question)) == 1


def test_saving_the_same_text_again_makes_no_version(app: Flask, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    ana.post("/questions", data={**FORM, "do": "save"})
    again = {**FORM, "base_version": "1", "key": new_key(), "do": "save"}
    assert ana.post("/questions/first-1/edit", data=again).status_code in (302, 303)
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(QuestionVersion)) == 1


def test_a_stale_save_gets_409_and_keeps_both_texts(sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    ana.post("/questions", data={**FORM, "do": "save"})
    edit = {**FORM, "base_version": "1", "do": "save"}
    ana.post("/questions/first-1/edit", data={**edit, "text": "Theirs, saved first.", "key": new_key()})
    answer = ana.post("/questions/first-1/edit", data={**edit, "text": "Mine, saved late.", "key": new_key()})
    assert answer.status_code == 409
    assert "Theirs, saved first." in answer.text
    assert "Mine, saved late." in answer.text
    assert 'name="base_version" value="2"' in answer.text


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"text": " "}, 422, "Write the question first"),
        ({"temporal": "live"}, 422, "after how many days"),
        ({"temporal": "live", "cadence_days": "soon"}, 422, "whole number"),
        ({"seed_url": "ftp://x"}, 422, "starts with http"),
        ({"key": ""}, 422, "lost its key"),
        ({"text": "nul \x00 byte"}, 422, "no text"),
        ({"text": "x" * 20_001}, 422, "20,000 characters"),
    ],
)
def test_a_refused_save_says_why(sign_in_as: SignIn, changes: dict[str, str], status: int, words: str) -> None:
    answer = sign_in_as("ana").post("/questions", data={**FORM, "topic": "kept", "do": "save", **changes})
    assert answer.status_code == status
    assert words in answer.text


def test_a_refused_save_keeps_what_was_typed(sign_in_as: SignIn) -> None:
    typed = {**FORM, "topic": "my topic", "seed_url": "nonsense", "do": "save"}
    page = sign_in_as("ana").post("/questions", data=typed).text
    assert "List the modules, one a line" in page
    assert 'value="my topic"' in page
    assert 'value="nonsense"' in page


def test_a_faulty_question_is_saved_but_not_ready(sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    answer = ana.post("/questions", data={**FORM, "column-0-type": "date", "do": "ready"})
    assert answer.status_code == 422
    assert "date without a form" in answer.text
    assert "Draft" in ana.get("/questions/first-1").text


def test_the_editor_works_without_script(sign_in_as: SignIn) -> None:
    page = sign_in_as("ana").post("/questions", data={**FORM, "do": "more"})
    assert page.status_code == 200
    assert 'name="column-3-name"' in page.text


def test_the_preview_shows_what_an_agent_reads_and_keeps_nothing(app: Flask, sign_in_as: SignIn) -> None:
    page = sign_in_as("ana").post("/questions/preview", data=FORM).text
    assert "Give the final answer inside" in page
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Question)) == 0


ORDERS = [({}, True), ({"order": "as_asked"}, False), ({"sort-0-column": "Item"}, False), ({"type": "set"}, False)]


@pytest.mark.parametrize(("changes", "is_free"), ORDERS)
def test_a_table_without_an_order_is_told_so(sign_in_as: SignIn, changes: dict[str, str], is_free: bool) -> None:
    asked = {**FORM, "type": "table", "column-0-key": "1", **changes}
    page = sign_in_as("ana").post("/questions/preview", data=asked).text
    assert ("No order is chosen, so rows count in any order" in page) is is_free


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_is_typed_never_becomes_markup(sign_in_as: SignIn, payload: str) -> None:
    ana = sign_in_as("ana")
    ana.post("/questions", data={**FORM, "text": payload, "topic": payload, "seed_quote": payload, "do": "save"})
    for path in ("/", "/questions", f"/questions?q={payload}", "/questions/first-1", "/questions/first-1/edit"):
        page = ana.get(path).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert 'href="javascript' not in page
        assert "49" not in re.sub(r'(nonce|value)="[^"]*"|\d\d:\d\d:\d\d[^<"]*', "", page)


def test_recorded_pages_never_become_markup(
    client: FlaskClient,
    a_claimed_task: str,
    token_of: Callable[[str], dict[str, str]],
    sign_in_as: SignIn,
) -> None:
    from tests.annotator_server.conftest import submit, upload

    evil = "<script>alert(1)</script>"
    pages = {SEARCH: ("Search", evil), "https://x.example/a": (evil, f"aifc {evil}\n3.11\n3.13")}
    made: RecordedSearch = recorded_search(a_claimed_task, pages=pages)
    upload(client, token_of("ana"), a_claimed_task, made)
    submit(sign_in_as("ana"), a_claimed_task, ANSWER)
    page = sign_in_as("rita").get(f"/reviews/{a_claimed_task}?row=0&column=Module").text
    assert "&lt;script&gt;" in page
    assert evil not in page
