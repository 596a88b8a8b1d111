"""Claims: one holder at a time, however many ask at once; a claim that ran out holds nobody off."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.errors import Conflict, NotAllowed, NotHeld
from annotator_server.models.tasks import Lease, Task
from annotator_server.policy import Actor
from annotator_server.workflow import claiming

pytestmark = pytest.mark.usefixtures("any_home")

ActorOf = Callable[[str], Actor]


def let_run_out() -> None:
    """Make every open claim a thing of the past."""
    with writing() as session:
        for lease in session.scalars(select(Lease).where(Lease.ended_at.is_(None))):
            lease.until = utc_now() - timedelta(minutes=1)


def test_eight_who_claim_at_once_make_one_holder(app: Flask, a_ready_task: str, actor_of: ActorOf) -> None:
    names = ("ana", "ben", "annotator", "maintainer") * 2

    def claim(name: str) -> str:
        with app.app_context():
            try:
                claiming.claim(actor_of(name), a_ready_task, 10)
            except Conflict:
                return ""
            return name

    with ThreadPoolExecutor(8) as pool:
        winners = set(pool.map(claim, names)) - {""}
    assert len(winners) == 1
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Lease).where(Lease.ended_at.is_(None))) == 1


def test_a_second_person_is_told_who_holds_it(app: Flask, a_claimed_task: str, actor_of: ActorOf) -> None:
    with app.app_context(), pytest.raises(Conflict, match="held by ana until"):
        claiming.claim(actor_of("ben"), a_claimed_task, 10)


@pytest.mark.parametrize(("state", "button"), [("claimed", "Open"), ("recording", "Resume")])
def test_only_a_recording_is_resumed(
    app: Flask, a_claimed_task: str, sign_in_as: Callable[..., FlaskClient], state: str, button: str
) -> None:
    with app.app_context(), writing() as session:
        session.scalars(select(Task)).one().state = state
    page = sign_in_as("ana").get("/").text
    assert f">{button}</a>" in page.partition("Yours now")[2].partition("<h2>")[0]
    assert "your claim ends <time" in page


def test_claiming_again_renews(app: Flask, a_claimed_task: str, actor_of: ActorOf) -> None:
    with app.app_context():
        until = claiming.claim(actor_of("ana"), a_claimed_task, 600)
        assert until > utc_now() + timedelta(minutes=500)


def test_a_claim_that_ran_out_goes_to_whoever_asks(app: Flask, a_claimed_task: str, actor_of: ActorOf) -> None:
    with app.app_context():
        let_run_out()
        claiming.claim(actor_of("ben"), a_claimed_task, 10)
        with pytest.raises(NotHeld, match="held by ben"):
            claiming.heartbeat(actor_of("ana"), a_claimed_task, 10)


def test_a_late_heartbeat_renews_while_nobody_else_asked(app: Flask, a_claimed_task: str, actor_of: ActorOf) -> None:
    with app.app_context():
        let_run_out()
        assert claiming.heartbeat(actor_of("ana"), a_claimed_task, 10) > utc_now()


def test_handing_back_is_the_holder_s_or_a_maintainer_s(app: Flask, a_claimed_task: str, actor_of: ActorOf) -> None:
    with app.app_context():
        with pytest.raises(NotAllowed):
            claiming.hand_back(actor_of("ben"), a_claimed_task)
        claiming.hand_back(actor_of("maintainer"), a_claimed_task)
        claiming.claim(actor_of("ben"), a_claimed_task, 10)


def test_looking_at_a_question_claims_nothing(
    app: Flask, a_ready_task: str, sign_in_as: Callable[..., FlaskClient]
) -> None:
    assert "Claim" in sign_in_as("ben").get(f"/questions/{a_ready_task}").text
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Lease)) == 0
