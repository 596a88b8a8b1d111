"""What an agent's tools showed it comes in, a trajectory goes out, in the shape people's recordings have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from browser_capture.trajectory import Actor, Query, ResultPage, SearchResult, Snapshot, Trajectory, Visit
from browser_capture.urls import fetch_key


class ResultsSeen(NamedTuple):
    """A query and the results it brought."""

    query: str
    engine: str
    start: int
    results: tuple[SearchResult, ...]


class PageSeen(NamedTuple):
    """A page that was read, with the snapshot it was read from."""

    url: str
    title: str
    snapshot: str | None
    text_sha: str | None


class Seen(NamedTuple):
    """What one call showed; `seq` is the call's number."""

    seq: int
    at: str
    what: ResultsSeen | PageSeen


def trajectory_of(
    seen: Sequence[Seen], *, name: str, task: str, actor: Actor, started_at: str, ended_at: str
) -> Trajectory:
    """Return the trajectory of an agent's calls.

    A page descends from the last query that had shown its address, else from nothing. Parts of one page read one
    after another are one visit.
    """
    searches = [entry for entry in seen if isinstance(entry.what, ResultsSeen)]
    reads = _without_repeats([entry for entry in seen if isinstance(entry.what, PageSeen)])
    visits = tuple(_visit(number, entry, searches) for number, entry in enumerate(reads, start=1))
    return Trajectory(
        id=name,
        task=task,
        actor=actor,
        started_at=started_at,
        ended_at=ended_at,
        has_stop=True,
        queries=tuple(_query(entry) for entry in searches),
        result_pages=tuple(_result_page(entry) for entry in searches),
        visits=visits,
        snapshots=tuple(
            snapshot for entry, visit in zip(reads, visits, strict=True) if (snapshot := _snapshot(entry, visit))
        ),
        last_seq=max((entry.seq for entry in seen), default=0),
    )


def _without_repeats(reads: Sequence[Seen]) -> list[Seen]:
    return [entry for place, entry in enumerate(reads) if place == 0 or reads[place - 1].what != entry.what]


def _query(entry: Seen) -> Query:
    assert isinstance(entry.what, ResultsSeen)  # noqa: S101 - the caller sorted them
    return Query(
        seq=entry.seq, at=entry.at, text=entry.what.query, engine=entry.what.engine, start=entry.what.start, how="tool"
    )


def _result_page(entry: Seen) -> ResultPage:
    assert isinstance(entry.what, ResultsSeen)  # noqa: S101
    return ResultPage(
        seq=entry.seq,
        at=entry.at,
        query=entry.seq,
        text=entry.what.query,
        engine=entry.what.engine,
        status="ok" if entry.what.results else "empty",
        start=entry.what.start,
        results=entry.what.results,
    )


def _visit(number: int, entry: Seen, searches: Sequence[Seen]) -> Visit:
    page = entry.what
    assert isinstance(page, PageSeen)  # noqa: S101
    key = fetch_key(page.url)
    showed = [search.seq for search in searches if search.seq < entry.seq and key in _shown(search)]
    return Visit(
        visit=f"v{number}",
        seq=entry.seq,
        at=entry.at,
        url=page.url,
        kind="fetch",
        title=page.title,
        cause="tool",
        cause_seq=entry.seq,
        reached_from=max(showed, default=None),
        snapshots=(page.snapshot,) if page.snapshot else (),
    )


def _shown(search: Seen) -> set[str]:
    assert isinstance(search.what, ResultsSeen)  # noqa: S101
    return {fetch_key(result.url) for result in search.what.results}


def _snapshot(entry: Seen, visit: Visit) -> Snapshot | None:
    page = entry.what
    assert isinstance(page, PageSeen)  # noqa: S101
    if page.snapshot is None or page.text_sha is None:
        return None
    return Snapshot(
        id=page.snapshot,
        seq=entry.seq,
        at=entry.at,
        url=page.url,
        title=page.title,
        trigger="fetch",
        text_sha=page.text_sha,
        visit=visit.visit,
    )
