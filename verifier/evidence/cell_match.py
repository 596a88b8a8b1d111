"""Where a cell's value stands in a page: word for word, as the same number, as the same date; else nearly.

One rule holds for everything found here except near matches: the quote, turned into a cell by `cell_from_quote`, has
the same canonical text as the cell. Whoever rebuilds the answer from the quotes gets the answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from verifier.answers.answer_format import Column
from verifier.answers.normalization.date import DateFields, read_date
from verifier.answers.normalization.near_miss import skeleton
from verifier.answers.normalization.normalise import normalise
from verifier.answers.normalization.number import CURRENCY, GROUPED, read_number, says_percent, write_decimal
from verifier.answers.normalization.rules import fold
from verifier.evidence.folded_text import fold_needle
from verifier.evidence.passages import RecordedPage
from verifier.evidence.quote_value import cell_from_quote, find_dates

How = Literal["exact", "folded", "number", "date", "near"]

MAX_PLACES = 200
"""Places of one cell kept a page: a value that stands there more often says nothing."""

_NUMBER = re.compile(
    rf"(?<![\w.,])(?:(?P<before>{CURRENCY}) ?)?(?P<core>(?:(?<![\w)])[-+])?(?:{GROUPED}|\d+(?:\.\d+)?))"
    rf"(?P<percent> ?%)?(?![\w%]|[.,]\d)",
    re.IGNORECASE | re.ASCII,
)
_NEAR_LENGTH = range(5, 81)
_NEAR_CUT = 88


class Place(NamedTuple):
    """A place in a page's folded text where a cell stands, and by which rule."""

    start: int
    end: int
    how: How


class PageIndex:
    """A page's numbers and dates, found once and only when a cell asks for them."""

    def __init__(self, page: RecordedPage) -> None:
        self.page = page

    @cached_property
    def numbers(self) -> Mapping[str, list[tuple[int, int]]]:
        """Plain number -> places in the folded text, with its percent sign where it has one."""
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for match in _NUMBER.finditer(self.page.folded.text):
            number = read_number(match["core"])
            if number is not None and not number.leading_zero:
                end = match.end("percent") if match["percent"] else match.end("core")
                found[write_decimal(number.value)].append((match.start("core"), end))
        return found

    @cached_property
    def dates(self) -> Mapping[DateFields, list[tuple[int, int]]]:
        """Date -> places in the folded text; a day is also listed as its month and its year."""
        found: dict[DateFields, list[tuple[int, int]]] = defaultdict(list)
        for date in find_dates(self.page.folded.text):
            year, month, day = date.fields
            for fields in {date.fields, DateFields(year, month, None), DateFields(year, None, None)}:
                if day is not None or fields.month is not None or month is None:
                    found[fields].append((date.start, date.end))
        return found

    @cached_property
    def skeleton(self) -> tuple[str, list[int]]:
        """The letters and digits of the folded text without accents, and where each stands."""
        folded = self.page.folded.text
        bare = {sign: skeleton(sign) for sign in set(folded)}
        places = [place for place, sign in enumerate(folded) for _ in bare[sign]]
        return "".join(map(bare.__getitem__, folded)), places


class Wanted(NamedTuple):
    """What is looked for: a cell made ready once for all pages."""

    cell: str
    column: Column
    canonical: str
    needle: str
    numbers: tuple[str, ...]
    decimals: int
    date: DateFields | None

    @property
    def is_weak(self) -> bool:
        """Whether the value stands in many places by chance: numbers, yes and no, very short texts."""
        return bool(self.numbers) or self.column.type == "boolean" or len(self.canonical) < 4


@lru_cache(maxsize=65536)
def wanted(cell: str, column: Column) -> Wanted:
    """Make a cell ready for the search. A blank has an empty canonical text and stands nowhere."""
    folded = fold(cell)
    needle = fold_needle(folded)
    date = read_date(folded, column.date_format or "YYYY-MM-DD") if column.type == "date" else None
    return Wanted(
        cell=cell,
        column=column,
        canonical=normalise(cell, column),
        needle=needle,
        numbers=_number_keys(needle, column),
        decimals=_decimals(needle),
        date=date,
    )


def places_of(looked_for: Wanted, index: PageIndex) -> tuple[Place, ...]:
    """Return the places of a cell in a page: word-for-word ones first, then numbers, then dates; no near ones."""
    if not looked_for.canonical:
        return ()
    found: dict[tuple[int, int], Place] = {}
    for place in _candidates(looked_for, index):
        where = (place.start, place.end)
        if where in found:
            continue
        start, end = index.page.folded.span(*where)
        quote = index.page.text[start:end]
        if normalise(cell_from_quote(quote, looked_for.column), looked_for.column) == looked_for.canonical:
            same = place.how == "folded" and quote == looked_for.cell.strip()
            found[where] = Place(*where, "exact" if same else place.how)
            if len(found) >= MAX_PLACES:
                break
    return tuple(found.values())


