"""The panel's commands come in, the recorder's state goes out, as the panel page and the recorder have agreed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from browser_capture.event_log import EventLog

COMMANDS = frozenset({"hello", "start", "pause", "resume", "stop", "mark", "forget", "draft", "closed"})


class Command(NamedTuple):
    """What the panel asks for. `minutes` belongs to forget, `text` to a draft."""

    do: str
    minutes: float = 0
    text: str = ""


class Upload(NamedTuple):
    """How far the upload is."""

    uploaded_seq: int = 0
    is_running: bool = False
    problem: str | None = None


def read_command(text: str) -> Command | None:
    """Read a command of the panel; None for what is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    if not isinstance(found, dict) or found.get("do") not in COMMANDS:
        return None
    minutes = found.get("minutes")
    if not isinstance(minutes, (int, float)) or isinstance(minutes, bool) or not 0 < minutes < 10_000:
        minutes = 0
    return Command(found["do"], float(minutes), str(found.get("text") or "")[:200_000])


def state_detail(log: EventLog, upload: Upload, warnings: Sequence[str]) -> dict[str, Any]:
    """Return what the panel shows: the recorder's state as plain data."""
    return {
        "state": log.state,
        "session": log.session,
        "task": log.task,
        "started_at": log.started_at,
        "events": log.last_seq,
        "uploaded_seq": upload.uploaded_seq,
        "queue": max(0, log.last_seq - upload.uploaded_seq),
        "last": list(log.last),
        "warnings": list(warnings),
        "uploading": upload.is_running,
        "problem": log.problem or upload.problem,
    }
