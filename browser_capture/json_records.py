"""A frozen dataclass goes out as JSON and comes back, checked against the JSON Schema file beside it.

A record class names its schema in `SCHEMA` ("trajectory/1"); the file is `schemas/trajectory.schema.json` of the
class's own package. Within a version, schemas only grow: unknown members of a newer writer are dropped on reading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Protocol, TypeVar

import cattrs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from browser_capture.errors import RecordError


class Record(Protocol):
    """What every top-level record class offers: the name of its schema, and the same name as a member."""

    SCHEMA: ClassVar[str]

    @property
    def schema(self) -> str: ...


R = TypeVar("R", bound=Record)


def to_json(record: Record) -> dict[str, Any]:
    """Turn a record into plain JSON data. Tuples become lists, decimals become strings; nothing is left out."""
    data = _converter().unstructure(record)
    assert isinstance(data, dict)  # noqa: S101 - a dataclass always unstructures to a dict
    return data


def from_json(kind: type[R], data: Mapping[str, Any]) -> R:
    """Check `data` against the schema of `kind` and build the record.

    Raises RecordError, naming the place, when the schema name is another one or a member does not fit.
    """
    validate(kind, data)
    try:
        return _converter().structure(data, kind)
    except (cattrs.BaseValidationError, ValueError, TypeError, KeyError) as error:
        reasons = "; ".join(cattrs.transform_error(error)) if isinstance(error, cattrs.BaseValidationError) else error
        raise RecordError(f"{kind.SCHEMA}: {reasons}") from error


def validate(kind: type[Record], data: Mapping[str, Any]) -> None:
    """Check plain JSON data against the schema of a record class. Raises RecordError with the first misfit."""
    found = data.get("schema") if isinstance(data, Mapping) else None
    if found != kind.SCHEMA:
        raise RecordError(f"expected a record with schema {kind.SCHEMA!r}, found {found!r}")
    package = kind.__module__.partition(".")[0]
    _refuse_misfit(kind.SCHEMA, "$", _validator(package, kind.SCHEMA), data)
    chosen = _schema(package, kind.SCHEMA).get("x-chosen-by")
    if chosen is not None:
        # One small schema picked by name: a wide oneOf would be slow, and its messages useless.
        choice, part = data[chosen["member"]], chosen["checks"]
        _refuse_misfit(
            f"{kind.SCHEMA} {choice}",
            f"$.{part}",
            _validator(package, kind.SCHEMA, choice),
            data.get(part, {}),
        )


def load_schema(package: str, schema: str) -> dict[str, Any]:
    """Return the JSON Schema document of `schema` ("event/1") that stands in `package`."""
    name = schema.partition("/")[0]
    text = resources.files(package).joinpath("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
    document = json.loads(text)
    assert isinstance(document, dict)  # noqa: S101
    return document


def dumps(data: Any) -> str:
    """Write JSON on one line, keys sorted, ASCII only: the same data always gives the same text.

    >>> dumps({"b": 1, "a": "é"})
    '{"a":"\\\\u00e9","b":1}'
    """
    return json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(data: bytes | str) -> str:
    """Return the SHA-256 of bytes, or of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).hexdigest()


def _refuse_misfit(what: str, where: str, validator: Draft202012Validator, data: Any) -> None:
    error = best_match(validator.iter_errors(data))
    if error is not None:
        raise RecordError(f"{what} at {where}{error.json_path[1:]}: {error.message[:300]}")


@cache
def _schema(package: str, schema: str) -> dict[str, Any]:
    return load_schema(package, schema)


@cache
def _validator(package: str, schema: str, definition: str | None = None) -> Draft202012Validator:
    document = _schema(package, schema)
    if definition is not None:
        return Draft202012Validator({**document["$defs"][definition], "$defs": document["$defs"]})
    return Draft202012Validator(document)


@cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=False, unstruct_collection_overrides={tuple: list})
    converter.register_unstructure_hook(Decimal, str)
    converter.register_structure_hook(Decimal, lambda value, _: Decimal(str(value)))
    for plain in (str, int, bool):
        converter.register_structure_hook(plain, _exactly(plain))
    converter.register_structure_hook(float, lambda value, _: float(value))
    return converter


def _exactly(kind: type) -> Callable[[Any, Any], Any]:
    # cattrs would turn 3 into "3": a record with the wrong type must be refused, not mended.
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"expected {kind.__name__}, found {value!r}")
        return value

    return structure
