"""What a check of this machine found: a verdict, the facts, what was expected, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Verdict = Literal["ok", "warn", "fail"]
_WORST: tuple[Verdict, ...] = ("fail", "warn", "ok")


class Finding(NamedTuple):
    """One finding. `expected` and `mend` are empty where all is well; `mend` is a command to type, or what to do."""

    name: str
    verdict: Verdict
    found: str
    expected: str = ""
    mend: str = ""


def worst(findings: Iterable[Finding]) -> Verdict:
    """Return the worst verdict, ok without any finding.

    >>> worst([Finding("disk", "ok", "30 GB free"), Finding("clock", "warn", "3 s late")])
    'warn'
    """
    verdicts = {finding.verdict for finding in findings}
    return next((verdict for verdict in _WORST if verdict in verdicts), "ok")
