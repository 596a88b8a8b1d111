"""The capture API: any part may come twice, in pieces or late; nothing false or half gets in."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from annotator_server.database import db
from annotator_server.models.recordings import CaptureSession
from annotator_server.records.trajectory_record import trajectory_record
from tests.annotator_server.conftest import upload
from tests.annotator_server.recorded_search import RecordedSearch, recorded_search

pytestmark = pytest.mark.usefixtures("any_home")


class Recorder:
    """A capture machine as the API sees it."""

    def __init__(self, client: FlaskClient, headers: dict[str, str], recording: RecordedSearch, task: str) -> None:
        self.client, self.headers, self.made, self.task = client, headers, recording, task

    def open(self) -> Any:
        body = {"session": self.made.session, "task_id": self.task}
        return self.client.post("/api/v1/recordings", json=body, headers=self.headers)

    def send(self, *lines: str, **more: Any) -> Any:
        path = f"/api/v1/recordings/{self.made.session}/events"
        data = more.pop("data", "\n".join(lines).encode())
        return self.client.post(path, data=data, headers={**self.headers, **more})

    def put_blobs(self) -> None:
        for sha, data in self.made.blobs.items():
            self.client.put(f"/api/v1/blobs/{sha}", data=data, headers=self.headers)

    def finish(self, **changes: Any) -> Any:
        body = {"last_seq": len(self.made.lines), "digest": self.made.digest, **changes}
        return self.client.post(f"/api/v1/recordings/{self.made.session}/finish", json=body, headers=self.headers)


@pytest.fixture
def recorder(client: FlaskClient, a_claimed_task: str, token_of: Callable[[str], dict[str, str]]) -> Recorder:
    """Ana's machine, with a recording opened."""
    made = Recorder(client, token_of("ana"), recorded_search(a_claimed_task), a_claimed_task)
    assert made.open().status_code == 201
    return made


def test_opening_twice_finds_the_first(recorder: Recorder) -> None:
    again = recorder.open()
    assert (again.status_code, again.get_json()["highest_seq"]) == (200, 0)


def test_a_batch_sent_twice_counts_once(recorder: Recorder) -> None:
    total = len(recorder.made.lines)
    assert recorder.send(*recorder.made.lines).get_json() == {"highest_seq": total, "accepted": total, "duplicates": 0}
    assert recorder.send(*recorder.made.lines).get_json() == {"highest_seq": total, "accepted": 0, "duplicates": total}


def test_a_hole_keeps_the_highest_seq_before_it(recorder: Recorder) -> None:
    lines = recorder.made.lines
    assert recorder.send(*lines[:2], *lines[3:5]).get_json()["highest_seq"] == 2
    assert recorder.send(lines[2]).get_json()["highest_seq"] == 5


def test_a_packed_batch_is_unpacked(recorder: Recorder) -> None:
    answer = recorder.send(data=gzip.compress(recorder.made.body), **{"Content-Encoding": "gzip"})
    assert answer.get_json()["highest_seq"] == len(recorder.made.lines)


def test_a_batch_that_unpacks_without_end_is_refused(recorder: Recorder) -> None:
    bomb = gzip.compress(b" " * 30_000_000)
    assert recorder.send(data=bomb, **{"Content-Encoding": "gzip"}).status_code == 422


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("not json", "line 2 is no event"),
        ('{"schema":"event/1"}', "line 2 is no event"),
        ("[" * 5000, "line 2 is no event"),
        ('{"seq": NaN}', "line 2 is no event"),
    ],
)
def test_the_first_bad_line_is_named_and_nothing_kept(recorder: Recorder, line: str, words: str) -> None:
    answer = recorder.send(recorder.made.lines[0], line)
    assert answer.status_code == 422
    assert words in answer.get_json()["error"]["message"]
    assert recorder.open().get_json()["highest_seq"] == 0


def test_a_line_of_another_recording_is_refused(recorder: Recorder) -> None:
    foreign = recorded_search(recorder.task, "s-2").lines[0]
    assert "belongs to recording 's-2'" in recorder.send(foreign).get_json()["error"]["message"]


def test_a_log_is_never_rewritten(recorder: Recorder) -> None:
    first = recorder.made.lines[0]
    recorder.send(first)
    answer = recorder.send(first.replace("Chromium", "Another"))
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "conflict")


def test_a_blob_must_be_what_its_name_says(recorder: Recorder) -> None:
    answer = recorder.client.put(f"/api/v1/blobs/{'a' * 64}", data=b"other", headers=recorder.headers)
    assert answer.status_code == 422
    assert recorder.client.head(f"/api/v1/blobs/{'a' * 64}", headers=recorder.headers).status_code == 404


def test_the_end_waits_for_missing_pages(recorder: Recorder) -> None:
    recorder.send(*recorder.made.lines)
    answer = recorder.finish()
    assert answer.status_code == 409
    missing = set(answer.get_json()["missing_blobs"])
    assert missing
    assert missing <= set(recorder.made.blobs)
    recorder.put_blobs()
    assert recorder.finish().get_json() == {"state": "complete", "digest": recorder.made.digest}


def test_the_end_waits_for_missing_events(recorder: Recorder) -> None:
    recorder.put_blobs()
    recorder.send(*recorder.made.lines[:-1])
    answer = recorder.finish()
    assert (answer.status_code, answer.get_json()["highest_seq"]) == (409, len(recorder.made.lines) - 1)


