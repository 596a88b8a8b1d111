"""The schema of a question row becomes an answer format; what it cannot mean is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.errors import AnswerFormatError
from verifier.scoring.answer_schema import NO_SCHEMA, format_of, read_schema

HEADER = ("Town", "ZIP", "Share (%)")


def table(**schema: Any) -> AnswerFormat:
    return format_of("table", read_schema(schema), HEADER)


def types(answer_format: AnswerFormat) -> list[str]:
    return [column.type for column in answer_format.columns]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, ["untyped", "untyped", "untyped"]),
        ({"ZIP": "text"}, ["untyped", "text", "untyped"]),
        ({"ZIP": "Text"}, ["untyped", "text", "untyped"]),
        ({"zip": "text"}, ["untyped", "text", "untyped"]),
        ({"*": "text"}, ["text", "text", "text"]),
        ({"*": "text", "Share (%)": "percent"}, ["text", "text", "percent"]),
        ({"Share (%)": {"type": "number"}}, ["untyped", "untyped", "number"]),
    ],
)  # fmt: skip
def test_types_name_columns_or_all_others(said: dict[str, Any], expected: list[str]) -> None:
    assert types(table(types=said)) == expected


def test_column_says_all_it_may() -> None:
    said = {"type": "number", "unit": "km", "null_marker": "?", "tolerance": 0.5, "aliases": {"one": ["1", "I"]}}
    assert table(types={"ZIP": said}).columns[1] == Column(
        name="ZIP", type="number", unit="km", null_marker="?", tolerance="0.5", aliases=(("one", "1", "I"),)
    )


def test_aliases_may_be_lists() -> None:
    columns = table(types={"Town": {"aliases": [["Wien", "Vienna"]]}}).columns
    assert columns[0].aliases == (("Wien", "Vienna"),)


@pytest.mark.parametrize(("said", "expected"), [(["zip"], ("ZIP",)), ("Town", ("Town",)), ([], ())])
def test_keys_are_written_as_the_header_is(said: Any, expected: tuple[str, ...]) -> None:
    assert table(key=said).keys == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, None),
        ([], ()),
        (["ZIP"], (SortKey(column="ZIP"),)),
        ("ZIP", (SortKey(column="ZIP"),)),
        ([{"column": "zip", "direction": "desc", "collation": "number"}],
         (SortKey(column="ZIP", direction="descending", collation="number"),)),
    ],
)  # fmt: skip
def test_sort_is_any_order_gold_order_or_keys(said: Any, expected: Any) -> None:
    assert table(sort=said).sort == expected


@pytest.mark.parametrize(("kind", "header"), [("item", ("Value",)), ("set", ("Item",)), ("list", ("Item",))])
def test_one_column_has_the_published_header(kind: Any, header: tuple[str, ...]) -> None:
    assert format_of(kind, NO_SCHEMA).header == header


def test_one_column_takes_the_only_name_a_schema_says() -> None:
    asked = format_of("item", read_schema({"types": {"Population": "integer"}}))
    assert asked.columns == (Column(name="Population", type="integer"),)


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ([], "schema is .*an object is expected"),
        ({"types": ["text"]}, "schema.types is .*an object is expected"),
        ({"types": {"A": "word"}}, "a column's type is one of text, integer"),
        ({"types": {"A": {"typ": "text"}}}, "has the member 'typ'; it may have type"),
        ({"types": {"A": {"tolerance": "x"}}}, "a tolerance is a number"),
        ({"types": {"A": {"tolerance": -1}}}, "a tolerance is a number"),
        ({"types": {"A": {"tolerance": True}}}, "a tolerance is a number"),
        ({"types": {"A": {"unit": 5}}}, "unit is 5; a text is expected"),
        ({"types": {"A": {"aliases": "USA"}}}, "aliases should be an object"),
        ({"types": {"A": {"aliases": [[]]}}}, "aliases should be an object"),
        ({"types": {"A": {"type": "text", "tolerance": 5}}}, "a tolerance needs one of integer, number, percent"),
        ({"types": {"A": {"type": "date", "date_format": "%Y"}}}, "date_format is '%Y'; expected are the words YYYY"),
        ({"key": ["A"], "keys": ["A"]}, "key and keys, which mean the same"),
        ({"key": [1]}, "schema.key is 1; a text is expected"),
        ({"sort": [{"direction": "descending"}]}, "schema.sort.column is None"),
        ({"sort": [{"column": "A", "direction": "up"}]}, "it is one of ascending"),
        ({"sort": [{"column": "A", "collation": ["x"]}]}, "it is one of casefold"),
        ({"sort": [{"column": "A", "order": "asc"}]}, "has the member 'order'"),
    ],
)  # fmt: skip
def test_schema_that_says_nothing_known_is_refused(schema: Any, says: str) -> None:
    with pytest.raises(AnswerFormatError, match=says):
        read_schema(schema)


@pytest.mark.parametrize("schema", [{"types": {"City": "text"}}, {"key": ["City"]}, {"sort": ["City"]}])
def test_column_that_the_truth_lacks_is_named(schema: dict[str, Any]) -> None:
    with pytest.raises(AnswerFormatError, match=r"names the column 'City'; the truth file has 'Town', 'ZIP'"):
        table(**schema)
