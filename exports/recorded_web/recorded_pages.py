"""A release comes in; what was shown by the search engine and what was read on pages goes out, pooled over tasks.

Result pages are no pages: they answer searches and cannot be fetched or ranked. Nothing here keeps the task, the
searcher or the order of visits, so that no rank or row can tell an agent what people found useful.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from browser_capture.trajectory import SearchResult, Trajectory
from browser_capture.urls import is_web, strict_key

DAY = len("2026-01-31")


class Capture(NamedTuple):
    """One snapshot of one page. `key` is the strict key of its address."""

    key: str
    at: str
    url: str
    title: str
    text_sha: str
    snapshot: str

    @property
    def day(self) -> str:
        """The day of the capture, UTC."""
        return self.at[:DAY]


class Listing(NamedTuple):
    """One recorded page of search results."""

    query: str
    at: str
    start: int
    results: tuple[SearchResult, ...]

    @property
    def day(self) -> str:
        """The day of the capture, UTC."""
        return self.at[:DAY]


def captures(trajectories: Iterable[Trajectory]) -> tuple[Capture, ...]:
    """Return every snapshot of every page that is no result page, in an order that says nothing."""
    found = {capture for trajectory in trajectories for capture in _captures(trajectory)}
    return tuple(sorted(found))


def listings(trajectories: Iterable[Trajectory]) -> tuple[Listing, ...]:
    """Return every result page that really is one: not those the parser doubts, nor consent and captcha pages."""
    found = {
        Listing(page.text, page.at, page.start, page.results)
        for trajectory in trajectories
        for page in trajectory.result_pages
        if page.status in ("ok", "empty")
    }
    return tuple(sorted(found, key=lambda listing: (listing.query, listing.at, listing.start)))


def aliases(trajectories: Iterable[Trajectory], pages: Sequence[Capture]) -> dict[str, str]:
    """Return strict keys that led to a page of another address, by a redirect seen while recording."""
    known = {page.key for page in pages}
    found: dict[str, str] = {}
    for trajectory in trajectories:
        arrived = {snapshot.visit: strict_key(snapshot.url) for snapshot in trajectory.snapshots if snapshot.visit}
        led = [(visit.url, visit.visit) for visit in trajectory.visits]
        led += [(click.to_url, click.to_visit) for click in trajectory.clicks if click.to_url and click.to_visit]
        for url, visit in led:
            target = arrived.get(visit)
            if target in known and strict_key(url) not in known:
                found[strict_key(url)] = target
    return found


def _captures(trajectory: Trajectory) -> Iterator[Capture]:
    result_visits = {visit.visit for visit in trajectory.visits if visit.is_result_page}
    result_visits.update(page.visit for page in trajectory.result_pages if page.visit)
    result_snapshots = {page.snapshot for page in trajectory.result_pages}
    for snapshot in trajectory.snapshots:
        if snapshot.visit not in result_visits and snapshot.id not in result_snapshots and is_web(snapshot.url):
            yield Capture(
                strict_key(snapshot.url), snapshot.at, snapshot.url, snapshot.title, snapshot.text_sha, snapshot.id
            )
