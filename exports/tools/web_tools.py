"""Which tools an attempt gets, by the web it runs on."""

from __future__ import annotations

from exports.recorded_web.resolve import RecordedWeb
from exports.tools.tool import Clock, Toolbox
from exports.tools.web_fetch import RecordedFetch
from exports.tools.web_search import RecordedSearch

VERSION = "1"
"""Raised when a tool's name, arguments or text change: attempts of another version are not comparable."""


def recorded_toolbox(web: RecordedWeb, as_of: str, budget: int | None, clock: Clock) -> Toolbox:
    """Return search and page reading over the recorded web as it was on a day."""
    return Toolbox(tools=(RecordedSearch(web, as_of), RecordedFetch(web, as_of)), budget=budget, clock=clock)
