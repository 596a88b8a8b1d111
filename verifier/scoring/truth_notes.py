"""A gold answer and its format come in; what a person should look at goes out. Nothing here changes a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.answers.answer_format import AnswerFormat, SortKey
from verifier.answers.normalization.normalise import misfit
from verifier.scoring.row_order import in_order


def truth_notes(rows: Sequence[Sequence[str]], asked: AnswerFormat) -> tuple[str, ...]:
    """Say where the rows of a gold answer do not do what their own format says.

    >>> from verifier.answers.answer_format import Column
    >>> asked = AnswerFormat(type="set", columns=(Column(name="Day", type="date", date_format="YYYY"),))
    >>> truth_notes([["1996"], ["97"]], asked)
    ("row 2, Day: '97' is no date in the form YYYY; such cells are compared as text",)
    """
    return (*_misfits(rows, asked), *_order(rows, asked))


def _misfits(rows: Sequence[Sequence[str]], asked: AnswerFormat) -> Iterator[str]:
    for place, column in enumerate(asked.columns):
        if column.type in ("text", "untyped"):
            continue
        found = [(number, why) for number, row in enumerate(rows, start=1)
                 if len(row) > place and (why := misfit(row[place], column))]  # fmt: skip
        if found:
            number, why = found[0]
            more = f" ({len(found) - 1:,} more)" if len(found) > 1 else ""
            yield f"row {number}, {column.name}: {why}{more}; such cells are compared as text"


def _order(rows: Sequence[Sequence[str]], asked: AnswerFormat) -> Iterator[str]:
    if asked.type == "list" and asked.sort == ():
        yield "sort is [], but the order of a list always counts; answer_type set is for values in any order"
    if asked.type == "table" and asked.sort and not in_order(rows, asked.sort, asked):
        keys = ", ".join(map(_words, asked.sort))
        yield f"the truth is not sorted by {keys}, as its question says; so its own order counts"


def _words(key: SortKey) -> str:
    return f"{key.column} ({key.direction}, {key.collation})"
