"""Behind the panel: a draft is linted by the scorer's rules, and what its cells came from is kept and borne out."""

from __future__ import annotations

import doctest
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from annotator_server.database import db
from annotator_server.models.answers import AnswerRow
from annotator_server.models.reports import ReportRow
from annotator_server.policy import Actor
from annotator_server.records.report_record import report_record
from annotator_server.workflow import answer_linting, cell_origins, claiming, declared_evidence
from annotator_server.workflow import writing as questions
from annotator_server.workflow.answer_linting import lint_answer
from annotator_server.workflow.cell_origins import CellOrigin, fitted_origins, read_origins
from annotator_server.workflow.once import new_key
from browser_capture.json_records import dumps
from tests.annotator_server.conftest import A_QUESTION, submit, upload
from tests.annotator_server.recorded_search import AIFC, ANSWER, OPTPARSE, recorded_search
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.pipeline import evidence_links
from verifier.report import CellEvidence

SignIn = Callable[..., FlaskClient]

TABLE = AnswerFormat(
    type="table",
    columns=(Column(name="Module"), Column(name="Since", type="integer")),
    keys=("Module",),
    sort=(SortKey(column="Module"),),
)


def copied(text: str, url: str = AIFC, **more: Any) -> dict[str, Any]:
    visit = {AIFC: "v2", OPTPARSE: "v3"}.get(url)
    return {"type": "copy", "src": "dom", "url": url, "visit": visit, "data": {"text": text, **more}}


def origin(column: str = "Since", value: str = "3.11", **members: Any) -> dict[str, Any]:
    known = {"row": 0, "column": column, "value": value, "how": "paste", "session": "s-1", "seq": 13, "text": value}
    return {**known, **members}


# ---- Lint --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "code", "row", "column"),
    [
        ("Module,Since\nb,1\na,2\n", "sort_order", 1, "Module"),
        ("Module,Since\na,x\n", "type", 0, "Since"),
        ("Module,Since\na,1\na,1\n", "duplicate_row", 1, None),
        ("Module,Since\n,1\n", "blank", 0, "Module"),
    ],
)
def test_a_draft_is_linted_by_the_scorer_s_own_rules(text: str, code: str, row: int, column: str | None) -> None:
    assert (code, row, column) in [
        (one.code, one.row, one.column) for one in lint_answer(text.encode(), TABLE).findings
    ]


def test_rows_out_of_order_come_with_the_order_they_should_have() -> None:
    assert lint_answer(b"Module,Since\nb,1\nC,2\na,3\n", TABLE).order == (2, 0, 1)
    assert lint_answer(b"Module,Since\na,1\nb,2\n", TABLE).order is None


def test_rows_are_sorted_downwards_by_number_with_blanks_last() -> None:
    asked = AnswerFormat(
        type="list",
        columns=(Column(name="N", type="number"),),
        sort=(SortKey(column="N", direction="descending", collation="number"),),
    )
    assert answer_linting.sorted_places([["9"], ["10"], ["2"]], asked) == (1, 0, 2)
    assert answer_linting.sorted_places([["9"], ["many"]], asked) is None


