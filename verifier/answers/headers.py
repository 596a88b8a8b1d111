"""Is the first line of an answer its header? By the names asked for, else by what stands below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.answers.answer_format import AnswerFormat, Column
from verifier.answers.normalization.normalise import misfit
from verifier.answers.normalization.number import read_number
from verifier.answers.normalization.rules import fold
from verifier.answers.normalization.text import canonical_text

_NOUNS = (
    "value item element entry answer result name title city country state region province county town place location "
    "year date day month film movie show series episode album song track artist band singer actor actress director "
    "author writer book novel game player team club coach person people member president minister company university "
    "school language species animal plant river lake mountain island building museum painting award winner event "
    "number count total amount price"
)
GENERIC_HEADERS = frozenset(
    word + ending for word in _NOUNS.split() for ending in ("", "s", "name", "names", "title")
) | {"cities", "countries", "companies", "species", "universities", "counties", "entries", "fullname"}
"""Words that head a column and are no answer by themselves: above one column they are a header of another name."""

_LONGEST = 500
"""Signs of a header that are looked at."""
_MARKS = re.compile(r"^#{1,6} |[:：]$")


def same_header(one: str, other: str) -> bool:
    """Tell whether two headers are the same but for case, spaces and markdown.

    >>> same_header("**First Name**", "first\\u00a0name")
    True
    """
    return header_key(one) == header_key(other)


def header_key(name: str) -> str:
    """Return what two spellings of a header have in common.

    >>> header_key("**First Name**")
    'firstname'
    """
    return canonical_text(fold(name[:_LONGEST]))


def shown_key(name: str) -> str:
    """Return the key of a header as a reply may show it: as a heading, or with a colon behind it."""
    return header_key(_MARKS.sub("", fold(name[:_LONGEST])))


def is_header(rows: Sequence[Sequence[str]], asked: AnswerFormat) -> bool:
    """Tell whether the first of some rows is a header, perhaps under other names.

    Under other names it is one where the lines below are of another kind (words above figures), or where it says a
    word that heads columns (`City`) or a word of the names asked for. Else it is data.

    >>> one = AnswerFormat(type="set", columns=(Column(name="Item"),))
    >>> [is_header([[first], ["Rome"]], one) for first in ("Item", "Paris", "City")]
    [True, False, True]
    """
    first, rest = rows[0], rows[1:]
    names = {header_key(name) for name in asked.header}
    keys = [shown_key(cell) for cell in first]
    if any(key in names for key in keys):
        return True
    if not rest:
        return False
    if asked.type == "table" and (votes := _votes(first, rest, asked.columns)):
        return votes > 0
    return any(key in GENERIC_HEADERS for key in keys) or (
        _shares_a_word(first, asked) if asked.type == "table" else _words_above_figures(first, rest)
    )


def _shares_a_word(first: Sequence[str], asked: AnswerFormat) -> bool:
    words = {word for name in asked.header for word in _words(name)}
    return any(word in words for cell in first for word in _words(cell))


def _words(name: str) -> list[str]:
    return re.findall(r"\w{3,}", fold(name).casefold())


def _votes(first: Sequence[str], rest: Sequence[Sequence[str]], columns: Sequence[Column]) -> int:
    """Count the columns whose first cell is of another kind than those below, less those where it is of the same."""
    votes = 0
    for place, cell in enumerate(first):
        below = [row[place] for row in rest if len(row) > place and row[place]]
        if not below or not cell:
            continue
        column = columns[place] if place < len(columns) and len(first) == len(columns) else None
        if column and column.type not in ("text", "untyped"):
            if all(misfit(other, column) is None for other in below):
                votes += -1 if misfit(cell, column) is None else 1
        elif all(map(_has_digit, below)):
            votes += -1 if _has_digit(cell) else 1
    return votes


def _words_above_figures(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    if len(first) != 1 or _has_digit(first[0]) or not first[0]:
        return False
    return all(len(row) == 1 and read_number(fold(row[0])) is not None for row in rest)


def _has_digit(text: str) -> bool:
    return re.search(r"\d", text) is not None
