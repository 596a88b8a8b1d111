"""Answer formats that contradict themselves are refused, with what is wrong."""

from __future__ import annotations

import pytest

from verifier.answers.answer_format import AnswerFormat, Column
from verifier.errors import AnswerFormatError


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (Column(name="City", aliases=(("Bonn", "B"), ("Berlin", "b"))), "'b' names two values: 'Bonn' and 'Berlin'"),
        (Column(name="City", aliases=(("Bonn", "Bonna"), ("BONNA", "Verona"))), "'BONNA' names two values"),
        (Column(name="City", aliases=(("Bonn", "n/a"),)), "'n/a' of 'Bonn' means no value"),
        (Column(name="City", aliases=((),)), "write the value"),
        (Column(name="Mass", type="number", tolerance="5 %"), "tolerance of column 'Mass' is no amount: '5 %'"),
        (Column(name="Mass", type="number", tolerance="-1"), "no amount: '-1'"),
        (Column(name="Mass", type="number", tolerance="NaN"), "no amount: 'NaN'"),
    ],
)
def test_a_column_that_contradicts_itself_is_refused(column: Column, says: str) -> None:
    with pytest.raises(AnswerFormatError, match=says):
        AnswerFormat(type="set", columns=(column,))


@pytest.mark.parametrize(
    "aliases",
    [
        (("Bonn", "B"), ("Bonn", "Bonna")),
        (("Bonn", "BONN"),),
        (("", "unknown", "?"),),
        (("Bonn",),),
    ],
)
def test_aliases_that_name_one_value_each_are_taken(aliases: tuple[tuple[str, ...], ...]) -> None:
    assert AnswerFormat(type="set", columns=(Column(name="City", aliases=aliases),)).columns[0].aliases == aliases


def test_a_format_can_be_a_key() -> None:
    column = Column(name="City", aliases=(("Bonn", "B"),))
    assert len({AnswerFormat(type="set", columns=(column,)), AnswerFormat(type="set", columns=(column,))}) == 1
