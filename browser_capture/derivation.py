"""A recording's events come in; the search as one trajectory goes out. Pure: the same events give the same record.

The chain is query -> result page -> click -> visit -> snapshot -> mark. A visit descends from the query whose result
page it was clicked on, and so do the pages clicked from there. What is missing is said in notices, never made up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from browser_capture import derived_entries as entries
from browser_capture.events import Event, iso_utc
from browser_capture.looked_time import Looked, looked_at
from browser_capture.missing import missing_parts, suspect
from browser_capture.result_clicks import ResultClicks
from browser_capture.result_pages.recognise import SearchAddress, recognise
from browser_capture.trajectory import (
    Actor,
    Click,
    Download,
    Mark,
    Notice,
    Query,
    ResultPage,
    Snapshot,
    Trajectory,
    Visit,
)
from browser_capture.urls import strict_key

_RULE_KINDS = {"engine": "other_engine", "banned_host": "model_host"}
"""What checks call a project's rules that were touched; the others are called as the event calls them."""


def derive_trajectory(events: Sequence[Event]) -> Trajectory:
    """Derive the trajectory of one session from its events, in any order; a hole in the numbers becomes a notice.

    Raises ValueError without any event.
    """
    if not events:
        raise ValueError("a recording without events has no trajectory")
    ordered = sorted({event.seq: event for event in events}.values(), key=lambda event: event.seq)
    work = _Derivation(ordered)
    for event in ordered:
        work.take(event)
    return work.trajectory()


