"""Two unequal cells come in, why they are nearly the same goes out. Near misses are shown to people, never counted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Decimal

from verifier.answers.columns import Column
from verifier.answers.normalization.lenient import lenient_dates, lenient_number
from verifier.answers.normalization.number import says_percent

NULL_WORDS = frozenset({"na", "n.a.", "none", "null", "nan", "nil", "unknown", "notavailable", "notapplicable", "?"})

_TYPO_LENGTH, _TYPO_CUT = 6, 88.0
_DIGITS = re.compile(r"[0-9]+")
_PART_LENGTH = 3


def near_miss(one: str, other: str, column: Column) -> str | None:
    """Say why two unequal canonical texts of a column are near, or return None when they are not. See `NEAR_MISSES`.

    >>> near_miss("zürich", "zurich", Column(name="City")), near_miss("1996", "1997", Column(name="Year"))
    ('accents', None)
    """
    if one == other:
        return None
    return next((reason for reason, (_, is_it) in _REASONS.items() if is_it(one, other, column)), None)


def skeleton(text: str) -> str:
    """Return the letters and digits of a text without accents and case.

    >>> skeleton("Saint-Étienne (FR)")
    'saintetiennefr'
    """
    return "".join(sign for sign in without_accents(text.casefold()) if sign.isalnum())


def without_accents(text: str) -> str:
    """Return a text without the marks above and below its letters.

    >>> without_accents("Zürich")
    'Zurich'
    """
    if text.isascii():
        return text
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def _is_null_word(one: str, other: str, column: Column) -> bool:
    return (not one and other in NULL_WORDS) or (not other and one in NULL_WORDS)


def _is_date_form(one: str, other: str, column: Column) -> bool:
    form = column.date_format if column.type == "date" else None
    return not lenient_dates(one, form).isdisjoint(lenient_dates(other, form))


def _is_leading_zero(one: str, other: str, column: Column) -> bool:
    return one.isdigit() and other.isdigit() and one.lstrip("0") == other.lstrip("0")


def _is_decimal_comma(one: str, other: str, column: Column) -> bool:
    return _plain(one) and _plain(other) and one.count(",") + other.count(",") == 1 and (
        one.replace(",", ".") == other.replace(",", ".")
    )  # fmt: skip


def _is_number_form(one: str, other: str, column: Column) -> bool:
    first, second = lenient_number(one), lenient_number(other)
    return bool(first and second and first & second)


def _is_percent(one: str, other: str, column: Column) -> bool:
    first, second = lenient_number(one), lenient_number(other)
    if not first or not second or not (column.type == "percent" or says_percent(column)):
        return False
    hundredfold = {value * 100 for value in first}, {value * 100 for value in second}
    return bool(hundredfold[0] & second or hundredfold[1] & first) and any(first | second)


def _is_unit(one: str, other: str, column: Column) -> bool:
    short, long = sorted((one, other), key=len)
    rest = long.removeprefix(short)
    return _plain(short) and rest != long and not _DIGITS.match(rest) and rest.strip(" .,-°%'\"").isalpha()


def _is_rounding(one: str, other: str, column: Column) -> bool:
    if not (_plain(one) and _plain(other)) or "," in one + other:
        return False
    rough, fine = sorted((one, other), key=lambda text: len(text.partition(".")[2]))
    places = len(rough.partition(".")[2])
    if len(fine) > _LONGEST_NUMBER or places == len(fine.partition(".")[2]):
        return False
    return Decimal(rough) == round(Decimal(fine), places) and Decimal(rough) != 0


def _is_accents(one: str, other: str, column: Column) -> bool:
    return without_accents(one) == without_accents(other)


def _is_punctuation(one: str, other: str, column: Column) -> bool:
    bare = skeleton(one)
    return bool(bare) and bare == skeleton(other) and _same_numbers(one, other)


def _is_name_order(one: str, other: str, column: Column) -> bool:
    return any(
        text.count(",") == 1 and skeleton("".join(reversed(text.split(",")))) == skeleton(there) != ""
        for text, there in ((one, other), (other, one))
    )


def _is_part(one: str, other: str, column: Column) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) < _PART_LENGTH or short.isdigit():
        return False
    at = long.find(short)
    before, after = long[at - 1 : at] if at > 0 else "", long[at + len(short) : at + len(short) + 1]
    return at >= 0 and not before.isalnum() and not after.isalnum()


def _is_typo(one: str, other: str, column: Column) -> bool:
    if min(len(one), len(other)) < _TYPO_LENGTH or max(len(one), len(other)) > _LONGEST or _plain(one) or _plain(other):
        return False
    if _DIGITS.findall(one) != _DIGITS.findall(other):
        return False
    try:
        # Loaded late, and only where it is installed: scoring itself never needs it.
        from rapidfuzz import fuzz
    except ImportError:
        return False
    return fuzz.ratio(without_accents(one), without_accents(other), score_cutoff=_TYPO_CUT) > 0


_LONGEST, _LONGEST_NUMBER = 500, 25
_PLAIN = re.compile(r"-?[0-9]+(?:[.,][0-9]+)?")


def _plain(text: str) -> bool:
    return _PLAIN.fullmatch(text) is not None


def _same_numbers(one: str, other: str) -> bool:
    # Taking the signs between figures away must not make 3-2 of 32, or 1.5 of 15.
    return _DIGITS.findall(one) == _DIGITS.findall(other) or not (_plain(one) or _plain(other))


_REASONS: Mapping[str, tuple[str, Callable[[str, str, Column], bool]]] = {
    "null_word": ("one is blank, the other a word for no value", _is_null_word),
    "leading_zero": ("they differ by leading zeros only", _is_leading_zero),
    "decimal_comma": ("they differ by a comma for the decimal point", _is_decimal_comma),
    "date_form": ("they may be the same date in two forms", _is_date_form),
    "number_form": ("they are the same number in two forms", _is_number_form),
    "percent": ("they are the same share, with and without a percent sign", _is_percent),
    "unit": ("they are the same number, one with a unit or a word behind it", _is_unit),
    "rounding": ("one is the other, rounded", _is_rounding),
    "accents": ("they differ by accents only", _is_accents),
    "punctuation": ("they differ by punctuation or spaces only", _is_punctuation),
    "name_order": ("they are the same words in another order", _is_name_order),
    "part": ("one says what the other says, and more", _is_part),
    "typo": ("they differ by a letter or two", _is_typo),
}

NEAR_MISSES: Mapping[str, str] = {reason: says for reason, (says, _) in _REASONS.items()}
"""Every reason `near_miss` may give, with what it means; the first that fits is given."""
