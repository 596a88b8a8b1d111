"""What a parser read on a result page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from browser_capture.trajectory import SearchResult

Status = Literal["ok", "empty", "suspect", "interstitial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedResultPage:
    """A result page, read. `blocks` counts what is no result: ads, overviews, people-also-ask and the like.

    `status`: ok; empty (the engine says so); suspect (nothing was found although nothing says so: the engine's page may
    have changed); interstitial (a captcha or consent wall stood before the results).
    """

    engine: str
    query: str
    start: int
    status: Status
    results: tuple[SearchResult, ...] = ()
    blocks: Mapping[str, int] = field(default_factory=dict)
    parser_version: str = ""
