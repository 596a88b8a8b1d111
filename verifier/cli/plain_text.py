"""Text of anybody's comes in, text that a terminal can show goes out."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str, most: int | None = None) -> str:
    """Write what has no look of its own as an escape, and cut what is longer than `most` signs.

    A cell may hold commands to the terminal, halves of signs that no encoding has, or spaces of no width.

    >>> visible("a\\x1b[31mb"), visible("one two", most=3)
    ('a\\\\x1b[31mb', 'one… (4 more signs)')
    """
    cut = text if most is None else text[:most]
    if not (cut.isascii() and cut.isprintable()):
        cut = "".join(_escaped(sign) if _is_hidden(sign) else sign for sign in cut)
    return cut if len(text) <= (most or len(text)) else f"{cut}… ({len(text) - len(text[:most]):,} more signs)"


def _is_hidden(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return kind in _HIDDEN or (kind == "Zs" and sign != " ")


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
