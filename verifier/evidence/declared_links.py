"""Links between cells and passages that people gave (pasted, marked, reviewed), checked against the recorded pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from verifier.answers.answer_version import EvidenceLink
from verifier.evidence.cell_match import PageIndex, Wanted, places_of
from verifier.evidence.passages import RecordedPage, page_of
from verifier.report import Passage


class GivenPassage(NamedTuple):
    """A passage a person pointed at, and whether the cell's value stands in it."""

    passage: Passage
    holds_value: bool


def checked_links(
    links: Sequence[EvidenceLink], cells: Mapping[tuple[int, str], Wanted], pages: Sequence[RecordedPage]
) -> dict[tuple[int, str], tuple[GivenPassage, ...]]:
    """Return the passages of the links that check out, by row and column, those that hold the value first.

    A quote that holds the cell's value is narrowed to it. One that does not is kept whole: a person says that the
    value follows from it. Links found by matching are left out; they are found anew.
    """
    found: dict[tuple[int, str], list[GivenPassage]] = defaultdict(list)
    indices: dict[str, PageIndex] = {}
    for link in links:
        looked_for = cells.get((link.row, link.column))
        page = page_of(pages, link.snapshot, link.text_sha)
        where = None if page is None else locate_quote(page.text, link)
        if link.how == "match" or looked_for is None or page is None or where is None:
            continue
        index = indices.setdefault(page.snapshot, PageIndex(page))
        inside = [place for place in _spans(looked_for, index) if where[0] <= place[0] and place[1] <= where[1]]
        start, end = inside[0] if inside else where
        passage = page.passage(start, end, how=link.how, score=1.0 if inside else 0.6)
        found[link.row, link.column].append(GivenPassage(passage, bool(inside)))
    return {cell: tuple(sorted(given, key=lambda one: not one.holds_value)) for cell, given in found.items()}


def locate_quote(text: str, link: EvidenceLink) -> tuple[int, int] | None:
    """Return where a link's quote stands: at its own place, else where its surroundings fit, else its only place."""
    if link.quote and text[link.start : link.end] == link.quote:
        return link.start, link.end
    starts = []
    at = text.find(link.quote) if link.quote.strip() else -1
    while at >= 0:
        starts.append(at)
        at = text.find(link.quote, at + 1)
    fitting = [
        start
        for start in starts
        if text[max(0, start - 20) : start].endswith(link.prefix[-20:])
        and text.startswith(link.suffix[:20], start + len(link.quote))
    ]
    chosen = fitting if len(fitting) == 1 else starts
    return (chosen[0], chosen[0] + len(link.quote)) if len(chosen) == 1 else None


def _spans(looked_for: Wanted, index: PageIndex) -> list[tuple[int, int]]:
    return [index.page.folded.span(place.start, place.end) for place in places_of(looked_for, index)]
