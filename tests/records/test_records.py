"""A record's class and schema say the same; a fitting record comes back equal, a spoiled one is refused."""

from __future__ import annotations

import dataclasses
import typing
from pathlib import Path
from typing import Any, Literal

import pytest
from jsonschema import Draft202012Validator

from browser_capture.errors import RecordError
from browser_capture.events import Event
from browser_capture.json_records import dumps, from_json, load_schema, to_json
from tests.records.examples import EXAMPLES, GISA_TASK, Example

ROOT = Path(__file__).parents[2]
CASES = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
CLASSES = pytest.mark.parametrize(
    "kind", sorted({type(example.record) for example in EXAMPLES.values()}, key=str), ids=lambda kind: kind.SCHEMA
)


@CASES
def test_fitting_record_comes_back_equal(example: Example) -> None:
    assert from_json(type(example.record), to_json(example.record)) == example.record


@CASES
def test_spoiled_record_is_refused(example: Example) -> None:
    data = to_json(example.record)
    example.spoil(data)
    with pytest.raises(RecordError, match="/1"):
        from_json(type(example.record), data)


@CASES
def test_record_of_another_schema_is_refused(example: Example) -> None:
    data = to_json(example.record) | {"schema": "letter/1"}
    with pytest.raises(RecordError, match="letter/1"):
        from_json(type(example.record), data)


@CASES
def test_member_of_a_newer_writer_is_dropped(example: Example) -> None:
    data = to_json(example.record) | {"added_later": 1}
    assert from_json(type(example.record), data) == example.record


@CLASSES
def test_class_and_schema_have_the_same_members(kind: Any) -> None:
    assert schema_differences(kind) == []


@CLASSES
def test_schema_is_a_json_schema(kind: Any) -> None:
    document = load_schema(kind.__module__.partition(".")[0], kind.SCHEMA)
    Draft202012Validator.check_schema(document)
    assert document["title"] == kind.SCHEMA


def test_planted_word_is_seen() -> None:
    words = ("src", Literal["dom", "rumour"], "dom")
    Planted = dataclasses.make_dataclass("Planted", [words], bases=(Event,), frozen=True)
    Planted.__module__ = Event.__module__
    assert schema_differences(Planted)[-1] == "Planted: the words of src differ"


def test_planted_difference_is_seen() -> None:
    @dataclasses.dataclass(frozen=True)
    class Planted(Event):
        mood: str = ""

    Planted.__module__ = Event.__module__
    assert schema_differences(Planted) == ["Planted: only the class has mood"]


def test_every_schema_file_has_an_example() -> None:
    files = {path.name.partition(".")[0] for path in ROOT.glob("*/schemas/*.schema.json")}
    assert files == {example.record.SCHEMA.partition("/")[0] for example in EXAMPLES.values()}


@pytest.mark.parametrize("kind", sorted(load_schema("browser_capture", "event/1")["$defs"]))
def test_event_without_what_its_type_requires_is_refused(kind: str) -> None:
    required = load_schema("browser_capture", "event/1")["$defs"][kind]["required"]
    event = Event(session="s", seq=1, type=kind, src="rec", t_wall=0, t_mono=0)
    if required:
        with pytest.raises(RecordError, match=kind):
            from_json(Event, to_json(event))
    else:
        assert from_json(Event, to_json(event)) == event


def test_event_of_an_unknown_type_is_refused() -> None:
    event = Event(session="s", seq=1, type="daydream", src="rec", t_wall=0, t_mono=0)
    with pytest.raises(RecordError, match="daydream"):
        from_json(Event, to_json(event))


def test_same_record_gives_the_same_text() -> None:
    assert dumps(to_json(GISA_TASK)) == dumps(to_json(dataclasses.replace(GISA_TASK)))


def test_lone_surrogate_survives() -> None:
    task = dataclasses.replace(GISA_TASK, question="a\ud800b")
    assert dumps(to_json(task)).isascii()


def schema_differences(kind: Any) -> list[str]:
    """Compare a record class, and the dataclasses inside it, with its schema document, member by member."""
    document = load_schema(kind.__module__.partition(".")[0], kind.SCHEMA)
    differences: list[str] = []
    seen: set[type] = set()

    def compare(cls: type, schema: dict[str, Any]) -> None:
        if cls in seen:
            return
        seen.add(cls)
        fields = {field.name: field for field in dataclasses.fields(cls)}
        for name in sorted(fields.keys() ^ schema["properties"].keys()):
            differences.append(f"{cls.__name__}: only the {'class' if name in fields else 'schema'} has {name}")
        required = {name for name, field in fields.items() if _has_no_default(field)} | ({"schema"} & fields.keys())
        if required != set(schema["required"]):
            differences.append(f"{cls.__name__}: required differs: {required ^ set(schema['required'])}")
        for name, hint in typing.get_type_hints(cls).items():
            if typing.get_origin(hint) is typing.Literal and _words(schema["properties"][name]) != set(
                typing.get_args(hint)
            ):
                differences.append(f"{cls.__name__}: the words of {name} differ")
            for inner in _dataclasses_in(hint):
                compare(inner, document["$defs"][inner.__name__])

    compare(kind, document)
    return differences


def _has_no_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _words(schema: dict[str, Any]) -> set[Any]:
    return set(schema["enum"]) if "enum" in schema else {schema.get("const")}


def _dataclasses_in(hint: Any) -> list[type]:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return [hint]
    return [inner for argument in typing.get_args(hint) for inner in _dataclasses_in(argument)]
