"""How much of an answer the recorded pages support."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verifier.builders import page
from verifier.answers.answer_version import EvidenceState
from verifier.checks.solvability import check_solvability
from verifier.report import CellEvidence

PASSAGE = page("Titan").passage(0, 5, how="exact", score=1.0)


def cell(state: EvidenceState, row: int = 0, query: int | None = 1) -> CellEvidence:
    passages = () if state == "none" else (replace(PASSAGE, query=query),)
    return CellEvidence(row=row, column="Moon", value="Titan", state=state, passages=passages)


@pytest.mark.parametrize(
    ("states", "verdict", "score"),
    [
        (["proven", "proven"], "pass", 1.0),
        (["proven", "derived", "consulted"], "pass", 1.0),
        (["proven", "near"], "warn", 0.5),
        (["proven", "conflict"], "warn", 0.5),
        (["proven", "none"], "fail", 0.5),
        ([], "fail", 0.0),
    ],
)
def test_support_decides_the_verdict(states: list[EvidenceState], verdict: str, score: float) -> None:
    result = check_solvability([cell(state, row) for row, state in enumerate(states)])
    assert (result.verdict, result.figures["score"]) == (verdict, score)


def test_a_page_that_no_query_led_to_is_named() -> None:
    result = check_solvability([cell("proven", query=None)])
    assert (result.verdict, result.findings[0].code, result.figures["reached"]) == ("warn", "unreached", 0)


def test_a_row_counts_only_when_all_its_cells_are_supported() -> None:
    result = check_solvability([cell("proven", 0), cell("none", 0), cell("proven", 1)])
    assert (result.figures["rows_supported"], result.figures["rows"]) == (1, 2)
