"""The search tool over the recorded web."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from browser_capture.trajectory import SearchResult
from exports.recorded_web.resolve import RecordedWeb
from exports.tools.path import ResultsSeen
from exports.tools.tool import ToolKind, ToolReply, number_argument, text_argument

ENGINE = "recorded"
NOTHING = "No results. Try other words."


class RecordedSearch:
    """Searches the recorded web as it was on one day."""

    name = "search"
    kind: ToolKind = "search"
    description = "Search the web. Gives up to 10 results, each with its title, address and a passage."
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to search for."},
            "start": {"type": "integer", "description": "How many results to skip, to see further ones."},
        },
        "required": ["query"],
    }

    def __init__(self, web: RecordedWeb, as_of: str) -> None:
        self._web, self._as_of = web, as_of

    async def __call__(self, arguments: Mapping[str, Any]) -> ToolReply:
        query = text_argument(arguments, "query")
        if query is None:
            return ToolReply(text="search needs a query: a text that is not empty.", ok=False, error="no query")
        start = number_argument(arguments, "start")
        answer = self._web.search(query, as_of=self._as_of, start=start)
        return ToolReply(
            text=results_text(answer.results),
            matched=answer.matched,
            results=answer.results,
            seen=ResultsSeen(query, ENGINE, start, answer.results),
        )


def results_text(results: Sequence[SearchResult]) -> str:
    """Return results as an agent reads them: number, title, address, passage.

    >>> results_text([SearchResult(rank=1, abs_rank=1, title="Tides", url="https://a.example/")])
    '1. Tides\\n   https://a.example/'
    """
    return "\n".join(_result_text(result) for result in results) or NOTHING


def _result_text(result: SearchResult) -> str:
    lines = [f"{result.abs_rank}. {result.title}", result.url, result.snippet]
    return "\n   ".join(line for line in lines if line)
