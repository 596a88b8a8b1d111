"""Verdicts: never on one's own answer, never on an older one, never without a reason where cells are in doubt."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, select

from annotator_server.database import db, writing
from annotator_server.models.accounts import Membership, User
from annotator_server.models.audit import AuditEntry
from annotator_server.models.reviews import Review
from annotator_server.policy import Actor
from annotator_server.views.passages import without_twins
from annotator_server.workflow import claiming
from annotator_server.workflow.audit import GENESIS, entry_hash
from annotator_server.workflow.releasing import approved_tasks
from annotator_server.workflow.writing import mark_ready, refine_question
from tests.annotator_server.conftest import A_QUESTION, submit, upload
from tests.annotator_server.recorded_search import ANSWER, RecordedSearch, recorded_search
from verifier.report import Passage

pytestmark = pytest.mark.usefixtures("any_home")

SignIn = Callable[..., FlaskClient]
URL = "https://docs.example.org/aifc.html"
DOUBTFUL = "Module,Since,Removed\naifc,3.11,7.77\noptparse,3.2,\n"


def decide(browser: FlaskClient, task: str, do: str, **fields: Any) -> Any:
    form = {"answer_version": "1", "comment": "", "do": do, **fields}
    return browser.post(f"/reviews/{task}/decide", data=form)


def test_nobody_reviews_their_own_answer(app: Flask, a_submitted_answer: str, sign_in_as: SignIn) -> None:
    with app.app_context(), writing() as session:
        ana = session.scalars(select(User).where(User.name == "ana")).one()
        one = session.scalars(select(Membership).where(Membership.user_id == ana.id)).one()
        session.add(Membership(project_id=one.project_id, user_id=ana.id, role="reviewer", created_at=one.created_at))
    browser = sign_in_as("ana")
    assert decide(browser, a_submitted_answer, "approve", comment="fine").status_code == 403
    assert 'id="approve"' not in browser.get(f"/reviews/{a_submitted_answer}").text


def test_a_return_needs_a_reason_and_a_sentence(a_submitted_answer: str, sign_in_as: SignIn) -> None:
    rita = sign_in_as("rita")
    answer = decide(rita, a_submitted_answer, "return", comment="")
    assert answer.status_code == 422
    assert "Choose at least one reason" in answer.text
    assert decide(rita, a_submitted_answer, "return", comment="x", reasons=["invented"]).status_code == 422


def test_a_returned_task_may_be_claimed_again_with_the_reason_in_view(
    a_submitted_answer: str, sign_in_as: SignIn
) -> None:
    words = {"comment": "Rows of chapter 2 are missing.", "reasons": ["missing_rows"]}
    assert decide(sign_in_as("rita"), a_submitted_answer, "return", **words).status_code in (302, 303)
    ana = sign_in_as("ana")
    assert "Rows of chapter 2 are missing." in ana.get("/").text
    assert ana.post(f"/questions/{a_submitted_answer}/claim").status_code in (302, 303)


def test_cells_without_evidence_block_approval_until_someone_says_why(
    app: Flask, a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn
) -> None:
    submit(sign_in_as("ana"), a_claimed_task, DOUBTFUL)
    rita = sign_in_as("rita")
    answer = decide(rita, a_claimed_task, "approve")
    assert answer.status_code == 422
    assert "without clear evidence" in answer.text
    assert decide(rita, a_claimed_task, "approve", comment="Said in a figure.").status_code in (302, 303)


def test_a_verdict_sent_twice_is_one(app: Flask, a_submitted_answer: str, sign_in_as: SignIn) -> None:
    rita = sign_in_as("rita")
    for _ in range(2):
        assert decide(rita, a_submitted_answer, "approve", comment="ok").status_code in (302, 303)
    with app.app_context():
        assert len(db.session.scalars(select(Review)).all()) == 1


def test_a_second_reviewer_comes_too_late_and_is_told(a_submitted_answer: str, sign_in_as: SignIn) -> None:
    decide(sign_in_as("rita"), a_submitted_answer, "approve", comment="ok")
    late = decide(sign_in_as("reviewer"), a_submitted_answer, "return", comment="no", reasons=["other"])
    assert late.status_code == 409
    assert "is approved" in late.text


def test_a_verdict_on_an_older_answer_is_refused_and_its_words_stay(
    a_submitted_answer: str, sign_in_as: SignIn
) -> None:
    words = {"answer_version": "0", "comment": "my long comment"}
    answer = decide(sign_in_as("rita"), a_submitted_answer, "approve", **words)
    assert answer.status_code == 409
    assert "my long comment" in answer.text


def test_every_deed_is_in_the_chain_and_the_chain_holds(
    app: Flask, a_submitted_answer: str, sign_in_as: SignIn
) -> None:
    decide(sign_in_as("rita"), a_submitted_answer, "approve", comment="ok")
    with app.app_context():
        entries = db.session.scalars(
            select(AuditEntry).where(AuditEntry.project_id == 1).order_by(AuditEntry.seq)
        ).all()
    verbs = [entry.verb for entry in entries]
    assert verbs[-3:] == ["answer_submitted", "answer_verified", "answer_approved"]
    assert [entry.previous for entry in entries] == [GENESIS, *(entry.hash for entry in entries[:-1])]
    assert all(entry.hash == entry_hash(entry) for entry in entries)


def test_a_cell_s_evidence_shows_its_passage_marked_in_the_page(a_submitted_answer: str, sign_in_as: SignIn) -> None:
    piece = sign_in_as("rita").get(f"/reviews/{a_submitted_answer}/evidence?row=0&column=Since").text
    assert "<mark>3.11</mark>" in piece
    assert "docs.example.org/aifc.html" in piece
    assert "reached from “superseded modules”" in piece


def test_what_was_pasted_is_shown_once_though_the_check_found_it_too() -> None:
    pasted = Passage(
        snapshot="a", text_sha="b", url=URL, title="", at="", start=4, end=8, quote="in 3.11", prefix="", suffix="",
        how="paste", score=1,
    )  # fmt: skip
    found = dataclasses.replace(pasted, start=50, end=54, quote="3.11", how="exact")
    elsewhere, other = dataclasses.replace(found, url=URL + "x"), dataclasses.replace(found, quote="3.12")
    assert without_twins((pasted, found, elsewhere, other)) == [pasted, elsewhere, other]
    assert without_twins((found, found)) == [found, found]


def test_a_finding_leads_to_its_step_on_the_path(
    a_claimed_task: str, client: FlaskClient, token_of: Callable[[str], dict[str, str]], sign_in_as: SignIn
) -> None:
    data = {"rule": "engine", "detail": "bing"}
    touched = {"type": "policy", "src": "rec", "visit": "v2", "url": "https://bing.com/", "data": data}
    upload(client, token_of("ana"), a_claimed_task, recorded_search(a_claimed_task, copies=[touched]))
    submit(sign_in_as("ana"), a_claimed_task, ANSWER)
    page = sign_in_as("rita").get(f"/reviews/{a_claimed_task}").text
    assert re.search(
        r'other_engine: bing <a class="tight" href="#step-13"><time [^>]*>[\d:]+</time> on the path</a>', page
    )


def test_a_review_page_asks_the_database_twelve_times_at_most(
    app: Flask, a_submitted_answer: str, sign_in_as: SignIn
) -> None:
    rita, asked = sign_in_as("rita"), []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert rita.get(f"/reviews/{a_submitted_answer}").status_code == 200
    assert len([text for text in asked if not text.startswith("BEGIN")]) <= 12


def test_a_returned_answer_is_corrected_on_the_same_recording(
    app: Flask, a_claimed_task: str, a_recording: RecordedSearch, sign_in_as: SignIn
) -> None:
    ana, rita = sign_in_as("ana"), sign_in_as("rita")
    submit(ana, a_claimed_task, DOUBTFUL)
    decide(rita, a_claimed_task, "return", comment="7.77 stands nowhere.", reasons=["wrong_cell"])
    ana.post(f"/questions/{a_claimed_task}/claim")
    assert "7.77 stands nowhere." in ana.get(f"/panel/{a_claimed_task}").text
    assert submit(ana, a_claimed_task, ANSWER).status_code in (302, 303)
    assert decide(rita, a_claimed_task, "approve", answer_version="2", comment="ok").status_code in (302, 303)
    with app.app_context():
        (approved,) = approved_tasks("first")
    assert [answer.version for answer in approved.answers] == [2]


def test_a_changed_question_needs_a_new_recording(
    app: Flask,
    a_submitted_answer: str,
    sign_in_as: SignIn,
    actor_of: Callable[[str], Actor],
) -> None:
    decide(sign_in_as("rita"), a_submitted_answer, "return", comment="Say which version.", reasons=["ambiguous"])
    with app.app_context():
        ana = actor_of("ana")
        changed = dataclasses.replace(A_QUESTION, text=A_QUESTION.text + " As of version 3.11.")
        version = refine_question(ana, a_submitted_answer, changed, 1, "another-form-key")
        mark_ready(ana, a_submitted_answer, version)
        claiming.claim(ana, a_submitted_answer, 10)
    answer = submit(sign_in_as("ana"), a_submitted_answer, ANSWER)
    assert answer.status_code == 409
    assert "record the search again" in answer.text


def test_checking_again_is_refused_once_the_answer_went_back(a_submitted_answer: str, sign_in_as: SignIn) -> None:
    rita = sign_in_as("rita")
    decide(rita, a_submitted_answer, "return", comment="No.", reasons=["other"])
    assert rita.post(f"/reviews/{a_submitted_answer}/verify").status_code == 409


def test_checking_what_was_never_handed_in_is_refused(a_ready_task: str, sign_in_as: SignIn) -> None:
    assert sign_in_as("rita").post(f"/reviews/{a_ready_task}/verify").status_code == 409
