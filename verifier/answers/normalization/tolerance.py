"""How far a number may be off, where the question states it. Exact decimals, whatever their length."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, InvalidOperation

from verifier.answers.columns import Column
from verifier.answers.normalization.number import read_number

_EXACT = Context(prec=min(MAX_PREC, 1_000_000), Emax=MAX_EMAX, Emin=MIN_EMIN)


def within_tolerance(canonical: str, gold: str, column: Column) -> bool:
    """Tell whether two canonical numbers differ by no more than the column's tolerance. A text is never near enough.

    >>> within_tolerance("10.2", "10", Column(name="Mass", type="number", tolerance="0.25"))
    True
    """
    if column.tolerance is None:
        return False
    allowed, one, other = tolerance_of(column), read_number(canonical), read_number(gold)
    if allowed is None or one is None or other is None:
        return False
    # `abs` would round to 28 digits.
    return _EXACT.subtract(one.value, other.value).copy_abs() <= allowed


def tolerance_of(column: Column) -> Decimal | None:
    """Return a column's tolerance, or None when it has none or it is no amount: not a decimal, or below zero.

    >>> tolerance_of(Column(name="Mass", tolerance="0.5")), tolerance_of(Column(name="Mass", tolerance="5 %"))
    (Decimal('0.5'), None)
    """
    try:
        allowed = Decimal(column.tolerance or "")
    except InvalidOperation:
        return None
    return allowed if allowed.is_finite() and allowed >= 0 else None
