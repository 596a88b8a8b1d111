"""For each cell of an answer, the best passages of the recorded pages and the state they put it in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion, EvidenceState
from verifier.evidence.cell_match import Place, Wanted, near_places, wanted
from verifier.evidence.declared_links import checked_links
from verifier.evidence.folded_text import fold_needle
from verifier.evidence.passages import RecordedPage
from verifier.evidence.row_coherence import Bond, PageRows, anchor_column, row_anchors
from verifier.report import CellEvidence, Passage

KEPT = 4
"""Passages kept a cell."""

MANY = 20
"""Beyond this many places in a page, only those in the lines of the row's own key are weighed."""

NEAR_PAGES = 20
"""Pages searched for a near match of one cell."""

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
_SNIPPET = 0.3

Ranked = tuple[float, Bond, Passage]


class _Row(NamedTuple):
    number: int
    anchor: str
    cells: tuple[Wanted, ...]


def find_evidence(
    answer: AnswerVersion, answer_format: AnswerFormat, pages: Sequence[RecordedPage], question: str = ""
) -> tuple[CellEvidence, ...]:
    """Return the evidence of every cell, row by row in the format's column order.

    Links that people gave come first where they check out. `question` ranks the places of a one-column answer: its
    words stand near the right one.
    """
    rows = _rows(answer, answer_format)
    views = [PageRows(page, row_anchors(answer_format, rows)) for page in pages]
    finder = _Finder(answer_format, views, question)
    ready = finder.ready(rows)
    given = checked_links(answer.evidence, ready_cells(ready, answer_format), pages)
    return tuple(
        finder.evidence(row, place, given.get((row.number, looked_for.column.name), ()))
        for row in ready
        for place, looked_for in enumerate(row.cells)
    )


def ready_cells(rows: Iterable[_Row], answer_format: AnswerFormat) -> dict[tuple[int, str], Wanted]:
    """Index the cells of rows by row number and column name."""
    return {(row.number, looked_for.column.name): looked_for for row in rows for looked_for in row.cells}


