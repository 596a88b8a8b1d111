"""Cells of a column without a declared type: numbers where the whole cell is one without doubt, else text.

Kept apart: `007` and `7`, `1E5` and `100000`, `3,14` and `314`, `NA` and `N/A`, `None` and a blank. The same: `3.10`
and `3.1` (declare the column text where it is a version), `-` and `N/A` and a blank, `12%` and `0.12`.
"""

from __future__ import annotations

from verifier.answers.columns import Column
from verifier.answers.normalization.number import canonical_number, read_number, without_grouping
from verifier.answers.normalization.text import canonical_text


def canonical_untyped(folded: str, column: Column) -> str:
    """Return the canonical text of an untyped cell.

    >>> canonical_untyped("1,000", Column(name="Value")), canonical_untyped("007", Column(name="Value"))
    ('1000', '007')
    """
    number = read_number(folded, column.unit)
    if number is None or number.leading_zero or number.decimal_comma:
        return canonical_text(without_grouping(folded))
    return canonical_number(folded, column) or ""
