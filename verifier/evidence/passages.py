"""The recorded pages of a trajectory, their text read and folded once, and passages cut out of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from browser_capture.errors import TrailbenchError
from browser_capture.page_store import PageStore
from browser_capture.trajectory import Trajectory
from verifier.evidence.folded_text import FoldedText, fold_needle, fold_text
from verifier.report import Passage

CONTEXT = 40
"""Code points of text kept before and after a quote, to find it again."""

Source = Literal["page", "pdf", "snippet"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class RecordedPage:
    """A page as it was seen: its text, and how the searcher came to it."""

    snapshot: str
    text_sha: str
    url: str
    title: str
    at: str
    text: str
    seq: int
    query: int | None = None
    source: Source = "page"
    marks: tuple[str, ...] = field(default=())
    """Quotes the searcher marked or copied here."""

    @cached_property
    def folded(self) -> FoldedText:
        """The folded text."""
        return fold_text(self.text)

    @cached_property
    def names(self) -> str:
        """What the page says it is about: title and address, folded, a line each."""
        return "\n".join(map(fold_needle, (self.title, self.url)))

    def passage(self, start: int, end: int, *, how: str, score: float) -> Passage:
        """Cut a passage out of the text; `start` and `end` are code points."""
        return Passage(
            snapshot=self.snapshot,
            text_sha=self.text_sha,
            url=self.url,
            title=self.title,
            at=self.at,
            start=start,
            end=end,
            quote=self.text[start:end],
            prefix=self.text[max(0, start - CONTEXT) : start],
            suffix=self.text[end : end + CONTEXT],
            how=how,
            score=round(score, 4),
            query=self.query,
            source=self.source,
        )


def recorded_pages(trajectory: Trajectory, store: PageStore) -> tuple[RecordedPage, ...]:
    """Read the pages of a trajectory in the order they were seen; the same text at the same address stands once.

    A snapshot whose blob is missing or damaged is left out here and named by the check `log_quality`.
    """
    visits = {visit.visit: visit for visit in trajectory.visits}
    result_snapshots = {page.snapshot for page in trajectory.result_pages}
    pages: dict[tuple[str, str], RecordedPage] = {}
    for shot in trajectory.snapshots:
        if (shot.url, shot.text_sha) in pages:
            continue
        try:
            page = store.page(shot.id)
            text = store.text(page)
        except (TrailbenchError, UnicodeDecodeError) as error:
            _log.warning("snapshot %s of %s is left out: %s", shot.id, shot.url, error)
            continue
        visit = visits.get(shot.visit or "")
        on_result_page = shot.id in result_snapshots or (visit is not None and visit.is_result_page)
        pages[shot.url, shot.text_sha] = RecordedPage(
            snapshot=shot.id,
            text_sha=page.text_sha,
            url=shot.url,
            title=page.title or shot.title,
            at=shot.at,
            text=text,
            seq=shot.seq,
            query=None if visit is None else visit.reached_from,
            source="snippet" if on_result_page else "pdf" if page.source == "pdf" else "page",
            marks=tuple(mark.quote for mark in trajectory.marks if mark.snapshot == shot.id or mark.url == shot.url),
        )
    return tuple(pages.values())


def page_of(pages: Sequence[RecordedPage], snapshot: str, text_sha: str) -> RecordedPage | None:
    """Return the page of a snapshot; another snapshot with the same text will do."""
    fitting = [page for page in pages if page.text_sha == text_sha]
    return next((page for page in fitting if page.snapshot == snapshot), fitting[0] if fitting else None)
