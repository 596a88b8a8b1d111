"""A search as one record: queries, result pages, clicks, visits, snapshots and evidence, in order.

People's recordings and agents' runs share this shape. Every entry keeps the `seq` of the event it came from (agents:
of the call), and `at`, ISO 8601 UTC. The cause chain is query -> result page -> click -> visit -> snapshot -> evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who searched: a person (by pseudonym), an agent or a script."""

    kind: Literal["human", "agent", "script"]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query as it was sent. `how`: box, address_bar, suggestion, related, page (a further page of results), tool."""

    seq: int
    at: str
    text: str
    engine: str
    start: int = 0
    how: str = "box"
    visit: str | None = None
    locale: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One ranked result. `rank` counts from 1 on its page, `abs_rank` over all pages of the query."""

    rank: int
    abs_rank: int
    title: str
    url: str
    snippet: str = ""
    kind: str = "organic"
    """organic, or what a page for one kind of result ranks: news, video, book, forum."""
    cite: str = ""
    """The address line as it was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """What the search engine showed. `query` is the seq of the query; `blocks` counts ads, overviews and the like."""

    seq: int
    at: str
    query: int | None
    text: str
    engine: str
    status: Literal["ok", "empty", "suspect", "interstitial"]
    start: int = 0
    results: tuple[SearchResult, ...] = ()
    blocks: Mapping[str, int] = field(default_factory=dict)
    parser_version: str = ""
    visit: str | None = None
    snapshot: str | None = None
    shown: Mapping[str, str] = field(default_factory=dict)
    """What the page said of its language, country and location, of safe search, and of the searcher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """A followed link. `result_page` and `rank` are set when the link was an organic result."""

    seq: int
    at: str
    from_url: str
    to_url: str | None
    text: str = ""
    from_visit: str | None = None
    to_visit: str | None = None
    result_page: int | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One stay on one page. `kind`: new, same_document, back, forward, reload, bfcache, restore, fetch (agents).

    `cause` says how it came about (click, address_bar, form, script, redirect, history, reload, tool, unknown), with
    the seq of the causing event. `reached_from` is the query it descends from, None for a page opened by hand.
    """

    visit: str
    seq: int
    at: str
    url: str
    kind: str
    title: str = ""
    tab: str | None = None
    from_visit: str | None = None
    cause: str = "unknown"
    cause_seq: int | None = None
    reached_from: int | None = None
    is_result_page: bool = False
    ended_at: str | None = None
    dwell_ms: int | None = None
    active_ms: int | None = None
    snapshots: tuple[str, ...] = ()
    depth: float | None = None
    """How far down the page was seen, 1 for its end."""
    redirects: tuple[str, ...] = ()
    """Addresses that redirected here, the first one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A page as it was seen. `id` is the hash of its manifest in the page store, `text_sha` of its visible text."""

    id: str
    seq: int
    at: str
    url: str
    title: str
    trigger: str
    text_sha: str
    visit: str | None = None
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A passage the searcher marked or copied as evidence."""

    seq: int
    at: str
    quote: str
    url: str
    visit: str | None = None
    snapshot: str | None = None
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file the searcher downloaded. A PDF is kept as a page too: `snapshot`."""

    seq: int
    at: str
    url: str
    name: str = ""
    state: Literal["completed", "canceled", "unfinished"] = "completed"
    bytes: int | None = None
    sha: str | None = None
    visit: str | None = None
    snapshot: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a reviewer should know: a gap, a policy breach, an interstitial, a missing snapshot."""

    seq: int
    at: str
    kind: str
    detail: str = ""
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A whole search, derived from its event log (or an agent's calls) by a pure function."""

    SCHEMA: ClassVar[str] = "trajectory/1"
    id: str
    task: str | None
    actor: Actor
    started_at: str
    ended_at: str | None
    has_stop: bool
    queries: tuple[Query, ...] = ()
    result_pages: tuple[ResultPage, ...] = ()
    clicks: tuple[Click, ...] = ()
    visits: tuple[Visit, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    marks: tuple[Mark, ...] = ()
    downloads: tuple[Download, ...] = ()
    notices: tuple[Notice, ...] = ()
    last_seq: int = 0
    informed: bool = False
    """The searcher had seen an earlier answer of this task."""
    extensions: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["trajectory/1"] = "trajectory/1"
