"""Clicks and the result pages before them come in; which result was clicked, and where it led, goes out. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from browser_capture.trajectory import Click, ResultPage, Visit
from browser_capture.urls import seal_of, strict_key, unwrap_redirect


@dataclass(frozen=True)
class ResultClicks:
    """The result pages and visits of one search, whole: results may be read only after the click on them."""

    pages: Sequence[ResultPage]
    visits: Mapping[str, Visit]

    def arrived(self, click: Click) -> Click:
        """Return the click with the visit it caused and, where it was on a result, the page and the rank."""
        visit = next((visit.visit for visit in self.visits.values() if visit.cause_seq == click.seq), None)
        result_page, rank = self._rank(click.from_visit, click.to_url or "")
        return replace(click, to_visit=visit, result_page=result_page, rank=rank)

    def unsealed(self, clicks: Iterable[Click]) -> tuple[ResultPage, ...]:
        """Give results behind links that only the engine can read the address where a click on them led."""
        told = {seal: led for click in clicks if (seal := seal_of(click.to_url or "")) and (led := self._led(click))}
        return tuple(
            replace(page, results=tuple(replace(r, url=told.get(seal_of(r.url) or "", r.url)) for r in page.results))
            if told
            else page
            for page in self.pages
        )

    def _rank(self, visit: str | None, link: str) -> tuple[int | None, int | None]:
        goal = strict_key(unwrap_redirect(link))
        for page in self._pages_seen_in(visit):
            for result in page.results:
                if strict_key(result.url) == goal:
                    return page.seq, result.rank
        return None, None

    def _pages_seen_in(self, visit: str | None) -> Sequence[ResultPage]:
        own = [page for page in self.pages if visit is not None and page.visit == visit]
        found = self.visits.get(visit or "")
        if own or found is None or not found.is_result_page:
            return own[::-1]
        # A page brought back by Back may be left again before it is read; it shows what it showed before.
        return [page for page in self.pages[::-1] if page.query is not None and page.query == found.reached_from]

    def _led(self, click: Click) -> str | None:
        visit = self.visits.get(click.to_visit or "")
        # The engine's own page may stand between, and go on by script.
        if visit is not None and seal_of(visit.url):
            visit = next((after for after in self.visits.values() if after.from_visit == click.to_visit), None)
        return None if visit is None or seal_of(visit.url) else visit.url
