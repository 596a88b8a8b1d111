"""Text cells: case and spaces do not count, everything else does."""

from __future__ import annotations

import re
import unicodedata

from verifier.answers.columns import Column
from verifier.answers.normalization.rules import MOST_ROUNDS, NOTHING, Skip

_SPACE = re.compile(r"(?<![0-9]) +| +(?![0-9])")
_BETWEEN_NUMBERS = re.compile(r"[0-9] +[0-9]")
_SPACE_BESIDE_SIGNS = re.compile(r"(?<![0-9])(?<![0-9][.,]) +| +(?![0-9])")


def canonical_text(folded: str, column: Column | None = None, skip: Skip = NOTHING) -> str:
    """Return folded text without case and without spaces; a space between two numbers stays, `1 2` is not `12`.

    >>> canonical_text("New York"), canonical_text("Straße"), canonical_text("2 1"), canonical_text("May 5, 2024")
    ('newyork', 'strasse', '2 1', 'may5,2024')
    """
    text = folded if "case" in skip else _without_case(folded, skip)
    if " " not in text or "spaces" in skip:
        return text
    return _SPACE.sub("", text) if _BETWEEN_NUMBERS.search(text) else text.replace(" ", "")


def careful_text(folded: str, skip: Skip = NOTHING) -> str:
    """Return canonical text that keeps the space of `1, 234` too: without it, that would read as a number."""
    text = folded if "case" in skip else _without_case(folded, skip)
    return text if "spaces" in skip else _SPACE_BESIDE_SIGNS.sub("", text)


def _without_case(folded: str, skip: Skip) -> str:
    if folded.isascii():
        return folded.lower()
    text = folded.casefold()
    if "compatibility" in skip or unicodedata.is_normalized("NFKC", text):
        return text
    # Case folding can undo NFKC (it takes ǰ apart) and the reverse: the pair is repeated until it changes nothing.
    again = unicodedata.normalize("NFKC", text)
    for _ in range(MOST_ROUNDS):
        if again == text:
            break
        text, again = again, unicodedata.normalize("NFKC", again.casefold())
    return text
