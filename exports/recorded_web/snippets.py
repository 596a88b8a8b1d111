"""A page's text and a query come in, the passage that speaks most of the query goes out."""

from __future__ import annotations

from exports.recorded_web.tokens import terms

LENGTH = 200


def snippet(text: str, query: str, length: int = LENGTH) -> str:
    """Return the stretch of lines with the most terms of the query, cut to `length`; the first lines when none has one.

    >>> snippet("Contents\\nTides run high.\\nThe isle of Man has tides.", "man tides", 30)
    'The isle of Man has tides.'
    """
    wanted = set(terms(query))
    lines = [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]
    if not lines:
        return ""
    hits = [len(wanted.intersection(terms(line))) for line in lines]
    best = max(range(len(lines)), key=lambda place: (hits[place], -place))
    passage = " ".join(lines[best : best + 4])
    return passage if len(passage) <= length else _around(passage, wanted, length)


def _around(passage: str, wanted: set[str], length: int) -> str:
    folded = passage.casefold()
    places = [place for term in wanted if (place := folded.find(term)) >= 0]
    start = max(0, min(min(places, default=0) - length // 4, len(passage) - length))
    cut = passage[start : start + length].strip()
    return f"{'… ' if start else ''}{cut}{' …' if start + length < len(passage) else ''}"
