"""A headed Chromium moved by real mouse and keys, the recorder beside it: the visits are the person's own steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_capture.derivation import derive_trajectory
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import Recorded, paired_home, person_at
from tests.browser_capture.real_input.display import a_display
from tests.browser_capture.real_input.hand import Hand
from tests.browser_capture.real_input.walk import WALKED, Walker, short, stays_of, walk
from tests.browser_capture.real_input.web import HOME, WEB
from tests.fakes import LocalSite

pytestmark = [pytest.mark.browser, pytest.mark.display]
LEFT_AT_ONCE = {"/js", "/meta"}
"""Pages that lead on while they load; what they showed for that moment may be had or not."""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """Give a display, to the recorder's processes too."""
    with a_display() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", name)
        patch.delenv("WAYLAND_DISPLAY", raising=False)
        yield name


@pytest.fixture(scope="module")
def walked(display: str, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Walk once, for every claim."""
    return walk_once(display, tmp_path_factory.mktemp("walk"))


def walk_once(display: str, folder: Path) -> Recorded:
    """Record one walk from Start to Stop, both pressed by mouse, and return what the server then holds."""
    with LocalSite(WEB) as site, CaptureServer(start_url=HOME) as server:
        return asyncio.run(_walk(display, site, server, paired_home(folder / "home", server)))


async def _walk(display: str, site: LocalSite, server: CaptureServer, home: Path) -> Recorded:
    hand = Hand(display)
    window = ("--browser-arg=--window-position=0,0", "--browser-arg=--ozone-platform=x11")
    async with person_at(site, home, *window, headless=False) as person:
        # Somebody who only looks on must not answer for the person.
        person.context.on("dialog", lambda dialog: None)
        await hand.click(person.panel.locator("#start"))
        await person.panel.wait_for_function("window.detail?.state === 'recording'")
        await walk(Walker(person, hand, site, home))
        await hand.click(person.panel.locator("#stop"))
        await person.panel.wait_for_function("window.detail?.state === 'uploaded'", timeout=60_000)
        code = await person.quit()
    (recording,) = server.recordings.values()
    events = recording.events
    return Recorded(events, derive_trajectory(events), server, code, person.said.read_text())


def test_the_visits_are_the_steps_of_the_walk(walked: Recorded) -> None:
    assert stays_of(walked.trajectory.visits) == WALKED


def test_each_visit_by_click_names_the_click_or_the_request_it_made(walked: Recorded) -> None:
    by_seq = {event.seq: event for event in walked.events}
    found = {short(visit.url): by_seq[visit.cause_seq or 0].type for visit in walked.trajectory.visits
             if visit.cause == "click"}  # fmt: skip
    # A shadow root that is shut tells nobody which link was clicked; the browser still says where it asked to go.
    assert {address for address, kind in found.items() if kind != "click"} == {"/shut"}


def test_every_click_and_key_was_a_persons(walked: Recorded) -> None:
    clicks = [event.data["trusted"] for event in walked.events if event.type == "click"]
    assert (len(clicks), set(clicks)) == (29, {True})


def test_four_redirects_are_the_chain_of_the_visit_they_end_in(walked: Recorded) -> None:
    landed = next(event for event in walked.of_type("visit") if event.url == "http://walk.example/landed")
    assert [short(link["url"]) for link in landed.data["chain"]] == ["/hop1", "//other/hop2", "/hop3", "/hop4"]


def test_each_tab_came_by_its_door(walked: Recorded) -> None:
    doors = [(event.data["how"], short(event.data["first_url"])) for event in walked.of_type("tab_open")]
    assert doors == [
        ("existing", "/"),
        ("click_newtab", "/middle"),
        ("click_newtab", "/ctrl"),
        ("click_newtab", "//other/blank"),
        ("window_open", "/opened"),
        ("restore", "/ctrl"),
    ]


def test_a_download_is_no_visit_and_names_its_file(walked: Recorded) -> None:
    (found,) = walked.of_type("download")
    page = walked.visit_to("http://walk.example/typed")
    assert (found.data["name"], found.data["bytes"], found.data["state"]) == ("data.bin", 2_000, "completed")
    assert short(found.url or "") == "/data.bin"
    assert page.tab == found.tab


def test_the_wheel_is_the_depth_of_its_page_alone(walked: Recorded) -> None:
    deep = {short(event.url or "") for event in walked.of_type("visit_end") if event.data["max_scroll_px"] > 0}
    assert deep == {"/tall"}


def test_only_the_tab_in_front_is_looked_at(walked: Recorded) -> None:
    first = {short(visit.url): visit for visit in reversed(walked.trajectory.visits)}
    behind, front = first["/middle"], first["/typed"]
    assert (behind.active_ms or 0) < (behind.dwell_ms or 0)
    assert (front.active_ms or 0) > 0
    assert sum(visit.active_ms or 0 for visit in walked.trajectory.visits) <= _length_ms(walked)


def test_both_dialogs_were_the_persons_to_answer(walked: Recorded) -> None:
    dialogs = [(event.data["kind"], short(event.url or "")) for event in walked.of_type("dialog")]
    assert dialogs == [("confirm", "/asks"), ("beforeunload", "/stays")]


def test_every_page_seen_is_kept(walked: Recorded) -> None:
    bare = {short(visit.url) for visit in walked.trajectory.visits if not visit.snapshots}
    assert bare <= LEFT_AT_ONCE
    assert "7 metres" in walked.text_of(walked.visit_to("http://walk.example/paper.pdf").snapshots[0])


def test_nothing_is_amiss_and_nothing_typed_is_kept(walked: Recorded) -> None:
    notices = [(notice.kind, short(notice.url or "")) for notice in walked.trajectory.notices]
    assert [notice for notice in notices if notice[1] not in LEFT_AT_ONCE] == []
    assert (walked.exit_code, walked.said, walked.trajectory.has_stop) == (0, "", True)
    assert not [event for event in walked.events if "half a thought" in str(event)]
    assert not [sha for sha, data in walked.server.blobs.items() if b"half a thought" in data]


@pytest.mark.long
def test_ten_walks_give_the_same_visits(display: str, tmp_path: Path) -> None:
    for number in range(10):
        began = time.monotonic()
        assert stays_of(walk_once(display, tmp_path / str(number)).trajectory.visits) == WALKED, f"walk {number + 1}"
        print(f"walk {number + 1}: {time.monotonic() - began:.0f} s")


def _length_ms(recorded: Recorded) -> int:
    return recorded.events[-1].t_mono - recorded.events[0].t_mono
