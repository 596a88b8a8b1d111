"""Is the first line of an answer its header? By the names asked for, else by what stands below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

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
_AMOUNTS = (
    "height mass weight length width depth distance area population temperature age duration runtime volume density "
    "elevation altitude cost revenue gdp points percentage share capacity size score budget salary rating"
)
_KINDS = (
    "capital rank occupation profession nationality birthplace birthday headquarters founder manufacturer publisher "
    "genre currency continent location architect composer designer inventor discoverer producer sport venue"
)
_NOUN = "|".join(
    sorted({*_NOUNS.split(), *_AMOUNTS.split(), *_KINDS.split(), "citie", "countrie", "companie", "speed"})
)
_PHRASE = re.compile(
    rf"""(?:the[ ])?(?:
    (?:{"|".join((_AMOUNTS + " " + _KINDS).split())})s?(?:[ ]of[ ].{{1,80}})?          # Capital; Height of the tower
    |(?:(?!greatest)\w{{2,}}est|most[ ]\w+|capital|total|average|final|correct|full|official|birth|home|top)[ ]
     (?:\w+[ ])?(?:{_NOUN})s?                                                           # Largest city, Total area
    |(?<!the[ ])(?:name|number|title|list|date|year)s?[ ]of[ ](?!the[ ]\w+$).{{1,80}}    # Number of moons
    |(?:{_NOUN})[ ](?:name|title)s?                                                     # Tower name
    )(?:[ ]?[(\[].{{1,40}}[)\]]|[ ]in[ ]\S{{1,12}})?""",
    re.IGNORECASE | re.VERBOSE,
)
"""What else heads a column: a quantity or a role, a superlative or the like before one of the words, `number of` ..."""

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
    return _key(str(name[:_LONGEST]))


def shown_key(name: str) -> str:
    """Return the key of a header as a reply may show it: as a heading, or with a colon behind it."""
    return _shown_key(str(name[:_LONGEST]))


@lru_cache(maxsize=1024)
def _key(name: str) -> str:
    return canonical_text(fold(name))


@lru_cache(maxsize=1024)
def _shown_key(name: str) -> str:
    return _key(_MARKS.sub("", fold(name))[:_LONGEST])


def heads_a_column(cell: str) -> bool:
    """Tell whether a text is a usual header, whatever was asked for: a word of `GENERIC_HEADERS`, or such a phrase.

    >>> [heads_a_column(cell) for cell in ("Cities", "Largest city", "Height (m)", "Number of moons")]
    [True, True, True, True]
    >>> [heads_a_column(cell) for cell in ("New York City", "Isle of Man", "Speed", "Year of the Dragon")]
    [False, False, False, False]
    """
    text = _MARKS.sub("", fold(cell[:_LONGEST]))
    return header_key(text) in GENERIC_HEADERS or _PHRASE.fullmatch(text.strip("*_ ")) is not None


def is_header(rows: Sequence[Sequence[str]], asked: AnswerFormat) -> bool:
    """Tell whether the first of some rows is a header, perhaps under other names.

    Under other names it is one where the lines below are of another kind (words above figures), or where it says a
    word that heads columns (`City`, `Largest city`) or a word of the names asked for. Else it is data.

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
    return any(map(heads_a_column, first)) or (
        _shares_a_word(first, asked) if asked.type == "table" else _words_above_figures(first, rest, asked)
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


def _words_above_figures(first: Sequence[str], rest: Sequence[Sequence[str]], asked: AnswerFormat) -> bool:
    """Tell whether a word stands above figures. Above one figure it may be an element itself, except in an item."""
    if len(first) != 1 or _has_digit(first[0]) or not first[0]:
        return False
    if len(rest) < 2 and asked.type != "item":
        return False
    return all(len(row) == 1 and read_number(fold(row[0]), asked.columns[0].unit) is not None for row in rest)


def _has_digit(text: str) -> bool:
    return re.search(r"\d", text) is not None