def test_the_end_refuses_another_digest(recorder: Recorder) -> None:
    recorder.put_blobs()
    recorder.send(*recorder.made.lines)
    assert recorder.finish(digest="0" * 64).status_code == 409
    assert recorder.finish().status_code == 200
    assert recorder.finish().status_code == 200


def test_a_finished_recording_takes_nothing_new(recorder: Recorder) -> None:
    upload(recorder.client, recorder.headers, recorder.task, recorder.made)
    late = recorder.made.lines[0].replace('"seq":1,', f'"seq":{len(recorder.made.lines) + 1},')
    assert recorder.send(late).status_code == 409
    assert recorder.send(*recorder.made.lines).status_code == 200


def test_only_the_holder_may_open_a_recording(recorder: Recorder, token_of: Callable[[str], dict[str, str]]) -> None:
    body = {"session": "s-9", "task_id": recorder.task}
    answer = recorder.client.post("/api/v1/recordings", json=body, headers=token_of("ben"))
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "not_held")


def test_another_person_s_recording_is_not_there(recorder: Recorder, token_of: Callable[[str], dict[str, str]]) -> None:
    assert recorder.client.get("/api/v1/recordings/s-1", headers=token_of("ben")).status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/recordings", b"[]"),
        ("/api/v1/recordings", b'{"session": 3, "task_id": "x"}'),
        ("/api/v1/recordings", b'{"session": "a\\u0000b", "task_id": "x"}'),
        ("/api/v1/recordings", b'{"session": "\\ud800", "task_id": "x"}'),
        ("/api/v1/recordings/s-1/finish", b'{"last_seq": 9223372036854775808, "digest": "x"}'),
        ("/api/v1/recordings/s-1/finish", b'{"last_seq": 1e999, "digest": "x"}'),
        ("/api/v1/recordings/s-1/finish", b"[" * 100_000),
    ],
)
def test_bad_bodies_get_a_sentence(recorder: Recorder, path: str, body: bytes) -> None:
    answer = recorder.client.post(path, data=body, headers=recorder.headers)
    assert answer.status_code in (413, 422)
    assert answer.get_json()["error"]["message"]


def test_the_brief_is_for_the_holder(recorder: Recorder, token_of: Callable[[str], dict[str, str]]) -> None:
    path = f"/api/v1/tasks/{recorder.task}"
    brief = recorder.client.get(path, headers=recorder.headers).get_json()
    assert (brief["held_by_me"], brief["answer_type"], brief["policy"]["allowed_engines"]) == (
        True,
        "table",
        ["google"],
    )
    assert brief["policy"]["inspect_first"] is False
    assert recorder.client.get(path, headers=token_of("ben")).status_code == 409
    assert recorder.client.get("/api/v1/tasks/first-77", headers=recorder.headers).status_code == 404


def test_a_session_that_goes_on_after_a_gap_is_one_recording_and_says_so(
    app: Flask, client: FlaskClient, a_claimed_task: str, token_of: Callable[[str], dict[str, str]]
) -> None:
    gap = {"from": 1, "to": 2, "reason": "the recorder ended without a Stop", "browser": "Chromium", "rtt_ms": None}
    made = recorded_search(a_claimed_task, copies=[{"type": "recorder_gap", "src": "rec", "data": gap}])
    recorder = Recorder(client, token_of("ana"), made, a_claimed_task)
    recorder.open()
    recorder.send(*made.lines[:7])
    recorder.put_blobs()
    again = recorder.open()  # the recorder that goes on asks where it was
    assert (again.status_code, again.get_json()["highest_seq"]) == (200, 7)
    recorder.send(*made.lines[7:])
    assert recorder.finish().get_json() == {"state": "complete", "digest": made.digest}
    with app.app_context():
        found = trajectory_record(db.session(), db.session.scalars(select(CaptureSession)).one())
    assert [(notice.kind, notice.detail) for notice in found.notices] == [("recorder_gap", gap["reason"])]
    assert (found.has_stop, len(found.visits)) == (True, 3)


def test_the_server_says_what_time_it_has(recorder: Recorder) -> None:
    before = time.time() * 1000
    told = recorder.client.get("/api/v1/time", headers=recorder.headers).get_json()["now_ms"]
    assert before - 1 <= told <= time.time() * 1000 + 1
    assert recorder.client.get("/api/v1/time").status_code == 401


def test_a_pairing_code_works_once(client: FlaskClient, token_of: Callable[[str], dict[str, str]]) -> None:
    assert client.post("/api/v1/pairing", json={"code": "AAAA-AAAA", "machine": "m"}).status_code == 403
    assert token_of("ana") != token_of("ana")


def test_a_panel_address_works_once_and_for_its_panel_only(recorder: Recorder) -> None:
    made = recorder.client.post(
        "/api/v1/panel-sessions", json={"task_id": recorder.task, "session": "not-opened-yet"}, headers=recorder.headers
    )
    url = made.get_json()["url"]
    window = recorder.client.application.test_client()
    assert window.get(url).location == f"/panel/{recorder.task}"
    assert window.get(f"/panel/{recorder.task}").status_code == 200
    assert window.get("/").status_code == 403
    assert recorder.client.application.test_client().get(url).status_code == 422
