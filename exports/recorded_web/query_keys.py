"""Two keys of a query: one that evens its spelling, one that also forgets its punctuation."""

from __future__ import annotations

import unicodedata

from exports.recorded_web.tokens import terms

LONGEST = 2_000
"""A longer query is cut before it is ranked: no search engine reads more."""


def exact_key(query: str) -> str:
    """Return the query with its spelling evened: NFKC, case, spaces.

    >>> exact_key("  Isle  Of MAN ")
    'isle of man'
    """
    return " ".join(unicodedata.normalize("NFKC", query).casefold().split())


def normalised_key(query: str) -> str:
    """Return the query's terms alone: quotes, operators and punctuation are gone, the order stays.

    >>> normalised_key('"isle of man" - tides?')
    'isle of man tides'
    """
    return " ".join(terms(query[:LONGEST]))
