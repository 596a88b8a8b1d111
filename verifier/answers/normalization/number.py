"""Numbers as people write them, read exactly: grouped digits, currency, percent, unit. Decimal, never float.

A cell is a number only when all of it fits the grammar: sign, currency, plain or grouped digits, decimals, percent.
Not numbers: exponents (`1E5`), `12_34`, `Infinity`. `1.234.567` is grouped, `1.234` is not, `3,14` is ambiguous and
read as a decimal comma only where the column is declared a number.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from verifier.answers.columns import Column

CURRENCY = r"(?:(?:US|AU|CA|NZ|HK|SG|A|C|R)?[$]|[€£¥₹₩₽₺₫₪฿₴₦]|(?:USD|EUR|GBP|JPY|CNY|INR|CHF|AUD|CAD|SEK|NOK|DKK)\b)"
GROUPED = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?"
    r"|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?"
)
_NUMBER = re.compile(
    rf"(?P<sign>[-+]?)\s?(?P<currency>{CURRENCY})?\s?(?P<sign2>[-+]?)"
    rf"(?P<digits>{GROUPED}|\d+(?:\.\d+)?|\.\d+|\d+,\d+)"
    rf"\s?(?:(?P<percent>%|percent\b|per cent\b)|(?P<after>{CURRENCY}))?",
    re.IGNORECASE | re.ASCII,
)
_DECIMAL_COMMA = re.compile(r"\d+,\d+", re.ASCII)
_LEADING_ZERO = re.compile(r"0\d", re.ASCII)
_GROUPED_INSIDE = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])", re.ASCII)


class Number(NamedTuple):
    """A number as read: its exact value before any percent, and how it was written."""

    value: Decimal
    percent: bool
    leading_zero: bool
    decimal_comma: bool


def read_number(folded: str, unit: str | None = None) -> Number | None:
    """Read a whole folded cell as a number, or return None. A declared unit after the number is dropped.

    >>> str(read_number("US$1,500").value), read_number("1E5"), str(read_number("12 km", "km").value)
    ('1500', None, '12')
    """
    text = folded.strip()
    if unit and text.casefold().endswith(unit.casefold()) and unit != "%":
        text = text[: -len(unit)].rstrip()
    found = _NUMBER.fullmatch(text)
    if found is None or (found["sign"] and found["sign2"]):
        return None
    digits = found["digits"]
    comma = _DECIMAL_COMMA.fullmatch(digits) is not None and not re.fullmatch(GROUPED, digits)
    value = Decimal(_plain_digits(digits, comma))
    if "-" in (found["sign"], found["sign2"]):
        value = value.copy_negate()
    return Number(value, found["percent"] is not None, _LEADING_ZERO.match(digits) is not None, comma)


def write_decimal(value: Decimal) -> str:
    """Write a decimal plainly: no exponent, no trailing zeros, no minus zero. Nothing is rounded.

    >>> write_decimal(Decimal("12.500")), write_decimal(Decimal("-0.0"))
    ('12.5', '0')
    """
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def canonical_number(folded: str, column: Column) -> str | None:
    """Return a number column's canonical text, or None when the cell is no number.

    A percent sign divides by 100, unless the header or the unit already says percent.

    >>> canonical_number("12%", Column(name="Share")), canonical_number("12.5%", Column(name="Share (%)"))
    ('0.12', '12.5')
    """
    number = read_number(folded, column.unit)
    if number is None:
        return None
    if number.percent and not says_percent(column):
        return write_decimal(_hundredth(number.value))
    return write_decimal(number.value)


def says_percent(column: Column) -> bool:
    """Tell whether the header or the unit already carries the percent sign."""
    return "%" in column.name or column.unit == "%"


def without_grouping(folded: str) -> str:
    """Remove the commas that group thousands inside a text.

    >>> without_grouping("1,234 km")
    '1234 km'
    """
    return _GROUPED_INSIDE.sub(lambda found: found[0].replace(",", ""), folded)


def _plain_digits(digits: str, decimal_comma: bool) -> str:
    if decimal_comma:
        return digits.replace(",", ".")
    for sign in " '’":
        if sign in digits:
            return digits.replace(sign, "").replace(",", ".")
    if digits.count(".") > 1 or (0 <= digits.find(".") < digits.find(",")):
        return digits.replace(".", "").replace(",", ".")
    return digits.replace(",", "")


def _hundredth(value: Decimal) -> Decimal:
    # Shifting the exponent is exact; a division would round to the context's precision.
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)  # noqa: S101 - the grammar knows no infinities
    return Decimal((sign, digits, exponent - 2))
