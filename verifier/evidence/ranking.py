"""How well a place speaks for a cell: its bond to the row, how it matched, who stands beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from verifier.answers.answer_format import AnswerFormat
from verifier.evidence.cell_match import Place, Wanted
from verifier.evidence.folded_text import fold_needle
from verifier.evidence.row_coherence import Bond, PageRows
from verifier.report import Passage

MANY = 20
"""Beyond this many places in a page, only those in the lines of the row's own key are weighed."""

AROUND = 300
"""Code points before and after a place in which the question's words count."""

_BOND_SCORE: Mapping[Bond, float] = {
    Bond.LINE: 0.88,
    Bond.OWN_PAGE: 0.8,
    Bond.SECTION: 0.72,
    Bond.MATES: 0.66,
    Bond.PAGE: 0.45,
    Bond.NONE: 0.3,
    Bond.RIVAL: 0.2,
}
_HOW_SCORE = {"exact": 0.05, "folded": 0.04, "number": 0.03, "date": 0.03, "near": -0.2}
_OWN_PAGE, _MATE, _MARKED, _GLUED, _SNIPPET = 0.04, 0.01, 0.02, -0.03, -0.3
_TERM = re.compile(r"\w{4,}")


class Row(NamedTuple):
    """A row of the answer made ready: its number, the canonical text of its key, its cells."""

    number: int
    anchor: str
    cells: tuple[Wanted, ...]


class Ranked(NamedTuple):
    """A passage with what it is worth."""

    score: float
    bond: Bond
    passage: Passage


class Ranker:
    """Ranks the places of cells in the recorded pages. `anchor` is the place of the key column in a row."""

    def __init__(self, answer_format: AnswerFormat, views: Sequence[PageRows], anchor: int, question: str) -> None:
        self.is_table = answer_format.type == "table"
        self.has_elements = answer_format.type in ("set", "list")
        self.views = views
        self.anchor = anchor
        self.terms = frozenset(_TERM.findall(fold_needle(question)))

    def ranked(self, row: Row, column: int) -> list[Ranked]:
        """Return the passages of a cell, the best first; ties go to the page seen first."""
        found = [
            self._rank(view, row, column, place)
            for view in self.views
            for place in _worth_weighing(view, row, view.places(row.cells[column]))
        ]
        return sorted(found, key=lambda one: (-one.score, one.passage.at, one.passage.start))

    def _rank(self, view: PageRows, row: Row, column: int, place: Place) -> Ranked:
        mates = self._mates(view, row, column, place)
        if not self.is_table:
            bond, score = self._alone(view, place)
        elif column == self.anchor:
            bond = Bond.LINE if mates else Bond.OWN_PAGE if view.owner == row.anchor else Bond.PAGE
            score = _BOND_SCORE[bond]
        else:
            bond = view.bond(place, row.anchor, mates)
            score = _BOND_SCORE[bond] + (_OWN_PAGE if view.owner == row.anchor else 0)
        score += _HOW_SCORE[place.how] + _MATE * min(mates, 3)
        start, end = view.page.folded.span(place.start, place.end)
        score += _GLUED * _is_glued(view.page.folded.text, place)
        score += _SNIPPET * (view.page.source == "snippet")
        score += _MARKED * any(view.page.text[start:end] in quote for quote in view.page.marks)
        passage = view.page.passage(start, end, how=place.how, score=max(0.0, min(1.0, score)))
        return Ranked(score, bond, passage)

    def _mates(self, view: PageRows, row: Row, column: int, place: Place) -> int:
        """Count the row's other cells in the same line. The key is weighed by the bond; two signs are no proof."""
        line = view.page.folded.line(place.start)
        return sum(
            any(view.page.folded.line(other.start) == line for other in view.places(mate))
            for at, mate in enumerate(row.cells)
            if at not in (column, self.anchor)
            and len(mate.canonical) > 2
            and mate.canonical != row.cells[column].canonical
        )

    def _alone(self, view: PageRows, place: Place) -> tuple[Bond, float]:
        """Judge a place of a one-column answer by its fellow elements on the page and the question's words nearby."""
        folded = view.page.folded
        line_start, line_end = folded.line_span(folded.line(place.start))
        around = folded.text[max(line_start, place.start - AROUND) : min(line_end, place.end + AROUND)]
        near = self.terms & set(_TERM.findall(around))
        on_page = self.terms & set(_TERM.findall(view.page.names))
        score = 0.55 + 0.15 * len(near) / max(1, len(self.terms)) + (0.05 if on_page else 0)
        if self.has_elements:
            score += 0.2 * view.share_of_rows
        return Bond.LINE if near else Bond.OWN_PAGE if on_page else Bond.PAGE, score


def _worth_weighing(view: PageRows, row: Row, places: Sequence[Place]) -> Sequence[Place]:
    if len(places) <= MANY:
        return places
    lines = set(view.lines_of.get(row.anchor, ()))
    return [one for one in places if view.page.folded.line(one.start) in lines] or places[:MANY]


def _is_glued(text: str, place: Place) -> bool:
    # "xml" in "xml.etree": a word of its own, but perhaps a part of another name.
    before, after = text[max(0, place.start - 2) : place.start], text[place.end : place.end + 2]
    return (len(before) == 2 and before[1] in "-./_" and before[0].isalnum()) or (
        len(after) == 2 and after[0] in "-./_" and after[1].isalnum()
    )
