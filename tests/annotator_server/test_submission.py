"""Handing in: read as meant, kept as typed, once; and nothing lost when it cannot be."""

from __future__ import annotations

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from annotator_server.config import page_store
from annotator_server.database import db
from annotator_server.errors import BadInput
from annotator_server.models.answers import AnswerRow
from annotator_server.policy import Actor
from annotator_server.workflow import claiming
from annotator_server.workflow.answer_reading import read_answer
from tests.annotator_server.conftest import submit
from tests.annotator_server.recorded_search import ANSWER, RecordedSearch
from tests.annotator_server.test_claiming import let_run_out
from verifier.answers.answer_format import AnswerFormat, Column

pytestmark = pytest.mark.usefixtures("any_home")

SignIn = Callable[..., FlaskClient]


def answers(app: Flask) -> list[AnswerRow]:
    with app.app_context():
        return list(db.session.scalars(select(AnswerRow).order_by(AnswerRow.version)))


def test_before_the_recording_is_complete_the_text_is_kept(app: Flask, a_claimed_task: str, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    answer = submit(ana, a_claimed_task, ANSWER)
    assert answer.status_code == 409
    assert "cannot be handed in" in answer.text or "no recording" in answer.text
    assert "optparse,3.2," in ana.get(f"/panel/{a_claimed_task}").text
    assert answers(app) == []


def test_a_double_click_hands_in_once(
    app: Flask, a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn
) -> None:
    ana, key = sign_in_as("ana"), "one-key-of-a-form"
    first = submit(ana, a_claimed_task, ANSWER, key=key)
    second = submit(ana, a_claimed_task, ANSWER, key=key, question_version="1")
    assert first.location == second.location
    assert len(answers(app)) == 1


def test_four_submits_at_once_hand_in_once(
    app: Flask, a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn
) -> None:
    browsers = [sign_in_as("ana") for _ in range(4)]
    form = {"key": "the-same-form-1", "question_version": "1", "base_seq": "0", "answer_csv": ANSWER, "do": "submit"}
    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(lambda b: b.post(f"/panel/{a_claimed_task}/answer", data=form).status_code, browsers))
    assert all(code < 500 for code in codes)
    assert len(answers(app)) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type or paste"),
        ("  \n ", "Type or paste"),
        ("Module,Since\naifc,3.11\n", "The header must be"),
        ("aifc,3.11,3.13,x\n", "The header must be"),
        ("Module,Since,Removed\n", "no rows"),
    ],
)
def test_another_shape_is_refused_at_the_field(
    app: Flask, a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn, text: str, words: str
) -> None:
    answer = submit(sign_in_as("ana"), a_claimed_task, text)
    assert answer.status_code == 422
    assert words in answer.text
    assert answers(app) == []


@pytest.mark.parametrize(
    "data",
    [
        ANSWER.encode(),
        b"\xef\xbb\xbf" + ANSWER.encode(),
        ANSWER.encode("utf-16"),
        ANSWER.replace(",", ";").encode(),
        ANSWER.replace(",", "\t").encode(),
        ANSWER.replace("\n", "\r\n").encode(),
    ],
    ids=["plain", "bom", "utf-16", "semicolons", "tabs", "crlf"],
)
def test_files_of_all_usual_kinds_are_read_and_kept_as_they_came(
    app: Flask, a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn, data: bytes
) -> None:
    file = (io.BytesIO(data), "answer.csv")
    answer = submit(sign_in_as("ana"), a_claimed_task, "", answer_file=file)
    assert answer.status_code in (302, 303), answer.text
    (row,) = answers(app)
    assert row.rows == [["aifc", "3.11", "3.13"], ["optparse", "3.2", ""]]
    with app.app_context():
        assert page_store(app.extensions["trailbench_settings"].home).get(row.raw_sha) == data


def test_a_picture_named_csv_is_refused(a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn) -> None:
    file = (io.BytesIO(b"\x89PNG\r\n\x1a\n\x00\x00"), "answer.csv")
    answer = submit(sign_in_as("ana"), a_claimed_task, "", answer_file=file)
    assert answer.status_code == 422
    assert "no text" in answer.text


def test_the_panel_is_told_what_to_do_about_a_picture() -> None:
    with pytest.raises(BadInput, match="this file is no text; export it as CSV, UTF-8"):
        read_answer(b"\x89PNG\r\n\x1a\n\x00\x00", AnswerFormat(type="set", columns=(Column(name="Item"),)))


def test_a_claim_lost_to_someone_else_keeps_the_text(
    app: Flask,
    a_claimed_task: str,
    a_recording: RecordedSearch,
    sign_in_as: SignIn,
    actor_of: Callable[[str], Actor],
) -> None:
    ana = sign_in_as("ana")
    ana.post(f"/panel/{a_claimed_task}/draft", json={"body": ANSWER, "base_seq": 0})
    with app.app_context():
        let_run_out()
        claiming.claim(actor_of("ben"), a_claimed_task, 10)
    form = {"key": "late-form-key", "question_version": "1", "base_seq": "1", "answer_csv": ANSWER + "x,1,2\n"}
    answer = ana.post(f"/panel/{a_claimed_task}/answer", data={**form, "do": "submit"})
    assert answer.status_code == 409
    assert "x,1,2" in answer.text
    assert "x,1,2" in ana.get(f"/panel/{a_claimed_task}").text


def test_a_claim_that_ran_out_unnoticed_still_hands_in(
    app: Flask, a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn
) -> None:
    with app.app_context():
        let_run_out()
    assert submit(sign_in_as("ana"), a_claimed_task, ANSWER).status_code in (302, 303)


def draft(browser: FlaskClient, task: str, body: str, base: int) -> Any:
    return browser.post(f"/panel/{task}/draft", json={"body": body, "base_seq": base})


def test_drafts_count_up_and_a_stale_one_is_refused(a_claimed_task: str, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    assert draft(ana, a_claimed_task, "one", 0).get_json()["seq"] == 1
    assert draft(ana, a_claimed_task, "two", 1).get_json()["seq"] == 2
    stale = draft(ana, a_claimed_task, "late", 1)
    assert (stale.status_code, stale.get_json()["error"]["code"]) == (409, "stale_version")
    assert draft(ana, a_claimed_task, "two", 1).status_code == 200


def test_the_panel_is_for_the_holder(a_claimed_task: str, sign_in_as: SignIn) -> None:
    assert sign_in_as("ben").get(f"/panel/{a_claimed_task}").status_code == 409


def test_answers_are_hidden_from_those_who_may_still_search(a_submitted_answer: str, sign_in_as: SignIn) -> None:
    page = sign_in_as("ben").get(f"/questions/{a_submitted_answer}").text
    assert "Version 1" in page
    assert "3.13" not in page


def test_a_report_is_there_after_the_job(app: Flask, a_submitted_answer: str, sign_in_as: SignIn) -> None:
    page = sign_in_as("rita").get(f"/reviews/{a_submitted_answer}").text
    assert "In review" in page
    assert "solvability" in page
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(AnswerRow)) == 1
