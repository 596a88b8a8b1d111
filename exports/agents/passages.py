"""A page's text and a quote with its surroundings come in; the quote as the page holds it goes out, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile


def find_passage(text: str, quote: str, prefix: str = "", suffix: str = "") -> str | None:
    """Return the quote as found in the text, None when it is not there or its place cannot be told.

    The place whose surroundings agree most decides. Where the quote stands several times and no surroundings agree,
    nothing is returned: a guess would make the reader look better than the page allows.

    >>> find_passage("born 1847, built 1847", "1847", prefix="built ")
    '1847'
    >>> find_passage("built 1847", "1850") is None
    True
    """
    if not quote:
        return None
    places = list(_places(text, quote))
    if not places:
        return None
    agreement = [_agreement(text, place, len(quote), prefix, suffix) for place in places]
    best = max(agreement)
    if best == 0 and len(places) > 1 and (prefix or suffix):
        return None
    start = places[agreement.index(best)]
    return text[start : start + len(quote)]


def _places(text: str, quote: str) -> Iterator[int]:
    place = text.find(quote)
    while place >= 0:
        yield place
        place = text.find(quote, place + 1)


def _agreement(text: str, start: int, length: int, prefix: str, suffix: str) -> int:
    before = text[max(0, start - len(prefix)) : start]
    after = text[start + length : start + length + len(suffix)]
    return _shared(reversed(before), reversed(prefix)) + _shared(after, suffix)


def _shared(one: Iterable[str], other: Iterable[str]) -> int:
    pairs = zip(one, other, strict=False)  # the shorter one is where the page begins or ends
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
