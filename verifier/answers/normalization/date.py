"""Dates in the form the question states: separators and zero padding do not count, any other form is another text.

Words of a format: YYYY (Year), YY, MMMM or Month (January), MMM or Mon (Jan), MM or M, DD, D or Day, in any order and
case; everything else separates (`YYYY年MM月DD日`, `D of Month YYYY`, `YYYYMMDD`).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.answers.normalization.rules import NOTHING, Skip, fold

MONTHS = tuple(name.casefold() for name in (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
))  # fmt: skip

_MONTH_NUMBERS = {name[:3]: number for number, name in enumerate(MONTHS, start=1)}
_WORD = re.compile(r"YYYY|YEAR|YY|MMMM|MONTH|MMM|MON|MM|M|DAY|DD|D", re.IGNORECASE)
_PATTERNS = {
    "YYYY": r"(\d{4})",
    "YY": r"(\d{2})",
    "MMMM": f"({'|'.join(MONTHS)})",
    "MMM": f"({'|'.join(name[:3] for name in MONTHS)})",
    "MM": r"(\d{1,2})",
    "DD": r"(\d{1,2})",
}
_SAME = {"YEAR": "YYYY", "MONTH": "MMMM", "MON": "MMM", "M": "MM", "DAY": "DD", "D": "DD"}
_MEMBERS = {"YYYY": "year", "YY": "year", "MMMM": "month", "MMM": "month", "MM": "month", "DD": "day"}
_SEPARATOR = r"[-/., ]{1,2}"


class DateFields(NamedTuple):
    """What a date says: a year, perhaps a month, perhaps a day."""

    year: int | None
    month: int | None = None
    day: int | None = None


class _Form(NamedTuple):
    words: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    year_at: int | None
    month_at: int | None
    day_at: int | None


def format_words(date_format: str) -> tuple[str, ...]:
    """Return the words of a date format in their order; empty when it has none.

    >>> format_words("Month D, YYYY")
    ('MMMM', 'DD', 'YYYY')
    """
    words = (word.upper() for word in _WORD.findall(date_format))
    return tuple(_SAME.get(word, word) for word in words)


def is_date_format(text: str) -> bool:
    """Tell whether a text is a date format: at least one word, no part twice, no other notation such as `%Y`.

    >>> [is_date_format(one) for one in ("DD Mon YYYY", "%Y-%m-%d", "D/M/Y", "MM-MM")]
    [True, False, False, False]
    """
    return _form(text) is not None and re.search(r"%|y", _WORD.sub(" ", text), re.IGNORECASE) is None


def read_date(folded: str, date_format: str) -> DateFields | None:
    """Read a folded cell in the stated format, or return None when it has another form or is no day of the calendar.

    >>> read_date("1/5/2024", "MM-DD-YYYY")
    DateFields(year=2024, month=1, day=5)
    """
    form = _form(date_format)
    found = _match(form, folded.casefold())
    if form is None or found is None:
        return None
    fields = _fields(form, found.groups())
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


def canonical_date(folded: str, date_format: str | None, skip: Skip = NOTHING) -> str | None:
    """Return the canonical text of a date: the format's own order, padded, parted by `-`; None for another form.

    It keeps the format's order, so that a date in another form can never equal it by accident.

    >>> canonical_date("1/5/2024", "MM-DD-YYYY"), canonical_date("January 5, 2024", "MM-DD-YYYY")
    ('01-05-2024', None)
    """
    form = _form(date_format or "YYYY-MM-DD")
    text = folded.casefold()
    found = _match(form, text)
    if form is None or found is None or not is_real(_fields(form, found.groups())):
        return None
    if not skip:
        return "-".join([part.zfill(2) for part in found.groups()])
    if "case" in skip and len(folded) == len(text):
        text = folded
    parts = [text[start:end] for start, end in found.regs[1:]]
    if "date_padding" not in skip:
        parts = [part.zfill(2) for part in parts]
    if "date_separator" not in skip:
        return "-".join(parts)
    ends = [0, *(found.end(place) for place in range(1, len(form.words) + 1))]
    starts = [*(found.start(place) for place in range(1, len(form.words) + 1)), len(text)]
    between = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    return "".join(sign + part for sign, part in zip(between, [*parts, ""], strict=True))


def is_real(fields: DateFields) -> bool:
    """Tell whether the fields are a day, month or year of the calendar."""
    year, month, day = fields
    if month is not None and not 1 <= month <= 12:
        return False
    if day is None:
        return year is None or year > 0
    if 1 <= day <= 28:
        return year is None or year > 0
    return 1 <= day <= calendar.monthrange(2000 if year is None else max(year, 1), month or 1)[1]


@lru_cache(maxsize=256)
def _form(date_format: str) -> _Form | None:
    words = format_words(date_format)
    if not words or len({_MEMBERS[word] for word in words}) != len(words):
        return None
    before, *signs, after = _WORD.split(date_format)
    outer = _optional(before), _optional(after)
    spaced = [f"(?:{_SEPARATOR}{_own(sign)})" for sign in signs]
    patterns = [_joined([_PATTERNS[word] for word in words], spaced, outer)]
    if "" in signs:
        # Without a separator only the padded form tells where a field ends.
        padded = [_PATTERNS[word].replace("{1,2}", "{2}") for word in words]
        patterns.append(_joined(padded, [_own(sign).removeprefix("|") for sign in signs], outer))
    members = [_MEMBERS[word] for word in words]
    places = [members.index(name) if name in members else None for name in ("year", "month", "day")]
    return _Form(words, tuple(re.compile(pattern, re.ASCII) for pattern in patterns), *places)


def _joined(fields: Sequence[str], signs: Sequence[str], outer: tuple[str, str]) -> str:
    inner = "".join(field + sign for field, sign in zip(fields, [*signs, ""], strict=True))
    return outer[0] + inner + outer[1]


def _optional(text: str) -> str:
    mark = fold(text).casefold()
    return rf"(?:\s?{re.escape(mark)}\s?)?" if mark else ""


def _own(sign: str) -> str:
    # The format's own separator counts beside the usual ones, with or without spaces around it.
    mark = fold(sign).casefold()
    return rf"|\s?{re.escape(mark)}\s?" if mark else ""


def _match(form: _Form | None, text: str) -> re.Match[str] | None:
    for pattern in form.patterns if form else ():
        if found := pattern.fullmatch(text):
            return found
    return None


def _fields(form: _Form, texts: Sequence[str]) -> DateFields:
    return DateFields(
        None if form.year_at is None else _year(texts[form.year_at]),
        None if form.month_at is None else _month(texts[form.month_at]),
        None if form.day_at is None else int(texts[form.day_at]),
    )


def _year(text: str) -> int:
    # Two figures: the usual pivot, 69-99 is the last century.
    number = int(text)
    return number if len(text) > 2 else number + (1900 if number >= 69 else 2000)


def _month(text: str) -> int:
    return int(text) if text.isdigit() else _MONTH_NUMBERS[text[:3]]


def _field_texts(fields: DateFields) -> dict[str, str | None]:
    year, month, day = fields
    name = None if month is None else MONTHS[month - 1].capitalize()
    return {
        **dict.fromkeys(("YYYY", "YEAR"), None if year is None else f"{year:04d}"),
        "YY": None if year is None else f"{year % 100:02d}",
        **dict.fromkeys(("MMMM", "MONTH"), name),
        **dict.fromkeys(("MMM", "MON"), None if name is None else name[:3]),
        "MM": None if month is None else f"{month:02d}",
        "M": None if month is None else str(month),
        "DD": None if day is None else f"{day:02d}",
        **dict.fromkeys(("D", "DAY"), None if day is None else str(day)),
    }
