"""Seeds: what was jotted before any task becomes one question, in the hands of who jotted it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from annotator_server.database import db, writing
from annotator_server.models.questions import Question
from annotator_server.models.seeds import Seed
from browser_capture.events import Event
from browser_capture.json_records import to_json
from browser_capture.start_sites import START_SITES
from tests.annotator_server.conftest import SignIn, submit, upload
from tests.annotator_server.recorded_search import ANSWER, BEGAN, recorded_search

PAGE = "https://docs.example.org/history"
Headers = Callable[[str], dict[str, str]]


def jot(name: str = "jot-1", at: int = BEGAN - 60_000, url: str | None = PAGE, **data: Any) -> dict[str, Any]:
    """What a machine sends for a jot."""
    said = {"question": "Who wrote aifc?", "quote": "The aifc module", "title": "History", "topic": "Python", **data}
    return dict(to_json(Event(session=name, seq=1, type="jot", src="panel", t_wall=at, t_mono=1, url=url, data=said)))


@pytest.fixture
def a_seed(client: FlaskClient, token_of: Headers) -> int:
    """The number of a seed of Ana's."""
    answer = client.post("/api/v1/seeds", json=jot(), headers=token_of("ana"))
    assert answer.status_code == 201
    return int(answer.get_json()["id"])


def editor(browser: FlaskClient, seed: int) -> dict[str, str]:
    """The hidden fields of the editor that begins with a seed."""
    page = browser.get(f"/questions/new?seed={seed}").text
    found = re.findall(r'<input type="hidden" name="(\w+)"[^>]*? value="([^"]*)"', page)
    return dict(found)


def write(browser: FlaskClient, fields: dict[str, str], **changes: str) -> Any:
    """Send the editor."""
    return browser.post("/questions", data={**fields, "text": "Who wrote the module aifc?", "do": "save", **changes})


@pytest.mark.usefixtures("any_home")
def test_a_jot_sent_twice_is_one_seed(app: Flask, client: FlaskClient, token_of: Headers) -> None:
    headers = token_of("ana")
    answers = [client.post("/api/v1/seeds", json=jot(), headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    with app.app_context():
        (seed,) = db.session.scalars(select(Seed)).all()
        assert (seed.url, seed.quote, seed.question, seed.topic, round(seed.jotted_at.timestamp() * 1000)) == (
            PAGE, "The aifc module", "Who wrote aifc?", "Python", BEGAN - 60_000,
        )  # fmt: skip


@pytest.mark.usefixtures("any_home")
def test_a_seed_becomes_exactly_one_question(app: Flask, a_seed: int, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    first, second = editor(ana, a_seed), editor(ana, a_seed)
    assert [write(ana, first).status_code for _ in range(2)] == [302, 302]
    refused = write(ana, second)
    assert refused.status_code == 409
    assert "has become question 1 already" in refused.text
    assert "Who wrote the module aifc?" in refused.text
    with app.app_context():
        assert [seed.question_id for seed in db.session.scalars(select(Seed))] == [1]
        assert len(db.session.scalars(select(Question)).all()) == 1


def test_the_editor_begins_with_what_was_jotted(a_seed: int, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    page = ana.get(f"/questions/new?seed={a_seed}").text
    assert "Who wrote aifc?</textarea>" in page
    fields = editor(ana, a_seed)
    assert (fields["seed"], fields["seed_url"], fields["seed_quote"]) == (str(a_seed), PAGE, "The aifc module")


def test_a_refused_form_keeps_its_seed(a_seed: int, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    refused = write(ana, editor(ana, a_seed), text="")
    assert refused.status_code == 422
    assert f'name="seed" value="{a_seed}"' in refused.text


def test_a_seed_that_became_a_question_leads_there(a_seed: int, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    public_id = write(ana, editor(ana, a_seed)).location.split("/")[2]
    assert ana.get(f"/questions/new?seed={a_seed}").location == f"/questions/{public_id}"
    assert f"/questions/{public_id}" in ana.get("/seeds").text
    assert "jotted" in ana.get(f"/questions/{public_id}/edit").text


def test_a_seed_is_set_aside_and_taken_back(a_seed: int, sign_in_as: SignIn) -> None:
    ana = sign_in_as("ana")
    assert "Set aside" in ana.get("/seeds").text
    ana.post(f"/seeds/{a_seed}/aside")
    assert "No seed waits" in ana.get("/seeds").text
    assert "No seed waits" not in ana.post(f"/seeds/{a_seed}/back", follow_redirects=True).text


def test_seeds_are_their_author_s_alone(a_seed: int, sign_in_as: SignIn) -> None:
    for name in ("ben", "maintainer", "zoe"):
        other = sign_in_as(name)
        assert "Who wrote aifc?" not in other.get("/seeds").text
        assert other.get(f"/questions/new?seed={a_seed}").status_code == 404
        assert other.post(f"/seeds/{a_seed}/aside").status_code == 404
        assert write(other, {"key": "k" * 16, "seed": str(a_seed)}).status_code == 404


FAULTY = [
    (jot(url="file:///etc/passwd"), "by an address of the web"),
    (jot(url=None), "by an address of the web"),
    (jot(question="x" * 20_001), "is longer than"),
    (jot(quote="a\x00b"), "no text"),
    (jot(at=0), "set it, then send again"),
    (jot(at=10**17), "says when"),
    (jot(name=""), "no jot"),
    ({**jot(), "type": "pause", "data": {}}, "no jot"),
    ({"question": "a"}, "no event"),
    ([], "no JSON object"),
]


@pytest.mark.parametrize(("sent", "told"), FAULTY)
def test_what_is_no_jot_is_refused(client: FlaskClient, token_of: Headers, sent: object, told: str) -> None:
    answer = client.post("/api/v1/seeds", json=sent, headers=token_of("ana"))
    assert answer.status_code == 422
    assert told in answer.get_json()["error"]["message"]


def test_my_work_names_the_seeds_that_wait(a_seed: int, sign_in_as: SignIn) -> None:
    page = sign_in_as("ana").get("/").text
    assert f"/questions/new?seed={a_seed}" in page
    assert ">Write question</a>" in page


def test_machines_are_told_the_project_s_start_sites(client: FlaskClient, token_of: Headers) -> None:
    topics = client.get("/api/v1/start-sites", headers=token_of("ana")).get_json()["topics"]
    assert topics == {topic: list(sites) for topic, sites in START_SITES.items()}


@pytest.mark.parametrize(("at", "late"), [(BEGAN - 60_000, False), (BEGAN + 90_000, True)])
def test_the_review_s_path_begins_where_the_question_came_up(
    app: Flask, client: FlaskClient, token_of: Headers, a_claimed_task: str, sign_in_as: SignIn, at: int, late: bool
) -> None:
    client.post("/api/v1/seeds", json=jot(at=at), headers=token_of("ana"))
    with app.app_context(), writing() as session:
        session.scalars(select(Seed)).one().question_id = 1
    upload(client, token_of("ana"), a_claimed_task, recorded_search(a_claimed_task))
    submit(sign_in_as("ana"), a_claimed_task, ANSWER)
    page = sign_in_as("rita").get(f"/reviews/{a_claimed_task}").text
    path = page[page.index('id="strip"') :]
    assert path.index("Who wrote aifc?") < path.index("Start")
    assert ("after the first query" in path) is late
