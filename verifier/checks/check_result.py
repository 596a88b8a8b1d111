"""What a check says: a verdict, a sentence, and findings that point at an event, a page or a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["pass", "warn", "fail", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a check found. `event` is a seq of the log, `row`/`column` a cell of the answer (rows from 0)."""

    code: str
    message: str
    severity: Literal["info", "warn", "fail"] = "warn"
    event: int | None = None
    url: str | None = None
    row: int | None = None
    column: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The outcome of one check. `figures` holds its numbers, such as a solvability of 0.96."""

    check: str
    version: str
    verdict: Verdict
    summary: str
    findings: tuple[Finding, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
