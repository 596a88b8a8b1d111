"""What tabs say comes in; visits, answers, files and what else happened go to the event log. Wiring only.

What a visit is stands in `visits`, why it came about in `causes`, how a query was sent in `queries`, what a person does
in a page in `page_acts`, what may be recorded in `privacy`, when a page is kept in `page_keeper`. Nothing here waits.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence

from browser_capture.answers import AnswerBook
from browser_capture.breaches import Place, PolicyWatch
from browser_capture.causes import Act, Navigation
from browser_capture.download_events import download_entries
from browser_capture.event_log import Entry, EventLog
from browser_capture.events import Event
from browser_capture.page_acts import PageActs
from browser_capture.page_keeper import PageKeeper
from browser_capture.past import Past
from browser_capture.policy import Policy
from browser_capture.privacy import Privacy
from browser_capture.queries import QueryBook
from browser_capture.result_pages.self_check import interstitial_kind
from browser_capture.snapshot_taker import LATE_SECONDS, SHOWN_SECONDS
from browser_capture.sources.dom import DomMessage
from browser_capture.sources.downloads import Download
from browser_capture.sources.navigation import ERROR_PAGE, Fact, Loaded, Requested, Standing, Unreachable
from browser_capture.sources.tabs import Met
from browser_capture.sources.wire import Answer, WireTab
from browser_capture.tab_events import opened_how
from browser_capture.taking_up import Known
from browser_capture.urls import is_web
from browser_capture.visit_events import answer_data, began_data, ended_data
from browser_capture.visits import Change, VisitBegan, VisitBook, VisitEnded

log = logging.getLogger(__name__)


class Recorder:
    """Implements the tabs' `Handler`. Everything it says goes through the log, which knows whether to write."""

    def __init__(self, event_log: EventLog, policy: Policy, privacy: Privacy) -> None:
        self._log = event_log
        self._privacy = privacy
        self._rules = PolicyWatch(event_log, policy, self.warn, self.unwarn)
        self._ids = itertools.count(1)
        self._book = VisitBook(lambda: f"v{next(self._ids)}", privacy.is_recorded)
        self.keeper = PageKeeper(event_log, privacy, self.warn)
        self._tabs: dict[str, WireTab] = {}
        self._names: dict[str, list[str]] = {}
        self._answers = AnswerBook()
        self._queries = QueryBook(event_log, self._rules)
        self._acts = PageActs(event_log, privacy, self._book, self.keeper, self._on_results)
        self.warnings: list[str] = []

    def take_up(self, past: Past, known: Iterable[Known]) -> None:
        """Go on after an earlier recorder: number visits after its, and know the queries and documents it knew."""
        self.leave_visits()
        self._ids = itertools.count(past.visits + 1)
        self._queries.known.update(past.queries)
        self.keeper.kept, self.keeper.failed = past.snapshots, past.snapshots_failed
        for answer, page in known:
            self._answers.note(answer)
            if page is not None:
                self.keeper.known(answer.tab, page)

    def tab_met(self, tab: WireTab, met: Met, at: int) -> None:
        self._tabs[tab.tab] = tab
        self._book.opened(tab.tab, met.opener)
        waits = self._book.awaited_by(met.first.url if met.first else tab.url, at)
        self._put_tab_open(tab, met.opener, opened_how(met, waits), at)
        for answer in self._answers.of(tab.tab):
            self._put_answer(answer)

    def answered(self, answer: Answer) -> None:
        """Note an answer to a document request; it is written as soon as its tab is met."""
        self._answers.note(answer)
        if answer.tab in self._tabs:
            self._put_answer(answer)

    def downloaded(self, download: Download) -> None:
        """Note a file that came or did not; a PDF among them is a page that may be quoted."""
        tab = next((tab for tab in self._tabs.values() if tab.target == download.frame), None)
        visit = self._book.current(tab.tab) if tab is not None else None
        # What a page makes itself has no address of its own; it belongs to a page that is recorded.
        if not self._privacy.is_recorded(download.url) and (visit is None or is_web(download.url)):
            return
        for entry in download_entries(download, tab.tab if tab is not None else None, visit, self._log.clock.mono()):
            self._log.put(entry)

    def tab_gone(self, tab: str, at: int) -> None:
        """Note that a tab is closed."""
        if self._tabs.pop(tab, None) is not None:
            self.keeper.tab_gone(tab)
            self._emit(self._book.closed(tab, at))
            self._log.put(Entry("tab_close", "target", {"reason": "closed"}, tab=tab, mono=at))

    def fact(self, tab: WireTab, fact: Fact, at: int) -> None:
        if isinstance(fact, Loaded):
            self.keeper.loaded(tab.tab)
        elif isinstance(fact, Unreachable):
            self._unreachable(tab, fact, at)
        elif isinstance(fact, Navigation):
            self.tick(at)
            if fact.same_document:
                fact = fact._replace(url=self._privacy.unsent.said(fact.url))
            else:
                self._privacy.unsent.release(fact.url)
            self._emit(self._book.navigated(fact._replace(chain=self._answers.arrival(tab.tab, fact.url).chain)))
        else:
            self._requested(tab, fact, at)

    def message(self, tab: WireTab, message: DomMessage, at: int) -> None:
        self._acts.take(tab, message, at)

    def leaving(self, tab: WireTab) -> None:
        self.keeper.keep(tab.tab, "leave", only_if_changed=True)
        self._names[tab.tab] = []

    def renamed(self, tab: WireTab, url: str) -> None:
        self._names.setdefault(tab.tab, []).append(url)
        self._privacy.note_rewritten(url)

    def rewrote(self, tab: WireTab, message: DomMessage) -> None:
        self._acts.rewrote(tab, message)

    def misbehaved(self, tab: WireTab, wall: str, at: int) -> None:
        """Note that a page crashed its tab or flooded the recorder with calls."""
        visit, url = self._book.current(tab.tab), self._book.url(tab.tab)
        if visit is not None:
            self._log.put(Entry("interstitial", "rec", {"kind": wall}, tab=tab.tab, visit=visit, url=url, mono=at))

    def dialog_shown(self, tab: str, kind: str, url: str) -> None:
        """Note that a page showed a dialog."""
        said = self._privacy.url_or_none(url)
        if said is not None:
            data = {"kind": kind, "url": said}
            self._log.put(Entry("dialog", "dom", data, tab=tab, visit=self._book.current(tab), url=said))

    def tick(self, at: int, heard: Mapping[str, int] = {}) -> None:
        """Let time pass: addresses that a page rewrote settle into visits. `heard`: until when each tab was heard."""
        self._emit(self._book.tick(at, heard))

    def begin_visits(self, *, announce: bool) -> None:
        """Leave the visits that were not written, at Start and after a pause; `stands` begins one in every open tab."""
        now = self._log.clock.mono()
        self._book.end_all(now)
        for tab in self._tabs.values() if announce else ():
            self._put_tab_open(tab, None, "existing", now)

    def stands(self, standing: Standing) -> None:
        """Begin the visit of the document that stands in a tab, unless the tab itself told of it in the meantime."""
        navigation, is_known = standing
        navigation = navigation._replace(url=self._privacy.unsent.said(navigation.url))
        if navigation.tab not in self._tabs:
            return
        if not (is_known and self._book.current(navigation.tab)):
            self._emit(self._book.navigated(navigation._replace(transition=None)))
        self.keeper.keep(navigation.tab, "start")

    def end_visits(self) -> None:
        """End every visit: before Stop, and before a pause."""
        self._emit(self._book.end_all(self._log.clock.mono()))

    def leave_visits(self) -> None:
        """Drop the visits that stand without a word, after forgetting: only the next navigation begins one again."""
        self._book.end_all(self._log.clock.mono())
        self.keeper.forget()

    def keep_all(self, trigger: str) -> None:
        """Keep every open page as it is now, unless it was kept like this before."""
        for tab in tuple(self._tabs):
            self.keeper.keep(tab, trigger, only_if_changed=True)

    def active_tab(self, shown: Collection[str]) -> WireTab | None:
        """Return the tab the person looks at, None when it is not recorded: no other one is ever taken for it.

        `shown` are the tabs in front of their windows, none where all are minimised. A page that runs no script of ours
        does not tell that it is looked at: where it stands in front, the tab looked at before is not meant.
        """
        in_front = tuple(shown) or tuple(self._tabs)
        name = self._acts.active
        if name not in in_front:
            name = in_front[0] if len(in_front) == 1 else None
        tab = self._tabs.get(name or "")
        return tab if tab is not None and self._book.current(tab.tab) is not None else None

    def put_evidence(self, tab: WireTab, passage: Mapping[str, str]) -> Event | None:
        """Note a passage the person marked, with the last snapshot of its page. Returns the event, if it is written."""
        visit = self._book.current(tab.tab)
        data = {**passage, "visit": visit, "snapshot": self.keeper.snapshot_of(visit)}
        return self._log.put(Entry("evidence", "panel", data, tab=tab.tab, visit=visit, url=self._book.url(tab.tab)))

    def warn(self, sentence: str) -> None:
        """Show the person a sentence in the panel; the last three stay."""
        self.warnings = [*(text for text in self.warnings if text != sentence), sentence][-3:]
        self._log.on_change()

    def unwarn(self, sentence: str) -> None:
        """Take a sentence back that is true no more."""
        if sentence in self.warnings:
            self.warnings.remove(sentence)
            self._log.on_change()

    @property
    def screen(self) -> Mapping[str, float] | None:
        """The screen, as the page that was opened last tells it: width and height in CSS pixels, scale."""
        return self._acts.screen

    def recorded_tabs(self) -> list[dict[str, str]]:
        """Return the names of the open tabs that may be recorded; where they stand, other events tell."""
        return [{"tab": tab.tab} for tab in self._tabs.values() if self._privacy.is_recorded(tab.url)]

    def _put_tab_open(self, tab: WireTab, opener: str | None, how: str, at: int) -> None:
        data = {"opener_tab": opener, "how": how, "first_url": self._privacy.url_or_none(tab.url)}
        self._log.put(Entry("tab_open", "target", data, tab=tab.tab, mono=at))

    def _put_answer(self, answer: Answer) -> None:
        if self._privacy.is_recorded(answer.url):
            data = answer_data(answer, self._privacy)
            self._log.put(Entry("response", "net", data, tab=answer.tab, url=answer.url))

    def _unreachable(self, tab: WireTab, fact: Unreachable, at: int) -> None:
        self._emit(self._book.navigated(Navigation(tab.tab, ERROR_PAGE, at)))
        if self._privacy.is_recorded(fact.url):
            data = {"kind": "cert_error" if "CERT" in fact.code else "load_error", "detail": fact.code}
            self._log.put(Entry("interstitial", "nav", data, tab=tab.tab, url=fact.url, mono=at))

    def _requested(self, tab: WireTab, asked: Requested, at: int) -> None:
        if not (self._privacy.is_recorded(asked.url) and self._privacy.is_recorded(self._book.url(tab.tab))):
            return
        goal = self._privacy.unsent.said(asked.url)
        data = {"reason": asked.reason, "disposition": asked.disposition, "to_url": goal}
        visit = self._book.current(tab.tab)
        entry = Entry("nav_request", "nav", data, tab=tab.tab, visit=visit, url=self._book.url(tab.tab), mono=at)
        event = self._log.put(entry)
        act = Act(event.seq if event else 0, at, "request", goal, asked.reason, asked.opens_tab)
        self._book.acted(tab.tab, act)

    def _on_results(self, kind: str, data: Mapping[str, object], place: Place) -> None:
        if self._queries.is_search(place.visit):
            self._rules.acted_on_results(kind, data, place)

    def _emit(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if isinstance(change, VisitEnded):
                self._end(change)
            else:
                self._begin(change)

    def _end(self, ended: VisitEnded) -> None:
        self.keeper.ended(ended.tab)
        self._rules.left(ended.tab)
        data = ended_data(ended, *self.keeper.kept_of(ended.visit))
        self._log.put(Entry("visit_end", "nav", data, tab=ended.tab, visit=ended.visit, url=ended.url))

    def _begin(self, began: VisitBegan) -> None:
        navigation, tab = began.navigation, self._tabs.get(began.tab)
        if tab is None:
            return
        tab_name, visit, url = began.tab, began.visit, self._privacy.visit_address(navigation.url)
        arrival = self._answers.arrival(tab.tab, navigation.url)
        data = began_data(began, arrival, self._privacy)
        self._log.put(Entry("visit", "nav", data, tab=tab_name, visit=visit, url=url, mono=navigation.at))
        self._rules.visited(Place(tab_name, visit, url))
        query_seq = self._queries.began(began)
        names = self._names.setdefault(began.tab, [])
        self.keeper.began(began.visit, tab, navigation.url, names=names, query_seq=query_seq, arrival=arrival)
        wall = interstitial_kind(navigation.url, None) or ("http_error" if (arrival.status or 0) >= 400 else None)
        if wall is not None:
            self._log.put(Entry("interstitial", "rec", {"kind": wall}, tab=tab_name, visit=visit, url=url))
        # A page brought back or rewritten has no load event, and any other may never finish loading.
        has_load = began.kind not in {"bfcache", "same_document"}
        self.keeper.keep_later(began.tab, LATE_SECONDS if has_load else SHOWN_SECONDS, "late" if has_load else "shown")
