"""Can the answer be had from the recorded pages: a passage for every cell, on a page that a recorded query led to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from verifier.checks.check_result import CheckResult, Finding
from verifier.checks.verdicts import result
from verifier.report import CellEvidence

CHECK, VERSION = "solvability", "1"

_SUPPORTED = frozenset({"proven", "derived", "consulted"})


def check_solvability(cells: Sequence[CellEvidence]) -> CheckResult:
    """Count the supported cells. Score = supported / all cells; 0 of 0 is 0.

    Supported: a passage holds the value (`proven`), a person linked what it follows from (`derived`), or pages about
    the row were visited and a blank or a no stands there (`consulted`). A near match is not support. `reached` counts
    the supported cells with a passage on a page that descends from a recorded query.
    """
    supported = [cell for cell in cells if cell.state in _SUPPORTED]
    reached = [cell for cell in supported if any(passage.query is not None for passage in cell.passages)]
    rows = {cell.row for cell in cells}
    broken = {cell.row for cell in cells if cell.state not in _SUPPORTED}
    figures = {
        "supported": float(len(supported)),
        "total": float(len(cells)),
        "score": len(supported) / len(cells) if cells else 0.0,
        "reached": float(len(reached)),
        "rows_supported": float(len(rows - broken)),
        "rows": float(len(rows)),
    }
    passed = f"all {len(cells)} cells have support in the recorded pages"
    return result(CHECK, VERSION, list(_findings(cells)), passed, figures)


def _findings(cells: Sequence[CellEvidence]) -> Iterator[Finding]:
    if not cells:
        yield Finding(code="no_cells", message="the answer has no cells to look for", severity="fail")
    for cell in cells:
        if cell.state in _SUPPORTED:
            yield from _reach(cell)
        elif cell.state == "near":
            yield _finding(cell, "near", "warn", cell.note or "only a similar text was found")
        elif cell.state == "conflict":
            yield _finding(cell, "conflict", "warn", cell.note or "recorded pages disagree")
        else:
            yield _finding(cell, "unsupported", "fail", cell.note or "no recorded page holds this value")


def _reach(cell: CellEvidence) -> Iterator[Finding]:
    if cell.note:
        yield _finding(cell, "weak", "info", cell.note)
    if all(passage.query is None for passage in cell.passages):
        yield _finding(cell, "unreached", "warn", "its page was not reached from a recorded query")


def _finding(cell: CellEvidence, code: str, severity: Literal["info", "warn", "fail"], reason: str) -> Finding:
    return Finding(
        code=code,
        message=f"row {cell.row + 1}, {cell.column} {cell.value!r}: {reason}",
        severity=severity,
        row=cell.row,
        column=cell.column,
        url=cell.passages[0].url if cell.passages else None,
    )