def near_places(looked_for: Wanted, index: PageIndex) -> tuple[Place, ...]:
    """Return a place that nearly says the cell: other accents or punctuation, else the most alike stretch of text."""
    bare = skeleton(looked_for.needle)
    if len(bare) not in _NEAR_LENGTH or looked_for.is_weak or looked_for.column.type == "date":
        return ()
    text, places = index.skeleton
    at = text.find(bare)
    if at >= 0:
        return (Place(places[at], places[at + len(bare) - 1] + 1, "near"),)
    from rapidfuzz import fuzz

    best = fuzz.partial_ratio_alignment(looked_for.needle, index.page.folded.text, score_cutoff=_NEAR_CUT)
    if best is None or best.dest_end <= best.dest_start:
        return ()
    return (Place(best.dest_start, best.dest_end, "near"),)


def _candidates(looked_for: Wanted, index: PageIndex) -> Iterator[Place]:
    yield from _word_for_word(looked_for, index)
    for key in looked_for.numbers:
        for start, end in index.numbers.get(key, ()):
            # Without a declared type 3.1 and 3.10 may be versions: the page must write as many decimals.
            written = index.page.folded.text[start:end]
            if looked_for.column.type != "untyped" or _decimals(written) == looked_for.decimals:
                yield Place(start, end, "number")
    if looked_for.date is not None:
        for start, end in index.dates.get(looked_for.date, ()):
            yield Place(start, end, "date")


def _word_for_word(looked_for: Wanted, index: PageIndex) -> Iterator[Place]:
    text, needle = index.page.folded.text, looked_for.needle
    at = text.find(needle) if needle else -1
    while at >= 0:
        end = at + len(needle)
        if stands_alone(text, at, end, looked_for.column):
            yield Place(at, end, "folded")
        at = text.find(needle, at + 1)


def _number_keys(needle: str, column: Column) -> tuple[str, ...]:
    number = read_number(needle, column.unit)
    if number is None or column.type in ("text", "url", "date", "boolean"):
        return ()
    if column.type == "untyped" and (number.leading_zero or number.decimal_comma):
        return ()
    # A share may stand on the page as 12% or as 0.12; whether it is the same is decided by the quote.
    values = {number.value, number.value * 100, number.value / 100} if number.percent or column.type == "percent" else {
        number.value
    }  # fmt: skip
    return tuple(sorted(map(write_decimal, values)))


def stands_alone(text: str, start: int, end: int, column: Column | None = None) -> bool:
    """Tell whether a span of folded text is a word or number of its own, not a part of a longer one.

    Scripts without spaces between words have no such border. `3.10` does not stand in `3.10.2`, nor `234` in `1,234`.

    >>> stands_alone("python 3.10.2", 7, 11), stands_alone("june 17th, 1996", 11, 15), stands_alone("東京都", 0, 2)
    (False, True, True)
    """
    first, last = text[start], text[end - 1]
    before, after = text[start - 1 : start], text[end : end + 1]
    if _is_word(first) and _is_word(before):
        return False
    if _is_word(last) and _is_word(after):
        return False
    if first.isdigit() and _cuts_number_before(text, start):
        return False
    return not (last.isdigit() and _cuts_number_after(text, end, column))


def _is_word(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_") and not _without_spaces(sign)


def _without_spaces(sign: str) -> bool:
    # Thai to Khmer, kana, CJK, Hangul (whose particles join the word).
    code = ord(sign)
    return 0x0E00 <= code <= 0x0EFF or 0x1780 <= code <= 0x17FF or 0x3040 <= code <= 0x30FF or (
        0x3400 <= code <= 0x9FFF or 0xAC00 <= code <= 0xD7AF or 0x20000 <= code <= 0x3FFFF
    )  # fmt: skip


def _cuts_number_before(text: str, start: int) -> bool:
    before, second = text[start - 1 : start], text[max(0, start - 2) : start - 1]
    if before in (".", ","):
        return second.isdigit() or (before == "." and not second.strip())
    return before == "-" and not second.strip()


def _cuts_number_after(text: str, end: int, column: Column | None) -> bool:
    after = text[end : end + 4]
    if after[:1] == ".":
        return after[1:2].isdigit()
    if after[:1] == ",":
        return after[1:4].isdigit() and len(after) == 4 and not text[end + 4 : end + 5].isdigit()
    percent = after[:1] == "%" or after[:2] == " %"
    return percent and not (column is not None and (says_percent(column) or column.type == "text"))


def _decimals(written: str) -> int:
    number = re.search(r"\.(\d+)(?=\D*$)", written)
    return len(number[1]) if number and written.count(".") == 1 else 0
