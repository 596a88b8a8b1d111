"""A page's text folded once for many searches, with the way back to the page's own code points.

Most signs fold one to one (case, quotes, dashes, spaces); only where a fold changes the length is the place noted.
Tabs and line ends stay: they tell cells and rows apart.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from verifier.answers.normalization.rules import INVISIBLE, SIGNS

_RUN = re.compile(r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]{2,}")
_COMBINED = re.compile(r"[^\W\d_][\u0300-\u036f\u3099\u309a]+")


class FoldedText:
    """Folded text; `span` leads from its places back to the page's text."""

    __slots__ = ("_folded_at", "_line_starts", "_origin_at", "text")

    def __init__(self, text: str, folded_at: list[int], origin_at: list[int]) -> None:
        self.text = text
        self._folded_at = folded_at
        self._origin_at = origin_at
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the page's text of a span in the folded text. A sign folded to several counts whole."""
        return self._origin(start)[0], self._origin(max(start, end - 1))[1]

    def line(self, place: int) -> int:
        """Return the number of the line a place stands in, from 0."""
        return bisect_right(self._line_starts, place) - 1

    def line_span(self, line: int) -> tuple[int, int]:
        """Return the span of a line in the folded text, without its end."""
        last = line + 1 == len(self._line_starts)
        return self._line_starts[line], len(self.text) if last else self._line_starts[line + 1] - 1

    def _origin(self, place: int) -> tuple[int, int]:
        # Odd entries begin a piece whose length changed, even ones begin text folded sign by sign.
        at = bisect_right(self._folded_at, place) - 1
        if at % 2:
            return self._origin_at[at], self._origin_at[at + 1]
        start = self._origin_at[at] + place - self._folded_at[at]
        return start, start + 1


class _Piece(NamedTuple):
    start: int
    end: int
    folded: str


def fold_text(text: str) -> FoldedText:
    """Fold a page's text: case, quotes, dashes, wide forms and runs of spaces, word for word as cells are folded.

    >>> folded = fold_text("ＡＢ… “Tokyo”")
    >>> folded.text, folded.span(6, 13)
    ('ab... "tokyo"', (4, 11))
    """
    signs = {sign: fold_sign(sign) for sign in set(text)}
    table = str.maketrans({sign: folded for sign, folded in signs.items() if folded != sign})
    odd = [sign for sign, folded in signs.items() if len(folded) != 1]
    pieces = _odd_pieces(text, odd)
    out: list[str] = []
    folded_at, origin_at = [0], [0]
    done = length = 0
    for piece in pieces:
        plain = text[done : piece.start].translate(table)
        out += [plain, piece.folded]
        length += len(plain)
        folded_at += [length, length + len(piece.folded)]
        origin_at += [piece.start, piece.end]
        length += len(piece.folded)
        done = piece.end
    out.append(text[done:].translate(table))
    return FoldedText("".join(out), folded_at, origin_at)


def fold_needle(text: str) -> str:
    """Fold what is looked for as pages are folded; outer spaces go.

    >>> fold_needle(" Café ")
    'café'
    """
    return " ".join(fold_text(text).text.split())


@lru_cache(maxsize=8192)
def fold_sign(sign: str) -> str:
    """Fold one sign: quotes and dashes to one form, compatibility forms, case; invisible ones vanish."""
    if sign in INVISIBLE:
        return ""
    if sign in "\t\n":
        return sign
    if sign.isspace():
        return " "
    if ord(sign) in SIGNS:
        return SIGNS[ord(sign)]
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", sign).casefold())
    return folded.replace("\u2044", "/").translate(SIGNS)


def _odd_pieces(text: str, odd: list[str]) -> list[_Piece]:
    patterns = [_RUN.pattern]
    if any(unicodedata.combining(sign) for sign in set(text)):
        patterns.append(_COMBINED.pattern)
    if odd:
        patterns.append("[" + re.escape("".join(odd)) + "]")
    found = re.finditer("|".join(f"(?:{pattern})" for pattern in patterns), text)
    return [_Piece(piece.start(), piece.end(), _fold_piece(piece[0])) for piece in found]


def _fold_piece(piece: str) -> str:
    if piece.isspace():
        return " "
    return "".join(fold_sign(sign) for sign in unicodedata.normalize("NFC", piece))
