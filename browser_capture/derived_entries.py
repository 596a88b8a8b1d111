"""One event of a log comes in; the entry of the trajectory that it tells of goes out. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from browser_capture.events import Event, iso_utc
from browser_capture.result_pages.recognise import recognise
from browser_capture.trajectory import Click, Download, Mark, Query, ResultPage, SearchResult, Snapshot, Visit

_QUERY_LOCALE = ("language", "country", "location", "safe")


def visit_of(event: Event) -> Visit:
    """Return the visit that a `visit` event begins, without the query it descends from."""
    data, url = event.data, event.url or ""
    return Visit(
        visit=data["visit"],
        seq=event.seq,
        at=iso_utc(event.t_wall),
        url=url,
        kind=data["kind"],
        title=data.get("title", ""),
        tab=event.tab,
        from_visit=data.get("from_visit"),
        cause=data.get("cause", "unknown"),
        cause_seq=data.get("cause_seq"),
        is_result_page=recognise(url) is not None,
        redirects=tuple(str(hop["url"]) for hop in data.get("chain", []) if hop.get("url")),
    )


def query_of(event: Event) -> Query:
    """Return what a `query` event asked."""
    data = event.data
    return Query(
        seq=event.seq,
        at=iso_utc(event.t_wall),
        text=data["q"],
        engine=data["engine"],
        start=data.get("start", 0),
        how=data["how"],
        visit=data.get("visit") or event.visit,
        locale={name: str(data[name]) for name in _QUERY_LOCALE if data.get(name)},
    )


def result_page_of(event: Event) -> ResultPage:
    """Return what a `serp` event read; its query is None where the event does not name it."""
    data = event.data
    found = recognise(event.url or "")
    return ResultPage(
        seq=event.seq,
        at=iso_utc(event.t_wall),
        query=data.get("query") or None,
        text=data["q"],
        engine=data.get("engine") or (found.engine if found else ""),
        status=data["parse_status"],
        start=data["start"],
        results=tuple(_result(item) for item in data["results"]),
        blocks={name: count for name, count in data.get("blocks", {}).items() if isinstance(count, int)},
        shown=data.get("shown", {}),
        parser_version=data["parser_version"],
        visit=event.visit,
        snapshot=data.get("snapshot"),
    )


def click_of(event: Event) -> Click | None:
    """Return the link a person followed, None for a click on none, and for one that a page made up."""
    data = event.data
    link = data.get("link_target_url") or data.get("link_url")
    if not link or data.get("trusted") is False:
        return None
    return Click(
        seq=event.seq,
        at=iso_utc(event.t_wall),
        from_url=event.url or "",
        to_url=link,
        text=data.get("link_text", ""),
        from_visit=event.visit,
    )


def snapshot_of(event: Event) -> Snapshot:
    """Return the page a `snapshot` event kept."""
    data = event.data
    return Snapshot(
        id=data["id"],
        seq=event.seq,
        at=iso_utc(event.t_wall),
        url=data.get("location") or event.url or "",
        title=data.get("title", ""),
        trigger=data["trigger"],
        text_sha=data.get("text_sha", ""),
        visit=event.visit,
        partial=data.get("partial", False),
    )


def mark_of(event: Event) -> Mark:
    """Return the passage that was marked or copied."""
    data = event.data
    return Mark(
        seq=event.seq,
        at=iso_utc(event.t_wall),
        quote=data.get("quote") or data.get("text", ""),
        url=event.url or "",
        visit=data.get("visit") or event.visit,
        snapshot=data.get("snapshot"),
        prefix=data.get("prefix", ""),
        suffix=data.get("suffix", ""),
    )


def download_of(event: Event) -> Download:
    """Return the file that came, or did not."""
    data = event.data
    return Download(
        seq=event.seq,
        at=iso_utc(event.t_wall),
        url=data["url"],
        name=data.get("name", ""),
        state=data.get("state", "completed"),
        bytes=data.get("bytes"),
        sha=data.get("sha"),
        visit=event.visit,
        snapshot=data.get("snapshot"),
    )


def _result(item: Mapping[str, Any]) -> SearchResult:
    return SearchResult(
        rank=item["rank"],
        abs_rank=item["abs_rank"],
        title=item["title"],
        url=item["url"],
        snippet=item.get("snippet", ""),
        kind=item.get("kind", "organic"),
        cite=item.get("cite", ""),
    )
