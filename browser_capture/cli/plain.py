"""Text of pages, times and sizes go in; words that any terminal can show go out."""

from __future__ import annotations

import time

LONGEST = 300
_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB"))


def plain(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line, without commands to the terminal and marks that turn the line around.

    >>> plain("a\\x1b[31m\\n b", 6)
    'a [31…'
    """
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def size(count: int) -> str:
    """Write a number of bytes as people do.

    >>> size(999), size(1_234), size(2_500_000)
    ('999 bytes', '1.2 KB', '2.5 MB')
    """
    for unit, name in _UNITS:
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} byte{'' if count == 1 else 's'}"


def duration(milliseconds: int) -> str:
    """Write a span of time as people do.

    >>> duration(59_400), duration(750_000), duration(7_500_000)
    ('59 s', '12 min 30 s', '2 h 5 min')
    """
    seconds = max(0, milliseconds) // 1000
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def clock(milliseconds: int) -> str:
    """Return the hour of a moment (UTC, ms) on this machine's clock."""
    return time.strftime("%H:%M:%S", time.localtime(milliseconds / 1000))


def day(milliseconds: int) -> str:
    """Return the day of a moment (UTC, ms) on this machine's calendar."""
    return time.strftime("%d %b %Y", time.localtime(milliseconds / 1000))


def counted(count: int, thing: str, things: str = "") -> str:
    """Write a number and its thing.

    >>> counted(1, "page"), counted(2, "query", "queries")
    ('1 page', '2 queries')
    """
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"
