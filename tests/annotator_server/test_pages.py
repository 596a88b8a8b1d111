"""Recorded pages and headers: seen by those who may, and unable to do anything."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import get_args

import pytest
from flask.testing import FlaskClient

from annotator_server.views.passages import marked
from annotator_server.views.template_words import EVIDENCE, duration, time_tag
from annotator_server.workflow.reviewing import DOUBT
from tests.annotator_server.recorded_search import AIFC, RecordedSearch
from verifier.answers.answer_version import EvidenceState

SignIn = Callable[..., FlaskClient]


@pytest.fixture
def a_page(a_recording: RecordedSearch) -> str:
    """The id of the recorded page about aifc."""
    return next(sha for sha, data in a_recording.blobs.items() if data.startswith(b"{") and AIFC.encode() in data)


def test_the_recorder_and_reviewers_see_a_page_and_nobody_else(a_page: str, sign_in_as: SignIn) -> None:
    seen = {name: sign_in_as(name).get(f"/pages/{a_page}").status_code for name in ("ana", "rita", "ben", "researcher")}
    assert seen == {"ana": 200, "rita": 200, "ben": 403, "researcher": 403}
    assert sign_in_as("zoe").get(f"/pages/{a_page}").status_code == 404


def test_a_page_is_shown_with_the_passage_marked(a_page: str, sign_in_as: SignIn) -> None:
    page = sign_in_as("rita").get(f"/pages/{a_page}?start=0&end=4").text
    assert '<mark id="passage">aifc</mark>' in page


@pytest.mark.parametrize("query", ["start=-5&end=99999", "start=x&end=y", "start=9&end=2"])
def test_a_passage_that_is_nowhere_breaks_nothing(a_page: str, sign_in_as: SignIn, query: str) -> None:
    assert sign_in_as("rita").get(f"/pages/{a_page}?{query}").status_code == 200


def test_the_replay_can_neither_script_nor_fetch(a_page: str, sign_in_as: SignIn) -> None:
    answer = sign_in_as("rita").get(f"/pages/{a_page}/replay")
    policy = answer.headers["Content-Security-Policy"]
    assert "<script" not in answer.text
    assert policy.startswith("sandbox; default-src 'none'")
    assert "script-src" not in policy


def test_a_text_or_part_is_no_page(a_recording: RecordedSearch, sign_in_as: SignIn) -> None:
    text = next(sha for sha, data in a_recording.blobs.items() if data.startswith(b"aifc\nDeprecated"))
    assert sign_in_as("rita").get(f"/pages/{text}").status_code == 404


def test_every_page_forbids_foreign_scripts_and_frames(client: FlaskClient) -> None:
    answer = client.get("/sign-in")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


def test_nonces_are_never_used_again(client: FlaskClient) -> None:
    one, other = (client.get("/sign-in").headers["Content-Security-Policy"] for _ in range(2))
    assert one != other


@pytest.mark.parametrize("path", ["/nowhere", "/questions/first-99", "/static/nothing.css", "/api/v1/nothing"])
def test_what_is_not_there_is_said_in_a_sentence(sign_in_as: SignIn, path: str) -> None:
    answer = sign_in_as("ana").get(path)
    assert answer.status_code == 404
    assert "There is no" in answer.text or "there is no" in answer.text


def test_offsets_count_code_points() -> None:
    assert marked("a😀bc", 2, 3).quote == "b"


@pytest.mark.parametrize(("seconds", "words"), [(0, "0 s"), (200, "3 min 20 s"), (3600, "1 h"), (7260, "2 h 1 min")])
def test_durations_read_as_people_say_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_time_carries_its_whole_moment() -> None:
    tag = time_tag(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert 'datetime="2026-01-02T03:04:05.000Z"' in tag
    assert "2026-01-02 03:04:05 UTC" in tag


def test_every_evidence_state_has_words_and_a_place_in_doubt() -> None:
    assert set(get_args(EvidenceState)) == set(EVIDENCE) == set(DOUBT)
