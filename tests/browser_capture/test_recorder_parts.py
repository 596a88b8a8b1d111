"""Small parts of the recorder by themselves: downloads, the budget of calls, what a result page says of its place."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from browser_capture.causes import Act, Navigation
from browser_capture.clock import system_clock
from browser_capture.errors import WireError
from browser_capture.page_store import PageStore
from browser_capture.privacy import Privacy
from browser_capture.result_pages.reading import read_result_page
from browser_capture.snapshot_taker import Failed, SnapshotTaker, Taken
from browser_capture.snapshots import READ_LIMIT, unpack_mhtml
from browser_capture.sources.dom import read_message
from browser_capture.sources.downloads import Download, DownloadSource
from browser_capture.sources.navigation import NavigationReader
from browser_capture.sources.tabs import CallBudget, Met
from browser_capture.sources.wire import DomCall
from browser_capture.tab_events import opened_how
from tests.browser_capture.scripted_window import MHTML, ScriptedCdp, ScriptedTab

SEARCH = "https://www.google.com/search?q=a"


class Browser:
    """DevTools of a browser that downloads: what it `tells` goes to who listens."""

    def __init__(self) -> None:
        self.listeners: dict[str, Callable[[dict[str, Any]], None]] = {}

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        return {}

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        self.listeners[event] = handler

    def tell(self, event: str, **params: Any) -> None:
        self.listeners[f"Browser.{event}"](params)


class HandedOver(list[Download]):
    """Downloads that were handed over."""

    def downloaded(self, download: Download) -> None:
        self.append(download)


def downloads(folder: Path, *told: tuple[str, dict[str, Any]]) -> list[Download]:
    """Return what is handed over when the browser tells this between start and stop."""

    async def work() -> HandedOver:
        browser, taken = Browser(), HandedOver()
        source = DownloadSource(browser, taken, lambda: PageStore(folder / "pages"), folder, lambda: 0)
        await source.start()
        for event, params in told:
            browser.tell(event, guid="g", **params)
        await source.stop()
        return taken

    return asyncio.run(work())


BEGIN = ("downloadWillBegin", {"frameId": "f", "url": "http://a.example/x", "suggestedFilename": "x.csv"})


def test_a_cancelled_download_has_no_hash(tmp_path: Path) -> None:
    (found,) = downloads(tmp_path, BEGIN, ("downloadProgress", {"state": "canceled", "receivedBytes": 5}))
    assert (found.state, found.bytes, found.sha) == ("canceled", 5, None)


def test_a_file_that_cannot_be_read_is_noted_without_its_hash(tmp_path: Path) -> None:
    (found,) = downloads(tmp_path, BEGIN, ("downloadProgress", {"state": "completed", "receivedBytes": 5}))
    assert (found.state, found.bytes, found.sha) == ("completed", 5, None)


def test_progress_of_a_download_that_began_before_start_is_nothing(tmp_path: Path) -> None:
    assert downloads(tmp_path, ("downloadProgress", {"state": "completed", "receivedBytes": 5})) == []


def test_a_tab_may_send_a_burst_and_then_only_so_much_a_second() -> None:
    budget = CallBudget()
    assert sum(budget.may(1_000_000) for _ in range(2_000)) == CallBudget.BURST
    assert sum(budget.may(1_001_000) for _ in range(2_000)) == CallBudget.PER_SECOND


def test_the_first_message_of_a_flood_that_is_dropped_is_said_once() -> None:
    budget = CallBudget()
    assert sum(not budget.may(1_000_000) and budget.is_first_dropped for _ in range(2_000)) == 1


@pytest.mark.parametrize("text", ["", "[", "[" * 19_000, "null", '{"kind": []}', '{"kind": {}}', "9" * 30_000])
def test_junk_is_no_message(text: str) -> None:
    assert read_message(DomCall(text, True, "http://a.example/")) is None


@pytest.mark.parametrize(("kind", "said"), [("click", True), ("copy", False), ("visibility", False), ("loaded", False)])
def test_a_page_that_calls_the_recorder_itself_is_believed_nothing(kind: str, said: bool) -> None:
    text = json.dumps({"kind": kind, "data": {"trusted": True, "text": "forged"}})
    found = read_message(DomCall(text, True, "http://a.example/", is_own=False))
    assert (found is not None and found.data["trusted"] is False) == said


SHOWN = [
    ("<html lang=de>", {"language": "de"}),
    (
        "<div id=fbar><div>Germany</div><div id=swml>Berlin<div>&nbsp;-&nbsp;From your IP address</div></div></div>",
        {"country": "Germany", "location": "Berlin", "location_from": "From your IP address"},
    ),
    ("<div id=fbar><a href=/x>Help</a></div>", {}),
    ("<i data-safesearch-enabled=1></i>", {"safe": "on"}),
    ("<a href='https://accounts.google.com/ServiceLogin?hl=en'>Sign in</a>", {"account": "signed_out"}),
    ("<a href='/url?q=https://accounts.google.com/ServiceLogin%3Fx'>Sign in</a>", {"account": "signed_out"}),
    ("<a href='https://accounts.google.com/SignOutOptions?hl=en'>Ada</a>", {"account": "signed_in"}),
]


@pytest.mark.parametrize(("page", "shown"), SHOWN)
def test_a_result_page_says_for_whom_and_where_it_is(page: str, shown: dict[str, str]) -> None:
    found = read_result_page(page, SEARCH)
    assert found is not None
    assert dict(found.shown) == shown


def test_a_document_beyond_five_megabytes_is_cut_and_says_so(tmp_path: Path) -> None:
    mhtml = MHTML.format(url="http://a.example/", text="<p>a line of text" * (READ_LIMIT // 10)).encode()
    page = unpack_mhtml(mhtml, PageStore(tmp_path), captured_at="2026-01-01T00:00:00Z").page
    assert (page.partial, page.parts[0].bytes) == (True, READ_LIMIT)


WAITING = Act(7, 0, "click", "http://a.example/")
HOW = [
    (Met(None, True, None), None, "existing"),
    (Met("t1", False, None), WAITING, "click_newtab"),
    (Met(None, False, None), Act(7, 0, "request", reason="anchorClick"), "click_newtab"),
    (Met("t1", False, None), Act(7, 0, "request", reason="windowOpen"), "window_open"),
    (Met("t1", False, None), None, "window_open"),
    (Met(None, False, Navigation("t2", "http://a.example/", 0, transition="reload")), None, "restore"),
    (Met(None, False, Navigation("t2", "http://a.example/", 0, transition="typed")), None, "address_bar"),
    (Met(None, False, Navigation("t2", "chrome://newtab/", 0)), None, "address_bar"),
    (Met(None, False, Navigation("t2", "about:blank", 0)), None, "unknown"),
]


@pytest.mark.parametrize(("met", "waits", "how"), HOW)
def test_what_is_known_of_a_new_tab_says_how_it_came(met: Met, waits: Act | None, how: str) -> None:
    assert opened_how(met, waits) == how


def test_what_a_page_says_by_itself_counts_neither_its_changes_nor_how_far_it_was_seen() -> None:
    text = json.dumps({"kind": "click", "n": 1, "at": 1, "changes": 1e300, "scroll": {"max_px": 9e9, "depth": 77}})
    forged = read_message(DomCall(text, True, "http://a.example/", is_own=False))
    assert forged is not None
    assert (forged.changes, set(forged.scroll.values())) == (0, {0})


def test_a_page_cannot_have_been_seen_further_than_to_its_end() -> None:
    text = json.dumps({"kind": "click", "changes": 1e300, "scroll": {"max_px": 1e300, "depth": 77}})
    found = read_message(DomCall(text, True, "http://a.example/"))
    assert found is not None
    assert (found.changes, found.scroll["max_px"], found.scroll["depth"]) == (2**53 - 1, 2**53 - 1, 1)


def test_a_page_that_has_led_on_keeps_the_entry_that_lies_behind() -> None:
    class History(ScriptedCdp):
        async def send(
            self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5
        ) -> dict[str, Any]:
            if method != "Page.getNavigationHistory":
                return await super().send(method, params, seconds=seconds)
            own = {"id": 1, "url": "http://a.example/", "title": "Own", "transitionType": "link"}
            return {"currentIndex": 1, "entries": [own, {"id": 2, "url": "http://a.example/next", "title": "Next"}]}

    tab = ScriptedTab("t1", "http://a.example/")
    tab.cdp = History(tab.url)
    found = asyncio.run(NavigationReader(tab).adopt(0))
    assert found is not None
    assert (found.navigation.title, found.navigation.position, found.navigation.transition) == ("Own", 0, "link")


def test_a_page_that_was_left_while_it_was_kept_does_not_hold_up_the_next(tmp_path: Path) -> None:
    class Stuck(ScriptedCdp):
        async def send(
            self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5
        ) -> dict[str, Any]:
            if not self.asked:
                self.asked.append(method)
                await asyncio.sleep(60)
            return await super().send(method, params, seconds=seconds)

    async def work() -> list[Taken | Failed]:
        done: list[Taken | Failed] = []
        taker = SnapshotTaker(system_clock(), Privacy(), done.append)
        tab = ScriptedTab("t1", "http://a.example/")
        tab.cdp = Stuck(tab.url)
        for visit in ("v1", "v2"):
            taker.take(tab, PageStore(tmp_path), visit, tab.url, "load", 200)
            await asyncio.sleep(0)
        await taker.finish(10)
        return done

    found = asyncio.run(work())
    assert [(type(result), result.visit) for result in found] == [(Failed, "v1"), (Taken, "v2")]


def test_a_browser_that_is_still_at_work_on_another_page_is_asked_again(tmp_path: Path) -> None:
    class Busy(ScriptedCdp):
        async def send(
            self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5
        ) -> dict[str, Any]:
            answer = await super().send(method, params, seconds=seconds)
            if len(self.asked) < 3:
                raise WireError("Failed to generate MHTML")
            return answer

    async def work() -> list[Taken | Failed]:
        done: list[Taken | Failed] = []
        taker = SnapshotTaker(system_clock(), Privacy(), done.append)
        tab = ScriptedTab("t1", "http://a.example/")
        tab.cdp = Busy(tab.url)
        taker.take(tab, PageStore(tmp_path), "v1", tab.url, "load", 200)
        await taker.finish(10)
        return done

    assert [type(result) for result in asyncio.run(work())] == [Taken]


def test_what_stood_last_in_a_page_comes_last(tmp_path: Path) -> None:
    class Shrinking(ScriptedCdp):
        async def send(
            self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5
        ) -> dict[str, Any]:
            await super().send(method, params, seconds=seconds)
            return {"data": MHTML.format(url=self.url, text="before " * 200_000 if len(self.asked) == 1 else "after")}

    async def work() -> list[Taken | Failed]:
        done: list[Taken | Failed] = []
        taker = SnapshotTaker(system_clock(), Privacy(), done.append)
        tab = ScriptedTab("t1", "http://a.example/")
        tab.cdp = Shrinking(tab.url)
        for trigger in ("load", "quiet"):
            taker.take(tab, PageStore(tmp_path), "v1", tab.url, trigger, 200)
            await asyncio.sleep(0)
        await taker.finish(20)
        return done

    assert [result.trigger for result in asyncio.run(work())] == ["load", "quiet"]


def test_each_page_keeps_its_own_status_and_what_comes_too_late_for_the_first_is_no_failure(tmp_path: Path) -> None:
    async def work() -> list[Taken | Failed]:
        done: list[Taken | Failed] = []
        taker = SnapshotTaker(system_clock(), Privacy(), done.append)
        tab = ScriptedTab("t1", "http://a.example/")
        for visit, trigger, status in (("v1", "load", 404), ("v1", "leave", 404), ("v2", "load", 200)):
            taker.take(tab, PageStore(tmp_path), visit, tab.url, trigger, status)
            await asyncio.sleep(0)
        await taker.finish(10)
        return done

    found = asyncio.run(work())
    statuses = {result.visit: result.unpacked.page.status for result in found if isinstance(result, Taken)}
    assert (len(found), statuses) == (2, {"v1": 404, "v2": 200})


@pytest.mark.parametrize(
    ("stands", "loader", "title"),
    [
        ("http://a.example/#part", "1", "Here"),
        ("http://a.example/next", "2", ""),
        ("http://a.example/?step=30", "1", "Here"),
    ],
    ids=["the page", "led on", "rewritten"],
)
def test_a_page_keeps_its_title_when_it_rewrites_its_address_but_gets_no_other_pages(
    stands: str, loader: str, title: str
) -> None:
    class History(ScriptedCdp):
        async def send(
            self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5
        ) -> dict[str, Any]:
            if method == "Page.getNavigationHistory":
                return {"currentIndex": 0, "entries": [{"id": 1, "url": stands, "title": "Here"}]}
            answer = await super().send(method, params, seconds=seconds)
            if self.asked.count("Page.getFrameTree") > 1:
                answer["frameTree"]["frame"]["loaderId"] = loader
            return answer

    tab = ScriptedTab("t1", "http://a.example/")
    tab.cdp = History(tab.url)
    found = asyncio.run(NavigationReader(tab).adopt(0))
    assert found is not None
    assert found.navigation.title == title
