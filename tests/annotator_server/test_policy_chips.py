"""Touched rules of the project on the review page's film strip, and what the server tells recorders of the rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from annotator_server.config import STARTING_CONFIG, load_settings
from annotator_server.database import writing
from annotator_server.errors import SetupError
from annotator_server.models.accounts import Project
from annotator_server.workflow.film_strip import policy_chips
from browser_capture.banned import BANNED_PLACES
from browser_capture.start_sites import START_SITES
from browser_capture.trajectory import Actor, Notice, ResultPage, Trajectory
from tests.annotator_server.conftest import SignIn, submit, upload
from tests.annotator_server.recorded_search import ANSWER, recorded_search

AT = "2026-11-30T12:00:00.000Z"


def search(notices: dict[int, tuple[str, str]], summaries: dict[int, str]) -> Trajectory:
    """A trajectory with these notices, and result pages of these visits that showed a summary."""
    pages = tuple(
        ResultPage(
            seq=seq, at=AT, query=1, text="q", engine="google", status="ok", blocks={"ai_overview": 1}, visit=visit
        )
        for seq, visit in summaries.items()
    )
    told = tuple(Notice(seq=seq, at=AT, kind=kind, detail=detail) for seq, (kind, detail) in notices.items())
    return Trajectory(
        id="s", task="t", actor=Actor(kind="human", name="p"), started_at=AT, ended_at=AT, has_stop=True,
        result_pages=pages, notices=told,
    )  # fmt: skip


CHIPS = [
    ({}, {}, []),
    ({}, {5: "v1", 6: "v1", 9: "v2"}, ["AI summary seen 2"]),
    ({4: ("other_engine", "bing"), 3: ("other_engine", "bing")}, {}, ["Other engine: bing 2"]),
    (
        {3: ("ai_summary_expanded", ""), 4: ("ai_summary_copied", "copied: 42"), 8: ("model_host", "poe.com")},
        {2: "v1"},
        ["Banned page: poe.com 1", "Copied from AI summary 1", "AI summary opened 1", "AI summary seen 1"],
    ),
    ({3: ("paused", "")}, {}, []),
]


@pytest.mark.parametrize(("notices", "summaries", "chips"), CHIPS)
def test_rules_are_chips_the_gravest_first(
    notices: dict[int, tuple[str, str]], summaries: dict[int, str], chips: list[str]
) -> None:
    found = policy_chips(search(notices, summaries))
    assert [f"{chip.words} {chip.count}" for chip in found] == chips


def test_a_breach_in_the_log_is_a_chip_that_leads_to_its_step(
    a_claimed_task: str, client: FlaskClient, token_of: Callable[[str], dict[str, str]], sign_in_as: SignIn
) -> None:
    data = {"rule": "banned_host", "detail": "chatgpt.com"}
    touched = {"type": "policy", "src": "rec", "visit": "v2", "url": "https://chatgpt.com/", "data": data}
    upload(client, token_of("ana"), a_claimed_task, recorded_search(a_claimed_task, copies=[touched]))
    submit(sign_in_as("ana"), a_claimed_task, ANSWER)
    page = sign_in_as("rita").get(f"/reviews/{a_claimed_task}").text
    assert 'href="#step-13"' in page
    assert page.count('id="step-13"') == 1
    assert "Banned page: chatgpt.com" in page


def test_the_recorder_is_told_the_rules(
    app: Flask, a_claimed_task: str, client: FlaskClient, token_of: Callable[[str], dict[str, str]]
) -> None:
    headers, address = token_of("ana"), f"/api/v1/tasks/{a_claimed_task}"
    assert client.get(address, headers=headers).get_json()["policy"]["banned_hosts"] == list(BANNED_PLACES)
    with app.app_context(), writing() as session:
        session.get_one(Project, 1).settings = {"banned_hosts": ["rival.example"]}
    assert client.get(address, headers=headers).get_json()["policy"]["banned_hosts"] == ["rival.example"]


def test_the_settings_that_are_written_first_are_the_defaults(sqlite_home: Path) -> None:
    (sqlite_home / "config.toml").write_text(STARTING_CONFIG)
    settings = load_settings(sqlite_home)
    assert (settings.banned_hosts, settings.start_sites) == (BANNED_PLACES, START_SITES)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('banned_hosts = ["https://a.example"]', "a place is written as"),
        ('banned_hosts = "a.example"', "must be a list"),
        ('[capture.start_sites]\n"News" = ["a.example"]', "must name addresses"),
        ("start_sites = 3", "must name addresses"),
    ],
)
def test_a_faulty_rule_is_named(sqlite_home: Path, line: str, told: str) -> None:
    (sqlite_home / "config.toml").write_text(f"[capture]\n{line}\n")
    with pytest.raises(SetupError, match=told):
        load_settings(sqlite_home)


def test_the_verifier_goes_by_the_projects_rules(
    app: Flask, a_claimed_task: str, client: FlaskClient, token_of: Callable[[str], dict[str, str]], sign_in_as: SignIn
) -> None:
    with app.app_context(), writing() as session:
        session.get_one(Project, 1).settings = {"allowed_engines": ["brave"]}
    upload(client, token_of("ana"), a_claimed_task, recorded_search(a_claimed_task))
    submit(sign_in_as("ana"), a_claimed_task, ANSWER)
    assert "went to google, allowed: brave" in sign_in_as("rita").get(f"/reviews/{a_claimed_task}").text
