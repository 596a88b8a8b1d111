"""A query or an address comes in; what was recorded goes out, with how it was found. No network is ever asked.

A search is answered by the recorded result page of the same query, else of the same words, else by the ranker over
all recorded pages of the release. An address is answered by its strict key, else by its loose key where that is
unique. Where a page was captured several times, the newest day not after `as_of` answers, never the order of calls.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from browser_capture.errors import UserError
from browser_capture.page_store import PageStore
from browser_capture.trajectory import SearchResult
from browser_capture.urls import fetch_key, loose_key, strict_key
from exports.benchmark.reader import Release
from exports.recorded_web.query_keys import exact_key, normalised_key
from exports.recorded_web.ranker import Bm25Ranker, Ranker
from exports.recorded_web.recorded_pages import Capture, Listing, aliases, captures, listings
from exports.recorded_web.snapshot_index import IndexedPage, SnapshotIndex, open_index, row_order
from exports.recorded_web.snippets import snippet

log = logging.getLogger(__name__)

K = TypeVar("K")
V = TypeVar("V")
Matched = Literal["exact", "normalised", "ranked", "missing"]
ALWAYS = "9999-12-31"
RESULTS = 10
OVERSAMPLE = 4
"""The ranker may name a page once for each day it was captured: ask for more than is shown."""


class SearchAnswer(NamedTuple):
    """What a search finds, and how it was matched."""

    results: tuple[SearchResult, ...]
    matched: Matched


class FetchAnswer(NamedTuple):
    """What an address holds. When it was not recorded, `matched` is missing, the text empty, the snapshot None."""

    url: str
    title: str
    text: str
    matched: Matched
    snapshot: str | None = None
    text_sha: str | None = None
    at: str | None = None


class RecordedWeb:
    """The web of a release. Use it as a context manager, or close it."""

    def __init__(
        self,
        pages: Sequence[Capture],
        shown: Sequence[Listing],
        led_to: dict[str, str],
        read: Callable[[str], str],
        index: SnapshotIndex,
        ranker: Ranker | None = None,
    ) -> None:
        self._pages = _grouped((page.key, page) for page in pages)
        self._spelled = _grouped((loose_key(page.url), page.key) for page in pages)
        self._asked = _grouped((exact_key(listing.query), listing) for listing in shown)
        self._worded = _grouped((normalised_key(listing.query), listing) for listing in shown)
        self._led_to, self._read, self._index = led_to, read, index
        self._ranker: Ranker = ranker or Bm25Ranker(index)

    @classmethod
    def from_release(cls, release: Release, cache: Path | None = None, ranker: Ranker | None = None) -> RecordedWeb:
        """Open the web of a release; the search index is kept in `cache`, or in memory without one.

        Raises UserError when the release came without page texts.
        """
        if release.manifest.web not in ("full", "text"):
            raise UserError(
                f"release {release.manifest.name} holds no page texts (its web is {release.manifest.web!r}); "
                "use a release with full pages or text"
            )
        pages = captures(release.trajectories)
        read = _reader(release.store)
        index = open_index(lambda: _indexed(pages, read), release.manifest.release_id[:16], cache)
        return cls(pages, listings(release.trajectories), aliases(release.trajectories, pages), read, index, ranker)

    def __enter__(self) -> RecordedWeb:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

    def search(self, query: str, *, as_of: str | None = None, limit: int = RESULTS, start: int = 0) -> SearchAnswer:
        """Return the results `start + 1` to `start + limit` of a query as of a day (YYYY-MM-DD, by default any)."""
        until = as_of or ALWAYS
        answer = (
            self._recorded(self._asked.get(exact_key(query), []), "exact", until)
            or self._recorded(self._worded.get(normalised_key(query), []), "normalised", until)
            or self._ranked(query, until, start + limit)
        )
        log.debug("search %r as of %s: %s, %d results", query, until, answer.matched, len(answer.results))
        kept = (result for result in answer.results if start < result.abs_rank <= start + limit)
        return answer._replace(results=tuple(kept))

    def fetch(self, url: str, *, as_of: str | None = None) -> FetchAnswer:
        """Return the page of an address as of a day; a missing one is an answer too, never an error."""
        until = as_of or ALWAYS
        answer = self._page(self._known(strict_key(url)), "exact", until)
        if answer is None:
            alike = set(self._spelled.get(loose_key(url), []))
            # Only a unique page: of two that are spelled alike, the wrong one would be a lie.
            answer = self._page(alike.pop(), "normalised", until) if len(alike) == 1 else None
        answer = answer or FetchAnswer(url, "", "", "missing")
        log.debug("fetch %s as of %s: %s", url, until, answer.matched)
        return answer

    def _known(self, key: str) -> str:
        return key if key in self._pages else self._led_to.get(key, key)

    def _recorded(self, shown: Sequence[Listing], matched: Matched, until: str) -> SearchAnswer | None:
        newest: dict[int, Listing] = {}
        for listing in sorted(shown, key=lambda listing: listing.at):
            if listing.day <= until:
                newest[listing.start] = listing
        if not newest:
            return None
        unique: dict[str, SearchResult] = {}
        for start in sorted(newest):
            for result in newest[start].results:
                unique.setdefault(fetch_key(result.url), result)
        return SearchAnswer(tuple(unique.values()), matched)

    def _ranked(self, query: str, until: str, limit: int) -> SearchAnswer:
        keys = list(dict.fromkeys(self._ranker.rank(query, until, limit * OVERSAMPLE)))[:limit]
        pages = [page for key in keys if (page := self._page(key, "ranked", until))]
        results = tuple(
            SearchResult(
                rank=rank, abs_rank=rank, title=page.title or page.url, url=page.url, snippet=snippet(page.text, query)
            )
            for rank, page in enumerate(pages, start=1)
        )
        return SearchAnswer(results, "ranked" if results else "missing")

    def _page(self, key: str, matched: Matched, until: str) -> FetchAnswer | None:
        seen = [page for page in self._pages.get(key, []) if page.day <= until]
        if not seen:
            return None
        newest = max(seen, key=lambda page: (page.at, page.snapshot))
        same_day = sorted((page for page in seen if page.day == newest.day), key=lambda page: page.at, reverse=True)
        text = _joined([self._read(sha) for sha in dict.fromkeys(page.text_sha for page in same_day)])
        return FetchAnswer(newest.url, newest.title, text, matched, newest.snapshot, newest.text_sha, newest.at)


def _joined(texts: Sequence[str]) -> str:
    # A page may show one thing after another (tabs, filters, more on scrolling). What was seen on the same day in
    # another state follows the newest text: only the lines that are not yet there.
    newest, *others = texts
    known, more = set(newest.splitlines()), list[str]()
    for text in others:
        fresh = [line for line in text.splitlines() if line not in known]
        known.update(fresh)
        more += fresh
    return "\n".join([newest, *more]) if more else newest


def _indexed(pages: Sequence[Capture], read: Callable[[str], str]) -> Iterator[IndexedPage]:
    newest: dict[tuple[str, str], Capture] = {}
    for page in sorted(pages, key=lambda page: page.at):
        newest[loose_key(page.url), page.day] = page
    for page in sorted(newest.values(), key=lambda page: row_order(page.key, page.day)):
        yield IndexedPage(page.key, page.day, page.title, read(page.text_sha))


def _reader(store: PageStore) -> Callable[[str], str]:
    return lambda text_sha: store.get(text_sha).decode("utf-8")


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    groups: dict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return dict(groups)
