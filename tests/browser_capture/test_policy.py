"""The project's rules while recording: what touches them is an event and one sentence, and nothing is left out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_capture.banned import BANNED_PLACES, banned_place, is_place, whole_list
from browser_capture.breaches import Place, PolicyWatch
from browser_capture.clock import Clock
from browser_capture.event_log import EventLog
from browser_capture.policy import Policy, read_task
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import RESULTS, START, WEB, Person, Recorded, paired_home, record
from tests.browser_capture.result_page import result_page
from tests.browser_capture.scripted_window import a_run
from tests.fakes import LocalSite, Reply

OVERVIEW = """<div><h1>AI Overview</h1><p id=generated>The height is 40 metres.</p>
<button id=expand>Show more</button></div>"""
CHAT = "http://iask.ai/"
AI_MODE = "http://www.google.com/search?q=height&udm=50"

PLACES = [
    ("https://chatgpt.com/c/1", "chatgpt.com"),
    ("https://www.perplexity.ai/search?q=a", "perplexity.ai"),
    ("https://www.google.co.uk/search?q=a&udm=50", "google.*/search?udm=50"),
    ("https://www.google.com/search?q=a&udm=14", None),
    ("https://google.com/ai/about", "google.*/ai"),
    ("https://www.google.com/aimless", None),
    ("https://duckduckgo.com/?q=a&ia=chat", "duckduckgo.com?ia=chat"),
    ("https://kagi.com/search?q=a", None),
    ("https://kagi.com/assistant", "kagi.com/assistant"),
    ("https://notchatgpt.com/", None),
    ("https://en.wikipedia.org/wiki/ChatGPT", None),
    ("chrome://settings", None),
]


@pytest.mark.parametrize(("url", "place"), PLACES)
def test_assistants_and_ai_modes_are_banned_and_nothing_beside_them(url: str, place: str | None) -> None:
    assert banned_place(url, BANNED_PLACES) == place


def test_every_place_of_the_list_reads_as_one() -> None:
    assert [place for place in BANNED_PLACES if not is_place(place)] == []


def test_a_project_adds_to_the_list_or_writes_its_own() -> None:
    assert whole_list(["default", "rival.example"]) == (*BANNED_PLACES, "rival.example")


@pytest.mark.parametrize(
    ("sent", "read"),
    [({}, BANNED_PLACES), ({"banned_hosts": []}, ()), ({"banned_hosts": ["a.example"]}, ("a.example",))],
)
def test_the_server_says_what_is_banned(sent: dict[str, object], read: tuple[str, ...]) -> None:
    assert read_task({"task_id": "t1", "policy": sent}).policy.banned_hosts == read


def watched(told: list[str]) -> PolicyWatch:
    """Return a watch that keeps what the person sees in `told`."""
    log = EventLog(lambda: pytest.fail("nothing is recorded"), "s1", "t1", Clock(lambda: 0, lambda: 0))
    return PolicyWatch(log, Policy(), told.append, told.remove)


def test_the_person_is_told_while_the_page_is_shown() -> None:
    told: list[str] = []
    watch = watched(told)
    for visit in ("v1", "v2"):
        watch.visited(Place("t1", visit, CHAT))
    assert [sentence.partition(". ")[0] for sentence in told] == ["This is iask.ai"]
    watch.visited(Place("t1", "v3", "https://docs.example/"))
    assert told == []
    watch.visited(Place("t1", "v4", CHAT))
    watch.left("t1")
    assert told == []


def test_a_search_with_an_allowed_engine_ends_the_notice_about_another_one() -> None:
    told: list[str] = []
    watch = watched(told)
    watch.asked("bing", Place("t1", "v1", "https://www.bing.com/search?q=a"))
    assert told == ["This is bing. The project allows google: search there."]
    watch.asked("google", Place("t2", "v2", "https://www.google.com/search?q=a"))
    assert told == []


def test_no_notice_outlives_stop(server: CaptureServer, home: Path) -> None:
    async def act() -> None:
        async with a_run(server, home, tabs={"t1": CHAT}) as run:
            await run.press("start", until="recording")
            await run.until(lambda: "This is iask.ai" in str(run.window.detail["warnings"]))
            await run.press("stop", until="uploaded")
            assert run.window.detail["warnings"] == []

    asyncio.run(act())


async def break_every_rule(person: Person) -> None:
    await person.main.fill("#q", "height")
    await person.main.press("#q", "Enter")
    await person.main.wait_for_selector("#generated")
    await person.main.click("#expand")
    for selector in ("#generated", "cite"):
        await person.main.evaluate(
            "selector => getSelection().selectAllChildren(document.querySelector(selector))", selector
        )
        await person.main.keyboard.press("Control+c")
    for address in (CHAT, AI_MODE, "http://www.baidu.com/s?wd=height", CHAT):
        await person.main.goto(address)
        await person.main.wait_for_selector("p")
    await person.dwell()


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """What is recorded of a search that touches each rule."""
    web = {
        **WEB,
        ("www.google.com", "/search"): lambda query: (
            Reply(result_page("height", RESULTS, before=OVERVIEW).encode())
            if "udm" not in query
            else Reply(b"<title>AI Mode</title><p>Generated.")
        ),
        ("iask.ai", "/"): "<title>Chat</title><p>Ask me.",
        ("www.baidu.com", "/s"): "<title>Baidu</title><p>Results.",
    }
    with LocalSite(web) as site, CaptureServer(start_url=START) as server:
        yield record(break_every_rule, site, server, paired_home(tmp_path_factory.mktemp("policy") / "home", server))


@pytest.mark.browser
def test_each_touched_rule_is_an_event(broken: Recorded) -> None:
    found = [(event.data["rule"], str(event.data["detail"]).partition(":")[0]) for event in broken.of_type("policy")]
    assert found == [
        ("ai_summary_expanded", "an AI summary was opened"),
        ("ai_summary_copied", "copied from an AI summary"),
        ("banned_host", "iask.ai"),
        ("banned_host", "www.google.com (google.*/search?udm=50)"),
        ("engine", "baidu"),
        ("banned_host", "iask.ai"),
    ]


@pytest.mark.browser
def test_nothing_is_left_out_for_touching_a_rule(broken: Recorded) -> None:
    assert len(broken.of_type("copy")) == 2
    assert {CHAT, AI_MODE} <= {visit.url for visit in broken.trajectory.visits}
    assert broken.trajectory.visits[-1].snapshots


@pytest.mark.browser
def test_a_summary_that_was_shown_is_only_counted(broken: Recorded) -> None:
    assert broken.trajectory.result_pages[0].blocks["ai_overview"] == 1


@pytest.mark.browser
def test_touched_rules_are_notices_of_the_trajectory(broken: Recorded) -> None:
    kinds = {notice.kind for notice in broken.trajectory.notices}
    assert {"ai_summary_expanded", "ai_summary_copied", "model_host", "other_engine"} <= kinds
