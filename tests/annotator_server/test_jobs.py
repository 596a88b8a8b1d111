"""Jobs: what a killed server left behind is done after the next start; what breaks is said and may be asked again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, select

from annotator_server.app import create_app
from annotator_server.database import db, writing
from annotator_server.jobs import Jobs
from annotator_server.models.recordings import EventRow
from annotator_server.models.reports import ReportRow, VerificationJob
from annotator_server.models.tasks import Task


def undo_verification() -> None:
    """Leave the database as a server killed before its job ran would leave it."""
    with writing() as session:
        session.execute(delete(ReportRow))
        for job in session.scalars(select(VerificationJob)):
            job.state, job.ended_at = "waiting", None
        session.scalars(select(Task)).one().state = "submitted"


def test_what_a_killed_server_left_is_done_after_the_start(app: Flask, home: Path, a_submitted_answer: str) -> None:
    with app.app_context():
        undo_verification()
    again = create_app(home)
    queue: Jobs = again.extensions["trailbench_jobs"]
    queue.start()
    try:
        with again.app_context():
            for _ in range(200):
                if db.session.scalar(select(VerificationJob.state)) == "done":
                    break
                db.session.rollback()
                time.sleep(0.05)
            assert db.session.scalar(select(Task.state)) == "in_review"
            db.session.remove()
            db.engine.dispose()
    finally:
        queue.stop()


def spoil_line(before: str, after: str) -> None:
    """Change a stored line of the log, as a damaged disk might."""
    with writing() as session:
        row = session.scalars(select(EventRow).where(EventRow.seq == 1)).one()
        row.line = row.line.replace(before, after)


def test_a_check_that_fails_says_why_and_may_be_asked_again(
    app: Flask, a_submitted_answer: str, sign_in_as: Callable[..., FlaskClient]
) -> None:
    with app.app_context():
        undo_verification()
        spoil_line("event/1", "event/9")
    rita = sign_in_as("rita")
    rita.post(f"/reviews/{a_submitted_answer}/verify")
    assert "The check broke: expected a record with schema" in rita.get(f"/reviews/{a_submitted_answer}").text
    with app.app_context():
        spoil_line("event/9", "event/1")
    rita.post(f"/reviews/{a_submitted_answer}/verify")
    assert "In review" in rita.get(f"/reviews/{a_submitted_answer}").text
