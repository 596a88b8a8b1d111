"""Cells of a column without a declared type: numbers where the whole cell is one without doubt, else text.

Kept apart: `007` and `7`, `1E5` and `100000`, `3,14` and `314`, `NA` and `N/A`, `None` and a blank. The same: `3.10`
and `3.1` (declare the column text where it is a version), `-` and `N/A` and a blank, `12%` and `0.12`.
"""

from __future__ import annotations

import re

from verifier.answers.columns import Column
from verifier.answers.normalization.number import read_number, without_grouping, write_number
from verifier.answers.normalization.rules import NOTHING, Skip
from verifier.answers.normalization.text import canonical_text, careful_text

_DIGIT = re.compile("[0-9]")


def undoubted_number(folded: str, column: Column, skip: Skip = NOTHING) -> str | None:
    """Return the canonical text of an untyped cell that is a number without doubt, else None.

    >>> undoubted_number("1,000", Column(name="Value")), undoubted_number("007", Column(name="Value"))
    ('1000', None)
    """
    number = read_number(folded, column.unit)
    return None if number is None or number.is_doubtful else write_number(number, folded, column, skip)


def words_with_numbers(folded: str, column: Column, skip: Skip = NOTHING) -> str:
    """Return the canonical text of a cell that is no number: thousands inside it lose their grouping.

    >>> words_with_numbers("about 1,234 km", Column(name="Value")), words_with_numbers("1, 234", Column(name="Value"))
    ('about1234km', '1, 234')
    """
    if not has_digit(folded):
        return canonical_text(folded, column, skip)
    plain = folded if "grouping" in skip else without_grouping(folded)
    text = canonical_text(plain, column, skip)
    if " " in plain and (read_number(text, column.unit) is not None or without_grouping(text) != text):
        return careful_text(plain, skip)
    return text


def has_digit(text: str) -> bool:
    """Tell whether an ASCII digit stands in a text."""
    return _DIGIT.search(text) is not None
