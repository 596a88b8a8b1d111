"""Passages as a page shows them: the quote marked inside the recorded page's own text."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator_server.config import page_store
from annotator_server.views.template_words import GIVEN
from browser_capture.errors import IncompleteError, RecordError
from verifier.report import CellEvidence, Passage

logger = logging.getLogger(__name__)

AROUND = 4000
"""Characters of the page shown on each side of a passage."""

MOST = 8
"""Passages shown for one cell; their number is told."""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A stretch of a page: what stands before the passage, the passage, what follows; and where text is left out."""

    before: str
    quote: str
    after: str
    cut_before: bool
    cut_after: bool


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage with its place in the page; `text` is None where the page cannot be read."""

    passage: Passage
    text: MarkedText | None


def marked(text: str, start: int, end: int, around: int | None = None) -> MarkedText:
    """Cut a text at a passage, given in code points.

    >>> marked("abcdef", 2, 4).quote
    'cd'
    """
    start = min(max(start, 0), len(text))
    end = min(max(end, start), len(text))
    first = 0 if around is None else max(0, start - around)
    last = len(text) if around is None else min(len(text), end + around)
    return MarkedText(text[first:start], text[start:end], text[end:last], first > 0, last < len(text))


def shown_passages(evidence: CellEvidence | None, home: Path) -> list[ShownPassage]:
    """Return a cell's passages, the best first, each inside its page's text."""
    if evidence is None:
        return []
    return [ShownPassage(passage, _in_page(passage, home)) for passage in without_twins(evidence.passages)[:MOST]]


def without_twins(passages: Sequence[Passage]) -> list[Passage]:
    """Leave out what was found on the page from which the same words were pasted or marked: a reviewer has seen it."""
    given = [passage for passage in passages if passage.how in GIVEN]
    return [
        passage
        for passage in passages
        if passage.how in GIVEN
        or not any(one.url == passage.url and _same_words(one.quote, passage.quote) for one in given)
    ]


def _same_words(one: str, other: str) -> bool:
    return one in other or other in one


def _in_page(passage: Passage, home: Path) -> MarkedText | None:
    try:
        text = page_store(home).get(passage.text_sha).decode("utf-8")
    except (IncompleteError, RecordError) as error:
        logger.warning("a passage's page cannot be shown: %s", error)
        return None
    return marked(text, passage.start, passage.end, AROUND)