def test_the_panel_asks_for_the_lint_and_nothing_is_kept(a_claimed_task: str, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    answer = ana.post(f"/panel/{a_claimed_task}/lint", data={"answer_csv": "Module,Since,Removed\nb,1,\na,2,\n"})
    assert answer.get_json()["order"] == [1, 0]
    assert "b,1" not in ana.get(f"/panel/{a_claimed_task}").text


def test_an_answer_of_another_shape_is_refused_with_the_reason(a_claimed_task: str, sign_in_as: SignIn) -> None:
    found = sign_in_as("ana").post(f"/panel/{a_claimed_task}/lint", data={"answer_csv": "A,B\n1,2\n"}).get_json()
    assert "The header must be: Module, Since, Removed." in found["refusals"]


# ---- Drafts ------------------------------------------------------------------------------------
def test_a_draft_keeps_where_its_cells_came_from(a_claimed_task: str, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    ana.post(f"/panel/{a_claimed_task}/draft", json={"body": ANSWER, "base_seq": 0, "origins": [origin()]})
    page = ana.get(f"/panel/{a_claimed_task}").text
    assert '"seq": 13' in page
    assert '"how": "paste"' in page


def test_a_stale_draft_gets_what_the_server_holds(a_claimed_task: str, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    ana.post(f"/panel/{a_claimed_task}/draft", json={"body": "one", "base_seq": 0})
    answer = ana.post(f"/panel/{a_claimed_task}/draft", json={"body": "two", "base_seq": 0})
    assert answer.status_code == 409
    assert (answer.get_json()["theirs"]["body"], answer.get_json()["theirs"]["seq"]) == ("one", 1)


def test_a_stale_form_shows_both_texts(a_claimed_task: str, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    ana.post(f"/panel/{a_claimed_task}/draft", json={"body": "of another window", "base_seq": 0})
    answer = submit(ana, a_claimed_task, "of this one", base_seq="0")
    assert answer.status_code == 409
    assert "of another window" in answer.text
    assert "of this one" in answer.text


def test_a_question_changed_meanwhile_is_shown_as_it_was_and_as_it_is(
    app: Flask, a_claimed_task: str, sign_in_as: SignIn, actor_of: Callable[[str], Actor]
) -> None:
    changed = replace(A_QUESTION, text=A_QUESTION.text.replace("List", "Name"))
    with app.app_context():
        ana = actor_of("ana")
        claiming.hand_back(ana, a_claimed_task)
        questions.refine_question(ana, a_claimed_task, changed, 1, new_key())
        questions.mark_ready(ana, a_claimed_task, 2)
        claiming.claim(ana, a_claimed_task, 120)
    answer = submit(sign_in_as("ana"), a_claimed_task, ANSWER, question_version="1")
    assert answer.status_code == 409
    assert answer.text.count("List every superseded module") == answer.text.count("Name every superseded module") == 1


@pytest.mark.parametrize(
    "entry",
    [None, 3, {}, origin(how="guess"), origin(row=-1), origin(row=True), origin(text="\x00"), origin(seq="13")],
    ids=str,
)
def test_what_is_no_origin_is_left_out(entry: Any) -> None:
    assert read_origins([entry, origin()]) == read_origins([origin()])


def test_origins_follow_their_values_and_are_dropped_without_one() -> None:
    known = [CellOrigin(row=row, column="A", value=value, how="typed") for row, value in enumerate(("x", "y", "z"))]
    found = fitted_origins(known, ["A", "B"], [["new", ""], [" X", ""], ["z", ""], ["y", ""]])
    assert [(one.row, one.value) for one in found] == [(1, "x"), (3, "y"), (2, "z")]


@pytest.mark.parametrize("module", [answer_linting, cell_origins, declared_evidence])
def test_examples_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


# ---- Handing in --------------------------------------------------------------------------------
@pytest.fixture
def handed_in(
    app: Flask, a_claimed_task: str, client: FlaskClient, token_of: Callable[[str], dict[str, str]], sign_in_as: SignIn
) -> Callable[..., Mapping[tuple[int, str], CellEvidence]]:
    """Return the evidence of an answer handed in with these origins, after a recording with these copies."""

    def hand_in(copies: list[dict[str, Any]], *origins: dict[str, Any]) -> Mapping[tuple[int, str], CellEvidence]:
        upload(client, token_of("ana"), a_claimed_task, recorded_search(a_claimed_task, copies=copies))
        submit(sign_in_as("ana"), a_claimed_task, ANSWER, origins=dumps(list(origins)))
        with app.app_context():
            report = report_record(db.session.scalars(select(ReportRow)).one())
        return {(cell.row, cell.column): cell for cell in report.cells}

    return hand_in


Handed = Callable[..., Mapping[tuple[int, str], CellEvidence]]


def test_a_paste_is_the_cell_s_first_passage_at_the_copied_place(handed_in: Handed) -> None:
    cell = handed_in([copied("3.11, removed in version 3.13")], origin(text="3.11"))[0, "Since"]
    best = cell.passages[0]
    assert (cell.state, best.how, best.quote, best.url) == ("proven", "paste", "3.11", AIFC)


def test_the_released_answer_carries_the_link(app: Flask, handed_in: Handed) -> None:
    handed_in([copied("3.11")], origin())
    with app.app_context():
        links = evidence_links(report_record(db.session.scalars(select(ReportRow)).one()))
    (link,) = [one for one in links if one.how == "paste"]
    assert (link.row, link.column, link.quote, link.url) == (0, "Since", "3.11", AIFC)


def test_a_paste_whose_copy_the_panel_did_not_know_is_found_by_its_text(handed_in: Handed) -> None:
    cell = handed_in([copied("3.11")], origin(how="outside", session="", seq=0))[0, "Since"]
    assert cell.passages[0].how == "paste"


@pytest.mark.parametrize(
    "told",
    [origin(how="typed"), origin(seq=99), origin(how="outside", text="3.1"), origin(value="4")],
    ids=["typed", "no such event", "pasted from elsewhere", "another value"],
)
def test_without_a_copy_nothing_is_called_pasted(handed_in: Handed, told: dict[str, Any]) -> None:
    cell = handed_in([copied("3.11")], told)[0, "Since"]
    assert "paste" not in {passage.how for passage in cell.passages}


def test_a_copy_that_stands_in_no_kept_page_leaves_no_link_and_is_told(handed_in: Handed, sign_in_as: SignIn) -> None:
    cell = handed_in([copied("never on the page 3.11")], origin(text="never on the page 3.11"))[0, "Since"]
    assert "paste" not in {passage.how for passage in cell.passages}
    page = sign_in_as("rita").get("/reviews/first-1/evidence?row=0&column=Since").text
    assert "not found in the kept page" in page


def test_a_mark_without_the_value_makes_the_cell_derived(handed_in: Handed) -> None:
    mark = {"type": "evidence", "src": "panel", "url": OPTPARSE, "visit": "v3", "data": {"quote": "is not removed"}}
    told = origin("Removed", "", row=1, how="mark", text="is not removed")
    cell = handed_in([mark], told)[1, "Removed"]
    assert (cell.state, cell.passages[0].how, cell.passages[0].quote) == ("derived", "mark", "is not removed")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (origin(), "pasted from this page"),
        (origin(how="typed"), "Typed by the annotator"),
        (origin(how="outside", text="3.1"), "Pasted by the annotator, not from a recorded page"),
        (origin(how="forgotten", text="3.1"), "From a page that the annotator took back"),
    ],
)
def test_a_reviewer_sees_where_a_cell_came_from(
    handed_in: Handed, sign_in_as: SignIn, told: dict[str, Any], words: str
) -> None:
    handed_in([copied("3.11")], told)
    assert words in sign_in_as("rita").get("/reviews/first-1/evidence?row=0&column=Since").text


def test_origins_stand_in_the_answer_as_they_were_handed_in(app: Flask, handed_in: Handed) -> None:
    handed_in([copied("3.11")], origin())
    with app.app_context():
        answer = db.session.scalars(select(AnswerRow)).one()
    assert answer.origins == [origin()]
