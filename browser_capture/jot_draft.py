"""A page that was taken and the words typed with it, until they are kept as a jot; on disk with each stroke."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from browser_capture.events import iso_utc
from browser_capture.jots import Jots


class Taken(NamedTuple):
    """A page that was taken, to be kept with a question."""

    url: str
    title: str
    quote: str
    at: int
    """Wall clock, milliseconds."""

    @property
    def in_short(self) -> str:
        """Title, or address, and the beginning of the quote."""
        quote = f": {self.quote[:80]}" if self.quote else ""
        return (self.title or self.url)[:80] + quote


class JotDraft:
    """One page and its words. Taking another page under typed words keeps the first to go back to."""

    def __init__(self, jots: Jots) -> None:
        self._jots = jots
        self.page, self.words = _from_record(jots.draft())
        self._before: Taken | None = None

    def take(self, taken: Taken) -> None:
        """Put this page in the place of the one before. Raises OSError."""
        if self.page is not None and self.words.strip() and self.page[:3] != taken[:3]:
            self._before = self.page
        self.page = taken
        self._save()

    def note(self, words: str) -> None:
        """Note what is typed. Raises OSError."""
        self.words = words
        self._save()

    def go_back(self) -> None:
        """Change the page with the one before, where there is one. Raises OSError."""
        if self._before is not None:
            self.page, self._before = self._before, self.page
            self._save()

    def clear(self) -> None:
        """Begin anew; what lies on disk stays until `drop`."""
        self.page, self._before, self.words = None, None, ""

    def drop(self) -> None:
        """Begin anew and take it from the disk. Raises OSError."""
        self.clear()
        self._jots.drop_draft()

    def detail(self) -> dict[str, Any]:
        """Return what the panel shows of it."""
        return {
            "page": {**self.page._asdict(), "at": iso_utc(self.page.at)} if self.page else None,
            "words": self.words,
            "before": self._before.in_short if self._before else "",
        }

    def _save(self) -> None:
        if self.page is not None:
            self._jots.keep_draft({"page": self.page._asdict(), "words": self.words})


def _from_record(record: Mapping[str, Any]) -> tuple[Taken | None, str]:
    page = record.get("page")
    if not isinstance(page, dict):
        return None, ""
    try:
        taken = Taken(str(page["url"]), str(page["title"]), str(page["quote"]), int(page["at"]))
    except (KeyError, TypeError, ValueError):
        return None, ""
    return taken, str(record.get("words") or "")
