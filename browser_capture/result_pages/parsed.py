"""What a parser read on a result page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["ok", "empty", "suspect", "interstitial"]
Wall = Literal["captcha", "consent", "script"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownResult:
    """One ranked result. `rank` counts from 1 on its page, `abs_rank` over all pages of the query.

    `kind`: organic, or what a page for one kind of result ranks: news, video, book, forum. `cite` is the address line
    as shown.
    """

    rank: int
    abs_rank: int
    title: str
    url: str
    snippet: str = ""
    kind: str = "organic"
    cite: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedResultPage:
    """A result page, read. `blocks` counts what is no result: ads, overviews, people-also-ask and the like.

    `status`: ok; empty (the engine says so); suspect (what was found cannot be right or all: the engine's page may have
    changed); interstitial (a `wall` stood before the results: a captcha, a consent form, a page that asks for script).
    A page of pictures, of products or of an AI's answers ranks nothing: it is ok and has its block.
    """

    engine: str
    query: str
    start: int
    status: Status
    results: tuple[ShownResult, ...] = ()
    blocks: Mapping[str, int] = field(default_factory=dict)
    parser_version: str = ""
    wall: Wall | None = None
    shown: Mapping[str, str] = field(default_factory=dict)
    """What the page says of its language, of the place it is for, of safe search and of the searcher's account."""
