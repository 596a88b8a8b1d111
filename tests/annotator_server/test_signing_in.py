"""Signing in: equal words for every failure, a throttle in the database, and no way out to another site."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from annotator_server.views.redirects import safe_target
from annotator_server.workflow import people, signing_in

PASSWORD = "correct horse"


@pytest.fixture
def a_person(app: Flask) -> str:
    """The address of a person whose password is known."""
    with app.app_context():
        people.add_person("Kim@Example.org", "annotator", password=PASSWORD, project="first")
    return "kim@example.org"


def attempt(client: FlaskClient, email: str, password: str, **more: str) -> tuple[int, str, str]:
    answer = client.post("/sign-in", data={"email": email, "password": password, **more})
    return answer.status_code, answer.headers.get("Location", ""), answer.text


def test_the_right_password_opens_my_work(client: FlaskClient, a_person: str) -> None:
    assert attempt(client, " KIM@example.org ", PASSWORD)[:2] == (302, "/")
    assert "My work" in client.get("/").text


def test_every_failure_has_the_same_words(app: Flask, client: FlaskClient, a_person: str) -> None:
    wrong = attempt(client, a_person, "wrong password")
    unknown = attempt(client, "nobody@example.org", "wrong password")
    assert wrong[0] == unknown[0] == 403
    assert signing_in.WRONG in wrong[2]
    assert signing_in.WRONG in unknown[2]


def test_too_many_failures_make_even_the_right_password_wait(client: FlaskClient, a_person: str) -> None:
    for _ in range(signing_in.ACCOUNT_LIMIT):
        attempt(client, a_person, "wrong password")
    status, _, page = attempt(client, a_person, PASSWORD)
    assert status == 422
    assert "Wait 15 minutes" in page


def test_signing_out_ends_the_session_everywhere_its_cookie_went(client: FlaskClient, a_person: str) -> None:
    attempt(client, a_person, PASSWORD)
    copied = client.application.test_client()
    with client.session_transaction() as mine, copied.session_transaction() as theirs:
        theirs.update(mine)
    assert copied.get("/").status_code == 200
    client.post("/sign-out")
    assert copied.get("/").status_code == 302


def test_signing_in_drops_what_the_cookie_held_before(client: FlaskClient, a_person: str) -> None:
    with client.session_transaction() as cookie:
        cookie["planted"] = "yes"
    attempt(client, a_person, PASSWORD)
    with client.session_transaction() as cookie:
        assert "planted" not in cookie


def test_the_page_asked_for_comes_after_the_sign_in(client: FlaskClient, a_person: str) -> None:
    asked = client.get("/questions?state=ready")
    assert asked.location.startswith("/sign-in?next=")
    assert attempt(client, a_person, PASSWORD, next="/questions?state=ready")[1] == "/questions?state=ready"


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example", "///evil.example", "////evil.example", "/\\evil.example", "\\\\evil.example",
        "/\t/evil.example", "/\n/evil.example", " //evil.example", "\x01//evil.example", "/\x08/evil.example",
        "/\u2028/evil.example", "/.//evil.example", "/%2f/evil.example", "/%5cevil.example",
        "/questions/..//evil.example",
        "https://evil.example", "http:evil.example", "http:///evil.example", "https:/evil.example", "http://[::1",
        "http://localhost@evil.example", "http://evil.example\\@localhost", "ftp://evil.example", "evil.example",
        "@evil.example", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "/nowhere", "/sign-out", "",
    ],
)  # fmt: skip
def test_no_sign_in_leads_to_another_site(app: Flask, target: str) -> None:
    with app.test_request_context():
        assert safe_target(target) == "/"


def test_a_made_up_password_works_and_a_weak_one_is_refused(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        added = people.add_person("lee@example.org", "reviewer", project="first")
        with pytest.raises(Exception, match="8 to 200 characters"):
            people.add_person("max@example.org", "reviewer", password="short", project="first")
    assert attempt(client, added.email, added.password or "")[0] == 302


@pytest.mark.parametrize("bad", ["", "no-at-sign", "a@b@c", "a b@c", "x" * 250 + "@example.org"])
def test_what_is_no_address_is_refused(app: Flask, bad: str) -> None:
    with app.app_context(), pytest.raises(Exception, match="is not an e-mail address"):
        people.add_person(bad, "reviewer", project="first")


def test_a_person_of_two_projects_changes_between_them(
    app: Flask, client: FlaskClient, a_person: str, a_ready_task: str, sign_in_as: Callable[..., FlaskClient]
) -> None:
    with app.app_context():
        people.add_person(a_person, "annotator", project="second")
    attempt(client, a_person, PASSWORD)
    assert client.get(f"/questions/{a_ready_task}").status_code == 200
    client.post("/project", data={"project": "second"})
    assert client.get(f"/questions/{a_ready_task}").status_code == 404
    assert client.post("/project", data={"project": "third"}).status_code == 404
