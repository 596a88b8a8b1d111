"""What a call used: a server's report comes in, disjoint buckets go out; sums keep the unknown apart from zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verifier.attempts.attempt import Usage

BUCKETS = ("input", "cached_input", "output", "reasoning")


def usage_from(report: Mapping[str, Any] | None) -> Usage:
    """Read a chat completion's `usage`. Cached input is taken out of the input, reasoning out of the output.

    >>> usage_from({"prompt_tokens": 10, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 3}})
    Usage(input=7, cached_input=3, output=4, reasoning=None)
    """
    if not report:
        return Usage()
    cached = _count(report, "prompt_tokens_details", "cached_tokens")
    reasoning = _count(report, "completion_tokens_details", "reasoning_tokens")
    return Usage(
        input=_less(_count(report, "prompt_tokens"), cached),
        cached_input=cached,
        output=_less(_count(report, "completion_tokens"), reasoning),
        reasoning=reasoning,
    )


def total_usage(usages: Iterable[Usage]) -> Usage:
    """Add up usages bucket by bucket. A bucket nobody reported stays unknown.

    >>> total_usage([Usage(input=1), Usage(input=2, output=3)])
    Usage(input=3, cached_input=None, output=3, reasoning=None)
    """
    given = list(usages)
    sums: dict[str, int | None] = {}
    for bucket in BUCKETS:
        known = [count for usage in given if (count := getattr(usage, bucket)) is not None]
        sums[bucket] = sum(known) if known else None
    return Usage(**sums)


def _count(report: Mapping[str, Any], *path: str) -> int | None:
    value: Any = report
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _less(whole: int | None, part: int | None) -> int | None:
    return None if whole is None else max(0, whole - (part or 0))
