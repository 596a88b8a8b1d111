"""The one place that asks for the time: always aware, always UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(tz=UTC)


def iso(moment: datetime) -> str:
    """Write a moment as ISO 8601 with milliseconds and `Z`.

    >>> iso(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def from_iso(text: str) -> datetime:
    """Read an ISO 8601 moment; one without an offset is taken as UTC.

    >>> from_iso("2026-01-02T03:04:05Z").hour
    3
    """
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
