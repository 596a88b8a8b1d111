"""Which passage speaks for which cell, and when nothing does."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from tests.verifier.builders import gold, one_column, page, page_store, recording, table
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion, EvidenceLink
from verifier.evidence.cell_evidence import find_evidence
from verifier.evidence.passages import RecordedPage, recorded_pages
from verifier.report import CellEvidence

MOONS = table(["Moon", "Year"], {"Moon": "text", "Year": "integer"})
BOTH = gold(["Titan", "1655"], ["Rhea", "1672"])

LIST_PAGE = page("Moons\nTitan\t1655\tHuygens\nRhea\t1672\tCassini", url="https://a.example/list")
TITAN_PAGE = page("Titan is a moon.\nIt was found in 1655.", url="https://a.example/titan", title="Titan - Moons")


def found(answer: AnswerVersion, asked: AnswerFormat, *pages: RecordedPage) -> dict[tuple[int, str], CellEvidence]:
    return {(cell.row, cell.column): cell for cell in find_evidence(answer, asked, pages)}


def line_of(cell: CellEvidence, *pages: RecordedPage) -> str:
    best = cell.passages[0]
    text = next(one.text for one in pages if one.url == best.url)
    return text[text.rfind("\n", 0, best.start) + 1 :].partition("\n")[0]


def test_cells_of_a_row_are_found_in_its_own_line() -> None:
    cells = found(BOTH, MOONS, LIST_PAGE)
    assert {cell.state for cell in cells.values()} == {"proven"}
    assert line_of(cells[1, "Year"], LIST_PAGE) == "Rhea\t1672\tCassini"


def test_swapped_rows_are_not_proven() -> None:
    cells = found(gold(["Titan", "1672"], ["Rhea", "1655"]), MOONS, LIST_PAGE)
    assert [cells[row, "Year"].state for row in (0, 1)] == ["near", "near"]


def test_the_rows_own_page_is_preferred_to_an_unrelated_one() -> None:
    other = page("In 1655 a book appeared.", url="https://a.example/books", title="Books")
    cells = found(gold(["Titan", "1655"]), MOONS, other, TITAN_PAGE)
    assert cells[0, "Year"].passages[0].url == TITAN_PAGE.url


def test_a_number_that_nothing_ties_to_its_row_is_only_near() -> None:
    other = page("In 1655 a book appeared.", url="https://a.example/books", title="Books")
    cells = found(gold(["Titan", "1655"]), MOONS, other)
    assert (cells[0, "Moon"].state, cells[0, "Year"].state) == ("none", "near")


def test_prose_belongs_to_the_row_named_before_it() -> None:
    prose = page("Titan was found in 1655. Rhea was found in 1672.", url="https://a.example/prose")
    cells = found(BOTH, MOONS, prose)
    assert [cells[row, "Year"].passages[0].score > 0.9 for row in (0, 1)] == [True, True]
    assert found(gold(["Titan", "1672"], ["Rhea", "1655"]), MOONS, prose)[0, "Year"].state == "near"


def test_a_section_belongs_to_its_heading() -> None:
    sections = page("Titan\nLarge. Found early.\nThe year was 1655.\nRhea\nSmaller.\nThe year was 1672.")
    cells = found(BOTH, MOONS, sections)
    assert [cells[row, "Year"].state for row in (0, 1)] == ["proven", "proven"]
    assert found(gold(["Titan", "1672"], ["Rhea", "1655"]), MOONS, sections)[0, "Year"].state == "near"


def test_two_cells_in_one_line_speak_for_each_other_without_the_key() -> None:
    asked = table(["Version", "Year", "Leader"], {"Version": "text", "Year": "integer", "Leader": "text"})
    pages = page("Version 2.0 came out in 1998."), page("Ian Jackson led from January 1998.", url="https://b.example/")
    cells = found(gold(["2.0", "1998", "Ian Jackson"]), asked, *pages)
    assert (cells[0, "Leader"].state, cells[0, "Leader"].note) == ("proven", "")


def test_a_key_inside_a_longer_key_claims_no_line() -> None:
    asked = table(["Place", "Area"], {"Place": "text", "Area": "integer"})
    islands = page("Java Sea\t320000\nJava\t128297")
    cells = found(gold(["Java", "128297"], ["Java Sea", "320000"]), asked, islands)
    assert line_of(cells[0, "Area"], islands) == "Java\t128297"


def test_a_blank_is_consulted_when_its_rows_page_was_visited() -> None:
    cells = found(gold(["Titan", ""], ["Rhea", ""]), MOONS, TITAN_PAGE)
    assert [cells[row, "Year"].state for row in (0, 1)] == ["consulted", "none"]


def test_a_near_match_is_never_proven() -> None:
    asked = one_column("set", column_type="text")
    cells = found(gold(["Zürich"], ["Genève"]), asked, page("Zurich and Geneva"))
    assert [cell.state for cell in cells.values()] == ["near", "none"]


def test_a_snippet_alone_is_near() -> None:
    snippet = page("Titan 1655", url="https://www.google.com/search?q=x", source="snippet")
    assert found(gold(["Titan", "1655"]), MOONS, snippet)[0, "Moon"].state == "near"


def test_a_quote_stands_where_it_says_with_its_surroundings() -> None:
    best = found(BOTH, MOONS, LIST_PAGE)[0, "Year"].passages[0]
    assert LIST_PAGE.text[best.start : best.end] == best.quote == "1655"
    assert (best.prefix, best.suffix[:8]) == ("Moons\nTitan\t", "\tHuygens")


def test_the_questions_words_stand_near_the_right_item() -> None:
    asked = one_column("item", column_type="integer")
    text = "The hall seats 24 people.\nThe tower has 24 bells."
    (cell,) = find_evidence(gold(["24"]), asked, [page(text)], "How many bells are in the tower?")
    assert cell.passages[0].start == text.rindex("24")


def link(quote: str, start: int, how: Literal["match", "paste", "mark"] = "paste") -> EvidenceLink:
    return EvidenceLink(
        row=0, column="Year", quote=quote, url=TITAN_PAGE.url, snapshot="s", text_sha=TITAN_PAGE.text_sha, start=start,
        end=start + len(quote), how=how,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "state", "quote", "how"),
    [
        (link("found in 1655", 24), "proven", "1655", "paste"),
        (link("found in 1655", 3), "proven", "1655", "paste"),
        (link("a moon", 9, how="mark"), "derived", "a moon", "mark"),
        (link("a moon", 9), "proven", "1655", "exact"),
        (link("found in 1700", 24), "proven", "1655", "exact"),
        (link("It was found", 17, how="match"), "proven", "1655", "exact"),
    ],
    ids=["narrowed to the value", "moved", "marked, without the value", "edited", "not on the page", "an old match"],
)
def test_a_persons_link_comes_first_where_it_checks_out(given: EvidenceLink, state: str, quote: str, how: str) -> None:
    answer = AnswerVersion(
        task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=(("Titan", "1655"),), evidence=(given,)
    )
    cell = found(answer, MOONS, TITAN_PAGE)[0, "Year"]
    assert (cell.state, cell.passages[0].quote, cell.passages[0].how) == (state, quote, how)


def test_a_paste_that_was_edited_claims_nothing_and_is_told() -> None:
    given = link("found in 1655", 24)
    answer = AnswerVersion(
        task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=(("Titan", "1755"),), evidence=(given,)
    )
    cell = found(answer, MOONS, TITAN_PAGE)[0, "Year"]
    assert cell.state in ("none", "near")
    assert cell.note.endswith("edited after it was pasted from a page")
    assert "paste" in {passage.how for passage in cell.passages}


def test_pages_are_read_from_a_recording_once_and_missing_ones_left_out(tmp_path: Path) -> None:
    store = page_store(tmp_path)
    trajectory = recording(store, {"https://a.example/1": ("One", "first"), "https://a.example/2": ("Two", "second")})
    store.delete(trajectory.snapshots[1].text_sha)
    (only,) = recorded_pages(trajectory, store)
    assert (only.url, only.text, only.query, only.source) == ("https://a.example/1", "first", 1, "page")


def test_a_marked_place_is_preferred() -> None:
    text = "Titan\nA\nTitan"
    marked = page(text, marks=("Titan",))
    plain = page(text, url="https://a.example/other")
    (cell,) = find_evidence(gold(["Titan"]), one_column("item", column_type="text"), [plain, marked])
    assert cell.passages[0].url == marked.url
