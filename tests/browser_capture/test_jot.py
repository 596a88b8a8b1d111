"""Jot mode: before any task one key keeps page, quote and question; nothing else is kept, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from browser_capture.capture_api import CaptureApi
from browser_capture.cli.jotting import Kept, chosen_topic, send_kept
from browser_capture.errors import UserError
from browser_capture.events import Event
from browser_capture.jot_wishes import Wish, read_wish
from browser_capture.jots import Jots
from browser_capture.jotting import JotSession
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import Person, files_below, paired_home, person_at
from tests.browser_capture.scripted_window import ScriptedTab, ScriptedWindow
from tests.fakes import LocalSite

SITE = "http://a.example/one"
TOPICS = {"Towers": [SITE, "http://b.example/two"], "Wells": ["http://b.example/two"]}


def a_jot(name: str = "jot-1", at: int = 1_000) -> Event:
    """A jot as the session writes it."""
    data = {"question": "How high?", "quote": "42 metres", "title": "One", "topic": "Towers"}
    return Event(session=name, seq=1, type="jot", src="panel", t_wall=at, t_mono=1, url=SITE, data=data)


def test_a_jot_waits_for_its_server_and_no_other(tmp_path: Path, server: CaptureServer) -> None:
    home = paired_home(tmp_path, server)
    Jots(home).keep(server.url, a_jot())
    Jots(home).keep("http://other.example", a_jot("jot-2"))
    kept = asyncio.run(send_kept(home))
    assert (kept.sent, kept.waiting) == (1, 1)
    assert "belong to http://other.example" in str(kept.problem)


def test_a_jot_is_sent_when_the_server_is_back(tmp_path: Path, server: CaptureServer) -> None:
    home = paired_home(tmp_path, server)
    for number in (2, 1):
        Jots(home).keep(server.url, a_jot(f"jot-{number}", at=number))
    server.away = True
    assert asyncio.run(send_kept(home)).waiting == 2
    server.away = False
    assert asyncio.run(send_kept(home)) == Kept(2, 0)
    assert list(server.jots) == ["jot-1", "jot-2"]
    assert Jots(home).waiting() == []


def test_an_answer_that_was_lost_makes_no_second_jot(tmp_path: Path, server: CaptureServer) -> None:
    home = paired_home(tmp_path, server)
    for _ in range(2):
        Jots(home).keep(server.url, a_jot())
        asyncio.run(send_kept(home))
    assert len(server.jots) == 1


def test_an_unpaired_machine_without_jots_has_nothing_to_send(tmp_path: Path) -> None:
    assert asyncio.run(send_kept(tmp_path)) == Kept(0, 0)
    Jots(tmp_path).keep("http://a.example", a_jot())
    with pytest.raises(UserError, match="not paired"):
        asyncio.run(send_kept(tmp_path))


def test_a_torn_file_hides_no_other_jot(tmp_path: Path) -> None:
    Jots(tmp_path).keep("http://a.example", a_jot())
    for name, text in (("jot-2", "{"), ("jot-3", "[]"), ("jot-4", '{"server": "x", "event": {}}')):
        (tmp_path / "jots" / f"{name}.json").write_text(text)
    assert [jot.event.session for jot in Jots(tmp_path).waiting()] == ["jot-1"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"do": "start"}', '{"do": 1}', "x" * 200_000])
def test_the_panel_can_ask_for_what_is_agreed_and_nothing_else(text: str) -> None:
    assert read_wish(text) is None


def test_a_text_that_is_none_is_empty() -> None:
    assert read_wish('{"do": "keep", "text": 7}') == Wish("keep")


def test_an_unknown_topic_is_answered_with_those_there_are() -> None:
    with pytest.raises(UserError, match="no topic 'Fishes'; the topics are: Towers, Wells"):
        chosen_topic(TOPICS, "Fishes")


class JotWindow(ScriptedWindow):
    """A browser whose jot panel keeps what it is told."""

    async def show_panel(self) -> None:
        return


def test_a_page_taken_under_typed_words_is_said_and_can_be_taken_back(tmp_path: Path, server: CaptureServer) -> None:
    told: list[Any] = []

    async def act() -> None:
        async with CaptureApi(server.url) as api:
            session, window = JotSession(tmp_path, api, TOPICS, ""), JotWindow()
            tab = ScriptedTab("t1", SITE)
            session.tab_opened(tab, existed=True)
            running = asyncio.create_task(session.run(window))
            for wish in (Wish("take"), Wish("draft", "How high?"), Wish("take"), Wish("take"), Wish("back")):
                session.panel_called(json.dumps(wish._asdict()))
                await asyncio.sleep(0.05)
                told.append((session.detail()["page"]["url"], bool(session.detail()["before"])))
                tab.cdp.url = "http://b.example/two"
            session.browser_gone()
            await running

    asyncio.run(act())
    other = "http://b.example/two"
    assert told == [(SITE, False), (SITE, False), (other, True), (other, True), (SITE, True)]


Act = Callable[[Person], Awaitable[None]]


@pytest.fixture
def reading(site: LocalSite, server: CaptureServer, home: Path) -> Callable[[Act], Person]:
    """Let somebody jot: `reading(act)` runs `act` in the browser of `trailbench capture jot Towers` and closes it."""
    server.start_sites = TOPICS

    def sit_down(act: Act) -> Person:
        return asyncio.run(_jotting(act, site, home))

    return sit_down


async def _jotting(act: Act, site: LocalSite, home: Path) -> Person:
    async with person_at(site, home, words=("jot", "towers")) as person:
        await act(person)
        assert await person.quit() == 0
    return person


async def jot_down(person: Person, selector: str, question: str) -> None:
    """Select a passage, press the one key, type the question in the panel and press Enter."""
    await person.main.bring_to_front()
    await person.main.evaluate(
        "selector => getSelection().selectAllChildren(document.querySelector(selector))", selector
    )
    await person.main.keyboard.press("Alt+j")
    await expect(person.panel.locator("#words")).to_be_focused()
    await person.panel.keyboard.type(question)
    await person.panel.keyboard.press("Enter")
    await expect(person.panel.locator("#kept li").first).to_have_text(question)


async def waits_until_sent(panel: Page) -> None:
    await expect(panel.locator("#count")).to_contain_text("all sent", timeout=15_000)


@pytest.mark.browser
def test_one_key_keeps_page_quote_and_question(
    reading: Callable[[Act], Person], server: CaptureServer, home: Path
) -> None:
    async def act(person: Person) -> None:
        await person.main.wait_for_url(SITE)
        await jot_down(person, "p", "How high is it?")
        await waits_until_sent(person.panel)

    person = reading(act)
    (jot,) = server.jots.values()
    assert (jot["type"], jot["url"]) == ("jot", SITE)
    assert jot["data"] == {
        "question": "How high is it?", "quote": "The height is 42 metres.", "title": "One", "topic": "Towers",
    }  # fmt: skip
    assert "1 question jotted down." in person.said.read_text()
    assert server.recordings == {}
    assert not (home / "profile").exists()


@pytest.mark.browser
def test_nothing_is_kept_but_what_the_person_keeps(
    reading: Callable[[Act], Person], server: CaptureServer, home: Path, site: LocalSite
) -> None:
    site.pages[("a.example", "/one")] = "<title>One</title><p>Text.</p><input id=i><div contenteditable id=e></div>"
    site.pages[("printer.local", "/")] = "<title>Printer</title><p>Private.</p>"

    async def act(person: Person) -> None:
        for field in ("#i", "#e"):
            await person.main.click(field)
            await person.main.keyboard.type("hunter2-secret")
            await person.main.keyboard.press("Control+a")
            await person.main.keyboard.press("Alt+j")
            await expect(person.panel.locator("#page")).to_be_visible()
            await expect(person.panel.locator("#quote")).to_be_empty()
            await person.panel.click("#drop")
            await expect(person.panel.locator("#page")).to_be_hidden()
            await person.main.bring_to_front()
        await person.main.goto("http://printer.local/")
        await person.main.keyboard.press("Alt+j")
        await expect(person.panel.locator("#refusal")).to_contain_text("not kept")

    reading(act)
    assert server.jots == {}
    assert not [
        path for path in files_below(home) if b"hunter2" in path.read_bytes() or b"Printer" in path.read_bytes()
    ]


@pytest.mark.browser
def test_a_page_cannot_press_the_key(reading: Callable[[Act], Person], server: CaptureServer) -> None:
    async def act(person: Person) -> None:
        await person.main.evaluate(
            """() => { const name = Object.keys(window).find(name => name.startsWith("__tb"));
            window[name](JSON.stringify({ kind: "jot", quote: "forged" }));
            dispatchEvent(new KeyboardEvent("keydown", { code: "KeyJ", altKey: true })); }"""
        )
        await person.dwell()
        assert await person.panel.is_hidden("#page")

    reading(act)
    assert server.jots == {}


@pytest.mark.browser
@pytest.mark.long
def test_while_the_server_is_away_jots_are_kept_and_words_survive_a_close(
    reading: Callable[[Act], Person], server: CaptureServer, home: Path
) -> None:
    async def act(person: Person) -> None:
        server.away = True
        await jot_down(person, "p", "How high is it?")
        await person.panel.click("#sites button >> nth=1")
        await person.main.wait_for_url("http://b.example/two")
        await person.panel.click("#take")
        await person.panel.fill("#words", "How deep")
        await expect(person.panel.locator("#problem")).to_contain_text("sent later", timeout=15_000)

    person = reading(act)
    assert "1 kept on this machine" in person.said.read_text()
    assert "The question “How deep” waits for Keep" in person.said.read_text()
    assert [jot.event.data["question"] for jot in Jots(home).waiting()] == ["How high is it?"]

    async def go_on(person: Person) -> None:
        await expect(person.panel.locator("#words")).to_have_value("How deep")
        await expect(person.panel.locator("#sites button").first).to_contain_text("a.example/one")
        server.away = False
        await person.panel.click("#keep")
        await waits_until_sent(person.panel)

    reading(go_on)
    said: list[Any] = [jot["data"]["question"] for jot in server.jots.values()]
    assert said == ["How high is it?", "How deep"]
    assert json.loads((home / "jots" / "start_sites.json").read_text()) == TOPICS
