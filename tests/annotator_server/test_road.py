"""The road through the server: from a question that is ready to an approved answer in the records of a release."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from annotator_server.workflow.releasing import approved_tasks

pytestmark = pytest.mark.usefixtures("any_home")


def test_an_approved_answer_becomes_records_of_a_release(
    app: Flask, a_submitted_answer: str, sign_in_as: Callable[..., FlaskClient]
) -> None:
    verdict = {"answer_version": "1", "do": "approve", "comment": "checked"}
    answer = sign_in_as("rita").post(f"/reviews/{a_submitted_answer}/decide", data=verdict)
    assert answer.status_code in (302, 303), answer.get_data(as_text=True)
    with app.app_context():
        (approved,) = approved_tasks("first")
    assert approved.answers[0].rows == (("aifc", "3.11", "3.13"), ("optparse", "3.2", ""))
    assert approved.trajectories[0].queries[0].text == "superseded modules"
    assert {link.column for link in approved.answers[0].evidence} >= {"Module", "Since"}


def test_records_name_people_by_pseudonym(
    app: Flask, a_submitted_answer: str, sign_in_as: Callable[..., FlaskClient]
) -> None:
    verdict = {"answer_version": "1", "do": "approve", "comment": "checked"}
    sign_in_as("rita").post(f"/reviews/{a_submitted_answer}/decide", data=verdict)
    with app.app_context():
        (approved,) = approved_tasks("First")
    assert approved.answers[0].author == approved.trajectories[0].actor.name == "p0"
