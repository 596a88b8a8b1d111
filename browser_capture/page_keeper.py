"""Keeps what was seen in each visit: which snapshots, at which state of the page, and which results it showed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from browser_capture.answers import Arrival
from browser_capture.event_log import Entry, EventLog
from browser_capture.missing import LATE_MS
from browser_capture.privacy import Privacy, without_place
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.serp_event import serp_data
from browser_capture.snapshot_taker import QUIET_SECONDS, Failed, SnapshotTaker, Taken
from browser_capture.snapshots import Unpacked, snapshot_data
from browser_capture.sources.documents import PDF
from browser_capture.sources.wire import WireTab
from browser_capture.urls import strict_key
from browser_capture.visits import is_same_page

log = logging.getLogger(__name__)

CHANGE_PAUSES = (0.3, 2.0, 8.0, 30.0)
"""A page that goes on filling itself is kept again after these pauses in seconds, and then only when it is left."""


OPENED_SECONDS = 0.4
"""What a click opens has come after so long, at the usual pace of such movements."""


@dataclass(slots=True)
class _Seen:
    """One visit, as far as it was seen. `changes` counts the page's own mutations, so that nothing is kept twice.

    `touches` counts the person's clicks: what a click shows by a style, in a frame or in a shadow tree is no mutation.
    """

    visit: str
    tab: WireTab
    url: str
    arrival: Arrival
    query_seq: int | None = None
    snapshot: str | None = None
    text_sha: str | None = None
    snapshots: int = 0
    asked: int = 0
    changes: int = 0
    touches: int = 0
    asked_at: int = 0
    """The `moment` at which it was last asked for."""
    changed_snapshots: int = 0
    results: ParsedResultPage | None = None
    names: Sequence[str] = ()

    @property
    def moment(self) -> int:
        return self.changes + self.touches

    @property
    def is_pdf(self) -> bool:
        return self.arrival.mime == PDF

    def stands_at(self, url: str) -> bool:
        return any(is_same_page(url, name) for name in (self.url, *self.names))


class PageKeeper:
    """Decides when a page is kept and writes what came of it. `warn` gets sentences for the person."""

    def __init__(self, event_log: EventLog, privacy: Privacy, warn: Callable[[str], None]) -> None:
        self._log = event_log
        self._warn = warn
        self._seen: dict[str, _Seen] = {}
        self._current: dict[str, _Seen] = {}
        self._documents: dict[str, Unpacked] = {}
        self._taker = SnapshotTaker(event_log.clock, privacy, self._done)
        self.kept = 0
        self.failed = 0
        self.late = 0

    def began(
        self,
        visit: str,
        tab: WireTab,
        url: str,
        *,
        arrival: Arrival,
        names: Sequence[str] = (),
        query_seq: int | None = None,
    ) -> None:
        """Note that a visit stands in a tab now. `names` may grow: the other addresses its document gives itself."""
        seen = _Seen(visit, tab, url, names=names, query_seq=query_seq, arrival=arrival)
        self._seen[visit] = self._current[tab.tab] = seen
        known = self._documents.pop(tab.tab, None)
        if known is not None and seen.stands_at(known.page.url):
            self._note_snapshot(seen, Taken(tab.tab, visit, "document", known, self._log.clock.mono(), 0))
        elif seen.is_pdf:
            self.keep(tab.tab, "document")

    def known(self, tab: str, unpacked: Unpacked) -> None:
        """Take the document that an earlier recorder kept of a page which still stands; its visit is to come."""
        self._documents[tab] = unpacked

    def ended(self, tab: str) -> None:
        """Note that no recorded page stands in a tab now."""
        self._current.pop(tab, None)

    def tab_gone(self, tab: str) -> None:
        """Note that a tab is closed; what was planned for it is dropped."""
        self.ended(tab)
        self._taker.forget_tab(tab)

    def changed(self, tab: str, changes: int) -> bool:
        """Note the page's count of its own changes; tells whether it grew since the page was last kept."""
        seen = self._current.get(tab)
        if seen is None:
            return False
        seen.changes = max(seen.changes, changes)
        return seen.moment > seen.asked_at

    def touched(self, tab: str) -> None:
        """Note that the person clicked on the page of a tab: keep it as it then stands, left or not."""
        seen = self._current.get(tab)
        if seen is not None:
            seen.touches += 1
            self.keep_later(tab, OPENED_SECONDS, "changed")

    def keep(self, tab: str, trigger: str, *, only_if_changed: bool = False) -> None:
        """Keep the page of a tab as it is now; with `only_if_changed`, unless it was kept like this before."""
        seen = self._current.get(tab)
        if seen is None or not self._log.is_recording or self._log.spool is None:
            return
        if seen.is_pdf:
            # It does not change, and what the browser shows of it is only its viewer.
            only_if_changed, trigger = True, "document"
        if only_if_changed and seen.asked and seen.moment <= seen.asked_at:
            return
        seen.asked += 1
        seen.asked_at = seen.moment
        take = self._taker.take_pdf if seen.is_pdf else self._taker.take
        take(seen.tab, self._log.spool.pages, seen.visit, seen.url, trigger, seen.arrival.status)

    def loaded(self, tab: str) -> None:
        """Keep a page that has loaded."""
        # At once, for who leaves at once; and again when what a script fills in after loading has come. What was kept
        # before may lack frames and pictures that came since, which the page's own changes do not count.
        self.keep(tab, "load")
        self.keep_later(tab, QUIET_SECONDS, "quiet")

    def keep_later(self, tab: str, seconds: float, trigger: str) -> None:
        """Keep the page of a tab after a pause, if the same visit then still stands there."""
        seen = self._current.get(tab)
        if seen is None:
            return

        def keep() -> None:
            if self._current.get(tab) is seen:
                self.keep(tab, trigger, only_if_changed=True)

        self._taker.take_later(tab, seconds, keep)

    def keep_grown(self, tab: str) -> None:
        """Keep a page that fills itself after it has loaded, at growing pauses."""
        seen = self._current.get(tab)
        if seen is not None and seen.snapshot is not None and seen.changed_snapshots < len(CHANGE_PAUSES):
            self.keep_later(tab, CHANGE_PAUSES[seen.changed_snapshots], "changed")
            seen.changed_snapshots += 1

    def rank_of(self, visit: str | None, link: str | None) -> int | None:
        """Return the rank a link has among the results its visit showed, None when it is no organic result."""
        seen = self._seen.get(visit or "")
        if seen is None or seen.results is None or not link:
            return None
        goal = strict_key(link)
        return next((result.rank for result in seen.results.results if strict_key(result.url) == goal), None)

    def snapshot_of(self, visit: str | None) -> str | None:
        """Return the last snapshot of a visit."""
        seen = self._seen.get(visit or "")
        return seen.snapshot if seen else None

    def kept_of(self, visit: str) -> tuple[int, str | None]:
        """Return how many snapshots a visit has so far, and the hash of the text of the last."""
        seen = self._seen.get(visit)
        return (seen.snapshots, seen.text_sha) if seen else (0, None)

    async def settle(self, seconds: float) -> None:
        """Wait for the snapshots under way, not longer than this."""
        self.late += await self._taker.finish(seconds)

    def forget(self) -> None:
        """Forget every visit, and what was planned for the pages that stand open."""
        self._taker.drop_plans()
        self._seen.clear()
        self._current.clear()
        self._documents.clear()

    def _done(self, result: Taken | Failed) -> None:
        seen = self._seen.get(result.visit or "")
        if seen is None:
            return
        if isinstance(result, Failed):
            self._note_failure(seen, result)
            return
        page = result.unpacked.page
        self.late += result.milliseconds > LATE_MS
        if not seen.stands_at(page.url):
            seen = self._current.get(result.tab, seen)
            if not seen.stands_at(page.url):
                # The page was left while it was being kept, for one that is no visit (yet).
                self._note_failure(seen, Failed(*result[:3], page.url, "another page stood there", result.mono))
                return
        if page.text_sha != seen.text_sha or result.trigger == "mark":
            self._note_snapshot(seen, result)

    def _note_snapshot(self, seen: _Seen, taken: Taken) -> None:
        page = taken.unpacked.page
        data = {**snapshot_data(taken.unpacked, taken.trigger), "ms": taken.milliseconds}
        entry = Entry("snapshot", "rec", data, tab=taken.tab, visit=seen.visit, url=page.url, mono=taken.mono)
        if self._log.put(entry) is None:
            return
        self.kept += 1
        seen.snapshots += 1
        seen.snapshot, seen.text_sha = taken.unpacked.page_id, page.text_sha
        results = taken.unpacked.results
        if results is not None and results != seen.results:
            self._note_results(seen, results)

    def _note_results(self, seen: _Seen, results: ParsedResultPage) -> None:
        seen.results = results
        data = serp_data(results, snapshot=seen.snapshot, query=seen.query_seq)
        self._log.put(Entry("serp", "rec", data, tab=seen.tab.tab, visit=seen.visit, url=seen.url))
        if results.wall is not None:
            wall = {"kind": results.wall}
            self._log.put(Entry("interstitial", "rec", wall, tab=seen.tab.tab, visit=seen.visit, url=seen.url))
        if results.status == "suspect":
            self._warn("The results of this page could not be read with certainty. Go on; a reviewer will see it.")

    def _note_failure(self, seen: _Seen, failed: Failed) -> None:
        self.failed += 1
        if seen.snapshot is None:
            seen.asked = 0  # the next occasion tries again, changed or not
        # One late picture of a page that was kept before is no loss.
        if seen.snapshot is None or failed.trigger in {"mark", "stop"}:
            data = {"trigger": failed.trigger, "error": failed.reason[:300]}
            self._log.put(Entry("snapshot_failed", "rec", data, tab=failed.tab, visit=seen.visit, url=seen.url))
        log.info("no snapshot of %s (%s): %s", without_place(seen.url), failed.trigger, failed.reason)
        if failed.disk is not None:
            self._log.halt_for(failed.disk)
