"""The page-reading tool over the recorded web: an address in, the page's visible text out, in parts when it is long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from browser_capture.urls import is_web
from exports.recorded_web.resolve import FetchAnswer, RecordedWeb
from exports.tools.path import PageSeen
from exports.tools.tool import ToolKind, ToolReply, number_argument, text_argument

PART = 60_000
"""Characters in one reply."""
OVERLAP = 500
"""Characters that the next part repeats, so that no passage is cut in two."""
MISSING = "This page is not available in this archive. Try another source."


class RecordedFetch:
    """Reads pages of the recorded web as they were on one day."""

    name = "web_fetch"
    kind: ToolKind = "fetch"
    description = "Read a web page. Gives its title and visible text; rows of a table are lines, cells parted by tabs."
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "url": {"type": "string", "description": "The address of the page."},
            "start": {"type": "integer", "description": "From which character on to read, for long pages."},
        },
        "required": ["url"],
    }

    def __init__(self, web: RecordedWeb, as_of: str) -> None:
        self._web, self._as_of = web, as_of

    async def __call__(self, arguments: Mapping[str, Any]) -> ToolReply:
        url = text_argument(arguments, "url")
        if url is None or not is_web(url):
            return ToolReply(text="web_fetch needs a url: an http or https address.", ok=False, error="no url")
        page = self._web.fetch(url, as_of=self._as_of)
        if page.matched == "missing":
            # A constant text, and no error: what was not recorded must not look like a fault of the agent.
            return ToolReply(text=MISSING, matched="missing")
        return page_part(page, number_argument(arguments, "start"))


def page_part(page: FetchAnswer, start: int) -> ToolReply:
    """Return the part of a page that begins at a character, with a note when there is more."""
    body = page.text[start : start + PART]
    end = start + len(body)
    next_start = end - OVERLAP if end < len(page.text) else None
    more = f"\n[{len(page.text) - end} more characters: read on with start={next_start}]" if next_start else ""
    return ToolReply(
        text=f"{page.title}\n{page.url}\n\n{body}{more}",
        matched=page.matched,
        seen=PageSeen(page.url, page.title, page.snapshot, page.text_sha),
        body=body,
        next_start=next_start,
    )
