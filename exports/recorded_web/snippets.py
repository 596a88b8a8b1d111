"""A page's text and a query come in, the passage that speaks most of the query goes out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from exports.recorded_web.tokens import terms

LENGTH = 200
CANDIDATES = 200
"""Lines looked at closely; a term that stands in more of them tells little."""


def snippet(text: str, query: str, length: int = LENGTH) -> str:
    """Return the stretch of lines with the most terms of the query, cut to `length`; the first lines when none has one.

    >>> snippet("Contents\\nTides run high.\\nThe isle of Man has tides.", "man tides", 30)
    'The isle of Man has tides.'
    """
    wanted = set(terms(query))
    lines = text.splitlines()
    hits = {place: len(wanted.intersection(terms(lines[place]))) for place in _candidates(lines, wanted)}
    best = max(hits, key=lambda place: (hits[place], -place), default=0)
    passage = " ".join(" ".join(line.split()) for line in lines[best : best + 4] if line.strip())
    return passage if len(passage) <= length else _around(passage, wanted, length)


def _candidates(lines: Sequence[str], wanted: set[str]) -> Iterator[int]:
    # Cutting lines into terms is slow, looking for a piece of text is not: most lines hold none of the terms.
    if not wanted:
        return
    one_of_them = re.compile("|".join(map(re.escape, sorted(wanted))))
    found = (place for place, line in enumerate(lines) if one_of_them.search(line.casefold()))
    yield from islice(found, CANDIDATES)


def _around(passage: str, wanted: set[str], length: int) -> str:
    folded = passage.casefold()
    places = [place for term in wanted if (place := folded.find(term)) >= 0]
    start = max(0, min(min(places, default=0) - length // 4, len(passage) - length))
    cut = passage[start : start + length].strip()
    return f"{'… ' if start else ''}{cut}{' …' if start + length < len(passage) else ''}"
