"""Numbers as people write them, read exactly: grouped digits, currency, percent, unit. Decimal, never float.

A cell is a number only when all of it fits the grammar: sign, currency, plain or grouped digits, decimals, percent.
Not numbers: exponents (`1E5`), `12_34`, `Infinity`, ordinals, `(5)`. `1.234.567` is grouped, `1.234` is not; `3,14` is
read as a decimal comma where the column is declared a number, or where a currency or percent sign stands beside it.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from verifier.answers.columns import Column
from verifier.answers.normalization.rules import NOTHING, Skip, fold

CURRENCY = (
    r"(?:US [$]|(?:US|AU|CAN?|NZ|HK|SG|NT|MX|MEX|BR|AR|CL|CO|JM|TT|[ABCJNRS])?[$]"
    r"|[€£¥₹₩₽₺₫₪฿₴₦₱₡₲₵₸₾₼]|(?-i:Rs)(?:\.|(?=\s|$))"
    r"|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|SGD|HKD)\b)"
)
GROUPED = (
    r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?|[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d+)?"
    r"|[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:[ '’]\d{3})+(?:[.,]\d+)?"
)
_NUMBER = re.compile(
    rf"(?P<sign>[-+]?)\s?(?P<currency>{CURRENCY})?\s?(?P<sign2>[-+]?)"
    rf"(?P<digits>(?P<grouped>{GROUPED})|\d+(?:\.\d+)?|\.\d+|(?P<comma>\d+,\d+))"
    rf"\s?(?:(?P<percent>%|percent\b|per cent\b)|(?P<after>{CURRENCY}))?",
    re.IGNORECASE | re.ASCII,
)
_SIMPLE = re.compile(r"(-?(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*|0)(?:\.\d+)?)(%?)", re.ASCII)
_LEADING_ZERO = re.compile(r"0\d", re.ASCII)
_GROUPED_INSIDE = re.compile(r"(?<![\d.,])(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3})(?![\d,])", re.ASCII)
_AMOUNT = re.compile(rf"(?P<before>[-+]?)(?P<digits>{GROUPED})(?P<unit>\s?[^\W\d_][^\d]*[23]?)", re.ASCII)
_PERCENT_HEADER = re.compile(r"%|\((?:in )?(?:percent|per cent|pct)\.?\)|\bin per ?cent\b", re.IGNORECASE)

_PIECE = re.compile(r"\s+|[-+%]|percent|per cent|[^\s%+-]+", re.IGNORECASE)
_PIECE_RULES = {"-": "sign", "+": "sign", "%": "percent", "percent": "percent", "per cent": "percent"}
_PERCENT_UNITS = frozenset({"%", "percent", "per cent", "pct"})


class Number(NamedTuple):
    """A number as read: plain digits before any percent, and how it was written."""

    plain: str
    """Sign, digits, a decimal point: `-1234.50`."""
    percent: bool
    leading_zero: bool
    decimal_comma: bool
    marked: bool = False
    """Whether a currency or a percent sign stands beside the digits."""

    @property
    def value(self) -> Decimal:
        """The exact value before any percent."""
        return Decimal(self.plain)

    @property
    def is_doubtful(self) -> bool:
        """Whether it is a number only where the column says so: `007`, `3,14`."""
        return self.leading_zero or (self.decimal_comma and not self.marked)


def read_number(folded: str, unit: str | None = None) -> Number | None:
    """Read a whole folded cell as a number, or return None. A declared unit beside the number is dropped.

    >>> str(read_number("US$1,500").value), read_number("1E5"), str(read_number("12 km", "km").value)
    ('1500', None, '12')
    """
    if simple := _SIMPLE.fullmatch(folded):
        # Most numbers are plain or grouped by commas.
        percent = simple[2] == "%"
        return Number(simple[1].replace(",", ""), percent, False, False, percent)
    found = _NUMBER.fullmatch(_without_unit(folded, unit) if unit else folded)
    if found is None or (found["sign"] and found["sign2"]):
        return None
    digits = found["digits"]
    comma = found["comma"] is not None
    sign = "-" if "-" in (found["sign"], found["sign2"]) else ""
    percent = found["percent"] is not None
    marked = percent or found["currency"] is not None or found["after"] is not None
    return Number(sign + _plain_digits(digits, comma), percent, _LEADING_ZERO.match(digits) is not None, comma, marked)


def write_decimal(value: Decimal) -> str:
    """Write a decimal plainly: no exponent, no trailing zeros, no minus zero. Nothing is rounded.

    >>> write_decimal(Decimal("12.500")), write_decimal(Decimal("-0.0"))
    ('12.5', '0')
    """
    return write_plain(format(value, "f"))


def write_plain(digits: str, skip: Skip = NOTHING) -> str:
    """Write plain digits without the zeros that say nothing, and without a minus before zero.

    >>> write_plain("007.10"), write_plain("-.50"), write_plain("-0")
    ('7.1', '-0.5', '0')
    """
    if not skip and digits.isdigit() and digits[0] != "0":
        return digits
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    whole, _, decimals = digits.partition(".")
    if "trailing_zeros" not in skip:
        decimals = decimals.rstrip("0")
    if "leading_zeros" not in skip:
        whole = whole.lstrip("0") or "0"
    text = f"{whole}.{decimals}" if decimals else whole
    return text if text == "0" else sign + text


def canonical_number(folded: str, column: Column, skip: Skip = NOTHING) -> str | None:
    """Return a number column's canonical text, or None when the cell is no number.

    A percent sign divides by 100, unless the header or the unit already says percent.

    >>> canonical_number("12%", Column(name="Share")), canonical_number("12.5%", Column(name="Share (%)"))
    ('0.12', '12.5')
    """
    number = read_number(folded, column.unit)
    return None if number is None else write_number(number, folded, column, skip)


def write_number(number: Number, folded: str, column: Column, skip: Skip = NOTHING) -> str:
    """Write the canonical text of a number that was read from a folded cell of this column.

    >>> write_number(read_number("1,000.50"), "1,000.50", Column(name="Price"))
    '1000.5'
    """
    if skip:
        return _with_marks(number, folded, column, skip)
    if number.percent and not says_percent(column):
        return write_plain(_hundredth(number.plain))
    return write_plain(number.plain)


def says_percent(column: Column) -> bool:
    """Tell whether the header or the unit already carries the percent sign.

    >>> says_percent(Column(name="Share (%)")), says_percent(Column(name="Share"))
    (True, False)
    """
    return "%" in column.name or column.unit in _PERCENT_UNITS or _PERCENT_HEADER.search(column.name) is not None


def without_grouping(folded: str) -> str:
    """Remove what groups thousands: before a unit in every form of grouping, elsewhere in a text commas only.

    >>> without_grouping("1,234 km"), without_grouping("1.234.567 km"), without_grouping("Rs 12,34,567 in all")
    ('1234 km', '1234567 km', 'Rs 1234567 in all')
    """
    if "," in folded:
        folded = _GROUPED_INSIDE.sub(lambda found: found[0].replace(",", ""), folded)
    amount = _AMOUNT.fullmatch(folded)
    return amount["before"] + _plain_digits(amount["digits"], False) + amount["unit"] if amount else folded


def _without_unit(text: str, unit: str) -> str:
    text = text.casefold()
    for mark in _unit_marks(unit):
        if text.endswith(mark):
            number = text[: -len(mark)]
            # `1000 km` after digits may be a part of the number: there it must stand apart.
            return text if mark[0].isdigit() and not number.endswith(" ") else number.rstrip()
        if text.startswith(mark) and not mark[-1].isdigit():
            return text[len(mark) :].lstrip()
    return text


@lru_cache(maxsize=256)
def _unit_marks(unit: str) -> tuple[str, ...]:
    mark = fold(unit).casefold()
    return tuple(dict.fromkeys(spelling for spelling in (mark, mark.replace(" ", "")) if spelling not in ("", "%")))


def _plain_digits(digits: str, decimal_comma: bool) -> str:
    if decimal_comma:
        return digits.replace(",", ".")
    for sign in " '’":
        if sign in digits:
            return digits.replace(sign, "").replace(",", ".")
    if digits.count(".") > 1 or (0 <= digits.find(".") < digits.find(",")):
        return digits.replace(".", "").replace(",", ".")
    return digits.replace(",", "")


def _hundredth(plain: str) -> str:
    # Moving the point is exact; a division would round.
    sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    whole, _, decimals = digits.partition(".")
    whole = whole.rjust(3, "0")
    return f"{sign}{whole[:-2]}.{whole[-2:]}{decimals}"


def _with_marks(number: Number, folded: str, column: Column, skip: Skip) -> str:
    """Return the canonical text with the signs left in, at their place, that only a left-out rule would take away."""
    bare = _without_unit(folded, column.unit) if column.unit else folded
    found = _NUMBER.fullmatch(bare)
    assert found is not None  # noqa: S101 - it was read with the same pattern
    start = folded.casefold().find(bare)
    start, end = (0, len(folded)) if start < 0 else (start, start + len(bare))
    zero = not any(digit in "123456789" for digit in number.plain)
    first, last = start + found.start("digits"), start + found.end("digits")
    before = _kept(folded[:start], "unit", skip, zero) + _kept(folded[start:first], "currency", skip, zero)
    after = _kept(folded[last:end], "currency", skip, zero) + _kept(folded[end:], "unit", skip, zero)
    return before + _digits_with_marks(number, found, column, skip) + after


def _digits_with_marks(number: Number, found: re.Match[str], column: Column, skip: Skip) -> str:
    plain = number.plain.removeprefix("-")
    if number.percent and not says_percent(column) and "percent" not in skip:
        # Zeros that come from moving the point are not the writer's.
        return write_plain(_hundredth(plain), skip - {"trailing_zeros"} if "." not in plain else skip)
    if "decimal_comma" in skip and found["grouped"] and found["digits"].rfind(",") > found["digits"].rfind(".") > 0:
        return found["digits"] if "grouping" in skip else plain.replace(".", ",")
    if ("decimal_comma" in skip and found["comma"]) or ("grouping" in skip and found["grouped"]):
        return found["digits"]
    return write_plain(plain, skip)


def _kept(text: str, rule: str, skip: Skip, zero: bool) -> str:
    """Return what stays of the signs beside a number; `rule` takes those away that have no rule of their own."""
    pieces = [(piece, "spaces" if piece.isspace() else _PIECE_RULES.get(piece.lower(), rule))
              for piece in _PIECE.findall(text)]  # fmt: skip
    signs = [name for _, name in pieces if name != "spaces"]
    # Spaces go with the sign they part from the number.
    spaces_stay = not signs or not skip.isdisjoint(signs)
    kept = [
        piece
        for piece, name in pieces
        if (piece == "-" and not zero) or (name in skip and (name != "spaces" or spaces_stay))
    ]
    return "".join(kept) if "case" in skip else "".join(kept).casefold()
