"""Yes-or-no cells."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    **dict.fromkeys(("yes", "y", "true", "✓", "✔", "☑"), "yes"),
    **dict.fromkeys(("no", "n", "false", "✗", "✘", "☒"), "no"),
}


def canonical_boolean(folded: str) -> str | None:
    """Return `yes` or `no`, or None when the cell is neither.

    >>> canonical_boolean("TRUE"), canonical_boolean("perhaps")
    ('yes', None)
    """
    return WORDS.get(folded.casefold().rstrip("."))
