"""For each cell of an answer, the best passages of the recorded pages and the state they put it in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion, EvidenceState
from verifier.evidence.cell_match import Wanted, near_places, wanted
from verifier.evidence.declared_links import GivenPassage, checked_links
from verifier.evidence.passages import RecordedPage
from verifier.evidence.ranking import MANY, Ranked, Ranker, Row
from verifier.evidence.row_coherence import Bond, PageRows, anchor_column, row_anchors
from verifier.report import CellEvidence, Passage

KEPT = 4
"""Passages kept a cell."""

NEAR_PAGES = 20
"""Pages searched for a near match of one cell, the likely ones first."""


class _Judged(NamedTuple):
    state: EvidenceState
    passages: Sequence[Passage]
    note: str = ""


def find_evidence(
    answer: AnswerVersion, answer_format: AnswerFormat, pages: Sequence[RecordedPage], question: str = ""
) -> tuple[CellEvidence, ...]:
    """Return the evidence of every cell, row by row in the format's column order.

    Links that people gave come first where they check out. `question` ranks the places of a one-column answer: its
    words stand near the right one.
    """
    written = _in_column_order(answer, answer_format)
    anchor = anchor_column(answer_format, written)
    rows = [_ready(number, cells, answer_format, anchor) for number, cells in enumerate(written)]
    anchors = row_anchors(answer_format, written)
    views = [PageRows(page, anchors) for page in pages]
    cells = {(row.number, cell.column.name): cell for row in rows for cell in row.cells}
    given = checked_links(answer.evidence, cells, pages)
    finder = _Finder(answer_format, Ranker(answer_format, views, anchor, question))
    return tuple(
        finder.evidence(row, column, given.get((row.number, cell.column.name), ()))
        for row in rows
        for column, cell in enumerate(row.cells)
    )


def _in_column_order(answer: AnswerVersion, answer_format: AnswerFormat) -> list[tuple[str, ...]]:
    places = {name: place for place, name in enumerate(answer.header or answer_format.header)}
    return [
        tuple(row[places[name]] if name in places and places[name] < len(row) else "" for name in answer_format.header)
        for row in answer.rows
    ]


def _ready(number: int, cells: Sequence[str], answer_format: AnswerFormat, anchor: int) -> Row:
    ready = tuple(wanted(cell, column) for cell, column in zip(cells, answer_format.columns, strict=True))
    return Row(number, ready[anchor].canonical, ready)


class _Finder:
    def __init__(self, answer_format: AnswerFormat, ranker: Ranker) -> None:
        self.kind = answer_format.type
        self.ranker = ranker

    def evidence(self, row: Row, column: int, given: Sequence[GivenPassage]) -> CellEvidence:
        cell = row.cells[column]
        ranked = self.ranker.ranked(row, column) if cell.canonical else []
        judged = self._judge(row, column, ranked, given)
        return CellEvidence(
            row=row.number,
            column=cell.column.name,
            value=cell.cell,
            state=judged.state,
            passages=tuple(_distinct(judged.passages)[:KEPT]),
            note=judged.note,
        )

    def _judge(self, row: Row, column: int, ranked: Sequence[Ranked], given: Sequence[GivenPassage]) -> _Judged:
        found = [one.passage for one in ranked]
        # A text that was pasted and then changed to say something else claims nothing; a passage that was marked does.
        said = [one for one in given if one.holds_value or one.passage.how != "paste"]
        edited = [one.passage for one in given if one not in said]
        if said:
            passages = [*(one.passage for one in said), *found, *edited]
            if said[0].holds_value:
                return _Judged("proven", passages)
            return _Judged("derived", passages, "a person linked a passage without the value itself")
        judged = self._by_match(row, column, ranked, found)
        if not edited:
            return judged
        note = "; ".join(filter(None, (judged.note, "the cell was edited after it was pasted from a page")))
        return _Judged(judged.state, [*judged.passages[:1], *edited, *judged.passages[1:]], note)

    def _by_match(self, row: Row, column: int, ranked: Sequence[Ranked], found: Sequence[Passage]) -> _Judged:
        if not found:
            return self._without_match(row, row.cells[column])
        bonds = [one.bond for one in ranked if one.passage.source != "snippet"]
        if not bonds:
            return _Judged("near", found, "only seen in a search result's snippet, not on a page")
        return self._by_bond(max(bonds), found, row.cells[column], is_key=column == self.ranker.anchor)

    def _by_bond(self, bond: Bond, found: Sequence[Passage], cell: Wanted, *, is_key: bool) -> _Judged:
        if bond == Bond.RIVAL:
            return _Judged("near", found, "the value stands only where another row is spoken of")
        if bond >= Bond.MATES or self.kind in ("set", "list"):
            return _Judged("proven", found)
        if cell.is_weak:
            return _Judged("near", found, "the value stands in the pages, but nothing ties it to this row")
        scattered = self.kind == "table" and not is_key
        return _Judged("proven", found, "stands on a page that does not tie it to this row" if scattered else "")

    def _without_match(self, row: Row, cell: Wanted) -> _Judged:
        if cell.canonical and cell.column.type != "boolean":
            return self._nearly(row, cell)
        # A blank or a yes-or-no stands on no page: what counts is whether anybody looked.
        what = "yes or no" if cell.canonical else "no value"
        about = self._about(row)
        if about:
            return _Judged("consulted", about, f"{what}: pages about this row were visited; a person decides")
        return _Judged("none", (), f"{what}: no page about this row was visited")

    def _nearly(self, row: Row, cell: Wanted) -> _Judged:
        for view in self._likely(row)[:NEAR_PAGES]:
            for place in near_places(cell, view.index):
                span = view.page.folded.span(place.start, place.end)
                passage = view.page.passage(*span, how="near", score=0.2)
                return _Judged("near", [passage], "a similar text; a person decides")
        return _Judged("none", (), "no recorded page holds this value")

    def _likely(self, row: Row) -> list[PageRows]:
        pages = [view for view in self.ranker.views if view.page.source != "snippet"]
        return sorted(pages, key=lambda view: (view.owner != row.anchor, row.anchor not in view.lines_of))

    def _about(self, row: Row) -> list[Passage]:
        """Return places that name the row, in pages about it or at the start of its line in a table."""
        found: list[Passage] = []
        for view in self._likely(row):
            for place in view.places(row.cells[self.ranker.anchor])[:MANY]:
                start, end = view.page.folded.line_span(view.page.folded.line(place.start))
                in_table = "\t" in view.page.folded.text[start:end]
                if view.owner == row.anchor or (in_table and place.start == start):
                    span = view.page.folded.span(place.start, place.end)
                    found.append(view.page.passage(*span, how=place.how, score=0.5))
                    break
        return found


def _distinct(passages: Iterable[Passage]) -> list[Passage]:
    kept: dict[tuple[str, int, int], Passage] = {}
    for passage in passages:
        kept.setdefault((passage.text_sha, passage.start, passage.end), passage)
    return list(kept.values())
