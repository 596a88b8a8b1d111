"""The verification report of one answer version: every check's result and the evidence of every cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from verifier.answers.answer_version import EvidenceState
from verifier.checks.check_result import CheckResult, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A place in a recorded page that speaks for a cell. `start`/`end`: code points in the snapshot's visible text."""

    snapshot: str
    text_sha: str
    url: str
    title: str
    at: str
    start: int
    end: int
    quote: str
    prefix: str
    suffix: str
    how: str
    """Which rule matched: exact, folded, number, date, near."""
    score: float
    query: int | None = None
    """Seq of the recorded query from which the page was reached."""
    source: Literal["page", "pdf", "snippet"] = "page"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellEvidence:
    """What the recorded pages say about one cell; the best passage first."""

    row: int
    column: str
    value: str
    state: EvidenceState
    passages: tuple[Passage, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationReport:
    """All that verification found about one answer version."""

    SCHEMA: ClassVar[str] = "report/1"
    task_id: str
    task_version: int
    answer_version: int
    trajectory: str | None
    created_at: str
    verifier_version: str
    verdict: Verdict
    checks: tuple[CheckResult, ...] = ()
    cells: tuple[CellEvidence, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["report/1"] = "report/1"
