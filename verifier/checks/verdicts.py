"""Findings become a verdict: the worst severity decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from verifier.checks.check_result import CheckResult, Finding, Verdict

_ORDER: tuple[Verdict, ...] = ("fail", "warn", "pass")


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Return `fail` or `warn` when any finding is as grave, else `pass`; an `info` changes nothing."""
    severities = {finding.severity for finding in findings}
    return "fail" if "fail" in severities else "warn" if "warn" in severities else "pass"


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the gravest verdict. Skipped checks count only when nothing else ran.

    >>> worst(["pass", "skipped", "warn"])
    'warn'
    """
    given = set(verdicts)
    return next((verdict for verdict in _ORDER if verdict in given), "skipped")


def result(
    check: str, version: str, findings: Sequence[Finding], passed: str, figures: Mapping[str, float] | None = None
) -> CheckResult:
    """Build a check's result. `passed` is its sentence when nothing was found; else the gravest findings are named."""
    grave = [finding for finding in findings if finding.severity != "info"]
    return CheckResult(
        check=check,
        version=version,
        verdict=verdict_of(findings),
        summary=_summary(grave) if grave else passed,
        findings=tuple(findings),
        figures=figures or {},
    )


def skipped(check: str, version: str, reason: str) -> CheckResult:
    """Build the result of a check that could not run. It never counts as passed."""
    return CheckResult(check=check, version=version, verdict="skipped", summary=reason)


def _summary(grave: Sequence[Finding]) -> str:
    first = sorted(grave, key=lambda finding: finding.severity != "fail")[0]
    more = f" (and {len(grave) - 1} more)" if len(grave) > 1 else ""
    return first.message + more


def count(number: int, one: str, many: str) -> str:
    """Say how many there are.

    >>> count(1, "query", "queries"), count(0, "page", "pages")
    ('1 query', '0 pages')
    """
    return f"{number} {one if number == 1 else many}"
