"""The panel's side of the recorder: what was copied, the draft on this machine, the shell while the server is away."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from browser_capture import recording, uploading
from browser_capture.clock import Clock
from browser_capture.copied import TOLD, Copied
from browser_capture.event_log import EventLog, Forgotten, State, _recorded_before
from browser_capture.events import Event
from browser_capture.kept_draft import KeptDraft
from browser_capture.missing import MissingPart
from browser_capture.panel_commands import NOT_RECORDED
from browser_capture.panel_link import forgotten_words, read_command
from browser_capture.sources.wire import DomCall
from browser_capture.spool import Spool
from browser_capture.taking_up import DIED, resumed_clock
from browser_capture.window_places import Place, side_by_side
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import Person, person_at, record
from tests.browser_capture.recordings import event
from tests.browser_capture.scripted_window import ScriptedTab, a_run
from tests.browser_capture.test_durability_session import cut_short, visit
from tests.fakes import LocalSite


# ---- Without a browser -------------------------------------------------------------------------
def an_event(seq: int, kind: str = "copy", **data: Any) -> Event:
    known = {"text": f"text {seq}"} if kind == "copy" else {}
    return Event(
        session="s",
        seq=seq,
        type=kind,
        src="dom",
        t_wall=seq,
        t_mono=seq,
        url="http://a.example/",
        data={**known, **data},
    )


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ('{"do": "mark", "ref": "r1"}', ("ref", "r1")),
        ('{"do": "widen", "width": 900}', ("width", 900)),
        ('{"do": "widen", "width": "900"}', ("width", 0)),
        ('{"do": "widen", "width": 99999}', ("width", 4000)),
        ('{"do": "draft", "text": "a", "base": 3}', ("base", 3)),
        ('{"do": "draft", "text": "a", "base": -1}', ("base", None)),
        ('{"do": "draft", "text": "a", "origins": [{"row": 0}]}', ("origins", [{"row": 0}])),
        ('{"do": "draft", "text": "a", "origins": {}}', ("origins", ())),
        ('{"do": "draft", "text": "", "saved": true}', ("saved", True)),
    ],
)
def test_what_a_command_says_is_read_with_care(said: str, wanted: tuple[str, Any]) -> None:
    command = read_command(said)
    assert command is not None
    assert getattr(command, wanted[0]) == wanted[1]


@pytest.mark.parametrize(
    "said", ["", "[]", '{"do": "dance"}', "{" * 100_000, '{"do":"draft","text":"' + "x" * 6_000_000]
)
def test_what_is_no_command_is_none(said: str) -> None:
    assert read_command(said) is None


def test_the_last_copies_ride_on_each_state_and_all_of_them_where_asked() -> None:
    copied = Copied()
    copied.take_all(an_event(seq) for seq in range(1, TOLD + 3))
    assert [one["seq"] for one in copied.told(whole=False)["last"]] == list(range(3, TOLD + 3))
    assert len(copied.told(whole=True)["last"]) == copied.told(whole=False)["count"] == TOLD + 2


def test_a_forgotten_copy_is_told_as_forgotten_and_no_more_counted() -> None:
    copied = Copied()
    copied.take_all([an_event(1), an_event(2), an_event(3, "forget", from_seq=2, to_seq=2, minutes=1)])
    told = copied.told(whole=True)
    assert ([one["seq"] for one in told["last"]], told["forgotten"]) == ([1], [[2, 2]])
    assert copied.counts() == {"copy": 1, "forget": 1}


def test_a_mark_carries_the_name_the_panel_gave_it() -> None:
    copied = Copied()
    copied.take(an_event(4, "evidence", quote="a passage"))
    copied.answer(4, "r1")
    (mark,) = copied.told(whole=False)["last"]
    assert (mark["kind"], mark["text"], mark["ref"]) == ("evidence", "a passage", "r1")


def test_a_draft_is_kept_with_its_cells_until_the_server_has_it(tmp_path: Path) -> None:
    draft = KeptDraft(tmp_path, "first/1")
    draft.keep("a,b", [{"row": 0}], 3)
    draft.keep("a,b,c", (), None)  # the shell knows only the text
    assert KeptDraft(tmp_path, "first/1").read() == {"text": "a,b,c", "origins": [{"row": 0}], "base": 3}
    draft.drop()
    draft.drop()
    assert (draft.read(), list(tmp_path.iterdir())) == (None, [])


def test_a_draft_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    draft = KeptDraft(tmp_path, "t")
    draft.keep("a", (), 0)
    draft.path.write_text('{"text": ')
    assert draft.read() is None


def test_a_recording_that_goes_on_still_knows_what_was_copied_before(server: CaptureServer, home: Path) -> None:
    past = cut_short(home, server, event("copy", text="copied before"))

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past)) as run:
            await run.press("hello")
            await run.until(lambda: run.window.detail.get("passages", {}).get("count") == 1)
            (copy,) = run.window.detail["passages"]["last"]
            assert copy["text"] == "copied before"
            assert "copied before" in [line["text"] for line in run.window.detail["last"]]

    asyncio.run(act())


@pytest.mark.parametrize(
    ("forgotten", "is_paused", "words"),
    [
        (Forgotten(1, 0), False, ["Forgotten: 1 event of the last 10 minutes.", "again only once you reload it"]),
        (Forgotten(4, 2), False, ["4 events", "2 more were sent before", "again only once you reload it"]),
        (Forgotten(4, 0), True, ["Resume records what is open then: close what is to stay out."]),
    ],
)
def test_after_forgetting_the_panel_says_when_the_open_page_is_recorded_again(
    forgotten: Forgotten, is_paused: bool, words: list[str]
) -> None:
    said = forgotten_words(forgotten, 10, is_paused=is_paused)
    assert [word for word in words if word not in said] == []


@pytest.mark.parametrize(
    ("before", "words"),
    [("start", "again only once you reload it"), ("pause", "Resume records what is open then")],
)
def test_the_recorder_tells_its_panel_what_forgetting_leaves_open(
    server: CaptureServer, home: Path, before: str, words: str
) -> None:
    async def act() -> None:
        async with a_run(server, home) as run:
            await run.press("start", until="recording")
            await run.press(before, until={"start": "recording", "pause": "paused"}[before])
            await run.press("forget", minutes=10)
            await run.until(lambda: run.window.detail["warnings"])
            assert words in run.window.detail["warnings"][-1]

    asyncio.run(act())


def test_after_stop_the_panel_is_told_what_is_missing(server: CaptureServer, home: Path) -> None:
    past = cut_short(home, server, visit("v8", "http://b.example/lost"))

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past)) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            assert run.window.detail["missing"] == []
            await run.press("stop", until="uploaded")
            told = {part["text"]: part["pages"] for part in run.window.detail["missing"]}
            ((gap,),) = (part["gaps"] for part in run.window.detail["missing"] if part["gaps"])
            assert (gap["start"] < gap["end"], gap["why"]) == (True, DIED)
            # Beside it, the recording has a visit of no address.
            assert told["2 pages were not kept"] == ("http://b.example/lost",)
            assert told["Nothing was recorded for a while"] == ()

    asyncio.run(act())


def test_a_recording_is_not_sent_and_gone_before_it_is_known_what_it_misses(
    server: CaptureServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = cut_short(home, server, visit("v8", "http://b.example/lost"))
    read = recording._missing_from

    def read_slowly(folder: Path) -> Sequence[MissingPart]:
        time.sleep(1)
        return read(folder)

    monkeypatch.setattr(uploading, "UPLOAD_SECONDS", 0.02)
    monkeypatch.setattr(recording, "_missing_from", read_slowly)

    async def act() -> None:
        async with a_run(server, home, past=past, clock=resumed_clock(past)) as run:
            await run.until(lambda: run.window.detail.get("state") == "recording")
            await run.press("stop", until="uploaded")
            assert run.window.detail["missing"]

    asyncio.run(act())


def test_a_whole_recording_misses_nothing(server: CaptureServer, home: Path) -> None:
    async def act() -> None:
        async with a_run(server, home) as run:
            await run.press("start", until="recording")
            await run.press("stop", until="uploaded")
            assert run.window.detail["missing"] == []

    asyncio.run(act())


def test_while_the_server_is_away_the_panel_is_told_so(server: CaptureServer, home: Path) -> None:
    async def act() -> None:
        async with a_run(server, home) as run:
            await run.press("start", until="recording")
            server.away = True
            await run.press("stop", until="stopped")
            await run.until(lambda: run.window.detail["away"])
            server.away = False
            await run.until(lambda: run.window.detail["state"] == "uploaded")
            assert not run.window.detail["away"]

    asyncio.run(act())


def test_the_clock_counts_what_is_recorded_and_no_pause() -> None:
    now = [0]
    log = EventLog(lambda: cast(Spool, None), "s", "t", Clock(lambda: 0, lambda: now[0]))
    for state, until in (("recording", 5_000), ("paused", 60_000), ("recording", 61_000), ("paused", 90_000)):
        log.set_state(cast(State, state))
        now[0] = until
    assert log.recorded_ms == 6_000


def test_the_clock_of_a_recording_that_goes_on_counts_neither_pauses_nor_gaps() -> None:
    kinds = [("task_start", 0), ("pause", 10), ("resume", 100), ("visit", 110), ("recorder_gap", 500), ("visit", 503)]
    events = [replace(an_event(seq, kind), t_mono=mono) for seq, (kind, mono) in enumerate(kinds, 1)]
    assert _recorded_before(events) == 23


TABS = {"t1": "http://a.example/one", "t2": "http://mail.google.com/", "t3": "http://b.example/two"}
LOOKED = {"kind": "visibility", "data": {"state": "visible", "focused": True}}


@pytest.mark.parametrize(
    ("looked_at", "hidden", "marked_on"),
    [
        ("t1", {"t2", "t3"}, "t1"),
        ("t3", set(), "t3"),
        ("t1", {"t1", "t2"}, "t3"),  # it came to the front and did not say so yet
        ("t2", {"t1", "t3"}, None),
        ("t1", {"t1", "t3"}, None),  # what stands in front cannot say so
        ("t1", {"t1", "t2", "t3"}, "t1"),  # the window is minimised
        (None, set(), None),
    ],
)
def test_a_mark_goes_to_the_page_one_looks_at_or_nowhere(
    server: CaptureServer, home: Path, monkeypatch: pytest.MonkeyPatch, looked_at: str | None, hidden: set[str],
    marked_on: str | None,
) -> None:  # fmt: skip
    async def evaluate(tab: ScriptedTab, script: str, argument: Any = None, *, seconds: float = 3) -> Any:
        if "visibilityState" in script:
            return "hidden" if tab.tab in hidden else "visible"
        return {"quote": f"said in {tab.tab}"}

    monkeypatch.setattr(ScriptedTab, "evaluate", evaluate)

    async def act() -> None:
        async with a_run(server, home, tabs=TABS) as run:
            await run.press("start", until="recording")
            if looked_at is not None:
                handled = asyncio.Event()
                call = DomCall(json.dumps({**LOOKED, "n": 1}), True, TABS[looked_at], handled)
                run.session.dom_called(looked_at, call)
                await handled.wait()
            await run.press("mark", ref="r1")
            await run.until(lambda: run.window.detail["warnings"] or "evidence" in run.types())
            marks = [event.data["quote"] for event in run.events if event.type == "evidence"]
            assert marks == ([f"said in {marked_on}"] if marked_on else [])
            assert run.window.detail["warnings"] == ([] if marked_on else [NOT_RECORDED])

    asyncio.run(act())


def test_what_was_forgotten_and_stands_open_cannot_be_marked(
    server: CaptureServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evaluate(tab: ScriptedTab, script: str, argument: Any = None, *, seconds: float = 3) -> Any:
        return {"quote": "forgotten words"}

    monkeypatch.setattr(ScriptedTab, "evaluate", evaluate)

    async def act() -> None:
        async with a_run(server, home) as run:
            await run.press("start", until="recording")
            await run.press("forget", minutes=10)
            await run.press("mark")
            await run.until(lambda: NOT_RECORDED in run.window.detail["warnings"])
            assert "evidence" not in run.types()

    asyncio.run(act())


@pytest.mark.parametrize(
    ("screen", "panel_width", "main", "panel"),
    [
        (Place(0, 0, 2560, 1400), 380, Place(0, 0, 1280, 900), Place(1280, 0, 380, 900)),
        (Place(0, 25, 1500, 775), 500, Place(0, 25, 1000, 775), Place(1000, 25, 500, 775)),
        (Place(1920, 0, 1024, 768), 500, None, Place(2444, 0, 500, 768)),
        (Place(0, 0, 320, 600), 380, None, Place(0, 0, 320, 600)),
    ],
)
def test_both_windows_stand_on_the_screen(screen: Place, panel_width: int, main: Place | None, panel: Place) -> None:
    assert side_by_side(screen, panel_width) == (main, panel)


# ---- In the browser ----------------------------------------------------------------------------
TABLE = """<title>Modules</title><h1>Modules</h1>
<table><tr><th>Module<th>Since</tr><tr><td>aifc<td id=first>3.11</tr><tr><td>cgi<td id=second>3.11</tr></table>
<p id=styled style="text-transform: uppercase">In small letters</p>"""

WRITTEN = """<title>Form</title><p id=said>said aloud</p>
<input id=field value=typed><input id=secret type=password value=hidden>
<textarea id=area>written</textarea><div id=editable contenteditable>private words</div>"""


async def choose(person: Person, selector: str) -> None:
    """Mark what an element says with the mouse and press Ctrl+C."""
    await person.main.bring_to_front()
    await person.main.locator(selector).click(click_count=3)
    await person.main.keyboard.press("Control+c")


@pytest.mark.browser
def test_a_copy_knows_its_place_its_page_and_its_kept_text(site: LocalSite, server: CaptureServer, home: Path) -> None:
    site.pages["a.example", "/modules"] = TABLE

    async def act(person: Person) -> None:
        await person.main.goto("http://a.example/modules")
        await person.dwell()
        await choose(person, "#second")
        await choose(person, "#styled")
        await person.dwell()

    recorded = record(act, site, server, home)
    second, styled = recorded.of_type("copy")
    assert (second.data["text"], second.url) == ("3.11", "http://a.example/modules")
    assert (second.data["prefix"].split(), second.data["suffix"].split()) == (
        ["Modules", "Module", "Since", "aifc", "3.11", "cgi"],
        ["In", "small", "letters"],
    )
    assert "cgi\t3.11" in recorded.text_of(second.data["snapshot"])
    assert styled.data["text"] == "IN SMALL LETTERS"


@pytest.mark.browser
def test_no_copy_of_a_field_or_of_what_was_written_into_the_page_is_logged(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    site.pages["a.example", "/form"] = WRITTEN

    async def act(person: Person) -> None:
        await person.main.goto("http://a.example/form")
        for selector in ("#field", "#secret", "#area", "#editable"):
            await choose(person, selector)
        await person.main.locator("#said").click()
        await person.main.keyboard.press("Control+a")
        await person.main.keyboard.press("Control+c")
        await choose(person, "#said")
        await person.dwell()

    recorded = record(act, site, server, home)
    (copy,) = recorded.of_type("copy")
    assert copy.data["text"] == "said aloud"
    assert "private" not in str(copy.data)


@pytest.mark.browser
@pytest.mark.long
def test_a_page_that_changed_since_it_was_kept_is_kept_again_at_a_copy(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    site.pages["a.example", "/late"] = "<p id=late>first</p>"

    async def act(person: Person) -> None:
        await person.main.goto("http://a.example/late")
        await person.dwell()
        await person.main.evaluate("document.querySelector('#late').textContent = 'changed 42'")
        await choose(person, "#late")
        await person.main.evaluate("document.querySelector('#late').textContent = 'gone again'")
        await person.dwell()

    recorded = record(act, site, server, home)
    (copy,) = recorded.of_type("copy")
    texts = [recorded.text_of(event.data["id"]) for event in recorded.of_type("snapshot") if event.visit == copy.visit]
    assert "changed 42" in texts


@pytest.mark.browser
def test_the_panel_hears_of_copies_and_marks_and_grows_wide(site: LocalSite, server: CaptureServer, home: Path) -> None:
    widths: list[int] = []
    places: list[bool] = []
    told: list[dict[str, Any]] = []

    async def act(person: Person) -> None:
        await person.main.goto("http://a.example/one")
        await choose(person, "p")
        await person.panel.wait_for_function("window.detail.passages.count === 1")
        await person.panel.evaluate("say('mark', {ref: 'r1'})")
        await person.panel.wait_for_function("window.detail.passages.count === 2")
        told.extend((await person.detail())["passages"]["last"])
        for page in (person.main, person.panel):
            places.append(await page.evaluate("screenX >= 0 && screenX < screen.availWidth"))
        for width in (900, 380):
            await person.panel.evaluate("width => say('widen', {width})", width)
            await person.panel.wait_for_function("width => innerWidth === width", arg=width)
            widths.append(await person.panel.evaluate("innerWidth"))

    record(act, site, server, home)
    assert places == [True, True]
    assert widths == [900, 380]
    assert [(one["kind"], one["text"], one.get("ref")) for one in told] == [
        ("copy", "The height is 42 metres.", None),
        ("evidence", "The height is 42 metres.", "r1"),
    ]


async def hears(person: Person, what: Callable[[dict[str, Any]], Any]) -> None:
    """Wait until the panel was told something, also where it stands behind another tab."""
    async with asyncio.timeout(20):
        while not what(await person.detail()):
            await asyncio.sleep(0.1)


@pytest.mark.browser
@pytest.mark.parametrize("address", ["http://ebanking.example/", "chrome://version/"])
def test_nothing_is_marked_from_behind_a_page_that_is_not_recorded(
    site: LocalSite, server: CaptureServer, home: Path, address: str
) -> None:
    site.pages["ebanking.example", "/"] = "<title>Bank</title><p>A balance.</p>"
    warnings: list[list[str]] = []

    async def act(person: Person) -> None:
        await person.main.goto("http://a.example/one")
        await choose(person, "p")
        other = await person.context.new_page()
        await other.goto(address)
        await other.bring_to_front()
        await other.evaluate("getSelection().selectAllChildren(document.body)")
        await person.dwell()
        await person.panel.evaluate("say('mark', {ref: 'r1'})")
        await hears(person, lambda detail: detail["warnings"])
        warnings.append((await person.detail())["warnings"])
        await other.close()
        await person.main.bring_to_front()
        await person.dwell()
        await person.panel.evaluate("say('mark', {ref: 'r2'})")
        await hears(person, lambda detail: detail["passages"]["count"] == 2)
        warnings.append((await person.detail())["warnings"])

    recorded = record(act, site, server, home)
    assert warnings == [[NOT_RECORDED], []]
    assert [event.data["quote"] for event in recorded.of_type("evidence")] == ["The height is 42 metres."]


async def shows(person: Person, end: str) -> None:
    """Wait until the panel's window shows an address that ends so, whatever failed on the way."""
    async with asyncio.timeout(20):
        while not person.panel.url.startswith(("file:", "http:")) or not person.panel.url.endswith(end):
            await asyncio.sleep(0.1)
    await person.panel.wait_for_load_state()


