"""Rows and sort keys come in, whether the rows stand in that order goes out.

What a question leaves open is taken either way: an accented letter beside its plain form or after z, punctuation
counted or not, blanks all first or all last. A cell the collation cannot read has no place, and then no order is seen.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from verifier.answers.answer_format import AnswerFormat, SortKey
from verifier.answers.columns import Column
from verifier.answers.normalization.date import read_date
from verifier.answers.normalization.near_miss import skeleton
from verifier.answers.normalization.normalise import normalise
from verifier.answers.normalization.number import read_number
from verifier.answers.normalization.rules import fold

Rows = Sequence[Sequence[str]]


def _number(cell: str, column: Column) -> Decimal | None:
    found = read_number(fold(cell), column.unit)
    return None if found is None else found.value


def _date(cell: str, column: Column) -> tuple[int, int, int] | None:
    found = read_date(fold(cell), column.date_format or "YYYY-MM-DD")
    return None if found is None else (found.year or 0, found.month or 0, found.day or 0)


def _bare(cell: str, column: Column) -> str | None:
    # Punctuation stays beside digits: 1.5 is not 15, and -5 is not 5.
    spread = unicodedata.normalize("NFKD", fold(cell).casefold())
    plain = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return plain if any(sign.isdigit() for sign in plain) else skeleton(plain) or None


READINGS: Mapping[str, tuple[Callable[[str, Column], Any], ...]] = {
    "casefold": (lambda cell, _: fold(cell).casefold() or None, _bare),
    "codepoint": (lambda cell, _: cell or None,),
    "number": (_number,),
    "date": (_date,),
}
"""How a collation reads a cell, each way it may be meant; None for a cell it cannot read."""


def in_order(rows: Rows, keys: Sequence[SortKey], asked: AnswerFormat) -> bool:
    """Tell whether rows stand in the order of the keys; rows that tie on all of them may stand either way.

    >>> asked = AnswerFormat(type="table", columns=(Column(name="City"),))
    >>> rows = [["Evian"], ["Eze"], ["Évian"]]
    >>> [in_order(one, [SortKey(column="City")], asked) for one in (rows[:2], rows[1:], rows[:0:-1], rows[1::-1])]
    [True, True, True, False]
    """
    columns = {column.name: (place, column) for place, column in enumerate(asked.columns)}
    return any(
        _stands(
            [
                _ranks([row[columns[key.column][0]] for row in rows], key, columns[key.column][1], reading, blank)
                for key in keys
            ]
        )
        for reading in (0, -1)
        for blank in (-1, len(rows))
    )


def same_order(gold: Rows, found: Rows, keys: Sequence[SortKey], asked: AnswerFormat) -> bool:
    """Tell whether both stand in the order of the keys, each in its own reading.

    A gold answer that does not stand in its stated order shows that the order is another one: then this is False, and
    only the gold answer's own sequence is right.
    """
    return in_order(gold, keys, asked) and in_order(found, keys, asked)


def _stands(ranks: Sequence[Sequence[int] | None]) -> bool:
    known = [one for one in ranks if one is not None]
    return len(known) == len(ranks) and all(one <= other for one, other in pairwise(zip(*known, strict=True)))


def _ranks(cells: Sequence[str], key: SortKey, column: Column, reading: int, blank: int) -> list[int] | None:
    """Return each cell's rank in the key's direction; None when a cell cannot be read. Blanks have the given rank."""
    read = READINGS[key.collation][reading]
    values: list[Any] = [read(cell, column) if normalise(cell, column) else "" for cell in cells]
    if any(value is None for value in values):
        return None
    known = sorted({value for value in values if value != ""}, reverse=key.direction == "descending")
    rank = {value: place for place, value in enumerate(known)}
    return [rank.get(value, blank) for value in values]
