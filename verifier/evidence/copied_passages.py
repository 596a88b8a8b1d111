"""Where a copied or marked text stands in the page it was taken from.

A browser and the page's kept text write the same words with other white space, case and signs, so both are compared
without white space, folded. Of several places the one whose surroundings fit best is taken. What a browser leaves out
of a selection (what cannot be selected, what a style sheet hides) may stand in the page's text between the words.
"""

from __future__ import annotations

from itertools import takewhile

from verifier.evidence.folded_text import fold_text

ENDS = 40
"""Signs at each end of a long passage by which it is found where something stands in between."""

LONGEST_COPY = 1990
"""Signs of a copy from which on it may be cut off: the recorder keeps 2,000, some of which were white space."""

MOST = 1000
"""Places of one passage that are compared."""


class PageWords:
    """A page's text made ready for looking up passages in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded = fold_text(text)
        self._kept = [place for place, sign in enumerate(self._folded.text) if not sign.isspace()]
        self._squeezed = "".join(self._folded.text.split())

    def find(self, quote: str, prefix: str = "", suffix: str = "", line: str = "") -> tuple[int, int] | None:
        """Return the code points of a passage, half open, None where it does not stand.

        `prefix` and `suffix` are the text around it. With `line`, a part of the passage, its own place is returned.

        >>> PageWords("Since\\t3.11\\nRemoved\\t3.11").find("3.11", prefix="REMOVED ")
        (19, 23)
        """
        page = self._squeezed
        wanted = squeezed(quote)
        found = _best(page, wanted, squeezed(prefix), squeezed(suffix)) if wanted else None
        if found is None:
            return None
        start, end = found
        part = squeezed(line)
        # Of a long copy the recorder keeps the beginning; what was pasted of the rest stands further on.
        at = page.find(part, start, None if len(quote) >= LONGEST_COPY else end) if part else -1
        if at >= 0:
            start, end = at, at + len(part)
        return self._folded.span(self._kept[start], self._kept[end - 1] + 1)


def squeezed(text: str) -> str:
    """Return a text folded and without white space.

    >>> squeezed("Two\\u00a0 Words")
    'twowords'
    """
    return "".join(fold_text(text).text.split())


def _best(page: str, wanted: str, prefix: str, suffix: str) -> tuple[int, int] | None:
    places = _places(page, wanted) or _places_with_gaps(page, wanted)

    def fit(place: tuple[int, int]) -> int:
        start, end = place
        before = page[max(0, start - len(prefix)) : start]
        return _common(before[::-1], prefix[::-1]) + _common(page[end : end + len(suffix)], suffix)

    # Places whose surroundings fit alike say the same; max takes the first of them.
    return max(places, key=fit, default=None)


def _places(page: str, wanted: str) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    at = page.find(wanted)
    while at >= 0 and len(places) < MOST:
        places.append((at, at + len(wanted)))
        at = page.find(wanted, at + 1)
    return places


def _places_with_gaps(page: str, wanted: str) -> list[tuple[int, int]]:
    if len(wanted) < 2 * ENDS:
        return []
    places = []
    longest = len(wanted) * 3 // 2 + 200
    for start, _ in _places(page, wanted[:ENDS]):
        at = page.find(wanted[-ENDS:], start + ENDS, start + longest)
        if at >= 0:
            places.append((start, at + ENDS))
    return places


def _common(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