class _Finder:
    def __init__(self, answer_format: AnswerFormat, views: Sequence[PageRows], question: str) -> None:
        self.answer_format = answer_format
        self.views = views
        self.is_table = answer_format.type == "table"
        self.terms = frozenset(re.findall(r"\w{4,}", fold_needle(question)))
        self.anchor_place = 0

    def ready(self, rows: Sequence[Sequence[str]]) -> list[_Row]:
        self.anchor_place = anchor_column(self.answer_format, rows)
        columns = self.answer_format.columns
        cells = [tuple(wanted(cell, column) for cell, column in zip(row, columns, strict=True)) for row in rows]
        return [_Row(number, row[self.anchor_place].canonical, row) for number, row in enumerate(cells)]

    def evidence(self, row: _Row, place: int, given: Sequence[Passage]) -> CellEvidence:
        looked_for = row.cells[place]
        ranked = self._ranked(row, place) if looked_for.canonical else []
        passages = _distinct([*given, *(passage for _, _, passage in ranked)])
        state, note = self._state(row, looked_for, ranked, given)
        if state in ("near", "consulted", "none") and not passages:
            passages, state, note = self._weaker(row, looked_for)
        return CellEvidence(
            row=row.number,
            column=looked_for.column.name,
            value=looked_for.cell,
            state=state,
            passages=tuple(passages[:KEPT]),
            note=note,
        )

    def _ranked(self, row: _Row, place: int) -> list[Ranked]:
        ranked: list[Ranked] = []
        for view in self.views:
            found = view.places(row.cells[place])
            if len(found) > MANY:
                found = self._in_own_lines(view, row, found) or found[:MANY]
            ranked += [self._rank(view, row, place, one) for one in found]
        return sorted(ranked, key=lambda one: (-one[0], one[2].at, one[2].start))

    def _in_own_lines(self, view: PageRows, row: _Row, found: Sequence[Place]) -> tuple[Place, ...]:
        lines = set(view.lines_of.get(row.anchor, ()))
        return tuple(one for one in found if view.page.folded.line(one.start) in lines)

    def _rank(self, view: PageRows, row: _Row, place: int, found: Place) -> Ranked:
        mates = self._mates(view, row, place, found)
        if not self.is_table:
            bond, score = self._alone(view, row, found)
        elif place == self.anchor_place:
            own = view.owner == row.anchor
            bond = Bond.LINE if mates else Bond.OWN_PAGE if own else Bond.PAGE
            score = _BOND_SCORE[bond]
        else:
            bond = view.bond(found, row.anchor, mates)
            score = _BOND_SCORE[bond] + (0.04 if view.owner == row.anchor else 0)
        score += _HOW_SCORE[found.how] + 0.01 * min(mates, 3) - _glued(view.page.folded.text, found)
        if view.page.source == "snippet":
            score -= _SNIPPET
        start, end = view.page.folded.span(found.start, found.end)
        if any(view.page.text[start:end] in quote for quote in view.page.marks):
            score += 0.02
        return score, bond, view.page.passage(start, end, how=found.how, score=max(0.0, min(1.0, score)))

    def _mates(self, view: PageRows, row: _Row, place: int, found: Place) -> int:
        """Count the other cells of the row, weak ones of fewer than three signs left out, in the same line."""
        line = view.page.folded.line(found.start)
        return sum(
            len(mate.canonical) > 2
            and mate.canonical != row.cells[place].canonical
            and any(view.page.folded.line(other.start) == line for other in view.places(mate))
            for at, mate in enumerate(row.cells)
            if (at != place and at != self.anchor_place) or (place == self.anchor_place and at != place)
        )

    def _alone(self, view: PageRows, row: _Row, found: Place) -> tuple[Bond, float]:
        """Judge a place of a one-column answer by the other elements on the page and the question's words nearby."""
        folded = view.page.folded
        elements = len(view.lines_of) / max(1, len(view._wanted))
        line_start, line_end = folded.line_span(folded.line(found.start))
        around = folded.text[max(line_start, found.start - 300) : min(line_end, found.end + 300)]
        near = self.terms & set(re.findall(r"\w{4,}", around))
        on_page = self.terms & set(re.findall(r"\w{4,}", view.page.names))
        share = len(near) / max(1, len(self.terms))
        bond = Bond.LINE if near else Bond.OWN_PAGE if on_page else Bond.PAGE
        several = self.answer_format.type != "item"
        return bond, 0.55 + (0.2 * elements if several else 0) + 0.15 * share + (0.05 if on_page else 0)

    def _state(
        self, row: _Row, looked_for: Wanted, ranked: Sequence[Ranked], given: Sequence[Passage]
    ) -> tuple[EvidenceState, str]:
        if given:
            contained = given[0].how != "derived"
            return (
                ("proven", "") if contained else ("derived", "a person linked a passage that does not hold the value")
            )
        pages = [(bond, passage) for _, bond, passage in ranked if passage.source != "snippet"]
        if ranked and not pages:
            return "near", "only seen in a search result's snippet, not on a page"
        if not pages:
            return "none", ""
        bond = max(bond for bond, _ in pages)
        if bond == Bond.RIVAL:
            return "near", "the value stands only where another row is spoken of"
        if bond >= Bond.MATES or not looked_for.is_weak:
            scattered = self.is_table and bond < Bond.MATES and looked_for.canonical != row.anchor
            return "proven", "stands on a page that does not tie it to this row" if scattered else ""
        if not self.is_table and self.answer_format.type != "item":
            return "proven", ""
        return "near", "the value stands in the pages, but nothing ties it to this row"

    def _weaker(self, row: _Row, looked_for: Wanted) -> tuple[list[Passage], EvidenceState, str]:
        """For a cell without a passage: pages about its row where it may be missing, else near matches."""
        if not looked_for.canonical or looked_for.column.type == "boolean":
            consulted = self._about(row)
            what = "no value" if not looked_for.canonical else "yes or no"
            if consulted:
                return consulted, "consulted", f"{what}: pages about this row were visited; a person decides"
            return [], "none", f"{what}: no page about this row was visited"
        for view in self._likely(row)[:NEAR_PAGES]:
            for found in near_places(looked_for, view.index):
                start, end = view.page.folded.span(found.start, found.end)
                return (
                    [view.page.passage(start, end, how="near", score=0.2)],
                    "near",
                    "a similar text; a person decides",
                )
        return [], "none", "no recorded page holds this value"

    def _likely(self, row: _Row) -> list[PageRows]:
        pages = [view for view in self.views if view.page.source != "snippet"]
        return sorted(pages, key=lambda view: (view.owner != row.anchor, row.anchor not in view.lines_of))

    def _about(self, row: _Row) -> list[Passage]:
        """Return places that name the row in pages about it, or in its line of a table."""
        anchor = row.cells[self.anchor_place]
        found: list[Passage] = []
        for view in self._likely(row):
            for place in view.places(anchor)[:MANY]:
                start, end = view.page.folded.line_span(view.page.folded.line(place.start))
                in_table = "\t" in view.page.folded.text[start:end]
                if view.owner == row.anchor or (in_table and place.start == start):
                    span = view.page.folded.span(place.start, place.end)
                    found.append(view.page.passage(*span, how=place.how, score=0.5))
                    break
        return found


def _rows(answer: AnswerVersion, answer_format: AnswerFormat) -> list[tuple[str, ...]]:
    places = {name: place for place, name in enumerate(answer.header or answer_format.header)}
    return [
        tuple(row[places[name]] if name in places and places[name] < len(row) else "" for name in answer_format.header)
        for row in answer.rows
    ]


def _glued(text: str, found: Place) -> float:
    # "xml" in "xml.etree": a word of its own, but perhaps a part of another name.
    before, after = text[max(0, found.start - 2) : found.start], text[found.end : found.end + 2]
    joined = (len(before) == 2 and before[1] in "-./_" and before[0].isalnum()) or (
        len(after) == 2 and after[0] in "-./_" and after[1].isalnum()
    )
    return 0.03 if joined else 0.0


def _distinct(passages: Iterable[Passage]) -> list[Passage]:
    kept: dict[tuple[str, int, int], Passage] = {}
    for passage in passages:
        kept.setdefault((passage.text_sha, passage.start, passage.end), passage)
    return list(kept.values())
