"""A parsed answer comes in, a value goes out that is equal for two answers that say the same: what runs vote on."""

from __future__ import annotations

from itertools import groupby

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.normalization.normalise import normaliser
from verifier.statistics.consensus import Row, row_order


def canonical_answer(parsed: ParsedAnswer, answer_format: AnswerFormat) -> tuple[Row, ...]:
    """Return an answer's rows in canonical text, in an order that is the same however its order may vary.

    A set's elements count once and are sorted, as are a table's rows where the format lets them stand in any order, and
    rows that tie on every stated sort key. Columns beside the format's do not count. A tolerance does not make answers
    equal: 10.1 and 10.2 are two votes. The result may be used as one of `row_consensus`'s answers.

    >>> from verifier.answers.answer_format import Column
    >>> asked = AnswerFormat(type="set", columns=(Column(name="Item"),))
    >>> canonical_answer(ParsedAnswer(("Item",), (("B",), ("a ",), ("b",)), ()), asked)
    (('a',), ('b',))
    """
    rows = canonical_rows(parsed, answer_format)
    if answer_format.type == "set":
        return tuple(sorted(set(rows), key=row_order))
    if answer_format.type != "table" or answer_format.sort is None:
        return rows
    places = [answer_format.header.index(key.column) for key in answer_format.sort]
    ties = groupby(rows, key=lambda row: [row[place] for place in places])
    return tuple(row for _, tied in ties for row in sorted(tied, key=row_order))


def canonical_rows(parsed: ParsedAnswer, answer_format: AnswerFormat) -> tuple[Row, ...]:
    """Return the rows in canonical text under the format's columns; None where the answer lacks a column."""
    places = {name: place for place, name in enumerate(parsed.header)}
    columns = [(places.get(column.name), normaliser(column)) for column in answer_format.columns]
    return tuple(
        tuple(normal(row[place]) if place is not None and place < len(row) else None for place, normal in columns)
        for row in parsed.rows
    )
