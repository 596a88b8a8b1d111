"""JSON and bytes out of a request, within limits, or a sentence about why not."""

from __future__ import annotations

import json
import zlib
from typing import Any, NoReturn

from flask import request

from annotator_server.errors import BadInput

SMALL = 100_000
"""Bytes of a JSON body that holds a few fields."""


def json_body(limit: int = SMALL) -> dict[str, Any]:
    """Return the request's JSON object. Raises BadInput for anything else, endless nesting and endless numbers too."""
    request.max_content_length = limit
    try:
        data = json.loads(request.get_data(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the body is no JSON object: {error}") from error
    if not isinstance(data, dict):
        raise BadInput("the body is no JSON object")
    return data


def text_member(data: dict[str, Any], name: str, longest: int = 200) -> str:
    """Return a text of a JSON object. Raises BadInput when it is missing, empty, too long or no storable text."""
    value = data.get(name)
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        raise BadInput(f"{name!r} must be a text of 1 to {longest} characters")
    if "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise BadInput(f"{name!r} holds a character that is no text")
    return value


def count_member(data: dict[str, Any], name: str) -> int:
    """Return a whole number of a JSON object. Raises BadInput when it is none a database can hold."""
    value = data.get(name)
    if type(value) is not int or not 0 <= value < 2**31:
        raise BadInput(f"{name!r} must be a whole number from 0 to {2**31 - 1}")
    return value


def plain_bytes(limit: int) -> bytes:
    """Return the body, unpacked when it is gzip. Raises BadInput when it is broken or unpacks to more than `limit`."""
    request.max_content_length = limit
    body = request.get_data()
    if request.headers.get("Content-Encoding", "identity").lower() != "gzip":
        return body
    unpacker = zlib.decompressobj(wbits=31)
    try:
        data = unpacker.decompress(body, limit)
    except zlib.error as error:
        raise BadInput(f"the body says it is gzip and cannot be unpacked: {error}") from error
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise BadInput(f"the body unpacks to more than {limit:,} bytes, or ends too early")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
