"""A small recorded search, made by hand: one query, its result page, two pages read, as lines of a log and blobs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from browser_capture.events import Event
from browser_capture.json_records import dumps, sha256, to_json
from browser_capture.page_store import Page, PageStore

BEGAN = 1_790_000_000_000
SEARCH = "https://www.google.com/search?q=superseded+modules"
AIFC, OPTPARSE = "https://docs.example.org/aifc.html", "https://docs.example.org/optparse.html"

PAGES: Mapping[str, tuple[str, str]] = {
    SEARCH: ("superseded modules - Search", "aifc\nDeprecated module aifc\noptparse\nParser for options"),
    AIFC: ("aifc module", "aifc\nDeprecated since version 3.11, removed in version 3.13.\nAudio files."),
    OPTPARSE: ("optparse module", "optparse\nDeprecated since version 3.2.\nThe optparse module is not removed."),
}
ANSWER = "Module,Since,Removed\naifc,3.11,3.13\noptparse,3.2,\n"


class RecordedSearch(NamedTuple):
    """A recording as a recorder would send it."""

    session: str
    lines: tuple[str, ...]
    blobs: Mapping[str, bytes]

    @property
    def body(self) -> bytes:
        """All lines as one batch."""
        return "".join(f"{line}\n" for line in self.lines).encode()

    @property
    def digest(self) -> str:
        """The digest its end is checked with."""
        return hashlib.sha256(self.body).hexdigest()


def recorded_search(
    task: str,
    session: str = "s-1",
    pages: Mapping[str, tuple[str, str]] = PAGES,
    copies: Sequence[Mapping[str, Any]] = (),
) -> RecordedSearch:
    """Make a recording of a task, chained line by line. `copies` are further events, before Stop."""
    with TemporaryDirectory() as folder:
        store = PageStore(Path(folder))
        snapshots = {url: _keep(store, url, *page) for url, page in pages.items()}
        blobs = {sha: store.get(sha) for sha in store.shas()}
    lines: list[str] = []
    *before, stop = _events(task, snapshots, pages)
    for number, members in enumerate([*before, *copies, stop], 1):
        prev = sha256(lines[-1]) if lines else None
        at = BEGAN + 7_000 * number
        event = Event(session=session, seq=number, t_wall=at, t_mono=7_000 * number, task=task, prev=prev, **members)
        lines.append(dumps(to_json(event)))
    return RecordedSearch(session, tuple(lines), blobs)


def _keep(store: PageStore, url: str, title: str, text: str) -> tuple[str, str]:
    html = f"<!doctype html><title>{title}</title><h1>{title}</h1><p>{text}</p><script>alert(1)</script>"
    text_sha = store.put(text.encode())
    page = Page(
        url=url,
        captured_at="2026-09-21T14:13:20.000Z",
        title=title,
        text_sha=text_sha,
        root=store.put(html.encode()),
    )
    return store.put_page(page), text_sha


def _events(
    task: str, snapshots: Mapping[str, tuple[str, str]], pages: Mapping[str, tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    search, *read = pages
    yield {"type": "session_start", "src": "rec", "data": {"recorder": "0.1", "browser": "Chromium"}}
    yield {"type": "task_start", "src": "panel", "data": {"task": task}}
    yield _visit("v1", search, pages, kind="new", cause="address_bar")
    query = {"engine": "google", "q": "superseded modules", "how": "address_bar", "visit": "v1"}
    yield {"type": "query", "src": "rec", "url": search, "visit": "v1", "data": query}
    results = [{"rank": n, "abs_rank": n, "title": pages[url][0], "url": url} for n, url in enumerate(read, 1)]
    data = {"q": "superseded modules", "start": 0, "engine": "google", "parse_status": "ok", "parser_version": "1"}
    found = {**data, "results": results, "query": 4}
    yield {"type": "serp", "src": "rec", "url": search, "visit": "v1", "data": found}
    yield _snapshot("v1", search, snapshots, pages)
    seq = 6
    for number, url in enumerate(read, 2):
        click = {"link_url": url, "link_text": pages[url][0], "trusted": True}
        yield {"type": "click", "src": "dom", "url": search, "visit": "v1", "data": click}
        seq += 1
        yield _visit(f"v{number}", url, pages, kind="new", cause="click", cause_seq=seq, from_visit="v1")
        yield _snapshot(f"v{number}", url, snapshots, pages)
        seq += 2
    yield {"type": "task_stop", "src": "panel", "data": {"reason": "user", "task": task}}


def _visit(visit: str, url: str, pages: Mapping[str, tuple[str, str]], **data: Any) -> dict[str, Any]:
    members = {"visit": visit, "title": pages[url][0], **data}
    return {"type": "visit", "src": "nav", "tab": "t1", "url": url, "visit": visit, "data": members}


def _snapshot(
    visit: str, url: str, snapshots: Mapping[str, tuple[str, str]], pages: Mapping[str, tuple[str, str]]
) -> dict[str, Any]:
    page_id, text_sha = snapshots[url]
    data = {
        "id": page_id,
        "trigger": "load",
        "title": pages[url][0],
        "text_sha": text_sha,
        "location": url,
        "parts": [],
    }
    return {"type": "snapshot", "src": "rec", "url": url, "visit": visit, "data": data}
