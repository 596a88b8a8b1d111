"""Canaries: strings that stand in every file of a release, so that benchmark data found in a training set is known.

They are made from the contents, not drawn: exporting the same tasks twice gives the same bytes.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from browser_capture.json_records import dumps, sha256

WARNING = "Benchmark data. It must never appear in training corpora."


def release_canary(project: str, lines: Iterable[str]) -> str:
    """Return the canary of a release from its project and the text of its records."""
    digest = sha256("\n".join([project, *(sha256(line) for line in lines)]))
    return f"trailbench:{_uuid(digest)}"


def task_canary(release: str, task_id: str) -> str:
    """Return the canary of one task of a release.

    >>> task_canary("trailbench:x", "1") == task_canary("trailbench:x", "2")
    False
    """
    return f"trailbench:{_uuid(sha256(f'{release} {task_id}'))}"


def canary_line(canary: str) -> str:
    """Return the first line of every JSONL file of a release."""
    return dumps({"canary": canary, "warning": WARNING})


def _uuid(digest: str) -> uuid.UUID:
    return uuid.UUID(bytes=bytes.fromhex(digest)[:16], version=5)
