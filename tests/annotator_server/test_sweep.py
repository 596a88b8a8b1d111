"""Every route, asked by everyone: the answer is what the policy table says, and a route it does not know fails here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from annotator_server.policy import OPEN, ROLES, ROUTES, RULES, SIGNED_IN, Role, role_allows

SignIn = Callable[..., FlaskClient]


def rules(app: Flask) -> Iterator[tuple[Rule, str]]:
    """Every route with each method it takes."""
    for rule in app.url_map.iter_rules():
        for method in sorted(
            (rule.methods or set()) - {"OPTIONS"} - ({"HEAD"} if "GET" in (rule.methods or ()) else set())
        ):
            yield rule, method


def address(rule: Rule, task: str) -> str:
    """The route's address, its holes filled with things of Ana's."""
    values = {"public_id": task, "task_id": task, "session": "s-1", "sha": "a" * 64, "snapshot": "a" * 64}
    values |= {"secret": "none", "filename": "base.css", "seed_id": "1"}
    path = str(rule.rule)
    for name in rule.arguments:
        path = path.replace(f"<path:{name}>", values[name]).replace(f"<{name}>", values[name])
        path = path.replace(f"<int:{name}>", values[name])
    return path


def same_words(page: str, task: str) -> str:
    """A page without what differs between any two pages: the id asked for, nonces and form tokens."""
    return re.sub(r'(nonce|value)="[^"]*"', "", page.replace(task, "ID"))


def is_api(rule: Rule) -> bool:
    return rule.rule.startswith("/api/")


def test_every_route_stands_in_the_policy_table(app: Flask) -> None:
    assert {rule.endpoint for rule, _ in rules(app)} == set(ROUTES)


def test_every_action_of_a_route_has_a_rule() -> None:
    assert {action for action in ROUTES.values() if action not in (OPEN, SIGNED_IN)} <= set(RULES)


def test_a_route_without_a_line_in_the_table_is_refused(app: Flask, sign_in_as: SignIn) -> None:
    app.add_url_rule("/forgotten", "forgotten", lambda: "secret")
    answer = sign_in_as("admin").get("/forgotten")
    assert answer.status_code == 403
    assert b"secret" not in answer.data


def test_strangers_are_sent_to_the_sign_in_and_programs_get_401(
    app: Flask, client: FlaskClient, a_submitted_answer: str
) -> None:
    for rule, method in rules(app):
        if ROUTES[rule.endpoint] == OPEN:
            continue
        answer = client.open(address(rule, a_submitted_answer), method=method)
        if is_api(rule):
            assert answer.status_code == 401, (method, rule)
        else:
            assert answer.status_code in (302, 303), (method, rule)
            assert answer.location.startswith("/sign-in"), (method, rule)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_reaches_what_the_table_gives_it_and_nothing_else(
    app: Flask, sign_in_as: SignIn, a_submitted_answer: str, role: Role
) -> None:
    browser = sign_in_as(role)
    for rule, method in rules(app):
        action = ROUTES[rule.endpoint]
        if action in (OPEN, SIGNED_IN) or is_api(rule):
            continue
        status = browser.open(address(rule, a_submitted_answer), method=method).status_code
        allowed = role_allows(frozenset({role}), action)
        # Who is let through may still meet the state of the thing (409), its absence (404) or an empty form (422).
        assert status < 500, (role, method, rule)
        if not allowed:
            assert status == 403, (role, method, rule)


@pytest.mark.parametrize("role", ROLES)
def test_only_those_who_may_pair_can_get_a_token_at_all(sign_in_as: SignIn, role: Role) -> None:
    status = sign_in_as(role).post("/account/pair").status_code
    assert (status == 200) == role_allows(frozenset({role}), "pair")


def test_another_project_s_admin_meets_404_as_for_what_never_was(
    app: Flask, sign_in_as: SignIn, a_submitted_answer: str
) -> None:
    browser = sign_in_as("zoe")
    for rule, method in rules(app):
        if "public_id" not in rule.arguments:
            continue
        theirs = browser.open(address(rule, a_submitted_answer), method=method)
        nowhere = browser.open(address(rule, "first-999"), method=method)
        assert theirs.status_code == nowhere.status_code == 404, (method, rule)
        assert same_words(theirs.text, a_submitted_answer) == same_words(nowhere.text, "first-999"), (method, rule)


def test_a_token_of_another_project_meets_404(
    app: Flask, client: FlaskClient, token_of: Callable[[str], dict[str, str]], a_submitted_answer: str
) -> None:
    headers = token_of("zoe")
    for path in (f"/api/v1/tasks/{a_submitted_answer}", "/api/v1/recordings/s-1"):
        assert client.get(path, headers=headers).status_code == 404
    opened = client.post("/api/v1/recordings", json={"session": "z", "task_id": a_submitted_answer}, headers=headers)
    assert opened.status_code == 404


def test_a_disabled_person_is_out_with_the_next_request(app: Flask, sign_in_as: SignIn) -> None:
    from sqlalchemy import select

    from annotator_server.clock import utc_now
    from annotator_server.database import writing
    from annotator_server.models.accounts import User

    browser = sign_in_as("ana")
    assert browser.get("/").status_code == 200
    with app.app_context(), writing() as session:
        session.scalars(select(User).where(User.name == "ana")).one().disabled_at = utc_now()
    assert browser.get("/").status_code in (302, 303)