def sitting_at(site: LocalSite, home: Path, act: Callable[[Person], Awaitable[None]]) -> None:
    async def run() -> None:
        async with person_at(site, home) as person:
            await act(person)
            await person.quit()

    asyncio.run(run())


@pytest.mark.browser
@pytest.mark.long
def test_a_panel_the_absent_server_cannot_show_becomes_the_shell_and_comes_back_with_the_draft(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    drafts: list[Any] = []

    async def act(person: Person) -> None:
        await person.press("start", until="recording")
        draft = {"text": "Module\naifc\n", "origins": [{"row": 0}], "base": 2}
        await person.panel.evaluate("draft => say('draft', draft)", draft)
        server.away = True
        await person.panel.evaluate("location.href = 'http://127.0.0.1:9/panel/t1'")
        await shows(person, "shell.html")
        await person.panel.wait_for_function("document.querySelector('#draft').value.includes('aifc')")
        await person.panel.locator("#draft").press_sequentially("cgi")
        await person.panel.locator("#saved", has_text="Kept on this machine").wait_for()
        server.away = False
        await shows(person, "/panel/t1")
        await person.panel.wait_for_function("window.detail?.draft")
        drafts.append((await person.detail())["draft"])
        await person.panel.evaluate("say('draft', {text: '', saved: true})")
        await person.press("stop", until="uploaded")

    sitting_at(site, home, act)
    (draft,) = drafts
    assert sorted(draft["text"].split()) == ["Module", "aifc", "cgi"]
    assert (draft["origins"], draft["base"]) == ([{"row": 0}], 2)
    assert not (home / "drafts").exists()
