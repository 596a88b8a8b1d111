"""What a searcher wants back after it was sent: gone from the log, the pages, the reports and the review."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from annotator_server.config import page_store
from annotator_server.database import db, writing
from annotator_server.errors import BadInput, Conflict, NotFound
from annotator_server.models.audit import AuditEntry
from annotator_server.models.recordings import CaptureSession, EventRow
from annotator_server.models.reports import ReportRow
from annotator_server.workflow.taking_back import TakenBack, take_back
from exports.cli.root import run
from tests.annotator_server.conftest import SignIn
from tests.annotator_server.recorded_search import AIFC, PAGES, RecordedSearch


def back(app: Flask, home: Path, first: int = 8, last: int = 9, name: str = "s-1") -> TakenBack:
    """Take events of the recording back; 8 and 9 are the visit to a page and its snapshot."""
    with app.app_context():
        return take_back(name, first, last, "asked for", page_store(home))


@pytest.mark.usefixtures("any_home")
def test_events_and_pages_that_are_taken_back_are_gone(
    app: Flask, home: Path, a_submitted_answer: str, a_recording: RecordedSearch
) -> None:
    done = back(app, home)
    assert (done.events, done.questions) == (2, (a_submitted_answer,))
    text = PAGES[AIFC][1].encode()
    (text_sha,) = [sha for sha, data in a_recording.blobs.items() if data == text]
    (page_id,) = [sha for sha, data in a_recording.blobs.items() if text_sha.encode() in data]
    assert [page_store(home).has(sha) for sha in (text_sha, page_id)] == [False, False]
    with app.app_context():
        lines = db.session.scalars(select(EventRow.line).order_by(EventRow.seq)).all()
        assert [json.loads(line)["type"] for line in lines[7:9]] == ["forgotten", "forgotten"]
        assert AIFC not in "".join(lines[7:9])
        reports = db.session.scalars(select(ReportRow)).all()
        assert not [row for row in reports if "Deprecated since version 3.11" in row.body]


def test_taking_back_twice_finds_nothing_left(app: Flask, home: Path, a_submitted_answer: str) -> None:
    back(app, home)
    assert back(app, home) == TakenBack(0, 0, ())


def test_the_frame_of_a_recording_stays(app: Flask, home: Path, a_submitted_answer: str) -> None:
    back(app, home, 1, 13)
    with app.app_context():
        types = db.session.scalars(select(EventRow.type).order_by(EventRow.seq)).all()
    assert [kind for kind in types if kind != "forgotten"] == ["session_start", "task_start", "task_stop"]


def test_the_chain_of_the_log_can_still_be_followed(
    app: Flask, home: Path, a_submitted_answer: str, a_recording: RecordedSearch
) -> None:
    back(app, home)
    with app.app_context():
        lines = [json.loads(line) for line in db.session.scalars(select(EventRow.line).order_by(EventRow.seq))]
        assert lines[8]["data"]["hash"] == lines[9]["prev"]
        assert db.session.scalars(select(CaptureSession.digest)).one() == a_recording.digest
        entry = db.session.scalars(select(AuditEntry).where(AuditEntry.verb == "events_taken_back")).one()
        assert entry.details["why"] == "asked for"


def test_the_review_goes_on_without_what_was_taken_back(
    app: Flask, home: Path, a_submitted_answer: str, sign_in_as: SignIn
) -> None:
    back(app, home)
    rita = sign_in_as("rita")
    assert rita.post(f"/reviews/{a_submitted_answer}/verify").status_code in (302, 303, 404)
    page = rita.get(f"/reviews/{a_submitted_answer}")
    assert page.status_code == 200
    path = page.text[page.text.index('id="strip"') :]
    assert PAGES[AIFC][0] not in path
    assert "2 entries were taken back after they were sent" in path


def test_what_cannot_be_taken_back_is_said(
    app: Flask, home: Path, a_claimed_task: str, client: FlaskClient, a_recording: RecordedSearch
) -> None:
    with pytest.raises(NotFound):
        back(app, home, name="nowhere")
    for first, last in ((0, 3), (5, 4), (5, 99)):
        with pytest.raises(BadInput, match="events 1 to 13"):
            back(app, home, first, last)


def test_a_recording_that_still_arrives_is_left_to_its_machine(app: Flask, home: Path, a_submitted_answer: str) -> None:
    with app.app_context(), writing() as session:
        session.scalars(select(CaptureSession)).one().state = "open"
    with pytest.raises(Conflict, match="on the machine"):
        back(app, home)


def test_a_maintainer_takes_back_by_command(
    app: Flask, home: Path, a_submitted_answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["server", "forget", "s-1", "8", "9", "--why", "asked for", "--home", str(home)]
    assert run(words) == 0
    assert "2 events taken back" in capsys.readouterr().out
    assert run([*words[:2], "nowhere", *words[3:]]) == 2
