"""Dates in the form the question states: separators and zero padding do not count, any other form is another text.

Words of a format: YYYY, YY, MMMM or Month (January), MMM or Mon (Jan), MM or M, DD or D; everything else separates.
"""

from __future__ import annotations

import calendar
import re
from functools import lru_cache
from typing import NamedTuple

MONTHS = tuple(name.casefold() for name in (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
))  # fmt: skip

_WORD = re.compile(r"YYYY|YY|MMMM|MONTH|MMM|MON|MM|M|DD|D", re.IGNORECASE)
_PATTERNS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<short_year>\d{2})",
    "MMMM": f"(?P<month_name>{'|'.join(MONTHS)})",
    "MMM": f"(?P<month_abbreviation>{'|'.join(name[:3] for name in MONTHS)})",
    "MM": r"(?P<month>\d{1,2})",
    "DD": r"(?P<day>\d{1,2})",
}
_SAME = {"MONTH": "MMMM", "MON": "MMM", "M": "MM", "D": "DD"}


class DateFields(NamedTuple):
    """What a date says: a year, perhaps a month, perhaps a day."""

    year: int | None
    month: int | None = None
    day: int | None = None


def format_words(date_format: str) -> tuple[str, ...]:
    """Return the words of a date format in their order; empty when it has none.

    >>> format_words("Month D, YYYY")
    ('MMMM', 'DD', 'YYYY')
    """
    words = (word.upper() for word in _WORD.findall(date_format))
    return tuple(_SAME.get(word, word) for word in words)


def read_date(folded: str, date_format: str) -> DateFields | None:
    """Read a folded cell in the stated format, or return None when it has another form or is no day of the calendar.

    >>> read_date("1/5/2024", "MM-DD-YYYY")
    DateFields(year=2024, month=1, day=5)
    """
    pattern = _pattern(format_words(date_format))
    found = pattern.fullmatch(folded.casefold()) if pattern else None
    if found is None:
        return None
    parts = found.groupdict()
    fields = DateFields(_year(parts), _month(parts), int(parts["day"]) if parts.get("day") else None)
    return fields if is_real(fields) else None


def write_date(fields: DateFields, date_format: str) -> str | None:
    """Write a date in the words and separators of the format; None when a field is missing.

    >>> write_date(DateFields(1996, 6, 17), "YYYY-MM-DD"), write_date(DateFields(1996, 6, 17), "Month D, YYYY")
    ('1996-06-17', 'June 17, 1996')
    """
    texts: dict[str, str | None] = _field_texts(fields)
    missing = [word for word in _WORD.findall(date_format) if texts[word.upper()] is None]
    if missing or not format_words(date_format):
        return None
    return _WORD.sub(lambda found: texts[found[0].upper()] or "", date_format)


def canonical_date(folded: str, date_format: str | None) -> str | None:
    """Return the canonical text of a date: the format's own order, padded, parted by `-`; None for another form.

    It keeps the format's order, so that a date in another form can never equal it by accident.

    >>> canonical_date("1/5/2024", "MM-DD-YYYY"), canonical_date("January 5, 2024", "MM-DD-YYYY")
    ('01-05-2024', None)
    """
    date_format = date_format or "YYYY-MM-DD"
    fields = read_date(folded, date_format)
    if fields is None:
        return None
    written = write_date(fields, "-".join(format_words(date_format)))
    return None if written is None else written.casefold()


def is_real(fields: DateFields) -> bool:
    """Tell whether the fields are a day, month or year of the calendar."""
    if fields.month is not None and not 1 <= fields.month <= 12:
        return False
    if fields.day is None:
        return fields.year is None or fields.year > 0
    year, month = fields.year or 2000, fields.month or 1
    return 1 <= fields.day <= calendar.monthrange(max(year, 1), month)[1]


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    if not words or len(set(words)) != len(words):
        return None
    return re.compile(r"[-/., ]{1,2}".join(_PATTERNS[word] for word in words), re.ASCII)


def _year(parts: dict[str, str]) -> int | None:
    if parts.get("year"):
        return int(parts["year"])
    if parts.get("short_year"):
        # The usual pivot: 69-99 is the last century.
        short = int(parts["short_year"])
        return short + (1900 if short >= 69 else 2000)
    return None


def _month(parts: dict[str, str]) -> int | None:
    if parts.get("month"):
        return int(parts["month"])
    name = parts.get("month_name") or parts.get("month_abbreviation")
    return None if name is None else [month[:3] for month in MONTHS].index(name[:3]) + 1


def _field_texts(fields: DateFields) -> dict[str, str | None]:
    year, month, day = fields
    name = None if month is None else MONTHS[month - 1].capitalize()
    return {
        "YYYY": None if year is None else f"{year:04d}",
        "YY": None if year is None else f"{year % 100:02d}",
        **dict.fromkeys(("MMMM", "MONTH"), name),
        **dict.fromkeys(("MMM", "MON"), None if name is None else name[:3]),
        "MM": None if month is None else f"{month:02d}",
        "M": None if month is None else str(month),
        "DD": None if day is None else f"{day:02d}",
        "D": None if day is None else str(day),
    }
