"""A quote from a page becomes a cell of a column, by the column's declared type and form alone.

This is what stands between a page and an answer for whoever rebuilds answers from quotes: it knows nothing of the
right answer. Dates in the forms people write become the column's `date_format`; everything else stays the page's own
text, which scoring normalises. A date that may be read in two ways (05/06/1996) is left as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from verifier.answers.answer_format import Column
from verifier.answers.normalization.date import DateFields, is_real, read_date, write_date

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv")
"""Languages whose month names are known; where two languages share a name, it means the same month."""


class FoundDate(NamedTuple):
    """A date in a text: what it says and where, half open."""

    fields: DateFields
    start: int
    end: int


def cell_from_quote(quote: str, column: Column) -> str:
    """Turn a page's own text into a cell value of this column.

    >>> cell_from_quote("June 17th, 1996", Column(name="Released", type="date", date_format="YYYY-MM-DD"))
    '1996-06-17'
    >>> cell_from_quote(" 1,234 ", Column(name="Size", type="integer"))
    '1,234'
    """
    text = " ".join(quote.split())
    if column.type != "date":
        return text
    date_format = column.date_format or "YYYY-MM-DD"
    if read_date(text, date_format) is not None:
        return text
    whole = [found for found in find_dates(text) if (found.start, found.end) == (0, len(text))]
    written = write_date(whole[0].fields, date_format) if whole else None
    return text if written is None else written


def find_dates(text: str) -> Iterator[FoundDate]:
    """Yield the dates of a text in the forms people write; those that may be read in two ways are left out.

    >>> [found.fields[:3] for found in find_dates("from 17 June 1996 to 2001-02")]
    [(1996, 6, 17), (2001, 2, None)]
    """
    for start, end in _around_years(text):
        for found in _forms().finditer(text, start, end):
            fields = _fields({name: value for name, value in found.groupdict().items() if value is not None})
            if fields is not None and is_real(fields):
                yield FoundDate(fields, found.start(), found.end())


def _around_years(text: str) -> Iterator[tuple[int, int]]:
    # Every form has a year of four digits: only its neighbourhood is searched, long pages cost little.
    start = end = 0
    for year in re.finditer(r"\d{4}", text, re.ASCII):
        if year.start() - 40 > end:
            yield start, end
            start = year.start() - 40
        end = min(len(text), year.end() + 24)
    yield start, end


@cache
def month_numbers() -> Mapping[str, int]:
    """Return month names and abbreviations of all known languages, without accents and case, as numbers."""
    # Babel's tables are large: they are read when the first date is looked for.
    from babel import Locale

    names: dict[str, int] = {}
    for language in LANGUAGES:
        months = Locale(language).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in months[context][width].items():
                    names.setdefault(_plain(name).rstrip("."), int(number))
    return {name: number for name, number in names.items() if len(name) > 2}


@cache
def _forms() -> re.Pattern[str]:
    # Names as they are written, accents included: the text is searched, not a folded copy, so that places hold.
    name = "|".join(sorted(map(re.escape, _spellings()), key=len, reverse=True))
    day = r"(?:st|nd|rd|th|\.|º|°|er)?"
    return re.compile(
        rf"(?<![\w.,/-])(?:"
        rf"(?P<y1>\d{{4}})-(?P<m1>\d{{1,2}})(?:-(?P<d1>\d{{1,2}}))?(?:T[\d:.]+Z?)?"
        rf"|(?P<y6>\d{{4}})[./](?P<m6>\d{{1,2}})[./](?P<d6>\d{{1,2}})"
        rf"|(?P<d2>\d{{1,2}}){day}[ -](?:of |de )?(?P<n2>{name})\.?,?[ -](?:de )?(?P<y2>\d{{4}})"
        rf"|(?P<n3>{name})\.? (?P<d3>\d{{1,2}}){day},? (?P<y3>\d{{4}})"
        rf"|(?P<n4>{name})\.?,? (?:of |de )?(?P<y4>\d{{4}})"
        rf"|(?P<a5>\d{{1,2}})(?P<sign>[./-])(?P<b5>\d{{1,2}})(?P=sign)(?P<y5>\d{{4}})"
        rf")(?![\w/-]|[.,]\d)",
        re.IGNORECASE,
    )


@cache
def _spellings() -> frozenset[str]:
    from babel import Locale

    return frozenset(
        name.rstrip(".")
        for language in LANGUAGES
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for name in Locale(language).months[context][width].values()
        if len(name.rstrip(".")) > 2
    )


def _fields(parts: Mapping[str, str]) -> DateFields | None:
    numbers = {name: int(value) for name, value in parts.items() if value.isascii() and value.isdigit()}
    year = next(number for name, number in numbers.items() if name.startswith("y"))
    if "a5" in parts:
        return _day_and_month(year, numbers["a5"], numbers["b5"], parts["sign"])
    month_name = next((value for name, value in parts.items() if name.startswith("n")), None)
    month = next((number for name, number in numbers.items() if name.startswith("m")), None)
    if month_name is not None:
        month = month_numbers().get(_plain(month_name))
    day = next((number for name, number in numbers.items() if name.startswith("d")), None)
    return None if month is None else DateFields(year, month, day)


def _day_and_month(year: int, one: int, other: int, sign: str) -> DateFields | None:
    if sign == "." or one > 12 or one == other:
        return DateFields(year, other, one)
    return DateFields(year, one, other) if other > 12 else None


def _plain(name: str) -> str:
    spread = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in spread if not unicodedata.combining(sign))