@dataclass
class _Derivation:
    events: Sequence[Event]
    queries: list[Query] = field(default_factory=list)
    result_pages: list[ResultPage] = field(default_factory=list)
    clicks: list[Click] = field(default_factory=list)
    visits: dict[str, Visit] = field(default_factory=dict)
    snapshots: list[Snapshot] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    downloads: list[Download] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    actor: Actor = field(default_factory=lambda: Actor(kind="human", name="unknown"))
    started: Event | None = None
    stopped: Event | None = None

    def take(self, event: Event) -> None:
        taker = _TAKERS.get(event.type)
        if taker is not None:
            taker(self, event)

    def trajectory(self) -> Trajectory:
        first, last = self.events[0], self.events[-1]
        start, end = self.started or first, self.stopped or last
        visits = tuple(self.visits.values())
        ranks = ResultClicks(self.result_pages, self.visits)
        clicks = tuple(ranks.arrived(click) for click in self.clicks)
        return Trajectory(
            id=first.session,
            task=next((event.task for event in self.events if event.task), None),
            actor=self.actor,
            started_at=iso_utc(start.t_wall),
            ended_at=iso_utc(end.t_wall),
            has_stop=self.stopped is not None,
            queries=tuple(self.queries),
            result_pages=ranks.unsealed(clicks),
            clicks=clicks,
            visits=visits,
            snapshots=tuple(self.snapshots),
            marks=tuple(self.marks),
            downloads=tuple(self.downloads),
            notices=tuple(sorted([*self.notices, *missing_parts(self.events, visits)], key=lambda notice: notice.seq)),
            last_seq=last.seq,
        )

    def start(self, event: Event) -> None:
        self.started = self.started or event

    def stop(self, event: Event) -> None:
        self.stopped = event
        reason = event.data.get("reason")
        if reason != "user":
            self.notice(event, "stopped_by", str(reason))

    def session(self, event: Event) -> None:
        found = event.data.get("actor")
        if found:
            self.actor = Actor(kind=found.get("kind", "human"), name=str(found.get("name", "unknown")))

    def visit(self, event: Event) -> None:
        visit = entries.visit_of(event)
        reached_from = self._reached_from(recognise(visit.url), visit.url, event.data)
        self.visits[visit.visit] = replace(visit, reached_from=reached_from)

    def visit_end(self, event: Event) -> None:
        visit = self.visits.get(event.data["visit"])
        if visit is not None:
            dwell_ms = round(event.data["dwell_ms"])
            active_ms, depth = _rounded(event.data.get("active_ms")), event.data.get("depth")
            known = active_ms is not None and depth is not None
            seen = Looked(active_ms, depth) if known else looked_at(self.events, visit.visit, dwell_ms)
            self.visits[visit.visit] = replace(
                visit,
                ended_at=iso_utc(event.t_wall),
                dwell_ms=dwell_ms,
                active_ms=seen.active_ms if active_ms is None else active_ms,
                depth=seen.depth if depth is None else depth,
            )

    def query(self, event: Event) -> None:
        query = entries.query_of(event)
        self.queries.append(query)
        visit = self.visits.get(query.visit or "")
        if visit is not None:
            self.visits[visit.visit] = replace(visit, reached_from=query.seq)

    def result_page(self, event: Event) -> None:
        page = entries.result_page_of(event)
        if page.query is None:
            page = replace(page, query=self._query_for(SearchAddress(page.engine, page.text, page.start)))
        old = next((shown for shown in self.result_pages if shown.seq == event.data.get("rereads")), None)
        if old is not None:
            self.read_again(old, page)
            return
        self.result_pages.append(page)
        if page.status == "suspect":
            self.notices.append(suspect(event.seq, page.at))

    def read_again(self, old: ResultPage, page: ResultPage) -> None:
        page = replace(page, seq=old.seq, at=old.at, query=old.query)
        self.result_pages[self.result_pages.index(old)] = page
        self.notices = [n for n in self.notices if (n.seq, n.kind) != (old.seq, "suspect_result_page")]
        if page.status == "suspect":
            self.notices.append(suspect(old.seq, old.at))

    def click(self, event: Event) -> None:
        click = entries.click_of(event)
        if click is not None:
            self.clicks.append(click)

    def snapshot(self, event: Event) -> None:
        snapshot = entries.snapshot_of(event)
        self.snapshots.append(snapshot)
        visit = self.visits.get(event.visit or "")
        if visit is not None:
            ids = tuple(dict.fromkeys((*visit.snapshots, snapshot.id)))
            self.visits[visit.visit] = replace(visit, snapshots=ids, title=visit.title or snapshot.title)

    def mark(self, event: Event) -> None:
        self.marks.append(entries.mark_of(event))

    def download(self, event: Event) -> None:
        self.downloads.append(entries.download_of(event))

    def resume(self, event: Event) -> None:
        """Say at the pause until when it lasted; the end itself is no notice, for nothing is missing by it."""
        at = next((i for i, one in reversed(list(enumerate(self.notices))) if one.kind == "paused"), None)
        if at is not None and not self.notices[at].detail:
            self.notices[at] = replace(self.notices[at], detail=f"until {iso_utc(event.t_wall)[11:19]} UTC")

    def notice(self, event: Event, kind: str, detail: str = "") -> None:
        self.notices.append(Notice(seq=event.seq, at=iso_utc(event.t_wall), kind=kind, detail=detail, url=event.url))

    def _reached_from(self, search: SearchAddress | None, url: str, data: Mapping[str, Any]) -> int | None:
        if search is not None:
            # A query event follows a new search; back, reload and a second look belong to the one before.
            return self._query_for(search)
        if data["kind"] in {"back", "forward", "bfcache", "reload", "restore"}:
            same = [visit for visit in self.visits.values() if strict_key(visit.url) == strict_key(url)]
            if same:
                return same[-1].reached_from
        from_visit = self.visits.get(data.get("from_visit") or "")
        if from_visit is None or data.get("cause") == "address_bar":
            return None
        return from_visit.reached_from

    def _query_for(self, address: SearchAddress) -> int | None:
        same = (q.seq for q in reversed(self.queries) if (q.engine, q.text, q.start) == tuple(address))
        return next(same, None)


def _rounded(value: float | None) -> int | None:
    return None if value is None else round(value)


_Taker = Callable[[_Derivation, Event], None]
_TAKERS: Mapping[str, _Taker] = {
    "session_start": _Derivation.session,
    "task_start": _Derivation.start,
    "task_stop": _Derivation.stop,
    "visit": _Derivation.visit,
    "visit_end": _Derivation.visit_end,
    "query": _Derivation.query,
    "serp": _Derivation.result_page,
    "click": _Derivation.click,
    "snapshot": _Derivation.snapshot,
    "evidence": _Derivation.mark,
    "copy": _Derivation.mark,
    "download": _Derivation.download,
    "recorder_gap": lambda work, event: work.notice(event, "recorder_gap", str(event.data["reason"])),
    "interstitial": lambda work, event: work.notice(event, "interstitial", str(event.data["kind"])),
    "policy": lambda work, event: work.notice(
        event, _RULE_KINDS.get(event.data["rule"], event.data["rule"]), str(event.data.get("detail", ""))
    ),
    "snapshot_failed": lambda work, event: work.notice(event, "snapshot_failed", str(event.data["error"])),
    "forget": lambda work, event: work.notice(event, "forgotten", "entries were forgotten at the searcher's wish"),
    "pause": lambda work, event: work.notice(event, "paused"),
    "resume": _Derivation.resume,
}
