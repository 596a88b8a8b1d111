"""The panel's commands come in, the recorder's state goes out, as the panel page and the recorder have agreed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from browser_capture.event_log import EventLog, Forgotten

COMMANDS = frozenset({"hello", "start", "pause", "resume", "stop", "mark", "forget", "draft", "widen", "closed"})

LONGEST = 6_000_000
LONGEST_DRAFT = 1_000_000

FORGOTTEN = "Forgotten: "
"""How the sentence about a Forget begins; the panel shows it as done, not as a warning."""
_AWAY = " is away; everything is kept"
"""By this the upload's own sentence about an absent server is known."""
_OPEN_STILL = "What was open then is recorded again only once you reload it or go to another page."
_OPEN_AT_RESUME = "Resume records what is open then: close what is to stay out."


class Command(NamedTuple):
    """What the panel asks for. `minutes` belongs to forget, `width` to widen, the rest to a draft.

    `ref` is the panel's own name for a mark or a draft, by which it knows the answer. A draft is upon the version
    `base` of the server's, None when the panel does not know it; `saved` says that the server has it now.
    """

    do: str
    minutes: float = 0
    text: str = ""
    ref: str = ""
    width: int = 0
    base: int | None = None
    origins: Sequence[Any] = ()
    saved: bool = False


class Upload(NamedTuple):
    """How far the upload is."""

    uploaded_seq: int = 0
    is_running: bool = False
    problem: str | None = None


def read_command(text: str) -> Command | None:
    """Read a command of the panel; None for what is none."""
    try:
        found = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("do") not in COMMANDS:
        return None
    minutes = found.get("minutes")
    if not isinstance(minutes, (int, float)) or isinstance(minutes, bool) or not 0 < minutes < 10_000:
        minutes = 0
    base, origins = _whole(found.get("base")), found.get("origins")
    return Command(
        found["do"],
        float(minutes),
        str(found.get("text") or "")[:LONGEST_DRAFT],
        ref=str(found.get("ref") or "")[:80],
        width=min(_whole(found.get("width")) or 0, 4000),
        base=base,
        origins=origins if isinstance(origins, list) else (),
        saved=found.get("saved") is True,
    )


def _whole(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 2**31 else None


def state_detail(log: EventLog, upload: Upload, warnings: Sequence[str], *, whole: bool = False) -> dict[str, Any]:
    """Return what the panel shows: the recorder's state as plain data. `whole` is for a panel that is new to it."""
    return {
        "state": log.state,
        "session": log.session,
        "task": log.task,
        "started_at": log.started_at,
        "recorded_ms": log.recorded_ms,
        "events": log.last_seq,
        "uploaded_seq": upload.uploaded_seq,
        "queue": max(0, log.last_seq - upload.uploaded_seq),
        "last": list(log.last),
        "passages": log.copied.told(whole=whole),
        "counts": log.copied.counts(),
        "warnings": list(warnings),
        "uploading": upload.is_running,
        "problem": log.problem or upload.problem,
        "away": _AWAY in (upload.problem or ""),
    }


def forgotten_words(forgotten: Forgotten, minutes: float, *, is_paused: bool) -> str:
    """Say what was forgotten, what was not, and when the pages that stand open are recorded again.

    >>> forgotten_words(Forgotten(1, 0), 10, is_paused=True)
    'Forgotten: 1 event of the last 10 minutes. Resume records what is open then: close what is to stay out.'
    """
    events = "1 event" if forgotten.events == 1 else f"{forgotten.events} events"
    words = [f"{FORGOTTEN}{events} of the last {minutes:g} minutes."]
    if forgotten.sent_before:
        words.append(f"{forgotten.sent_before} more were sent before; ask the maintainer of the server about them.")
    return " ".join([*words, _OPEN_AT_RESUME if is_paused else _OPEN_STILL])
