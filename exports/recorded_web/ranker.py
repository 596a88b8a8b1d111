"""A query comes in, the keys of recorded pages go out, best first. Another ranker is a class with the same method."""

from __future__ import annotations

from typing import Protocol

from exports.recorded_web.query_keys import LONGEST
from exports.recorded_web.snapshot_index import SnapshotIndex
from exports.recorded_web.tokens import terms

COMMON_SHARE = 0.1
COMMON_FLOOR = 20
"""A term in more than a tenth of the pages, and in more than twenty, costs time and tells little."""
TERMS_AT_LEAST = 2
"""The rarest terms stay, however common they are."""


class Ranker(Protocol):
    """Whatever orders recorded pages for a query that nobody asked while recording."""

    def rank(self, query: str, until: str, limit: int) -> list[str]:
        """Return at most `limit` keys of pages captured no later than the day `until`, best first."""
        ...


class Bm25Ranker:
    """BM25 over the terms of pages and titles."""

    def __init__(self, index: SnapshotIndex) -> None:
        self._index = index

    def rank(self, query: str, until: str, limit: int) -> list[str]:
        """Return the best pages by BM25 over the query's telling terms; a page may come once for each capture."""
        return self._index.best(self._telling(query), until, limit)

    def _telling(self, query: str) -> list[str]:
        asked = dict.fromkeys(terms(query[:LONGEST]))
        known = [(self._index.frequency(term), term) for term in asked]
        by_rarity = sorted(pair for pair in known if pair[0])
        common = max(COMMON_FLOOR, COMMON_SHARE * self._index.size)
        return [term for place, (pages, term) in enumerate(by_rarity) if pages <= common or place < TERMS_AT_LEAST]
