"""Two unequal cells come in, why they are nearly the same goes out. Near misses are shown to people, never counted."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from verifier.answers.columns import Column

NEAR_MISSES: Mapping[str, str] = {
    "accents": "they differ by accents only",
    "punctuation": "they differ by punctuation or spaces only",
    "typo": "they differ by a letter or two",
}
"""Every reason `near_miss` may give, with what it means."""

_TYPO_LENGTH, _TYPO_CUT = 6, 88.0


def near_miss(one: str, other: str, column: Column) -> str | None:
    """Say why two unequal canonical texts of a column are near, or return None when they are not.

    >>> near_miss("zürich", "zurich", Column(name="City")), near_miss("1996", "1997", Column(name="Year"))
    ('accents', None)
    """
    if one == other or not one or not other:
        return None
    if _without_accents(one) == _without_accents(other):
        return "accents"
    if (bare := skeleton(one)) and bare == skeleton(other):
        return "punctuation"
    return "typo" if _is_typo(one, other) else None


def skeleton(text: str) -> str:
    """Return the letters and digits of a text without accents and case.

    >>> skeleton("Saint-Étienne (FR)")
    'saintetiennefr'
    """
    return "".join(sign for sign in _without_accents(text.casefold()) if sign.isalnum())


def _without_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def _is_typo(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _TYPO_LENGTH or any(sign.isdigit() for sign in one + other):
        return False
    # Loaded late: scoring without a diff never needs it.
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other, score_cutoff=_TYPO_CUT) > 0
