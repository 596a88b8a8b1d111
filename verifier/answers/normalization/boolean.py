"""Yes-or-no cells."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.answers.normalization.rules import NOTHING, Skip

WORDS: Mapping[str, str] = {
    **dict.fromkeys(("yes", "y", "true", "✓", "✔", "☑", "✅"), "yes"),
    **dict.fromkeys(("no", "n", "false", "✗", "✘", "☒", "❌", "✕", "✖"), "no"),
}


def canonical_boolean(folded: str, skip: Skip = NOTHING) -> str | None:
    """Return `yes` or `no`, or None when the cell is neither. Figures (1, 0) and a lone x are neither.

    >>> canonical_boolean("TRUE"), canonical_boolean("perhaps")
    ('yes', None)
    """
    if "boolean_word" in skip:
        return None
    return WORDS.get(folded.casefold().rstrip("."))
