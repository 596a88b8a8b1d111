"""Answer formats that contradict themselves are refused, with what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browser_capture.errors import RecordError
from browser_capture.json_records import from_json, to_json
from tests.verifier.builders import task
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.errors import AnswerFormatError
from verifier.tasks import Task


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (Column(name="City", aliases=(("Bonn", "B"), ("Berlin", "b"))), "'b' names two values: 'Bonn' and 'Berlin'"),
        (Column(name="City", aliases=(("Bonn", "Bonna"), ("BONNA", "Verona"))), "'BONNA' names two values"),
        (Column(name="City", aliases=(("Bonn", "n/a"),)), "'n/a' of 'Bonn' means no value"),
        (Column(name="City", aliases=((),)), "write the value"),
        (Column(name="Day", type="date", date_format="%Y-%m-%d"), "'Day' is '%Y-%m-%d'; expected are the words YYYY"),
        (Column(name="Day", type="date", date_format="QQ"), "'Day' is 'QQ'; expected are the words YYYY"),
        (Column(name="Mass", type="number", tolerance="5 %"), "tolerance of column 'Mass' is no amount: '5 %'"),
        (Column(name="Mass", type="number", tolerance="-1"), "no amount: '-1'"),
        (Column(name="Mass", type="number", tolerance="NaN"), "no amount: 'NaN'"),
        (Column(name="Word", type="text", tolerance="5"), "'Word' is of type text and has a tolerance"),
        (Column(name="Site", type="url", tolerance="5"), "only a number may be off"),
        (Column(name="Law", type="boolean", tolerance="1"), "only a number may be off"),
        (Column(name="Day", type="date", date_format="YYYY", tolerance="1"), "only a number may be off"),
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


def a_table(**members: Any) -> AnswerFormat:
    return AnswerFormat(**{"type": "table", "columns": (Column(name="A"),), **members})


def a_column(**members: Any) -> Column:
    return Column(name="A", **members)


def a_key(**members: Any) -> SortKey:
    return SortKey(column="A", **members)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: a_table(type="matrix"), "answer type is 'matrix'; expected one of item, set, list, table"),
        (lambda: a_table(sort=("A",)), r"sort holds 'A'; expected a SortKey, such as SortKey\(column="),
        (lambda: a_table(sort=["A"]), r"sort is \['A'\]; expected a tuple of SortKey"),
        (lambda: a_table(keys="A"), "keys is 'A'; expected a tuple of str"),
        (lambda: a_table(columns=("A",)), "columns holds 'A'; expected a Column"),
        (lambda: a_column(type="float"), "type of column 'A' is 'float'; expected one of text, integer"),
        (lambda: a_column(aliases={"B": ["C"]}), "aliases of column 'A' are .*; expected a tuple of tuples"),
        (lambda: a_key(direction="up"), "direction .* is 'up'; expected one of ascending"),
        (lambda: a_key(collation="en"), "collation .* is 'en'; expected one of casefold"),
    ],
)
def test_what_no_format_can_be_is_refused_when_it_is_made(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(AnswerFormatError, match=says):
        make()
