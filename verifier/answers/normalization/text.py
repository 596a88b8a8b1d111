"""Text cells: case and spaces do not count, everything else does."""

from __future__ import annotations

import re
import unicodedata

from verifier.answers.columns import Column

_SPACE = re.compile(r"(?<!\d)(?<!\d[.,])\s+|\s+(?!\d)", re.ASCII)


def canonical_text(folded: str, column: Column | None = None) -> str:
    """Return folded text without case and without spaces; a space between two numbers stays, `1 2` is not `12`.

    >>> canonical_text("New York"), canonical_text("Straße"), canonical_text("2 1")
    ('newyork', 'strasse', '2 1')
    """
    if folded.isascii():
        return _SPACE.sub("", folded.lower())
    # Case folding can undo NFKC and the reverse, so both are repeated until they agree.
    text = folded
    while True:
        again = unicodedata.normalize("NFKC", text.casefold())
        if again == text:
            return _SPACE.sub("", text)
        text = again
