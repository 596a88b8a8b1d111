"""One thing that happened while a person searched, as one line of the log.

The envelope is the same for all; `data` holds what the type adds, checked against `$defs/<type>` of the event schema.
Order is `seq`, never the clock. Times: `t_wall` is UTC in milliseconds, `t_mono` milliseconds of the recorder's
monotonic clock, `t_page` the page's own clock in milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

EventSource = Literal["dom", "nav", "net", "target", "panel", "rec"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An entry of the append-only log of a capture session."""

    SCHEMA: ClassVar[str] = "event/1"
    session: str
    seq: int
    """Counts from 1 without a hole inside a session."""
    type: str
    src: EventSource
    t_wall: int
    t_mono: int
    task: str | None = None
    t_page: float | None = None
    n: int | None = None
    """Counter of the page's own messages, to see a lost one."""
    tab: str | None = None
    visit: str | None = None
    frame: Literal["main", "sub"] | None = None
    url: str | None = None
    prev: str | None = None
    """SHA-256 of the log line before this one; None in the first."""
    data: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["event/1"] = "event/1"


def iso_utc(milliseconds: int) -> str:
    """Write UTC milliseconds as ISO 8601 with milliseconds and `Z`.

    >>> iso_utc(0)
    '1970-01-01T00:00:00.000Z'
    """
    moment = datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
