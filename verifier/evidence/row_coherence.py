"""Whether a place in a page speaks of a row: the same line, the row's own page, its section, or only the same page.

A row is known by its anchor, the key column whose values differ most. In a table a line belongs to the first anchor
in it; in running text a place belongs to the anchor last named before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from verifier.answers.answer_format import AnswerFormat
from verifier.answers.normalization.normalise import normalise
from verifier.evidence.cell_match import PageIndex, Place, Wanted, places_of, stands_alone, wanted
from verifier.evidence.passages import RecordedPage

SECTION = 1500
"""Code points after an anchor that still count as its section."""


class Bond(IntEnum):
    """How closely a place belongs to a row; from `MATES` on, a number may be believed."""

    RIVAL = 0
    """Another row is spoken of here."""
    NONE = 1
    PAGE = 2
    """The page names the row somewhere else."""
    MATES = 3
    """No row is named here, but another cell of this row stands in the same line."""
    SECTION = 4
    OWN_PAGE = 5
    LINE = 6


class Anchor(NamedTuple):
    """A place where a row's key stands. A weak key (a number, a very short text) may stand there by chance."""

    start: int
    end: int
    value: str
    weak: bool


def anchor_column(answer_format: AnswerFormat, rows: Sequence[Sequence[str]]) -> int:
    """Return the place of the key column with the most different values; the first one where they tie."""
    places = [answer_format.header.index(name) for name in answer_format.key_columns]
    differing = [len({row[place] for row in rows}) for place in places]
    return places[differing.index(max(differing))] if rows else places[0]


class PageRows:
    """A page seen through the rows of an answer: where each row's key stands, and whose page it is."""

    def __init__(self, page: RecordedPage, anchors: Sequence[Wanted]) -> None:
        self.page = page
        self.index = PageIndex(page)
        self._wanted = anchors
        self._places: dict[Wanted, tuple[Place, ...]] = {}

    def places(self, looked_for: Wanted) -> tuple[Place, ...]:
        """Return the places of a cell in this page, looked for once."""
        if looked_for not in self._places:
            self._places[looked_for] = places_of(looked_for, self.index)
        return self._places[looked_for]

    @cached_property
    def anchors(self) -> tuple[Anchor, ...]:
        """All rows' keys in the page, in order; a key inside a longer key of another row is none."""
        found = [
            Anchor(place.start, place.end, looked_for.canonical, looked_for.is_weak)
            for looked_for in self._wanted
            for place in self.places(looked_for)
        ]
        kept: list[Anchor] = []
        for anchor in sorted(found, key=lambda one: (one.start, -one.end)):
            if not kept or anchor.start >= kept[-1].end or kept[-1].value == anchor.value:
                kept.append(anchor)
        return tuple(kept)

    @cached_property
    def owner(self) -> str | None:
        """The canonical key of the one row this page is about: named alone in title or address."""
        for name in self.page.names.split("\n"):
            named = [one for one in self._wanted if _is_named(one, name)]
            # "java" is not named by "java sea" when both are rows.
            longest = [one for one in named if not any(one is not o and one.needle in o.needle for o in named)]
            values = {one.canonical for one in longest}
            if len(values) == 1:
                return values.pop()
            if values:
                return None
        return None

    @cached_property
    def lines_of(self) -> Mapping[str, tuple[int, ...]]:
        """Canonical key -> the lines in which it stands."""
        lines: dict[str, list[int]] = defaultdict(list)
        for anchor in self.anchors:
            lines[anchor.value].append(self.page.folded.line(anchor.start))
        return {value: tuple(found) for value, found in lines.items()}

    @property
    def share_of_rows(self) -> float:
        """The share of all rows whose key stands in this page."""
        return len(self.lines_of) / max(1, len(self._wanted))

    def bond(self, place: Place, value: str, mates: int) -> Bond:
        """Say how closely a place belongs to the row whose canonical key is `value`.

        `mates` is the number of other cells of the row in the same line.
        """
        folded = self.page.folded
        line_start, line_end = folded.line_span(folded.line(place.start))
        here = self._between(line_start, line_end)
        is_table = "\t" in folded.text[line_start:line_end]
        if here and is_table:
            return Bond.LINE if here[0].value == value else Bond.RIVAL
        own_here = any(anchor.value == value for anchor in here)
        if self.owner == value:
            return Bond.LINE if own_here else Bond.OWN_PAGE
        if here:
            # Numbers are poor keys ("6" in "6 June 2005"): a second cell of the row settles whose line it is.
            nearest = _nearest(here, place)
            if own_here and (mates or nearest.value == value):
                return Bond.LINE
            if not nearest.weak:
                return Bond.RIVAL
        return self._bond_without_anchor(place, value, mates)

    def _bond_without_anchor(self, place: Place, value: str, mates: int) -> Bond:
        last = self._last_before(place.start)
        if last is not None and place.start - last.end > SECTION:
            last = None
        if last is not None and last.value == value:
            return Bond.SECTION
        if mates:
            return Bond.MATES
        if last is not None and not last.weak:
            return Bond.RIVAL
        return Bond.PAGE if value in self.lines_of else Bond.NONE

    def _between(self, start: int, end: int) -> tuple[Anchor, ...]:
        first = bisect_left(self.anchors, (start,))
        return self.anchors[first : bisect_right(self.anchors, (end,))]

    def _last_before(self, place: int) -> Anchor | None:
        at = bisect_left(self.anchors, (place,))
        return self.anchors[at - 1] if at else None


def _is_named(one: Wanted, name: str) -> bool:
    at = name.find(one.needle) if one.needle else -1
    return at >= 0 and stands_alone(name, at, at + len(one.needle))


def _nearest(here: Sequence[Anchor], place: Place) -> Anchor:
    before = [anchor for anchor in here if anchor.start <= place.start]
    return before[-1] if before else here[0]


def row_anchors(answer_format: AnswerFormat, rows: Sequence[Sequence[str]]) -> tuple[Wanted, ...]:
    """Return what the rows' keys are looked for as, each once, in the order of the rows."""
    place = anchor_column(answer_format, rows)
    column = answer_format.columns[place]
    ready = (wanted(row[place], column) for row in rows if normalise(row[place], column))
    return tuple({one.canonical: one for one in ready}.values())
