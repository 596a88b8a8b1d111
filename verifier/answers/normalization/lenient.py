"""Dates and numbers in forms that are not accepted: read only to say that a wrong cell is nearly right."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from verifier.answers.normalization.date import MONTHS, DateFields, is_real, read_date

_NAME = "|".join(name[:3] for name in MONTHS) + "|sept"
_MONTH_NAME = rf"(?P<name>{_NAME})[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_GAP = r"[-/., ]{0,2}"
_DATE_FORMS = tuple(
    re.compile(pattern, re.ASCII | re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})[-/. ](?P<a>\d{1,2})[-/. ](?P<b>\d{1,2})(?:t[\d:.]+z?)?",
        r"(?P<a>\d{1,2})[-/. ](?P<b>\d{1,2})[-/. ](?P<year>\d{4}|\d{2})",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
        rf"{_DAY}{_GAP}(?:of)?{_GAP}{_MONTH_NAME}(?:{_GAP}(?P<year>\d{{4}}|\d{{2}}))?",
        rf"{_MONTH_NAME}{_GAP}{_DAY}(?:{_GAP}(?P<year>\d{{4}}))?",
        rf"{_MONTH_NAME}{_GAP}(?P<year>\d{{4}})",
        rf"(?P<year>\d{{4}}){_GAP}{_MONTH_NAME}(?:{_GAP}{_DAY})?",
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})",
    )
)
_NUMBER_FORMS = (
    (re.compile(r"([-+]?[0-9]+(?:[.,][0-9]+)?e[-+]?[0-9]{1,3})", re.IGNORECASE), "{}"),
    (re.compile(r"([-+]?[0-9]+(?:\.[0-9]+)?)x10\^?([-+]?[0-9]{1,3})", re.IGNORECASE), "{}e{}"),
    (re.compile(r"([-+]?[0-9]+(?:\.[0-9]+)?)(?:st|nd|rd|th)?\.?", re.IGNORECASE), "{}"),
    (re.compile(r"\(([0-9]+(?:\.[0-9]+)?)\)"), "-{}"),
)
_GROUPED_OTHERWISE = re.compile(r"-?[0-9]{1,3}(?:[._][0-9]{3})+")


@lru_cache(maxsize=1024)
def lenient_dates(text: str, date_format: str | None = None) -> frozenset[DateFields]:
    """Return every date a text may mean, day and month in both orders; the column's own form comes first.

    >>> sorted(lenient_dates("5/6/1996"))
    [DateFields(year=1996, month=5, day=6), DateFields(year=1996, month=6, day=5)]
    """
    if date_format and (own := read_date(text, date_format)):
        return frozenset({own})
    found: set[DateFields] = set()
    for form in _DATE_FORMS if len(text) <= 40 else ():
        if match := form.fullmatch(text):
            found.update(_readings({name: value for name, value in match.groupdict().items() if value}))
    return frozenset(fields for fields in found if is_real(fields))


def _readings(parts: dict[str, str]) -> list[DateFields]:
    year = _year(parts["year"]) if "year" in parts else None
    if "a" in parts:
        one, other = int(parts["a"]), int(parts["b"])
        return [DateFields(year, one, other), DateFields(year, other, one)]
    month = (
        [name[:3] for name in MONTHS].index(parts["name"][:3].lower()) + 1 if "name" in parts else int(parts["month"])
    )
    return [DateFields(year, month, int(parts["day"]) if "day" in parts else None)]


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else int(text) + (1900 if int(text) >= 69 else 2000)


def lenient_number(text: str) -> frozenset[Decimal]:
    """Return the numbers a text may mean, in forms that are not accepted as numbers too.

    >>> sorted(map(str, lenient_number("1e3"))), sorted(map(str, lenient_number("1.234")))
    (['1E+3'], ['1.234', '1234'])
    """
    found: set[str] = set()
    for form, shape in _NUMBER_FORMS if len(text) <= 60 else ():
        if match := form.fullmatch(text):
            found.add(shape.format(*match.groups()).replace(",", "."))
    if _GROUPED_OTHERWISE.fullmatch(text):
        found.add(re.sub("[._]", "", text))
    values: set[Decimal] = set()
    for number in found:
        try:
            values.add(Decimal(number))
        except InvalidOperation:
            continue
    return frozenset(values)
