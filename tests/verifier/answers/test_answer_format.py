"""Answer formats that contradict themselves are refused, with what is wrong."""

from __future__ import annotations

import pytest

from browser_capture.errors import RecordError
from browser_capture.json_records import from_json, to_json
from tests.verifier.builders import task
from verifier.answers.answer_format import AnswerFormat, Column
from verifier.errors import AnswerFormatError
from verifier.tasks import Task


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


def test_aliases_survive_as_a_record() -> None:
    column = Column(name="City", aliases=(("Bonn", "B"), ("Berlin",)))
    asked = task("Which cities?", AnswerFormat(type="set", columns=(column,)))
    assert from_json(Task, to_json(asked)) == asked


def test_an_alias_without_a_value_fits_no_schema() -> None:
    data = to_json(task("Which cities?", AnswerFormat(type="set", columns=(Column(name="City"),))))
    data["answer_format"]["columns"][0]["aliases"] = [[]]
    with pytest.raises(RecordError, match="aliases"):
        from_json(Task, data)


def test_a_format_can_be_a_key() -> None:
    column = Column(name="City", aliases=(("Bonn", "B"),))
    assert len({AnswerFormat(type="set", columns=(column,)), AnswerFormat(type="set", columns=(column,))}) == 1
