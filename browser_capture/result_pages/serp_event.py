"""A result page that was read comes in; the data of its `serp` event goes out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from browser_capture.result_pages.parsed import ParsedResultPage


def serp_data(page: ParsedResultPage, *, snapshot: str | None, query: int | None) -> dict[str, Any]:
    """Return what the log says of a result page: of which snapshot, and for which query event, if it has one."""
    return {
        "q": page.query,
        "start": page.start,
        "engine": page.engine,
        "parse_status": page.status,
        "parser_version": page.parser_version,
        "results": [asdict(result) for result in page.results],
        "blocks": dict(page.blocks),
        "shown": dict(page.shown),
        "snapshot": snapshot,
        "query": query,
    }
