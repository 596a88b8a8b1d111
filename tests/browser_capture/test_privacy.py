"""Which pages are recorded, and which sentences a person sees."""

from __future__ import annotations

import json

import pytest

from browser_capture.clock import Clock
from browser_capture.errors import IncompleteError
from browser_capture.event_log import EventLog
from browser_capture.panel_link import Command, Upload, read_command, state_detail
from browser_capture.policy import Policy, engine_warning, read_task
from browser_capture.privacy import Privacy
from browser_capture.sources.dom import event_data, read_message
from browser_capture.sources.wire import DomCall

PAGES = [
    ("https://en.wikipedia.org/wiki/Cistern", True),
    ("https://www.google.com/search?q=x", True),
    ("http://annotate.example/panel/1", False),
    ("http://annotate.example:8080/", True),
    ("https://mail.google.com/mail/u/0", False),
    ("https://accounts.google.com/signin", False),
    ("https://ebanking.example.ch/", False),
    ("https://my.bank/", False),
    ("http://localhost:3000/", False),
    ("http://127.0.0.1:5000/", False),
    ("http://printer.local/", False),
    ("about:blank", False),
    ("file:///etc/passwd", False),
    ("chrome://settings", False),
    ("http://[", False),
]


@pytest.mark.parametrize(("url", "recorded"), PAGES)
def test_private_pages_and_our_own_are_not_recorded(url: str, recorded: bool) -> None:
    assert Privacy(["http://annotate.example"]).is_recorded(url) is recorded


COMMANDS = [
    ('{"do": "start"}', Command("start")),
    ('{"do": "forget", "minutes": 10}', Command("forget", 10)),
    ('{"do": "forget", "minutes": true}', Command("forget", 0)),
    ('{"do": "forget", "minutes": 1e9}', Command("forget", 0)),
    ('{"do": "draft", "text": "a"}', Command("draft", 0, "a")),
    ('{"do": "format_disk"}', None),
    ('["start"]', None),
    ("start", None),
]


@pytest.mark.parametrize(("text", "command"), COMMANDS)
def test_the_panel_can_ask_for_what_is_agreed_and_nothing_else(text: str, command: Command | None) -> None:
    assert read_command(text) == command


def test_the_panel_is_told_every_agreed_member() -> None:
    log = EventLog(lambda: pytest.fail("nothing is recorded"), "s1", "t1", Clock(lambda: 0, lambda: 0))
    assert state_detail(log, Upload(3, True, "away"), ["look"]) == {
        "state": "idle",
        "session": "s1",
        "task": "t1",
        "started_at": None,
        "recorded_ms": 0,
        "events": 0,
        "uploaded_seq": 3,
        "queue": 0,
        "last": [],
        "passages": {"count": 0, "last": [], "forgotten": []},
        "counts": {},
        "warnings": ["look"],
        "uploading": True,
        "problem": "away",
        "away": False,
    }


def test_another_engine_is_named_with_the_ones_allowed() -> None:
    assert engine_warning(Policy(allowed_engines=("google", "brave")), "bing") == (
        "This is bing. The project allows google or brave: search there."
    )


@pytest.mark.parametrize(
    "answer", [{}, {"task_id": "t", "policy": {"forget_minutes": "x"}}, {"task_id": "t", "policy": "x"}]
)
def test_an_answer_that_is_no_task_is_refused(answer: dict[str, object]) -> None:
    with pytest.raises(IncompleteError, match="cannot be read"):
        read_task(answer)


CALLS = ["", "{", "[]", '{"kind": "visit"}', '{"kind": 1}', "x" * 30_000]


@pytest.mark.parametrize("text", CALLS)
def test_a_page_cannot_write_what_the_script_does_not_say(text: str) -> None:
    assert read_message(DomCall(text, True, "https://a.example/")) is None


def test_members_nobody_knows_are_dropped_and_wrong_ones_evened() -> None:
    text = '{"kind": "enter", "n": "x", "at": 1e999, "data": {"value": "secret", "field_kind": 7, "value_length": 3}}'
    message = read_message(DomCall(text, True, "https://a.example/"))
    assert message is not None
    assert (dict(message.data), message.n, message.at) == ({"field_kind": "", "value_length": 3}, 0, 0)


def test_a_clicked_redirect_of_the_engine_is_unwrapped() -> None:
    link = "https://www.google.com/url?q=https://b.example/"
    text = json.dumps({"kind": "click", "data": {"link_url": link, "link_text": "a\n b"}})
    message = read_message(DomCall(text, True, "https://a.example/"))
    assert message is not None
    assert event_data(message)["link_target_url"] == "https://b.example/"
    assert event_data(message)["link_text"] == "a b"
