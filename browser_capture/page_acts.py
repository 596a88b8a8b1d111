"""What a person does in a page comes in, message by message; clicks, keys, copies and looks go to the event log.

Some messages only steer: when the page is kept, how long it was looked at, what may cause the next visit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from browser_capture.breaches import Place
from browser_capture.causes import Act, Navigation
from browser_capture.event_log import Entry, EventLog
from browser_capture.page_keeper import PageKeeper
from browser_capture.privacy import Privacy
from browser_capture.sources.dom import REWROTE, DomMessage, event_data
from browser_capture.sources.wire import WireTab
from browser_capture.urls import is_web
from browser_capture.visits import VisitBook, is_same_page

_UNWRITTEN = frozenset({"document", "written", REWROTE, "sent", "loaded", "shown", "changed"})
_FIELDS = frozenset({"text", "search", "input", "textarea", "email", "url", "tel", "number"})
_OnResults = Callable[[str, Mapping[str, object], Place], None]


class PageActs:
    """Takes the messages of all tabs. `on_results` is told what was done, for it may have been done on results."""

    def __init__(
        self, event_log: EventLog, privacy: Privacy, book: VisitBook, keeper: PageKeeper, on_results: _OnResults
    ) -> None:
        self._log = event_log
        self._privacy = privacy
        self._book = book
        self._keeper = keeper
        self._on_results = on_results
        self._looks: dict[str, Mapping[str, object]] = {}
        self.active: str | None = None
        """The tab the person looked at last."""
        self.screen: Mapping[str, float] | None = None
        """Width and height of the screen in CSS pixels, and how many device pixels one is; None until a page says."""

    def take(self, tab: WireTab, message: DomMessage, at: int) -> None:
        """Write what the person did and steer the keeping of the page; what the page may not say is dropped."""
        grown = message.is_main and self._keeper.changed(tab.tab, message.changes)
        if message.kind in _STEERING:
            _STEERING[message.kind](self, tab, message, at)
        if grown and message.kind == "changed":
            self._keeper.keep_grown(tab.tab)
        if message.kind not in _UNWRITTEN and self._privacy.is_recorded(message.url) and self._is_news(tab, message):
            self._write(tab, message, at)

    def _is_news(self, tab: WireTab, message: DomMessage) -> bool:
        # Focus and visibility change together, and each tells of both.
        if message.kind != "visibility":
            return True
        before = self._looks.get(tab.tab)
        self._looks[tab.tab] = message.data
        return before != message.data

    def _write(self, tab: WireTab, message: DomMessage, at: int) -> None:
        data = event_data(message)
        visit = self._book.current(tab.tab)
        if visit is None:
            # Nothing is recorded outside a visit: a frame of a page that is left out, a page that was forgotten.
            return
        if message.kind == "click":
            for name in ("link_url", "link_target_url"):
                data[name] = self._privacy.url_or_none(data.get(name))
            data["serp_rank"] = self._keeper.rank_of(visit, data["link_target_url"])
        if message.kind == "copy":
            data["snapshot"] = self._keeper.snapshot_of(visit)
        entry = Entry(
            message.kind, "dom", data, tab=tab.tab, visit=visit, url=self._privacy.unsent.said(message.url),
            frame="main" if message.is_main else "sub", t_page=message.at, n=message.n, mono=at,
        )  # fmt: skip
        event = self._log.put(entry)
        if event is not None:
            self._on_results(message.kind, data, Place(tab.tab, visit, message.url))
        act = _act_of(message, event.seq if event else 0, at)
        if act is not None:
            self._book.acted(tab.tab, act)

    def _clicked(self, tab: WireTab, message: DomMessage, at: int) -> None:
        self._scrolled(tab, message, at)
        if not message.data.get("trusted"):
            return
        self._keeper.keep(tab.tab, "click", only_if_changed=True)
        if not _leads_away(message):
            self._keeper.touched(tab.tab)

    def _copied(self, tab: WireTab, message: DomMessage, at: int) -> None:
        # What is copied may be pasted into the answer: the page must be kept as it reads now.
        self._keeper.keep(tab.tab, "copy")

    def _written(self, tab: WireTab, message: DomMessage, at: int) -> None:
        self._privacy.note_written(message.url)

    def rewrote(self, tab: WireTab, message: DomMessage) -> None:
        """Note an address that a page wrote while the person typed into it: it is said no more and begins no visit."""
        written = message.data.get("address") or ""
        self._privacy.unsent.note(written, before=message.data.get("before") or "")
        if message.is_main:
            self._book.unsettled(tab.tab, written)

    def _sent(self, tab: WireTab, message: DomMessage, at: int) -> None:
        sent = message.data.get("address") or ""
        self._privacy.unsent.release(sent)
        if message.is_main:
            self._book.navigated(Navigation(tab.tab, sent, at, same_document=True))

    def _scrolled(self, tab: WireTab, message: DomMessage, at: int) -> None:
        if message.is_main:
            place = message.data if message.kind == "scroll" else message.scroll
            self._book.scrolled(tab.tab, place.get("max_px", 0), place.get("depth", 0))

    def _looked(self, tab: WireTab, message: DomMessage, at: int) -> None:
        if not message.is_main:
            return
        self.screen = message.data.get("screen", self.screen)
        looking = message.data.get("state") == "visible" and message.data.get("focused") is True
        self._book.looked(tab.tab, looking=looking, at=at)
        if message.data.get("state") == "hidden":
            self._keeper.keep(tab.tab, "hidden", only_if_changed=True)
        if looking and self.active != tab.tab:
            previous, self.active = self.active, tab.tab
            if self._privacy.is_recorded(message.url):
                data = {"previous_tab": previous, "hidden": False}
                self._log.put(
                    Entry("tab_active", "target", data, tab=tab.tab, visit=self._book.current(tab.tab), mono=at)
                )

    def _loaded(self, tab: WireTab, message: DomMessage, at: int) -> None:
        if message.is_main:
            self._keeper.loaded(tab.tab)


def _leads_away(message: DomMessage) -> bool:
    link = message.data.get("link_url")
    return isinstance(link, str) and is_web(link) and not is_same_page(link, message.url)


def _act_of(message: DomMessage, seq: int, at: int) -> Act | None:
    """Return what a message may cause, None for what causes nothing."""
    if message.kind == "click" and message.data.get("trusted", True):
        data = event_data(message)
        return Act(seq, at, "click", data.get("link_target_url"), opens_tab=bool(data.get("opens_tab")))
    if message.kind == "submit" or (message.kind == "enter" and message.data.get("field_kind") in _FIELDS):
        return Act(seq, at, "form")
    return None


_Steer = Callable[[PageActs, WireTab, DomMessage, int], None]
_STEERING: Mapping[str, _Steer] = {
    "click": PageActs._clicked,
    "copy": PageActs._copied,
    "scroll": PageActs._scrolled,
    "visibility": PageActs._looked,
    "document": PageActs._looked,
    "written": PageActs._written,
    "sent": PageActs._sent,
    "loaded": PageActs._loaded,
    "shown": PageActs._loaded,
}
